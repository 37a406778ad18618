/* The help explains everything that a finding may name, and links lead to entries that are there. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { ROOT } from '../lib/stack.mjs';

const read = (name) => fs.readFileSync(path.join(ROOT, name), 'utf8');
const help = read('cs-templates/help.cs');
const ids = [...help.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
const explained = (kind) => ids.filter((id) => id.startsWith(`${kind}-`)).map((id) => id.slice(kind.length + 1)).sort();

const folder = path.join(ROOT, 'src/diag');
const diag = fs.readdirSync(folder).filter((f) => f.endsWith('.c')).map((f) => read(`src/diag/${f}`)).join('\n');

/* The table, and the names that carry a number. */
const table = [...read('src/diag/factor.c').matchAll(/\{\s*FACTOR_\w+,\s*"([a-z_]+)"/g)].map(([, name]) => name);
const numbered = [...new Set([...diag.matchAll(/names\[n\+\+\] = arena_fmt\(a, "([a-z_]+):%/g)].map(([, name]) => name))];

test('every factor of src/diag has its entry, and no entry is about nothing', () => {
    const bits = [...read('src/diag/factor.h').matchAll(/\bFACTOR_\w+ = 1 << /g)].length;
    assert.equal(table.length, bits, 'the table was read whole');
    assert.deepEqual(numbered.sort(), ['exit_code', 'signal']);
    assert.deepEqual(explained('factor'), [...table, ...numbered].sort());
});

test('every factor that the labelled failures name', { skip: !process.env.CASEBOOK_SHARED && 'the papers are not beside the tree' }, () => {
    const text = fs.readFileSync(path.join(process.env.CASEBOOK_SHARED, 'corpus/README.md'), 'utf8');
    const [, part] = /## Factors\n([^]*?)\n## /.exec(text);
    const names = [...part.trim().split('\n\n')[0].matchAll(/`([a-z_]+)(?::N)?`/g)].map(([, name]) => name);
    assert.ok(names.length >= 14, names.join(' '));
    for (const name of names) assert.ok(explained('factor').includes(name), name);
});

const words = (array) => [...new RegExp(`${array}\\[\\w+\\] = \\{([^]*?)\\n\\};`).exec(read('src/model/finding.c'))[1]
    .matchAll(/=\s*\{\s*"([a-z_]+)"/g)].map(([, name]) => name).sort();

test('every class and every reason', () => {
    assert.deepEqual(explained('class'), words('classes'));
    assert.deepEqual(explained('reason'), words('reasons'));
});

test('every state of a sandbox that pages draw', () => {
    const drawn = [...read('cs-templates/macros.cs').matchAll(/kind == "([a-z]+)"/g)].map(([, kind]) => kind);
    for (const kind of [...drawn, 'other']) assert.ok(explained('state').includes(kind), kind);
});

test('links to the help lead to what is there', () => {
    const used = new Set();
    for (const name of fs.readdirSync(path.join(ROOT, 'cs-templates')).filter((f) => f.endsWith('.cs'))) {
        const text = read(`cs-templates/${name}`);
        for (const [, id] of text.matchAll(/call:help\("([^"]+)"/g)) used.add(id);
        for (const [, id] of text.matchAll(/\/help#([a-z_-]+)"/g)) used.add(id);
    }
    for (const [, id] of help.matchAll(/href="#([^"]+)"/g)) used.add(id);
    for (const id of used) assert.ok(ids.includes(id), `#${id}`);
    assert.ok(used.size > 12, 'pages point at the help');
    assert.equal(new Set(ids).size, ids.length, 'no id stands twice');
});
