/* The search before any create: what counts as the same failure, what its state means, who hears of it again. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Pipeline, S } from './harness.mjs';

let p;
before(async () => (p = await Pipeline.begin({ 'Web.PublicUrl': 'https://support.example/casebook' })));
after(() => p?.stop());
beforeEach(() => p.fresh({ known: false }));

const patch = (id, set) =>
    p.control('POST', 'patch', { service: 'linear', table: 'issues', match: { id }, set });

async function filed(subject) {
    const id = p.queue(subject);
    await p.done(id);
    assert.equal(p.decision(id).outcome, 'filed');
    const [issue] = await p.newIssues();
    return issue;
}

/* Another investigation of the same failure; our own record is forgotten unless it is kept. */
async function again(subject, { keep = false } = {}) {
    if (!keep) p.sql('DELETE FROM filing');
    const id = p.queue(subject);
    await p.done(id);
    assert.equal((await p.creates()).length, 1, 'nothing more is created');
    return p.decision(id);
}

test('its address on the issue is enough, whatever became of the text', async () => {
    const issue = await filed(S.oom);
    await patch(issue.id, { title: 'Somebody rewrote it', description: 'and its text' });
    const d = await again(S.oomElsewhere);
    assert.equal(d.outcome, 'matched');
    assert.equal(d.issue_identifier, issue.identifier);
    assert.equal(d.doc.candidates[0].via, 'link');
    assert.match(d.doc.link, /^https:\/\/support\.example\/casebook\/investigations\?signature=[0-9a-f]{64}&template=/);
    const { linear } = await p.control('GET', 'state');
    assert.equal(linear.attachments.filter((a) => a.issueId === issue.id && a.url === d.doc.link).length, 1);
});

test('the signature that an issue of Casebook carries is compared as `casebook same` does', async () => {
    const issue = await filed(S.oom);
    const link = p.sql('SELECT id FROM investigation')[0][0];
    const hash = p.finding(link).signature_hash;
    /* no mark, no address: only the signature and the template are left */
    const text = issue.description.replace(/`cbk[0-9a-f]{24}`/, 'gone');
    await patch(issue.id, { description: text });
    const { linear } = await p.control('GET', 'state');
    for (const a of linear.attachments.filter((x) => x.issueId === issue.id && x.url.includes(hash))) {
        await p.control('POST', 'patch', { service: 'linear', table: 'attachments', match: { id: a.id }, set: { url: 'https://x.example/' } });
    }
    const d = await again(S.oomElsewhere);
    assert.equal(d.outcome, 'matched');
    assert.equal(d.issue_identifier, issue.identifier);
    assert.equal(d.doc.candidates[0].via, 'search');
    assert.match(d.doc.why, /carries the signature of the same failure/);
});

for (const [name, type, set, words] of [
    ['completed', 'completed', { completedAt: '2026-11-20T10:00:00.000Z' }, /was fixed on 20 Nov, seen again now/],
    ['canceled', 'canceled', { canceledAt: '2026-11-21T10:00:00.000Z' }, /was canceled on 21 Nov, as “.+”/],
    ['archived', null, { archivedAt: '2026-11-22T10:00:00.000Z' }, /It is archived/],
]) {
    test(`an issue that is ${name} matches, and that is told`, async () => {
        const issue = await filed(S.oom);
        const { linear } = await p.control('GET', 'state');
        const state = linear.states.find((s) => s.type === type && s.teamId === issue.teamId);
        await patch(issue.id, { ...set, ...(state && { stateId: state.id }) });
        const d = await again(S.oomElsewhere, { keep: true });
        assert.equal(d.outcome, 'matched');
        assert.equal(d.issue_identifier, issue.identifier);
        assert.match(d.doc.why, words);
        assert.match(p.note(p.sql('SELECT MAX(id) FROM investigation')[0][0]).html, words);
    });
}

test('of two with the mark the open one is taken', async () => {
    const issue = await filed(S.oom);
    const { linear } = await p.control('GET', 'state');
    const done = linear.states.find((s) => s.type === 'completed' && s.teamId === issue.teamId);
    const other = linear.issues.find((i) => i.identifier === 'SUP-412');
    await patch(issue.id, { stateId: done.id, completedAt: '2026-11-20T10:00:00.000Z' });
    await patch(other.id, { description: issue.description.match(/`cbk[0-9a-f]{24}`/)[0] });
    const d = await again(S.oomElsewhere);
    assert.equal(d.issue_identifier, 'SUP-412');
});

const comments = async (issue) => {
    const { linear } = await p.control('GET', 'state');
    return linear.comments.filter((c) => c.issueId === issue.id);
};
const ticket = (id, organization) => p.sql(`REPLACE INTO ticket (id, subject, status, requester, requester_email,
    organization, created_us, seen_us) VALUES (${id}, 's', 'open', 'Requester ${organization}', '${id}@${organization}.example', '${organization}', 1, 1)`);

test('another customer: no comment unless it is wanted', async () => {
    ticket(S.oom[1], 'brightwater');
    ticket(S.oomElsewhere[1], 'harrowgate');
    const issue = await filed(S.oom);
    await again(S.oomElsewhere);
    assert.deepEqual(await comments(issue), []);
});

test('another customer, and comments are wanted: one for each occurrence, and none for the same customer', async () => {
    p.setConfig({ 'Linear.CommentOccurrences': 'yes' });
    try {
        ticket(S.oom[1], 'brightwater');
        ticket(S.oomElsewhere[1], 'harrowgate');
        const issue = await filed(S.oom);
        await again(S.oom);
        assert.deepEqual(await comments(issue), [], 'the same customer again');
        await p.fault({ service: 'linear', operation: 'CasebookComment', cut: 'after' });
        await again(S.oomElsewhere);
        await again(S.oomElsewhere);
        const told = await comments(issue);
        assert.equal(told.length, 1);
        assert.match(told[0].body, /^Seen again, by another customer: Out of memory in template `/);
        assert.doesNotMatch(told[0].body, /harrowgate|brightwater|ines|priya/i);
    } finally {
        p.setConfig({ 'Linear.CommentOccurrences': undefined });
    }
});

test('30 searches a minute: what is over them waits without losing a try, and nothing is lost', async () => {
    await p.control('POST', 'settings', { linear_searches: 2 });
    const ids = [S.oom, S.timeout, S.killed, S.crashed, S.vmDeath, S.keyError].map((s) => p.queue(s));
    await p.pass();
    const waiting = ids.filter((id) => p.inv(id).state === 'diagnosed');
    assert.equal(waiting.length, 4);
    for (const id of waiting) {
        assert.equal(p.inv(id).attempt, '0', 'a wait that was asked for is no try');
        assert.match(p.inv(id).failure, /rate limit/i);
        assert.ok(Number(p.inv(id).run_after_us) / 1000 > Date.now() + 20_000);
    }
    const refused = (await p.calls((c) => c.operation === 'CasebookSearch' && c.status === 400)).length;
    assert.ok(refused <= 2, `${refused} workers found out by themselves`);
    await p.control('POST', 'settings', { linear_searches: 0 });
    await p.done(...ids);
    for (const id of ids) assert.equal(p.decision(id).outcome, 'filed');
});

test('too old: not even a wait that was asked for is taken any more', async () => {
    await p.control('POST', 'settings', { linear_searches: 1 });
    const ids = [S.oom, S.timeout].map((s) => p.queue(s));
    p.sql('UPDATE investigation SET created_us = 1');
    await p.done(...ids);
    const outcomes = ids.map((id) => p.decision(id).outcome).sort();
    assert.deepEqual(outcomes, ['filed', 'unavailable']);
    assert.match(ids.map((id) => p.decision(id).doc.why).join(), /rate limit/i);
});
