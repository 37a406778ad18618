// The C tests of the store (tests/store/run): each of their results is one here.
import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';
import {BUILD, ROOT, runProgram} from '../lib/stack.mjs';

const run = await runProgram('bash', [path.join(ROOT, 'tests/store/run')], {
    env: {CASEBOOK_ROOT: ROOT, CASEBOOK_BUILD: BUILD}, timeoutMs: 300_000,
});
const lines = run.stdout.split('\n');
const results = lines.filter((line) => /^(not )?ok \d/.test(line));
const planned = lines.map((line) => /^1\.\.(\d+)/.exec(line)).filter(Boolean)
    .reduce((sum, plan) => sum + Number(plan[1]), 0);

for (const line of results) {
    test(line.replace(/^(not )?ok \d+ - /, '').replaceAll('_', ' '), () => {
        const words = lines.slice(lines.indexOf(line) + 1);
        const end = words.findIndex((next) => !next.startsWith('#'));
        assert.ok(line.startsWith('ok'), words.slice(0, end).join('\n'));
    });
}

test('every planned test of the store has ended, and the program well', () => {
    assert.ok(planned > 0, run.stdout + run.stderr);
    assert.equal(results.length, planned, run.stderr);
    if (results.every((line) => line.startsWith('ok'))) assert.equal(run.status, 0, run.stderr);
});
