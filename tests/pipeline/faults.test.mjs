/* Services that are down, slow, refusing, or cut the line before or after the effect. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Pipeline, S, runProgram, PROGRAMS } from './harness.mjs';

const ATTEMPTS = 6;
let p;
before(async () => (p = await Pipeline.begin({ 'Agent.MaxAttempts': ATTEMPTS })));
after(() => p?.stop());
beforeEach(() => p.fresh());

const linear = (operation, order) => p.fault({ service: 'linear', operation, ...order });
const zendesk = (method, order) => p.fault({ service: 'zendesk', method, path: '/api/v2/tickets', ...order });
const e2b = (order) => p.fault({ service: 'e2b', ...order });

/* ---- Linear ---- */

test('Linear down: the finding stands, nothing is filed, the note says so', async () => {
    await p.fault({ service: 'linear', status: 503, times: -1 });
    const id = p.queue(S.crashed);
    await p.done(id);
    assert.equal(p.finding(id).class, 'crashed');
    assert.equal(p.decision(id).outcome, 'unavailable');
    assert.match(p.decision(id).doc.why, /503/);
    assert.deepEqual(await p.creates(), []);
    assert.match(p.note(id).html, /Linear could not be searched, so nothing was filed/);
    assert.equal((await p.notes(S.crashed[1])).length, 1);
});

for (const operation of ['CasebookFindToken', 'CasebookSearch']) {
    test(`${operation} that does not answer is not "no match"`, async () => {
        await linear(operation, { status: 500, times: -1 });
        const id = p.queue(S.crashed);
        await p.done(id);
        assert.equal(p.decision(id).outcome, 'unavailable');
        assert.deepEqual(await p.creates(), []);
        assert.deepEqual(await p.newIssues(), []);
    });

    test(`${operation} fails twice: searched again, then filed`, async () => {
        await linear(operation, { status: 502, body: 'html' });
        await linear(operation, { body: 'garbage' });
        const id = p.queue(S.crashed);
        await p.done(id);
        assert.equal(p.decision(id).outcome, 'filed');
        assert.equal((await p.newIssues()).length, 1);
    });
}

test('Linear is rate-limited (400 RATELIMITED): waits as long as it was told to', async () => {
    const reset = Date.now() + 77_000;
    await linear('CasebookSearch', {
        status: 400,
        headers: { 'X-RateLimit-Requests-Reset': String(reset), 'X-RateLimit-Requests-Remaining': '0' },
        body: { errors: [{ message: 'Rate limit exceeded', extensions: { code: 'RATELIMITED', statusCode: 429 } }], data: null },
    });
    const id = p.queue(S.crashed);
    await p.pass();
    assert.equal(p.inv(id).state, 'diagnosed');
    const wait = Number(p.inv(id).run_after_us) / 1000;
    assert.ok(wait >= reset - 5000 && wait <= reset + 60_000, `due ${wait - reset} ms after the reset`);
    await p.done(id);
    assert.equal(p.decision(id).outcome, 'filed');
});

test('a refused Linear key: told at once, nothing filed', async () => {
    p.setConfig({ 'Linear.ApiKey': 'lin_api_wrong' });
    try {
        const id = p.queue(S.crashed);
        await p.pass();
        assert.equal(p.inv(id).state, 'done', 'a refusal is not repeated');
        assert.equal(p.decision(id).outcome, 'unavailable');
        assert.equal(p.note(id).state, 'posted');
    } finally {
        p.setConfig({ 'Linear.ApiKey': 'lin_api_demo' });
    }
});

for (const [name, order] of [
    ['is cut after the effect', { cut: 'after' }],
    ['is cut before the effect', { cut: 'before' }],
    ['is cut in the middle of the answer', { cut: 'mid' }],
    ['answers garbage after the effect', { body: 'garbage' }],
    ['answers 502 without effect', { status: 502, body: 'html' }],
    ['answers success: false', { status: 200, body: { data: { issueCreate: { success: false, issue: null } } } }],
]) {
    test(`Linear create ${name}: one issue`, async () => {
        await linear('CasebookCreateIssue', order);
        const id = p.queue(S.crashed);
        await p.finish(id);
        assert.equal(p.inv(id).state, 'done', p.inv(id).failure);
        const issues = await p.newIssues();
        const ids = (await p.creates()).map((c) => JSON.parse(c.body).variables.id);
        assert.equal(new Set(ids).size, 1, 'each create has the same id');
        if (name === 'answers success: false') {
            assert.equal(ids.length, 1, 'a definite no is not repeated');
            assert.equal(p.decision(id).outcome, 'unavailable');
            assert.equal(issues.length, 0);
            return;
        }
        assert.equal(issues.length, 1);
        assert.equal(p.decision(id).outcome, 'filed');
        assert.equal(p.decision(id).issue_identifier, issues[0].identifier);
        assert.ok(p.note(id).html.includes(issues[0].identifier));
        assert.equal((await p.notes(S.crashed[1])).length, 1);
    });
}

test('a full Linear workspace: its own words, and the rest goes on', async () => {
    await p.control('POST', 'settings', { linear_issues: 1 });
    const id = p.queue(S.crashed);
    await p.done(id);
    assert.equal(p.decision(id).outcome, 'unavailable');
    assert.match(p.decision(id).doc.why, /limit/i);
    assert.equal((await p.creates()).length, 1);
    assert.equal(p.note(id).state, 'posted');
});

test('the issue of this failure lies in the trash: nothing is filed, a person is told', async () => {
    const first = p.queue(S.crashed);
    await p.done(first);
    const [issue] = await p.newIssues();
    await p.control('POST', 'patch', { service: 'linear', table: 'issues', match: { id: issue.id },
        set: { trashed: true, archivedAt: '2026-11-30T10:00:00.000Z' } });
    const second = p.queue(S.crashed);
    await p.done(second);
    assert.equal(p.decision(second).outcome, 'unavailable');
    assert.match(p.decision(second).doc.why, /trash/);
    assert.equal((await p.newIssues()).length, 1);
});

test('the ticket cannot be linked: the rest goes on', async () => {
    await linear('CasebookLinkZendesk', { status: 500, times: -1 });
    await linear('CasebookLinkUrl', { status: 500, times: -1 });
    const id = p.queue(S.crashed);
    await p.done(id);
    assert.equal(p.decision(id).outcome, 'filed');
    assert.equal(p.note(id).state, 'posted');
});

/* ---- Zendesk ---- */

for (const [name, order] of [
    ['is cut after the effect', { cut: 'after' }],
    ['is cut before the effect', { cut: 'before' }],
    ['is cut in the middle of the answer', { cut: 'mid' }],
    ['answers HTML after the effect', { body: 'html' }],
    ['answers 502 without effect', { status: 502, body: 'html' }],
    ['meets a change by somebody else (409)', { status: 409, body: { error: 'UpdateConflict', description: 'outdated ticket data' } }],
]) {
    test(`the note ${name}: one note`, async () => {
        await zendesk('PUT', order);
        const id = p.queue(S.crashed);
        await p.done(id);
        const note = p.note(id);
        assert.equal(note.state, 'posted', note.error);
        assert.ok(Number(note.audit_id) > 0);
        const notes = await p.notes(S.crashed[1]);
        assert.equal(notes.length, 1);
        assert.equal(notes[0].metadata.custom.casebook_note, note.marker);
        assert.equal(notes[0].public, false);
        /* after a doubtful answer the audits are read before anything is sent again */
        const calls = await p.calls((c) => c.service === 'zendesk');
        const puts = calls.filter((c) => c.method === 'PUT');
        for (const again of puts.slice(1)) {
            assert.ok(calls.some((c) => c.path.includes('/audits') && c.n > puts[0].n && c.n < again.n));
        }
    });
}

test('the note lands late, after the next try has begun: one note', async () => {
    /* the first is cut, and Zendesk has taken it; the answer to the search for it comes too early */
    await zendesk('PUT', { cut: 'after' });
    await p.fault({ service: 'zendesk', path: `/api/v2/tickets/${S.crashed[1]}/audits`, times: 2,
        status: 200, body: { audits: [], meta: { has_more: false, after_cursor: null } } });
    const id = p.queue(S.crashed);
    await p.done(id);
    assert.equal(p.note(id).state, 'posted');
    assert.equal((await p.notes(S.crashed[1])).length, 1, 'the stamp keeps a second one out');
});

test('Zendesk\'s audits lag for longer than all tries: no second note, ever; found when a person asks', async () => {
    const id = p.queue(S.crashed);
    await zendesk('PUT', { cut: 'after' });
    await p.fault({ service: 'zendesk', path: `/api/v2/tickets/${S.crashed[1]}/audits`, times: -1,
        status: 200, body: { audits: [{ id: 1, created_at: '2026-01-01T00:00:00Z', metadata: { custom: {} } }],
            meta: { has_more: false, after_cursor: null } } });
    await p.done(id);
    assert.equal(p.note(id).state, 'unknown');
    assert.equal((await p.puts()).length, 1, 'nothing is sent blindly');
    const [[stamp]] = p.sql(`SELECT stamp FROM note WHERE investigation_id = ${id}`);
    assert.equal(stamp, JSON.parse((await p.puts())[0].body).ticket.updated_stamp, 'the stamp is kept');
    await p.control('DELETE', 'faults');
    assert.equal((await p.tool('retry', String(id))).status, 0);
    await p.done(id);
    assert.equal(p.note(id).state, 'posted');
    assert.equal((await p.puts()).length, 1);
    assert.equal((await p.notes(S.crashed[1])).length, 1);
});

test('a note that never arrived is repeated with the stamp that it had', async () => {
    await zendesk('PUT', { cut: 'before' });
    const id = p.queue(S.crashed);
    await p.done(id);
    const stamps = (await p.puts()).map((c) => JSON.parse(c.body).ticket.updated_stamp);
    assert.equal(stamps.length, 2);
    assert.equal(stamps[0], stamps[1]);
    assert.equal((await p.notes(S.crashed[1])).length, 1);
});

test('it never arrived, and somebody changed the ticket since: one note, with a new stamp', async () => {
    await zendesk('PUT', { cut: 'before' });
    const id = p.queue(S.crashed);
    await p.pass();
    assert.equal(p.note(id).state, 'unknown');
    /* a person's own comment, in Zendesk itself */
    const base = p.simUrl + '/zendesk';
    const token = await (await fetch(`${base}/oauth/tokens`, { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ grant_type: 'client_credentials', client_id: 'casebook', client_secret: 'demo-secret', scope: 'read tickets:write' }) })).json();
    const said = await fetch(`${base}/api/v2/tickets/${S.crashed[1]}.json`, { method: 'PUT',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token.access_token}` },
        body: JSON.stringify({ ticket: { comment: { body: 'I look into it', public: false } } }) });
    assert.equal(said.status, 200);
    await p.done(id);
    assert.equal(p.note(id).state, 'posted');
    assert.equal((await p.notes(S.crashed[1])).length, 1);
});

test('a conflict with somebody else is settled in the same go', async () => {
    await zendesk('PUT', { status: 409, body: { error: 'UpdateConflict', description: 'outdated ticket data' } });
    const id = p.queue(S.crashed);
    await p.pass();
    assert.equal(p.inv(id).state, 'done');
    assert.equal(p.note(id).state, 'posted');
});

test('a lost try that is refused later stays unknown: it may have arrived', async () => {
    await zendesk('PUT', { cut: 'before' });
    await zendesk('PUT', { status: 422, times: -1, body: { error: 'RecordInvalid', description: 'no',
        details: { base: [{ description: 'not welcome' }] } } });
    const id = p.queue(S.crashed);
    await p.done(id);
    assert.equal(p.note(id).state, 'unknown');
    assert.match(p.note(id).error, /not welcome/);
});

test('a merged ticket: said in plain words', async () => {
    await p.control('POST', 'patch', { service: 'zendesk', table: 'tickets', match: { id: S.crashed[1] },
        set: { status: 'closed', tags: ['closed_by_merge'] } });
    const id = p.queue(S.crashed);
    await p.done(id);
    assert.equal(p.note(id).state, 'closed');
    assert.match(p.note(id).error, /merged into another one/);
});

test('429 with Retry-After: waits as long as it was told to, one note', async () => {
    await zendesk('PUT', { status: 429, headers: { 'Retry-After': '37' }, body: 'text' });
    const id = p.queue(S.crashed);
    await p.pass();
    const inv = p.inv(id);
    assert.equal(inv.state, 'filed');
    assert.equal(p.note(id).state, 'prepared', 'it is known that nothing was posted');
    const [put] = await p.puts();
    const waited = Number(inv.run_after_us) - put.t_us;
    assert.ok(waited >= 37e6 && waited < 137e6, `${waited} us`);
    await p.done(id);
    assert.equal((await p.puts()).length, 2);
    assert.equal((await p.notes(S.crashed[1])).length, 1);
});

test('a refused Zendesk token: a new one, and the note', async () => {
    await zendesk('GET', { status: 401, body: { error: 'invalid_token', error_description: 'expired' } });
    const id = p.queue(S.crashed);
    await p.pass();
    assert.equal(p.inv(id).state, 'done', p.inv(id).failure);
    assert.equal(p.note(id).state, 'posted');
    assert.equal((await p.calls((c) => c.path === '/oauth/tokens')).length, 2);
});

test('tokens that expire between reading the ticket and the note', async () => {
    await zendesk('PUT', { status: 401, body: { error: 'invalid_token', error_description: 'expired' } });
    const id = p.queue(S.crashed);
    await p.done(id);
    assert.equal(p.note(id).state, 'posted');
    assert.equal((await p.notes(S.crashed[1])).length, 1);
});

test('wrong Zendesk credentials: the finding stands, and the note says why it failed', async () => {
    p.setConfig({ 'Zendesk.ClientSecret': 'wrong' });
    try {
        const id = p.queue(S.crashed);
        await p.done(id);
        assert.equal(p.decision(id).outcome, 'filed');
        assert.equal(p.note(id).state, 'failed');
        assert.ok(p.note(id).error.length > 0);
        assert.ok(!p.note(id).error.includes('wrong'), 'the secret is not repeated');
        p.setConfig({ 'Zendesk.ClientSecret': 'demo-secret' });
        const again = await p.tool('retry', String(id));
        assert.equal(again.status, 0, again.stderr);
        await p.control('DELETE', 'calls');
        await p.done(id);
        assert.equal(p.note(id).state, 'posted');
        assert.deepEqual(await p.calls((c) => c.service === 'linear'), [], 'only the note is repeated');
        assert.equal((await p.notes(S.crashed[1])).length, 1);
    } finally {
        p.setConfig({ 'Zendesk.ClientSecret': 'demo-secret' });
    }
});

test('Zendesk refuses the note (422): its own words, investigation done', async () => {
    await zendesk('PUT', { status: 422, times: -1, body: { error: 'RecordInvalid', description: 'Record validation errors',
        details: { base: [{ description: 'Comment: is not welcome here' }] } } });
    const id = p.queue(S.crashed);
    await p.done(id);
    assert.equal(p.note(id).state, 'failed');
    assert.match(p.note(id).error, /is not welcome here/);
    assert.equal((await p.puts()).length, 1, 'a refusal is not repeated');
});

test('Zendesk down all along: the note fails in the end, the finding stands', async () => {
    await p.fault({ service: 'zendesk', status: 503, times: -1 });
    const id = p.queue(S.crashed);
    await p.done(id);
    assert.equal(p.note(id).state, 'failed');
    assert.match(p.note(id).error, /503/);
    assert.equal(p.finding(id).class, 'crashed');
});

test('an outcome that stays unknown is shown as such, and nothing is sent blindly', async () => {
    await zendesk('PUT', { cut: 'after', times: -1 });
    await p.fault({ service: 'zendesk', path: `/api/v2/tickets/${S.crashed[1]}/audits`, times: -1, status: 500 });
    const id = p.queue(S.crashed);
    await p.done(id);
    assert.equal(p.note(id).state, 'unknown');
    assert.equal((await p.puts()).length, 1);
});

/* ---- E2B ---- */

test('E2B answers 500 for ever: tried again, then failed with the reason in words; retry heals it', async () => {
    await e2b({ status: 500, times: -1 });
    const id = p.queue(S.crashed);
    await p.pass();
    assert.equal(p.inv(id).state, 'queued', 'put off');
    assert.equal(p.inv(id).attempt, '1');
    await p.finish(id);
    const inv = p.inv(id);
    assert.equal(inv.state, 'failed');
    assert.equal(inv.reached, 'queued');
    assert.match(inv.failure, /^E2B could not be read: .*500/);
    assert.equal(p.finding(id), undefined);
    assert.deepEqual(await p.calls((c) => c.service !== 'e2b'), []);

    await p.control('DELETE', 'faults');
    const again = await p.tool('retry', String(id));
    assert.equal(again.status, 0, again.stderr);
    await p.done(id);
    assert.equal(p.finding(id).class, 'crashed');
});

test('E2B answers 500 twice: put off, then collected', async () => {
    await e2b({ path: `/sandboxes/${S.crashed[0]}/metrics`, status: 500, times: 4 });
    const id = p.queue(S.crashed);
    await p.done(id);
    const sources = JSON.parse(p.finding(id).doc);
    assert.equal(sources.class, 'crashed');
});

test('one part of E2B stays down: the finding is made from the rest', async () => {
    await e2b({ path: `/sandboxes/${S.crashed[0]}/metrics`, status: 500, times: -1 });
    const id = p.queue(S.crashed);
    await p.done(id);
    assert.equal(p.finding(id).class, 'crashed');
    assert.ok(JSON.parse(p.finding(id).doc).missing.length > 0, 'what is missing is said');
});

test('a refused E2B key: failed at once, with the reason', async () => {
    p.setConfig({ 'E2B.ApiKey': 'e2b_wrong000000000000000000000000000000000' });
    try {
        const id = p.queue(S.crashed);
        await p.pass();
        assert.equal(p.inv(id).state, 'failed');
        assert.match(p.inv(id).failure, /^E2B could not be read: .*key/i);
        assert.ok(!p.inv(id).failure.includes('e2b_wrong'));
    } finally {
        p.setConfig({ 'E2B.ApiKey': p.defaults()['E2B.ApiKey'] });
    }
});

test('E2B cuts, answers HTML and garbage on the way: the same finding', async () => {
    const calm = p.queue(S.oom);
    await p.done(calm);
    const expected = p.finding(calm).signature_hash;
    for (const order of [{ cut: 'before' }, { cut: 'mid' }, { status: 502, body: 'html' },
        { body: 'garbage' }, { status: 429, headers: { 'Retry-After': '1' }, body: 'text' }]) {
        await e2b({ path: `/v2/sandboxes/${S.oom[0]}/logs`, ...order });
        await e2b({ path: `/events/sandboxes/${S.oom[0]}`, ...order });
        const id = p.queue(S.oom);
        await p.done(id);
        assert.equal(p.finding(id).signature_hash, expected, JSON.stringify(order));
    }
});

for (const settings of [{ logs_paging: 'offset' }, { logs_paging: 'ms' }, { logs_clickhouse: true },
    { events: false }]) {
    test(`E2B as ${JSON.stringify(settings)}: still out of memory`, async () => {
        await p.control('POST', 'settings', settings);
        const id = p.queue(S.oom);
        await p.done(id);
        assert.equal(p.finding(id).class, 'out_of_memory');
    });
}

test('a sandbox that nobody knows: undetermined, not failed', async () => {
    const id = p.queue(['i00000000000000000000', S.crashed[1]]);
    await p.done(id);
    assert.equal(p.finding(id).class, 'undetermined');
});

/* ---- MariaDB ---- */

test('MariaDB stopped: the agent says so and ends; started again, the work goes on', async () => {
    const id = p.queue(S.crashed);
    await p.mariadb.stop();
    const run = await runProgram(PROGRAMS.agent, ['--once', '--config', p.configFile]);
    assert.notEqual(run.status, 0);
    assert.match(run.stderr, /database|MariaDB|connect/i);
    await p.mariadb.start();
    await p.done(id);
    assert.equal(p.finding(id).class, 'crashed');
});

/* ---- retry ---- */

test('a failed one goes on at the stage where it failed', async () => {
    await p.fault({ service: 'zendesk', status: 503, times: -1 });
    const id = p.queue(S.crashed);
    await p.pass();
    assert.equal(p.inv(id).state, 'filed');
    p.sql(`UPDATE investigation SET state = 'failed', failure = 'x', finished_us = 1, failed_us = 1,
           worker = '', lease_until_us = 0 WHERE id = ${id}`);
    await p.control('DELETE', 'faults');
    await p.control('DELETE', 'calls');
    const again = await p.tool('retry', String(id));
    assert.equal(again.status, 0, again.stderr);
    assert.equal(p.inv(id).state, 'filed');
    await p.done(id);
    assert.deepEqual(await p.calls((c) => c.service === 'linear' || c.path.includes(S.crashed[0])), []);
    assert.equal((await p.notes(S.crashed[1])).length, 1);
});
