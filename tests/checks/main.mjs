/*
 * Runs every check on this tree; then shows for each that it is content with a small
 * good tree and complains of each bad one.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checks as deployment } from './deployment.mjs';
import { checks as direction } from './direction.mjs';
import { checks as source } from './source.mjs';
import { checks as templates } from './templates.mjs';
import { Tree } from './tree.mjs';

const ROOT = process.env.CASEBOOK_ROOT ?? path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const BUILD = process.env.CASEBOOK_BUILD ?? path.join(ROOT, 'var/build-check');
const CHECKS = [...direction, ...source, ...templates, ...deployment];

let count = 0;
let failures = 0;

function result(name, complaints) {
    count++;
    if (complaints.length) failures++;
    console.log(`${complaints.length ? 'not ok' : 'ok'} ${count} - ${name}`);
    for (const text of complaints.slice(0, 40)) console.log(`#   ${text}`);
}

function compile(dir, source, target, args) {
    const file = path.join(dir, 'scratch.c');
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(file, `${source}\n`);
    execFileSync('gcc', [...args, file], { cwd: dir });
    fs.rmSync(file);
}

/*
 * A tree with these files and no more. Two names are special: archive and program,
 * [built file, C source].
 */
function scratch(files) {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'casebook-checks-'));
    const build = path.join(dir, 'var/build');
    for (const [name, content] of Object.entries(files)) {
        if (name === 'archive' || name === 'program') {
            const target = path.join(build, content[0]);
            if (name === 'program') {
                compile(dir, content[1], target, ['-o', target]);
                continue;
            }
            const object = path.join(dir, 'scratch.o');
            compile(dir, content[1], target, ['-c', '-o', object]);
            execFileSync('ar', ['rcs', target, object]);
            continue;
        }
        fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
        fs.writeFileSync(path.join(dir, name), content);
    }
    return new Tree(dir, build);
}

function onScratch(check, files) {
    const tree = scratch(files);
    try {
        return check.run(tree);
    } finally {
        fs.rmSync(tree.root, { recursive: true, force: true });
    }
}

const real = new Tree(ROOT, BUILD);
for (const check of CHECKS) result(check.name, check.run(real));
for (const check of CHECKS) {
    const good = onScratch(check, check.good).map((text) => `complains of a good tree: ${text}`);
    const unseen = check.bad.filter((files) => onScratch(check, { ...check.base, ...files }).length === 0)
        .map((files) => `does not notice: ${JSON.stringify(files).slice(0, 200)}`);
    result(`noticed when violated: ${check.name}`, [...good, ...unseen]);
}
console.log(`1..${count}`);
process.exitCode = failures ? 1 : 0;
