/* Queued, stopped and repeated from the pages; worked on by the agent. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Pipeline, S } from './harness.mjs';

let p;
before(async () => {
    p = new Pipeline({});
    await p.startAll();
});
after(() => p?.stop());
beforeEach(() => p.fresh());

const [SANDBOX, TICKET] = S.crashed;
const PAGE = `/tickets/${TICKET}/sandboxes/${SANDBOX}`;

async function csrfOf(user, page = PAGE) {
    const answer = await p.get(page, { user });
    assert.equal(answer.status, 200);
    return /name="csrf" value="([^"]+)"/.exec(answer.text)[1];
}

async function investigate(user) {
    return p.postForm(`${PAGE}/investigations`, { csrf: await csrfOf(user) }, { user });
}

const all = () => p.sql('SELECT id, state, requested_by, ticket_id, canceled_by FROM investigation ORDER BY id');

test('pressed, worked on, shown', async () => {
    const answer = await investigate('ann');
    assert.equal(answer.status, 303);
    assert.ok(new URL(answer.location, p.url).pathname.endsWith(PAGE));
    const [[id, state, by, ticket]] = all();
    assert.deepEqual([state, by, ticket], ['queued', 'ann', String(TICKET)]);
    assert.deepEqual(await p.calls((c) => c.service === 'linear'), [], 'a page files nothing');
    await p.done(id);
    const page = (await p.get(PAGE, { user: 'ben' })).text;
    assert.ok(page.includes(p.decision(id).issue_identifier));
    assert.ok(page.includes(JSON.parse(p.finding(id).doc).headline));
});

test('two engineers at once: one investigation', async () => {
    const tokens = await Promise.all(['ann', 'ben', 'cleo'].map((user) => csrfOf(user)));
    const answers = await Promise.all(['ann', 'ben', 'cleo'].map((user, i) =>
        p.postForm(`${PAGE}/investigations`, { csrf: tokens[i] }, { user })));
    for (const answer of answers) assert.equal(answer.status, 303);
    assert.equal(all().length, 1);
    const [[, , by]] = all();
    assert.ok((await p.get(PAGE, { user: 'dora' })).text.includes(by), 'who started it is shown');
});

test('the steps tell how much was read, as it was kept', async () => {
    await investigate('ann');
    const [[id]] = all();
    await p.fault({ service: 'linear', status: 503, times: -1 });
    await p.agentOnce();
    assert.equal(p.inv(id).reached, 'diagnosed', 'it waits for Linear');
    const { events, metrics, logs } = p.evidence(id);
    const words = [[events, 'event'], [metrics, 'sample'], [logs, 'line']].map(([list, what]) => {
        assert.ok(list.length > 1, `several ${what}s`);
        return `${list.length.toLocaleString('en')} ${what}s`;
    }).join(', ');
    const steps = (await p.get(PAGE, { user: 'ben' })).text.match(/<ol class="steps">[\s\S]*?<\/ol>/)[0].split('<li').slice(1);
    assert.ok(steps[0].includes(`class="step-done"`) && steps[0].includes(`>${words}<`), steps[0]);
    await p.control('DELETE', 'faults');
});

test('canceled from the page before the agent came', async () => {
    await investigate('ann');
    const [[id]] = all();
    const answer = await p.postForm(`/investigations/${id}/cancel`, { csrf: await csrfOf('ben') }, { user: 'ben' });
    assert.equal(answer.status, 303);
    assert.deepEqual(all(), [[id, 'canceled', 'ann', String(TICKET), 'ben']]);
    await p.agentOnce();
    assert.equal(p.inv(id).state, 'canceled');
    assert.deepEqual(await p.puts(), []);
});

test('a note that failed is posted again from the page', async () => {
    await p.fault({ service: 'zendesk', method: 'PUT', status: 422, body: { error: 'RecordInvalid',
        description: 'no', details: { base: [{ description: 'not now' }] } } });
    await investigate('ann');
    const [[id]] = all();
    await p.done(id);
    assert.equal(p.note(id).state, 'failed');
    const answer = await p.postForm(`/investigations/${id}/retry-note`,
        { csrf: await csrfOf('ann') }, { user: 'ann' });
    assert.equal(answer.status, 303);
    await p.done(id);
    assert.equal(p.note(id).state, 'posted');
    assert.equal((await p.notes(TICKET)).length, 1);
    assert.equal((await p.creates()).length, 1);
});

test('everything restarted: the finding, its issue and its note are still there', async () => {
    await investigate('ann');
    const [[id]] = all();
    await p.done(id);
    for (const part of [p.web, p.mariadb]) await part.restart();
    const page = (await p.get(`/investigations/${id}`)).text;
    assert.ok(page.includes(JSON.parse(p.finding(id).doc).headline));
    assert.ok(page.includes(p.decision(id).issue_identifier));
});
