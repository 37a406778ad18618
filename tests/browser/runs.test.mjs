/*
 * Investigations that do not simply end well: two at once, waiting, cancelled, failed; the
 * note and the Linear issue in each of their states.
 */
import assert from 'node:assert/strict';
import test, { after, afterEach, before } from 'node:test';
import { until } from '../lib/stack.mjs';
import { openDesk } from './desk.mjs';

const SID = 'ip3k7d0m9xb2s8f4ua6lw';

let desk;
let maya;
let stack;
before(async () => {
    desk = await openDesk();
    stack = desk.stack;
    maya = await desk.engineer('maya');
});
after(() => desk?.close());
afterEach(async () => {
    if (stack.sim.isRunning) await stack.control('DELETE', 'faults');
});

const fault = (order) => stack.control('POST', 'faults', { times: -1, ...order });
const told = (where, status, ...words) => maya.told(where, status, ...words);

/* ---- two at once -------------------------------------------------------- */

test('two engineers press Investigate at once: one investigation, the second sees who and when', async () => {
    const tom = await desk.engineer('tom');
    const both = [maya, tom];
    await Promise.all(both.map((e) => e.open(`/tickets/48213/sandboxes/${SID}`)));
    await Promise.all(both.map((e) => e.investigate()));

    const rows = stack.sql(`SELECT requested_by FROM investigation WHERE sandbox_id = '${SID}'`);
    assert.equal(rows.length, 1, 'one investigation');
    const [[winner]] = rows;
    const second = both.find((e) => e.user !== winner);
    const first = both.find((e) => e.user === winner);
    assert.match(await second.text('#finding'), new RegExp(`${winner} started (this|it) \\d+ s ago`));
    assert.match(await second.text('#finding'), /Yours was not started a second time. The steps below are from that run/);
    assert.doesNotMatch(await first.text('#finding'), /not started a second time/);
    for (const e of both) assert.match(await e.text('#finding'), new RegExp(`Started by (you|${winner})`));

    await Promise.all([stack.agentOnce(), ...both.map((e) => e.awaitFinding())]);
    for (const e of both) assert.match(await e.text('#finding'), new RegExp(`${winner}, \\d+ \\w{3}`));
    assert.equal(stack.sql(`SELECT COUNT(*) FROM investigation WHERE sandbox_id = '${SID}'`)[0][0], '1');
    await tom.page.context().close();
});

test('waiting for more than two minutes: what that may mean', async () => {
    await maya.open('/tickets/48160/sandboxes/iu2m7q4x9c1v6b0n5l8ks');
    await maya.investigate();
    assert.match(await maya.text('#panel'), /Waiting for the agent. .*It looks for work every few seconds/);
    assert.doesNotMatch(await maya.text('#panel'), /tell your administrator/);
    stack.sql("UPDATE investigation SET created_us = created_us - 150000000 WHERE sandbox_id = 'iu2m7q4x9c1v6b0n5l8ks'");
    await maya.open('/tickets/48160/sandboxes/iu2m7q4x9c1v6b0n5l8ks');
    assert.match(await maya.text('#panel'), /If nothing happens, tell your administrator: the agent may be stopped/);
    await maya.click(maya.button('Cancel'));
});

test('cancelled while it waits: by whom, that nothing was done, and it can be started anew', async () => {
    await maya.open('/tickets/48213/sandboxes/ib0r7x3q6l2j9m5c8e4pu');
    await maya.investigate();
    await maya.click(maya.button('Cancel'));
    assert.match(await maya.text('#panel'), /Cancelled by (you|maya).*Nothing was filed or posted/);
    assert.equal(await maya.button('Investigate this sandbox').count(), 1);
    await stack.agentOnce();
    await maya.open('/tickets/48213/sandboxes/ib0r7x3q6l2j9m5c8e4pu');
    assert.equal(await maya.page.locator('#headline').count(), 0);
});

test('with a script the panel renews itself: the page is not loaded anew while it runs', async () => {
    await maya.open('/tickets/48213/sandboxes/ik2c9t6v0n4e7w1q8r5mb');
    await maya.investigate();
    await maya.page.evaluate(() => {
        globalThis.isSamePage = true;
    });
    const begin = maya.page.asked.length;
    const polls = () => maya.page.asked.slice(begin).filter((url) => /\/investigation$/.test(url)).length;
    await until('the panel to be polled four times', () => polls() >= 4);
    assert.equal(await maya.page.evaluate(() => globalThis.isSamePage), true);
    assert.match(await maya.text('#panel [role=status]'), /Waiting for the agent|Investigating/);
    await Promise.all([stack.agentOnce(), maya.awaitFinding()]);
    assert.match(await maya.text('#finding'), /Undetermined/);
    assert.match(await maya.page.locator('[role=status]').allInnerTexts().then((t) => t.join(' ')), /Finding ready: Undetermined/);
});

/* ---- notes -------------------------------------------------------------- */

test('a closed ticket: told before and after, and the finding is kept', async () => {
    const sid = 'it1m6z9c3v8f0j5b2q7ke';
    await told('/tickets/47988', 200, /ticket (#47988 )?is closed/i, 'takes no note on a closed ticket');
    await told(`/tickets/47988/sandboxes/${sid}`, 200, 'Ticket #47988 is closed', 'takes no note on a closed ticket');
    await maya.investigate();
    await Promise.all([stack.agentOnce(), maya.awaitFinding()]);
    await told(`/tickets/47988/sandboxes/${sid}`, 200, 'No note: the ticket is closed', 'Killed early', 'Low confidence');
    assert.equal(await maya.button('Post the note').count(), 0);
    await told('/tickets/47988', 200, 'No note: the ticket is closed', 'Killed early');
});

test('a note that Zendesk does not take: the finding is safe, and it can be posted again', async () => {
    const sid = 'ia7u4p1s8g0x5l2d9r6yo';
    await maya.open(`/tickets/48055/sandboxes/${sid}`);
    await maya.investigate();
    await fault({ service: 'zendesk', method: 'PUT', status: 422, body: { error: 'RecordInvalid', description: 'Record validation errors' } });
    await stack.agentOnce();
    await told(`/tickets/48055/sandboxes/${sid}`, 200, 'The internal note was not posted', 'The finding is safe. Nothing was posted twice');
    await stack.control('DELETE', 'faults');
    await maya.click(maya.button('Post the note'));
    await stack.agentOnce();
    await told(`/tickets/48055/sandboxes/${sid}`, 200, 'Internal note posted', '#48055');
});

test('not known if the note arrived: said, looked for, and never posted twice', async () => {
    const sid = 'is9k5j1h7g3f0d6s2a8pq';
    const notes = async () => (await stack.control('GET', 'state')).zendesk.find((t) => t.id === 48145)
        .comments.filter((c) => c.public === false && c.body.includes(sid)).length;
    await maya.open(`/tickets/48145/sandboxes/${sid}`);
    await maya.investigate();
    await fault({ service: 'zendesk', method: 'PUT', cut: 'after' });
    await fault({ service: 'zendesk', path: '/api/v2/tickets/48145/', status: 503, body: 'html' });
    stack.setConfig({ 'Agent.MaxAttempts': 1 });
    try {
        await stack.agentOnce();
    } finally {
        stack.setConfig({ 'Agent.MaxAttempts': null });
    }
    assert.equal(await notes(), 1, 'it did arrive');
    await told(`/tickets/48145/sandboxes/${sid}`, 200, 'It is not known if the note arrived',
        'Casebook looks before it posts again', 'Killed early');
    await stack.control('DELETE', 'faults');
    await maya.click(maya.button('Post the note'));
    await stack.agentOnce();
    await told(`/tickets/48145/sandboxes/${sid}`, 200, 'Internal note posted', '#48145');
    assert.equal(await notes(), 1);
});

test('the matching issue is closed: its state as it is now, and what that means', async () => {
    const { linear } = await stack.control('GET', 'state');
    const issue = linear.issues.find((i) => i.identifier === 'SUP-412');
    const done = linear.states.find((s) => s.type === 'completed' && s.teamId === issue.teamId);
    await maya.investigated(48213, 'i7q2m0xk4v9d1c8b3zt5e');
    await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200, 'SUP-412', 'In Progress');
    await stack.control('POST', 'patch', { service: 'linear', table: 'issues', match: { identifier: 'SUP-412' }, set: { stateId: done.id } });
    stack.sql('DELETE FROM linear_issue'); /* what was read is shown for half a minute */
    await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200, 'SUP-412', 'Done', 'The issue is closed');
    await stack.control('POST', 'patch', { service: 'linear', table: 'issues', match: { identifier: 'SUP-412' }, set: { stateId: issue.stateId } });
    stack.sql('DELETE FROM linear_issue');
});

test('Linear cannot be searched: nothing filed, the finding stands', async () => {
    const sid = 'id4v9s3c7x1z6q0w5e8rt';
    await maya.open(`/tickets/48101/sandboxes/${sid}`);
    await maya.investigate();
    await fault({ service: 'linear', status: 400, body: { errors: [{ message: 'Argument Validation Error', extensions: { code: 'INVALID_INPUT', type: 'invalid input', userError: true } }] } });
    await stack.agentOnce();
    await told(`/tickets/48101/sandboxes/${sid}`, 200, 'Linear could not be searched', /nothing was filed/i, 'Hit its timeout');
    const { linear } = await stack.control('GET', 'state');
    assert.ok(!linear.issues.some((i) => (i.description ?? '').includes(sid)));
});

test('an investigation that fails: at which step, why, and a way to try again', async () => {
    const sid = 'ix8d5r2o7n4a1w6h9e3gp';
    await maya.open(`/tickets/47951/sandboxes/${sid}`);
    await maya.investigate();
    await fault({ service: 'e2b', status: 401, body: { code: 401, message: 'Invalid API key' } });
    await assert.rejects(stack.agentOnce(), /Invalid API key/, 'the agent says that it could not read the ledger');
    await stack.control('DELETE', 'faults');
    await told(`/tickets/47951/sandboxes/${sid}`, 200, /failed at “Read E2B”/, /E2B.*(refused|401|Invalid API key)/, 'Nothing was filed or posted');
    assert.equal(await maya.page.locator('#headline').count(), 0);
    await maya.click(maya.button('Try again'));
    await Promise.all([stack.agentOnce(), maya.awaitFinding()]);
    assert.match(await maya.text('#panel'), /Crashed/);
});
