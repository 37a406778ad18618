/* Workers that die, wait, lose their lease, or work side by side. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Pipeline, S, until, runProgram, PROGRAMS } from './harness.mjs';

let p;
before(async () => (p = await Pipeline.begin({ 'Agent.LeaseSeconds': 600 })));
after(() => p?.stop());
beforeEach(() => p.fresh());

const ONCE = ['--once'];
const [SANDBOX, TICKET] = S.crashed;

/* The dead worker's lease, as if its time had passed. */
const endLease = () => p.sql('UPDATE investigation SET lease_until_us = 1 WHERE lease_until_us > 0');

async function assertDoneOnce(id) {
    assert.equal(p.inv(id).state, 'done', p.inv(id).failure);
    assert.equal(p.finding(id).class, 'crashed');
    const issues = await p.newIssues();
    assert.equal(issues.length, 1, 'one issue');
    assert.equal(p.decision(id).issue_identifier, issues[0].identifier);
    assert.equal(p.note(id).state, 'posted');
    assert.equal((await p.notes(TICKET)).length, 1, 'one note');
    assert.equal((await p.notes(TICKET))[0].metadata.custom.casebook_note, p.note(id).marker);
}

/* An agent that is killed as soon as `reached` holds; then another one that goes on. */
async function killWhen(what, reached, id) {
    const agent = await p.agentStart({ args: ONCE, name: 'agent-part' });
    try {
        await until(what, reached);
    } finally {
        await agent.kill();
    }
    const left = p.inv(id);
    assert.notEqual(left.worker, '', 'the dead one still holds it');

    await p.pass();
    assert.equal(p.inv(id).state, left.state, 'not before the lease ends');
    assert.equal(p.inv(id).fence, left.fence);

    endLease();
    await p.finish(id);
    assert.ok(Number(p.inv(id).fence) > Number(left.fence));
    return left;
}

const SLOW = 3000;
const asked = (test_, since = 0) => async () => (await p.calls((c) => c.n > since && test_(c))).length > 0;

for (const [state, order, call] of [
    ['queued', { service: 'e2b', path: `/sandboxes/${SANDBOX}/metrics` },
        (c) => c.path === `/sandboxes/${SANDBOX}/metrics`],
    ['diagnosed', { service: 'linear', operation: 'CasebookSearch' }, (c) => c.operation === 'CasebookSearch'],
    ['deduped', { service: 'linear', operation: 'CasebookCreateIssue' },
        (c) => c.operation === 'CasebookCreateIssue'],
    ['deduped', { service: 'linear', operation: 'CasebookLinkZendesk' },
        (c) => c.operation === 'CasebookLinkZendesk'],
    ['filed', { service: 'zendesk', method: 'GET', path: `/api/v2/tickets/${TICKET}.json` },
        (c) => c.method === 'GET' && c.path === `/api/v2/tickets/${TICKET}.json`],
    ['filed', { service: 'zendesk', method: 'PUT' }, (c) => c.method === 'PUT'],
]) {
    const during = order.operation ?? `${order.method ?? 'GET'} ${order.path ?? 'ticket'}`;
    test(`killed in state ${state}, during ${during}: another goes on; one issue, one note`, async () => {
        await p.fault({ ...order, latency_ms: SLOW, times: 1 });
        const id = p.queue(S.crashed);
        const left = await killWhen(`the call of ${during}`, asked(call), id);
        assert.equal(left.state, state);
        await assertDoneOnce(id);
    });
}

for (const [state, table] of [['collected', 'finding'], ['deduped', 'filing'], ['queued', 'evidence'],
    ['diagnosed', 'linear_decision'], ['filed', 'note']]) {
    test(`killed while it stores what follows ${state}: another goes on; one issue, one note`, async () => {
        const id = p.queue(S.crashed);
        const lock = await p.hold(table);
        try {
            const agent = await p.agentStart({ args: ONCE, name: 'agent-part' });
            try {
                await until(`a writer to wait for ${table}`, () => p.sessions().some((x) =>
                    x.ms > 100 && new RegExp(`INTO ${table} `).test(x.info)));
            } finally {
                await agent.kill();
            }
        } finally {
            await lock.release();
        }
        await until('the transaction of the dead one to be undone', () => p.sessions().length === 0);
        assert.equal(p.inv(id).state, state);
        endLease();
        await p.finish(id);
        await assertDoneOnce(id);
    });
}

test('killed again and again at any moment: one issue, one note', async () => {
    const id = p.queue(S.crashed);
    for (const service of ['e2b', 'linear', 'zendesk']) {
        await p.fault({ service, latency_ms: 120, times: -1 });
    }
    /* each round lives for some calls more than the one before */
    let rounds = 0;
    for (let more = 1; p.isOpen(id) && more < 14; more++, rounds++) {
        const agent = await p.agentStart({ args: ONCE, name: 'agent-part' });
        const before = (await p.calls()).length;
        await until('some calls', async () =>
            !agent.isRunning || (await p.calls()).length >= before + more);
        await agent.kill();
        p.hurry();
        endLease();
        p.sql('UPDATE investigation SET attempt = 0 WHERE attempt > 0 AND state <> \'filed\'');
    }
    assert.ok(rounds > 3);
    await p.control('DELETE', 'faults');
    await p.finish(id);
    await assertDoneOnce(id);
});

test('one that kills its worker each time comes to an end', async () => {
    p.setConfig({ 'Agent.MaxAttempts': 3 });
    try {
        await p.fault({ service: 'e2b', path: `/sandboxes/${SANDBOX}/metrics`, latency_ms: 2000, times: 3 });
        const id = p.queue(S.crashed);
        for (let i = 1; i <= 3; i++) {
            const agent = await p.agentStart({ args: ONCE, name: 'agent-part' });
            await until(`call ${i}`, async () =>
                (await p.calls((c) => c.path === `/sandboxes/${SANDBOX}/metrics`)).length === i);
            await agent.kill();
            endLease();
        }
        await p.pass();
        const inv = p.inv(id);
        assert.equal(inv.state, 'failed');
        assert.match(inv.failure, /broke off 3 times/);
    } finally {
        p.setConfig({ 'Agent.MaxAttempts': undefined });
    }
});

test('MariaDB restarted in the middle of a stage: given back at once, and no try is lost', async () => {
    await p.fault({ service: 'linear', operation: 'CasebookSearch', latency_ms: 2500 });
    const id = p.queue(S.crashed);
    const run = p.pass();
    await until('the search', asked((c) => c.operation === 'CasebookSearch'));
    await p.restartMariadb();
    await run;
    const inv = p.inv(id);
    assert.equal(inv.worker, '', 'the lease of 600 s need not be waited for');
    assert.equal(inv.attempt, '0');
    await p.finish(id);
    await assertDoneOnce(id);
});

test('Linear is rate-limited while the ticket is hung on the issue: waited for, not left out', async () => {
    await p.fault({ service: 'linear', operation: 'CasebookLinkZendesk', status: 429, headers: { 'Retry-After': '20' }, body: 'text' });
    const id = p.queue(S.crashed);
    await p.pass();
    assert.equal(p.inv(id).state, 'deduped');
    assert.equal(p.inv(id).attempt, '0');
    await p.finish(id);
    await assertDoneOnce(id);
    assert.equal(p.decision(id).outcome, 'filed', 'it was our own create');
    const { linear } = await p.control('GET', 'state');
    const [issue] = await p.newIssues();
    assert.equal(linear.attachments.filter((a) => a.issueId === issue.id && a.url.endsWith(`/${TICKET}`)).length, 1);
});

test('a second copy on the same host leaves at once with status 0', async () => {
    await p.fault({ service: 'e2b', path: `/sandboxes/${SANDBOX}/metrics`, latency_ms: SLOW });
    const id = p.queue(S.crashed);
    const first = await p.agentStart({ args: ONCE, name: 'agent-part' });
    try {
        await until('the first to work', asked((c) => c.path === `/sandboxes/${SANDBOX}/metrics`));
        await until('its harvest', asked((c) => c.path === '/v2/sandboxes'));
        const second = await runProgram(PROGRAMS.agent, ['--once', '--config', p.configFile]);
        assert.equal(second.status, 0, second.stderr);
        assert.ok(first.isRunning, 'the first still works');
        assert.equal((await p.calls((c) => c.path === '/v2/sandboxes')).length, 1, 'the second did not harvest');
        assert.equal(p.inv(id).fence, '1', 'and claimed nothing');
    } finally {
        await first.ended;
    }
    await p.finish(id);
    await assertDoneOnce(id);
});

test('two hosts: each investigation once', async () => {
    const subjects = [S.oom, S.oomElsewhere, S.timeout, S.killed, S.crashed, S.vmDeath, S.keyError, S.closed];
    const ids = subjects.map((s) => p.queue(s));
    const other = p.otherHost('other');
    const runs = await Promise.all([p.configFile, other].map((file) =>
        runProgram(PROGRAMS.agent, ['--once', '--config', file])));
    for (const run of runs) assert.equal(run.status, 0, run.stderr);
    await p.finish(...ids);
    const gets = await p.calls((c) => /^\/sandboxes\/[a-z0-9]+$/.test(c.path));
    for (const [i, [sandbox, ticket]] of subjects.entries()) {
        assert.equal(p.inv(ids[i]).state, 'done');
        assert.equal(p.inv(ids[i]).fence, '1', 'claimed once');
        assert.equal(gets.filter((c) => c.path.endsWith(sandbox)).length, 1);
        if (ticket !== S.closed[1]) assert.equal((await p.notes(ticket)).length, 1);
    }
    const issues = await p.newIssues();
    assert.equal(new Set(issues.map((i) => i.id)).size, issues.length);
});

test('two hosts, one failure at once: one issue', async () => {
    await p.fresh({ known: false });
    await p.fault({ service: 'linear', operation: 'CasebookSearch', latency_ms: 700, times: 2 });
    const ids = [p.queue(S.oom), p.queue(S.oomElsewhere)];
    await Promise.all([p.configFile, p.otherHost('other')].map((file) =>
        runProgram(PROGRAMS.agent, ['--once', '--config', file])));
    await p.finish(...ids);
    const issues = await p.newIssues();
    assert.equal(issues.length, 1);
    for (const id of ids) assert.equal(p.decision(id).issue_identifier, issues[0].identifier);
});

const cancel = (id) => p.sql(
    `UPDATE investigation SET state = 'canceled', canceled_by = 'ben', canceled_us = 1, finished_us = 1,
     fence = fence + 1, worker = '', lease_until_us = 0 WHERE id = ${id}`);

test('canceled while queued: nothing is done', async () => {
    const id = p.queue(S.crashed);
    cancel(id);
    await p.pass();
    assert.equal(p.inv(id).state, 'canceled');
    assert.deepEqual(await p.calls((c) => c.path.includes(SANDBOX) || c.service !== 'e2b'), []);
});

test('canceled while running: the worker stores nothing more and posts nothing', async () => {
    await p.fault({ service: 'linear', operation: 'CasebookSearch', latency_ms: 1500 });
    const id = p.queue(S.crashed);
    const run = p.pass();
    await until('the search', asked((c) => c.operation === 'CasebookSearch'));
    cancel(id);
    await run;
    assert.equal(p.inv(id).state, 'canceled');
    assert.equal(p.decision(id), undefined);
    assert.deepEqual(await p.creates(), []);
    assert.deepEqual(await p.puts(), []);
});

test('a worker whose lease was taken over writes nothing and sends nothing', async () => {
    await p.fault({ service: 'zendesk', method: 'GET', path: '/api/v2/tickets', latency_ms: 1500, times: 1 });
    const id = p.queue(S.crashed);
    const slow = p.pass();
    await until('the slow one to read the ticket', asked((c) => c.path.startsWith('/api/v2/tickets')));
    endLease();
    const quick = await runProgram(PROGRAMS.agent, ['--once', '--config', p.otherHost('other')]);
    assert.equal(quick.status, 0, quick.stderr);
    await slow;
    await p.finish(id);
    assert.equal((await p.puts()).length, 1);
    await assertDoneOnce(id);
});

test('TERM: the agent finishes its stage and ends; the rest is left for the next', async () => {
    await p.fault({ service: 'e2b', path: `/sandboxes/${SANDBOX}/metrics`, latency_ms: 1000 });
    const id = p.queue(S.crashed);
    const agent = await p.agentStart({ args: ['--run-for', '600'], name: 'agent-part' });
    await until('the collecting', asked((c) => c.path === `/sandboxes/${SANDBOX}/metrics`));
    await agent.stop();
    const left = p.inv(id);
    assert.equal(left.state, 'collected', 'the stage was finished');
    assert.equal(left.worker, '', 'and it was given back');
    await p.finish(id);
    await assertDoneOnce(id);
});

test('--run-for: works while it runs and ends by itself', async () => {
    const id = p.queue(S.crashed);
    const agent = await p.agentStart({ args: ['--run-for', '10'], name: 'agent-part' });
    await agent.ended;
    assert.equal(agent.child.exitCode, 0);
    await assertDoneOnce(id);
});

test('an agent started on a database that was not migrated says so', async () => {
    p.sql('RENAME TABLE schema_migration TO elsewhere');
    try {
        const run = await runProgram(PROGRAMS.agent, ['--once', '--config', p.configFile]);
        assert.equal(run.status, 1);
        assert.match(run.stderr, /migrate/);
    } finally {
        p.sql('RENAME TABLE elsewhere TO schema_migration');
    }
});
