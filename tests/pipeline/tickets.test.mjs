/* One sandbox, several tickets: one investigation, one issue, and a note on each ticket. */
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
const OTHER = 48229; /* of the same organisation */
const page = (ticket) => `/tickets/${ticket}/sandboxes/${SANDBOX}`;

async function text(where, user = 'ann') {
    const answer = await p.get(where, { user });
    assert.equal(answer.status, 200);
    return answer.text;
}

async function post(where, form, user = 'ann', from = page(TICKET)) {
    const csrf = /name="csrf" value="([^"]+)"/.exec(await text(from, user))[1];
    const answer = await p.postForm(where, { csrf, ...form }, { user });
    assert.equal(answer.status, 303);
}

const investigate = (ticket, user, form = {}) => post(`${page(ticket)}/investigations`, form, user, page(ticket));
const all = () => p.sql('SELECT id FROM investigation').map(([id]) => id);
const stateOf = (ticket) => p.sql(`SELECT state FROM note WHERE ticket_id = ${ticket}`).map(([s]) => s);

test('a second ticket gets the finding and a note of its own, without a second investigation', async () => {
    await investigate(TICKET, 'ann');
    const [id] = all();
    await p.done(id);
    const before = await text(page(OTHER), 'ben');
    assert.match(before, /Internal note: none on this ticket/);
    assert.match(before, new RegExp(`Post this finding to #${OTHER}`));
    assert.match(before, /Casebook: Crashed/, 'the text that it would get is shown');
    await investigate(OTHER, 'ben');
    await p.control('DELETE', 'calls');
    assert.deepEqual(all(), [id], 'no second investigation');
    await p.done(id);
    assert.deepEqual(stateOf(OTHER), ['posted']);
    assert.equal((await p.notes(TICKET)).length, 1);
    assert.equal((await p.notes(OTHER)).length, 1);
    assert.deepEqual(await p.calls((c) => c.service === 'e2b' && c.path.includes(SANDBOX)), [],
        'E2B is not read again');
    const asked = (await p.calls((c) => c.service === 'linear')).map((c) => c.operation);
    assert.deepEqual(asked.filter((o) => /Search|FindToken|Create/.test(o)), [], 'nor Linear searched');
    assert.ok(asked.includes('CasebookLinkZendesk'), 'the ticket hangs on the issue');

    const after = await text(page(OTHER), 'ben');
    assert.match(after, /Internal note posted/);
    assert.match(after, new RegExp(`#${TICKET}: Internal note posted`));
    assert.match(after, new RegExp(`ben asked for it on #${OTHER}`));
    assert.match(await text(`/tickets/${OTHER}`, 'ben'), /Note posted/i, 'it is in the ticket\'s history');
    assert.match(await text(`/tickets/${TICKET}`), /Note posted/i);

    await investigate(OTHER, 'cleo');
    assert.equal((await p.notes(OTHER)).length, 1, 'asked twice: one note');
    assert.equal(p.inv(id).state, 'done');
});

test('the note can be read before it is posted, word for word but its number', async () => {
    const bodies = async (ticket) => [...(await text(page(ticket))).matchAll(/<div class="note-body">([\s\S]*?)<\/div>/g)]
        .map(([, body]) => body.replace(/Note [0-9a-f]{8}$/, 'Note --------'));
    await investigate(TICKET, 'ann');
    const [id] = all();
    await p.done(id);
    const [first] = await bodies(TICKET);
    assert.match(first, /^Casebook: [\s\S]*\nNote --------$/);
    assert.deepEqual(await bodies(OTHER), [first], 'what another ticket would get');
    await post(`/investigations/${id}/link`, { issue: 'SUP-412' }, 'ben');
    assert.deepEqual(await bodies(TICKET), [first], 'what was posted stays');
    const [linked] = await bodies(OTHER);
    assert.match(linked, /Linear: known issue, nothing filed: SUP-412 [\s\S]*ben linked this issue\./);
    await investigate(OTHER, 'cleo');
    assert.ok((await bodies(OTHER)).length && (await bodies(OTHER)).every((body) => body === linked), 'it was asked for, and the agent has not come');
    await p.done(id);
    assert.match(await text(page(OTHER)), /Internal note posted[\s\S]*as it was posted/);
    assert.deepEqual(await bodies(OTHER), [linked]);

    /* as in the moment between the filing and the note */
    p.sql(`DELETE FROM further_ticket WHERE investigation_id = ${id}; DELETE FROM note WHERE investigation_id = ${id};
        UPDATE investigation SET state = 'filed', reached = 'filed', noted_us = NULL, done_us = NULL, finished_us = NULL WHERE id = ${id}`);
    assert.match(await text(page(TICKET)), /Investigating: posting the internal note/);
    assert.deepEqual(await bodies(TICKET), [linked]);
    /* before the filing nobody knows what it will tell of Linear */
    p.sql(`UPDATE investigation SET state = 'deduped', reached = 'deduped', filed_us = NULL WHERE id = ${id}`);
    assert.deepEqual(await bodies(TICKET), []);
});

test('a second ticket while the first one is worked on', async () => {
    await investigate(TICKET, 'ann');
    await investigate(OTHER, 'ben');
    const [id, ...more] = all();
    assert.deepEqual(more, []);
    await p.done(id);
    assert.equal((await p.notes(TICKET)).length, 1);
    assert.equal((await p.notes(OTHER)).length, 1);
});

test('one ticket that cannot take a note does not hold the other', async () => {
    await p.control('POST', 'patch', { service: 'zendesk', table: 'tickets', match: { id: TICKET }, set: { status: 'closed' } });
    await investigate(TICKET, 'ann');
    await investigate(OTHER, 'ben');
    const [id] = all();
    await p.done(id);
    assert.deepEqual(stateOf(TICKET), ['closed']);
    assert.deepEqual(stateOf(OTHER), ['posted']);
    assert.match(await text(page(TICKET)), /the ticket is closed/);
    assert.match(await text(page(OTHER)), /Internal note posted/);
});

test('the finding of the first ticket stays while another one waits for its note', async () => {
    await investigate(TICKET, 'ann');
    const [id] = all();
    await p.done(id);
    await p.fault({ service: 'zendesk', method: 'PUT', status: 503, times: -1 });
    await investigate(OTHER, 'ben');
    await p.pass();
    assert.equal(p.inv(id).state, 'filed');
    const first = await text(page(TICKET));
    assert.match(first, /id="headline"/);
    assert.match(first, /Internal note posted/);
    assert.doesNotMatch(first, /Investigating:/, 'nothing goes on there');
    assert.match(await text(page(OTHER)), new RegExp(`Post the internal note to #${OTHER}`));
});

test('investigate again under another ticket: a new investigation for that one', async () => {
    await investigate(TICKET, 'ann');
    await p.done(...all());
    await investigate(OTHER, 'ben', { again: '1' });
    const ids = all();
    assert.equal(ids.length, 2);
    await p.done(...ids);
    assert.equal((await p.notes(TICKET)).length, 1);
    assert.equal((await p.notes(OTHER)).length, 1);
});

test('a failed stage is tried again from the page, with who and why kept', async () => {
    await p.fault({ service: 'e2b', status: 500, times: -1 });
    await investigate(TICKET, 'ann');
    const [id] = all();
    await p.finish(id);
    assert.equal(p.inv(id).state, 'failed');
    await p.control('DELETE', 'faults');
    assert.match(await text(page(TICKET)), /HTTP 500|500/, 'the service\'s own words');
    await post(`/investigations/${id}/retry-note`, {}, 'ben');
    await p.done(id);
    assert.match(await text(page(TICKET)), /ben had it tried again, after: E2B could not be read/);
});

test('Linear that was unavailable is asked again from the page; the note is not repeated', async () => {
    await p.fault({ service: 'linear', status: 503, times: -1 });
    await investigate(TICKET, 'ann');
    const [id] = all();
    await p.done(id);
    assert.equal(p.decision(id).outcome, 'unavailable');
    await p.control('DELETE', 'faults');
    assert.match(await text(page(TICKET)), /Look in Linear again/);
    await post(`/investigations/${id}/retry-note`, { what: 'linear' }, 'ben');
    await p.done(id);
    assert.equal(p.decision(id).outcome, 'filed');
    assert.equal((await p.newIssues()).length, 1);
    assert.equal((await p.notes(TICKET)).length, 1);
});

test('a person links another issue, and unlinks it: told with who; later findings follow', async () => {
    await investigate(TICKET, 'ann');
    const [id] = all();
    await p.done(id);
    const filed = p.decision(id).issue_identifier;
    const wrong = await p.postForm(`/investigations/${id}/link`,
        { csrf: /name="csrf" value="([^"]+)"/.exec(await text(page(TICKET)))[1], issue: 'SUP-9999' }, { user: 'ann' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /Linear has no issue SUP-9999/);
    await post(`/investigations/${id}/link`, { issue: 'SUP-412' }, 'ben');
    const linked = await text(page(TICKET));
    assert.match(linked, /Linear: linked by ben/);
    assert.match(linked, new RegExp(`Casebook had decided: new issue filed, ${filed}`));
    assert.match(linked, /ben linked <b>SUP-412<\/b>/);

    await investigate(TICKET, 'ann', { again: '1' });
    const second = all().at(-1);
    await p.done(second);
    assert.equal(p.decision(second).outcome, 'matched');
    assert.equal(p.decision(second).issue_identifier, 'SUP-412');
    assert.match(p.decision(second).doc.why, /ben linked it to this failure/);

    await post(`/investigations/${second}/link`, { issue: '' }, 'cleo');
    assert.match(await text(page(TICKET)), /Linear: unlinked by cleo/);
    await investigate(TICKET, 'ann', { again: '1' });
    const third = all().at(-1);
    await p.done(third);
    assert.equal(p.decision(third).outcome, 'not_filed');
    assert.match(p.decision(third).doc.why, /cleo said/);
    assert.equal((await p.creates()).length, 1, 'nothing is filed against a person\'s word');
});

test('the live state on ticket and finding, asked once in half a minute', async () => {
    await investigate(TICKET, 'ann');
    const [id] = all();
    await p.done(id);
    p.sql('DELETE FROM linear_issue'); /* what an earlier test has read: the issue has the same id */
    await p.control('DELETE', 'calls');
    const states = () => p.calls((c) => c.operation === 'CasebookIssueStates');
    const ticket = await text(`/tickets/${TICKET}`);
    assert.match(ticket, /Triage/);
    await text(`/tickets/${TICKET}`);
    await text(page(TICKET), 'ben');
    await text(`/investigations/${id}`);
    assert.equal((await states()).length, 1, 'one request for all of that');
    p.sql('UPDATE linear_issue SET read_us = 1');
    await p.fault({ service: 'linear', status: 500, times: -1 });
    const down = await text(page(TICKET));
    assert.match(down, /Triage/, 'what was last known is shown');
});
