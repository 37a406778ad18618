/* What a page has to load: one style sheet, small scripts, nothing else; 60 KB in all, as it lies on disk. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { ROOT } from '../lib/stack.mjs';

const MOST = 60 * 1024;
const folder = path.join(ROOT, 'cs-templates/static');
const files = fs.readdirSync(folder);
const read = (name) => fs.readFileSync(path.join(folder, name), 'utf8');

test('style and scripts together are at most 60 KB', () => {
    const sizes = files.filter((f) => /\.(css|js)$/.test(f)).map((f) => [f, read(f).length]);
    const sum = sizes.reduce((all, [, size]) => all + size, 0);
    assert.ok(sum <= MOST, `${sum} bytes: ${JSON.stringify(sizes)}`);
    assert.equal(files.filter((f) => f.endsWith('.css')).length, 1, 'one style sheet');
});

test('nothing is asked of another host, nor made from text', () => {
    for (const name of files.filter((f) => /\.(css|js)$/.test(f))) {
        const text = read(name).replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
        assert.doesNotMatch(text, /https?:\/\/|@import|url\(\s*['"]?(?!#)[^)]|\bimport\s*\(|importScripts|new Function|\beval\(|innerHTML|insertAdjacentHTML|document\.write/, name);
    }
});
