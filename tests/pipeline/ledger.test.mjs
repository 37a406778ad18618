/* The agent's own record of sandboxes. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Pipeline, S } from './harness.mjs';

let p;
before(async () => (p = await Pipeline.begin()));
after(() => p?.stop());
beforeEach(async () => {
    await p.control('POST', 'settings', { events: true });
    await p.fresh();
});

const ledger = (id) => p.row('ledger_sandbox', ['state', 'template_id', 'kill_reason', 'first_start_us',
    'end_us', 'gone_us', 'event_count', 'sighted_us'], `sandbox_id = '${id}'`);
const tags = (id) => Object.fromEntries(
    p.sql(`SELECT tag_key, tag_value FROM ledger_tag WHERE sandbox_id = '${id}'`));

test('the agent\'s harvest finds sandboxes that ended', async () => {
    await p.agentOnce();
    const killed = ledger(S.killed[0]);
    assert.equal(killed.state, 'ended');
    assert.equal(killed.kill_reason, 'request');
    assert.equal(killed.sighted_us, null, 'it was never listed');
    assert.ok(BigInt(killed.end_us) - BigInt(killed.first_start_us) >= 22n * 60n * 1_000_000n);
    assert.equal(tags(S.killed[0]).userId, 'k.mori@tanegashi.example');
    const running = ledger(S.running[0]);
    assert.equal(running.state, 'running');
    assert.notEqual(running.sighted_us, null);
});

test('harvested again: nothing doubles', async () => {
    await p.agentOnce();
    const count = () => p.sql('SELECT (SELECT COUNT(*) FROM ledger_sandbox), (SELECT COUNT(*) FROM ledger_event)');
    const first = count();
    assert.ok(Number(first[0][0]) > 25 && Number(first[0][1]) > 100);
    await p.agentOnce();
    const run = await p.tool('harvest', '--backfill');
    assert.equal(run.status, 0, run.stderr);
    assert.deepEqual(count(), first);
});

test('a sandbox that two lists leave out, and has no event of its end, is marked as gone', async () => {
    await p.agentOnce();
    await p.control('POST', 'reset', { empty: true });
    await p.agentOnce();
    assert.equal(ledger(S.running[0]).gone_us, null, 'one list may miss some');
    await p.agentOnce();
    const running = ledger(S.running[0]);
    assert.notEqual(running.gone_us, null);
    assert.equal(running.state, 'ended');
});

test('an E2B that fails marks nothing as gone', async () => {
    await p.agentOnce();
    await p.fault({ service: 'e2b', path: '/v2/sandboxes', status: 500, times: -1 });
    await p.pass();
    assert.equal(ledger(S.running[0]).gone_us, null);
    assert.equal(ledger(S.running[0]).state, 'running');
});

test('E2B without event history: the ledger lives from the list', async () => {
    await p.control('POST', 'settings', { events: false });
    await p.agentOnce();
    assert.equal(ledger(S.running[0]).state, 'running');
    assert.equal(ledger(S.killed[0]), undefined);
});

test('what the ledger kept completes an investigation when E2B has forgotten the events', async () => {
    await p.agentOnce();
    await p.control('POST', 'settings', { events: false });
    const id = p.queue(S.killed);
    await p.done(id);
    assert.equal(p.finding(id).class, 'killed_early');
    const { events, sources } = p.evidence(id);
    assert.equal(sources.events.state, 'unsupported');
    assert.ok(events.some((e) => e.type === 'sandbox.lifecycle.killed'));
});
