/* Linear as it is: an index that knows a new issue late, and 30 searches a minute. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, beforeEach, test } from 'node:test';
import { Pipeline, S, until, runProgram, PROGRAMS } from '../pipeline/harness.mjs';
import { place, writeWorld } from './world.mjs';

const MINUTE_US = 60_000_000;
const PER_MINUTE = 30;
const CLOCK_US = 50_000;

let p;
before(async () => (p = await Pipeline.begin()));
after(() => p?.stop());
beforeEach(async () => {
    await p.fresh({ known: false });
    await p.control('POST', 'settings', { linear_index_lag_ms: 600_000 });
});

const onHosts = (...names) => Promise.all([p.configFile, ...names.map((name) => p.otherHost(name))].map((file) =>
    runProgram(PROGRAMS.agent, ['--once', '--config', file])));

async function assertOneIssue(ids) {
    const issues = await p.newIssues();
    assert.equal(issues.length, 1, 'one issue');
    for (const id of ids) {
        assert.match(p.decision(id).outcome, /^(filed|matched)$/);
        assert.equal(p.decision(id).issue_identifier, issues[0].identifier);
    }
    for (const [, ticket] of [S.oom, S.oomElsewhere]) assert.equal((await p.notes(ticket)).length, 1);
}

/* The index really did not have it: what was searched in the second time brought nothing of it. */
async function assertUnseen(since) {
    const searches = await p.calls((c) => c.n > since && /Search|FindToken/.test(c.operation ?? ''));
    assert.ok(searches.length >= 2, 'both searches were made again');
}

test('an index 10 minutes behind: two customers, one failure, one after the other: one issue', async () => {
    const first = p.queue(S.oom);
    await p.done(first);
    const since = (await p.calls()).at(-1).n;
    const second = p.queue(S.oomElsewhere);
    await p.done(second);
    await assertUnseen(since);
    await assertOneIssue([first, second]);
    assert.equal(p.decision(second).outcome, 'matched');
    assert.deepEqual(p.decision(second).doc.candidates.filter((c) => c.is_match ?? c.match).map((c) => c.via), ['record']);
});

test('the same without our own record: the create is refused, and the one that is there is taken', async () => {
    const first = p.queue(S.oom);
    await p.done(first);
    p.sql('DELETE FROM filing');
    const since = (await p.calls()).at(-1).n;
    const second = p.queue(S.oomElsewhere);
    await p.done(second);
    await assertUnseen(since);
    assert.equal((await p.creates()).length, 2, 'it was tried, with the same id');
    await assertOneIssue([first, second]);
});

test('the same at once, on two hosts: one issue', async () => {
    const ids = [p.queue(S.oom), p.queue(S.oomElsewhere)];
    await onHosts('other');
    await p.finish(...ids);
    await assertOneIssue(ids);
});

test('the answer to the create is lost, and the index does not have it yet: one issue', async () => {
    await p.fault({ service: 'linear', operation: 'CasebookCreateIssue', cut: 'after' });
    await p.fault({ service: 'linear', operation: 'CasebookProbeIssue', status: 503, times: 2 });
    const ids = [p.queue(S.oom), p.queue(S.oomElsewhere)];
    await p.done(...ids);
    await assertOneIssue(ids);
});

const seconds = (calls) => (calls.at(-1).t_us - calls[0].t_us) / 1e6;

test('30 searches a minute, 36 failures: the limit is kept, nothing is lost', async () => {
    const places = Array.from({ length: 36 }, (_, i) => place(i));
    const world = writeWorld(places);
    const busy = new Pipeline({ parts: ['mariadb', 'sim'], world, config: { 'Agent.Workers': 6 } });
    try {
        await busy.startAll();
        const ids = places.map(({ sandbox, ticket }) => busy.queue([sandbox, ticket]));
        for (const [i, config] of [busy.configFile, busy.otherHost('other')].entries()) {
            await busy.agentStart({ args: ['--run-for', '600'], name: `host-${i}`, config });
        }
        await until('all to be over', () => busy.sql('SELECT 1 FROM investigation WHERE due_us IS NOT NULL').length === 0,
            { timeoutMs: 200_000 });

        const issues = await busy.newIssues();
        assert.equal(issues.length, places.length, 'one issue for each failure');
        for (const id of ids) {
            assert.equal(busy.inv(id).state, 'done', busy.inv(id).failure);
            assert.equal(busy.decision(id).outcome, 'filed');
            assert.equal(busy.note(id).state, 'posted');
        }
        const searches = await busy.calls((c) => c.operation === 'CasebookSearch');
        const accepted = searches.filter((c) => c.status === 200);
        const refused = searches.filter((c) => c.status === 400);
        assert.equal(accepted.length, places.length);
        /* one worker meets it; the others of its host wait with it */
        assert.ok(refused.length >= 1, `the limit was met: ${accepted.length} searches in ${seconds(accepted)} s`);
        for (const call of refused) {
            const oldest = accepted.find((c) => c.t_us > call.t_us - MINUTE_US);
            const { words } = JSON.parse(call.body).variables;
            const again = searches.find((c) => c.n > call.n && JSON.parse(c.body).variables.words === words);
            assert.ok(again.t_us > oldest.t_us + MINUTE_US - CLOCK_US,
                `searched again ${(oldest.t_us + MINUTE_US - again.t_us) / 1e6} s before the minute was over`);
        }
    } finally {
        await busy.stop();
        fs.rmSync(world, { recursive: true, force: true });
    }
});
