// The command casebook on a database and the simulator: migrate, check-config, harvest, prune, retry.
import assert from 'node:assert/strict';
import path from 'node:path';
import {after, before, test} from 'node:test';
import {PROGRAMS, ROOT, Stack, runProgram} from '../lib/stack.mjs';

const SQL = path.join(ROOT, 'sql');
const SECRETS = ['e2b_demo0000000000000000000000000000000000', 'demo-secret', 'lin_api_demo'];

let stack;

before(async () => {
    stack = await Stack.start({parts: ['mariadb', 'sim'], migrate: false});
    stack.writeConfig();
});
after(() => stack?.stop());

async function withConfig(changes, body) {
    const old = stack.changes;
    stack.setConfig(changes);
    try {
        await body();
    } finally {
        stack.changes = old;
        stack.writeConfig();
    }
}

const ledger = (id) => Object.fromEntries(stack.sql(
    `SELECT 'state', state FROM ledger_sandbox WHERE sandbox_id = '${id}'
     UNION SELECT 'events', event_count FROM ledger_sandbox WHERE sandbox_id = '${id}'
     UNION SELECT 'reason', kill_reason FROM ledger_sandbox WHERE sandbox_id = '${id}'`));
const count = (table) => Number(stack.sql(`SELECT COUNT(*) FROM ${table}`)[0][0]);
const calls = async (pick) => (await stack.control('GET', 'calls')).filter(pick);

test('wrong usage ends with status 2 and says what is right', async () => {
    for (const args of [[], ['frobnicate'], ['prune', 'now'], ['retry'], ['retry', 'x'],
                        ['prune', '--backfill'], ['migrate', '--nothing'], ['same', 'one']]) {
        const run = await runProgram(PROGRAMS.tool, args);
        assert.equal(run.status, 2, args.join(' '));
        assert.match(run.stderr, /casebook/, args.join(' '));
        assert.equal(run.stdout, '');
    }
    const help = await runProgram(PROGRAMS.tool, ['help']);
    assert.equal(help.status, 0);
    for (const name of ['migrate', 'check-config', 'diagnose', 'same', 'harvest', 'prune', 'retry'])
        assert.match(help.stdout, new RegExp(`casebook ${name}`));
});

test('without the schema, nothing is done and the way out is named', async () => {
    for (const args of [['harvest'], ['prune'], ['retry', '1']]) {
        const run = await stack.tool(...args);
        assert.equal(run.status, 1);
        assert.match(run.stderr, /run: casebook migrate/);
    }
    const check = await stack.tool('check-config');
    assert.equal(check.status, 1);
    assert.match(check.stdout, /FAILED {2}MariaDB: .*run: casebook migrate/);
});

test('migrate tells each step once', async () => {
    const first = await stack.tool('migrate', '--sql', SQL);
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stdout, /^applied 0001_investigation\.sql$/m);
    const second = await stack.tool('migrate', '--sql', SQL);
    assert.equal(second.status, 0);
    assert.doesNotMatch(second.stdout, /applied/);
    assert.equal((await stack.tool('migrate', '--sql', '/nowhere')).status, 1);
});

test('check-config shows settings without secrets and tries each service with a read', async () => {
    await stack.control('DELETE', 'calls');
    const run = await stack.tool('check-config');
    assert.equal(run.status, 0, run.stdout + run.stderr);
    for (const name of ['MariaDB', 'E2B', 'Zendesk', 'Linear'])
        assert.match(run.stdout, new RegExp(`^ok +${name}:`, 'm'));
    assert.match(run.stdout, /E2B\.ApiKey = \(set\)/);
    for (const secret of SECRETS) assert.ok(!run.stdout.includes(secret));
    assert.deepEqual(await calls((c) => c.service === 'e2b' && c.method !== 'GET'), []);
    assert.deepEqual(await calls((c) => c.method === 'PUT' || /create/i.test(c.operation ?? '')), []);
});

test('check-config says of each failure what to look at', async () => {
    const cases = [
        [{'E2B.ApiKey': 'e2b_wrong000'}, /FAILED {2}E2B: .*\n.*check E2B\.ApiKey/],
        [{'Zendesk.ClientSecret': 'wrong'}, /FAILED {2}Zendesk: .*\n.*Zendesk\.ClientId/],
        [{'Linear.ApiKey': 'lin_api_wrong'}, /FAILED {2}Linear: .*\n.*check Linear\.ApiKey/],
        [{'Linear.Team': 'NOPE'}, /FAILED {2}Linear: .*NOPE.*\n.*check Linear\.Team/],
        [{'E2B.BaseUrl': 'http://127.0.0.1:1'}, /FAILED {2}E2B: .*\n.*E2B\.BaseUrl and the network/],
        [{'Database.Password': 'wrong'}, /FAILED {2}MariaDB: .*Access denied/],
    ];
    for (const [changes, says] of cases) {
        await withConfig(changes, async () => {
            const run = await stack.tool('check-config');
            assert.equal(run.status, 1, JSON.stringify(changes));
            assert.match(run.stdout, says);
            assert.equal(run.stdout.match(/^FAILED/gm).length, 1, 'the others are still told apart');
        });
    }
    await withConfig({'Web.Responders': '900'}, async () => {
        const run = await stack.tool('check-config');
        assert.equal(run.status, 1);
        assert.match(run.stderr, /casebook\.hdf: Web\.Responders: expected a whole number from 1 to 64/);
    });
});

test('a harvest finds ended sandboxes by the team\'s events', async () => {
    await stack.control('DELETE', 'calls');
    const run = await stack.tool('harvest');
    assert.equal(run.status, 0, run.stderr);
    const events = count('ledger_event'), sandboxes = count('ledger_sandbox');
    assert.ok(events > 100 && sandboxes > 25, `${events} events, ${sandboxes} sandboxes`);
    assert.deepEqual(ledger('iz81m4b7u2g9a6x3c0ojq'), {...ledger('iz81m4b7u2g9a6x3c0ojq'),
                                                        state: 'ended', reason: 'timeout'});
    assert.equal(ledger('io2b8f5t1z6k9w3n0q7hd').reason, 'request');
    assert.equal(ledger('ip3k7d0m9xb2s8f4ua6lw').state, 'running');
    assert.equal(ledger('ik2c9t6v0n4e7w1q8r5mb').state, 'paused');
    assert.equal(ledger('ibs3q8w2e6r0t4y9u1i5o').state, 'ended', 'deleted while paused');
    assert.deepEqual(await calls((c) => c.method !== 'GET'), []);

    const first = (await calls((c) => c.path.startsWith('/events'))).length;
    await stack.tool('harvest');
    assert.ok((await calls((c) => c.path.startsWith('/events'))).length - first <= first,
              'a second one reads no further');
    await stack.tool('harvest', '--backfill');
    assert.equal(count('ledger_event'), events);
    assert.equal(count('ledger_sandbox'), sandboxes);
    const [[stored]] = stack.sql(
        `SELECT COUNT(*) FROM ledger_sandbox AS s JOIN ledger_event AS e USING (sandbox_id)
         WHERE CONCAT(IFNULL(s.sighting, ''), s.tags, e.doc) REGEXP 'AccessToken|"rules"'`);
    assert.equal(stored, '0', 'no secret of a sandbox is stored');
});

test('two harvests at once end well and store the same', async () => {
    stack.sql('DELETE FROM ledger_sandbox');
    const runs = await Promise.all([1, 2, 3].map(() => stack.tool('harvest')));
    for (const run of runs) assert.equal(run.status, 0, run.stderr);
    assert.equal(ledger('iz81m4b7u2g9a6x3c0ojq').state, 'ended');
    const [[twice]] = stack.sql(`SELECT COUNT(*) FROM ledger_sandbox AS s WHERE event_count <>
        (SELECT COUNT(*) FROM ledger_event AS e WHERE e.sandbox_id = s.sandbox_id)`);
    assert.equal(twice, '0');
});

test('a failed list marks nothing as gone; a failed feed loses nothing of the list', async () => {
    const alive = () => Number(stack.sql(
        "SELECT COUNT(*) FROM ledger_sandbox WHERE state IN ('running', 'paused')")[0][0]);
    const before = alive();
    const fault = {service: 'e2b', status: 403, times: -1};
    await stack.control('POST', 'faults', {...fault, path: '/v2/sandboxes'});
    let run = await stack.tool('harvest');
    assert.equal(run.status, 1);
    assert.match(run.stderr, /list/);
    assert.equal(alive(), before);
    await stack.control('DELETE', 'faults');

    stack.sql('DELETE FROM ledger_sandbox');
    await stack.control('POST', 'faults', {...fault, path: '/events'});
    run = await stack.tool('harvest');
    assert.equal(run.status, 1);
    assert.match(run.stderr, /events/);
    assert.equal(ledger('ip3k7d0m9xb2s8f4ua6lw').state, 'running');
    await stack.control('DELETE', 'faults');
});

test('without an events route the ledger lives from the list, and says so', async () => {
    stack.sql('DELETE FROM ledger_sandbox');
    await stack.control('POST', 'settings', {events: false});
    try {
        const run = await stack.tool('harvest');
        assert.equal(run.status, 0, run.stderr);
        assert.match(run.stdout, /no event history/);
        assert.equal(ledger('ip3k7d0m9xb2s8f4ua6lw').state, 'running');
        assert.equal(count('ledger_event'), 0);
        await stack.control('POST', 'reset', {empty: true});
        await stack.tool('harvest');
        assert.equal(ledger('ip3k7d0m9xb2s8f4ua6lw').state, 'running', 'one list may miss it');
        await stack.tool('harvest');
        assert.equal(ledger('ip3k7d0m9xb2s8f4ua6lw').state, 'ended', 'it left the list');
    } finally {
        await stack.control('POST', 'settings', {events: true});
        await stack.control('POST', 'reset', {});
    }
});

test('prune removes what is older than Ledger.RetainDays', async () => {
    await stack.tool('harvest');
    const all = count('ledger_sandbox');
    stack.sql("UPDATE ledger_sandbox SET seen_us = seen_us - 91 * 86400000000 WHERE sandbox_id = 'iz81m4b7u2g9a6x3c0ojq'");
    const run = await stack.tool('prune');
    assert.equal(run.status, 0, run.stderr);
    assert.match(run.stdout, /^1 sandboxes removed/);
    assert.equal(count('ledger_sandbox'), all - 1);
});

test('retry lets a failed investigation go on, and says why another does not', async () => {
    stack.sql(`INSERT INTO investigation (id, sandbox_id, state, reached, requested_by, created_us,
               run_after_us, failure) VALUES (71, 'iretry', 'failed', 'collected', 'ann', 1, 1, 'x')`);
    const run = await stack.tool('retry', '71');
    assert.equal(run.status, 0, run.stderr);
    assert.match(run.stdout, /investigation 71 is queued/);
    assert.deepEqual(stack.sql('SELECT state, failure, attempt FROM investigation WHERE id = 71'),
                     [['collected', '', '0']]);
    const again = await stack.tool('retry', '71');
    assert.equal(again.status, 1);
    assert.match(again.stderr, /is collected and cannot be repeated/);
    assert.equal((await stack.tool('retry', '7100')).status, 1);
});

test('retry posts a failed note again', async () => {
    stack.sql(`INSERT INTO investigation (id, sandbox_id, ticket_id, state, reached, requested_by,
               created_us, run_after_us) VALUES (72, 'inote', 5, 'done', 'done', 'ann', 1, 1)`);
    stack.sql(`INSERT INTO note (marker, investigation_id, ticket_id, state, html, prepared_us)
               VALUES ('m72', 72, 5, 'failed', '', 1)`);
    const run = await stack.tool('retry', '72');
    assert.equal(run.status, 0, run.stderr);
    assert.match(run.stdout, /posts its note again/);
    assert.deepEqual(stack.sql('SELECT i.state, n.state FROM investigation AS i, note AS n WHERE i.id = 72 AND n.marker = "m72"'),
                     [['filed', 'prepared']]);
});
