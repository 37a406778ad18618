/* From a queued investigation to a finding, a Linear issue and a note. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, beforeEach, test } from 'node:test';
import { Pipeline, S, until, runProgram, PROGRAMS } from './harness.mjs';

let p;
before(async () => (p = await Pipeline.begin()));
after(() => p?.stop());
beforeEach(() => p.fresh());

const STAGES = ['created_us', 'started_us', 'collected_us', 'diagnosed_us', 'deduped_us', 'filed_us',
    'noted_us', 'done_us'];

function assertStagesInOrder(inv) {
    const times = STAGES.map((name) => BigInt(inv[name]));
    for (let i = 1; i < times.length; i++) {
        assert.ok(times[i] >= times[i - 1], `${STAGES[i]} is before ${STAGES[i - 1]}`);
    }
    assert.equal(inv.finished_us, inv.done_us);
    assert.equal(inv.worker, '');
    assert.equal(inv.failure, '');
    assert.equal(inv.reached, 'done');
}

async function assertOneInternalNote(ticket, marker) {
    const notes = await p.notes(ticket);
    assert.equal(notes.length, 1);
    assert.equal(notes[0].public, false);
    assert.equal(notes[0].metadata.custom.casebook_note, marker);
    assert.ok(notes[0].plain_body.trimEnd().endsWith(`Note ${marker.slice(0, 8)}`));
    for (const put of await p.puts(ticket)) {
        const { ticket: body } = JSON.parse(put.body);
        assert.equal(body.comment.public, false, 'public is sent, and false');
        assert.equal(body.metadata.casebook_note, marker);
        assert.equal(body.safe_update, true);
        assert.deepEqual(Object.keys(body).sort(),
            ['comment', 'metadata', 'safe_update', 'updated_stamp'], 'nothing else is changed');
    }
}

/* Whatever was done: E2B got reads only, and no create came before both searches of its investigation. */
async function assertOnlyWhatIsAllowed() {
    const calls = await p.calls();
    for (const c of calls.filter((x) => x.service === 'e2b')) assert.equal(c.method, 'GET', c.path);
    for (const c of calls.filter((x) => x.service === 'zendesk')) {
        assert.ok(c.method === 'GET' || (c.method === 'POST' && c.path === '/oauth/tokens') ||
            (c.method === 'PUT' && /^\/api\/v2\/tickets\/\d+\.json$/.test(c.path)), `${c.method} ${c.path}`);
    }
    for (const create of calls.filter((x) => x.operation === 'CasebookCreateIssue')) {
        const { description } = JSON.parse(create.body).variables;
        const earlier = calls.filter((x) => x.n < create.n && x.status === 200);
        const literal = earlier.find((x) => x.operation === 'CasebookFindToken' &&
            description.includes(JSON.parse(x.body).variables.token));
        assert.ok(literal, 'its mark was searched before the create');
        assert.ok(earlier.some((x) => x.n > literal.n && x.operation === 'CasebookSearch'),
            'Search Issues was asked before the create');
    }
}

for (const [name, cls] of [['timeout', 'timeout'], ['killed', 'killed_early'], ['crashed', 'crashed'],
    ['vmDeath', 'crashed']]) {
    test(`${cls} (${name}): finding, new issue, note`, async () => {
        const [sandbox, ticket] = S[name];
        const id = p.queue(S[name]);
        await p.done(id);

        assertStagesInOrder(p.inv(id));
        assert.equal(p.inv(id).class, cls);
        const finding = p.finding(id);
        assert.equal(finding.class, cls);
        assert.match(finding.signature_hash, /^[0-9a-f]{64}$/);
        const doc = JSON.parse(finding.doc);
        assert.ok(doc.headline && doc.brief && doc.evidence.length > 0);

        const creates = await p.creates();
        assert.equal(creates.length, 1);
        const { variables } = JSON.parse(creates[0].body);
        const decision = p.decision(id);
        assert.equal(decision.outcome, 'filed');
        assert.match(decision.doc.token, /^cbk[0-9a-f]{24}$/);
        assert.ok(variables.description.endsWith(`\`${decision.doc.token}\`\n`), 'the mark is the last line');
        assert.ok(variables.description.includes(sandbox));
        assert.match(variables.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

        const [issue] = await p.newIssues();
        assert.equal(issue.identifier, decision.issue_identifier);
        assert.equal(issue.id, variables.id);
        assert.ok(issue.description.includes(`\`${decision.doc.token}\``), 'the mark survives Linear');
        const { linear } = await p.control('GET', 'state');
        const links = linear.attachments.filter((a) => a.issueId === issue.id);
        assert.equal(links.length, 1);
        assert.ok(links[0].url.endsWith(`/agent/tickets/${ticket}`));

        const note = p.note(id);
        assert.equal(note.state, 'posted');
        assert.ok(Number(note.audit_id) > 0);
        assert.ok(note.html.includes(issue.identifier));
        await assertOneInternalNote(ticket, note.marker);
        await assertOnlyWhatIsAllowed();
    });
}

test('out_of_memory: the known issue is found by its mark, and nothing is created', async () => {
    const id = p.queue(S.oom);
    await p.done(id);

    assertStagesInOrder(p.inv(id));
    assert.equal(p.finding(id).class, 'out_of_memory');
    const decision = p.decision(id);
    assert.equal(decision.outcome, 'matched');
    assert.equal(decision.issue_identifier, 'SUP-412');
    assert.equal(decision.doc.candidates[0].is_match, true);
    assert.equal(decision.doc.candidates[0].via, 'mark');
    assert.ok(decision.doc.candidates.length > 1, 'what Search Issues returned is kept');
    assert.ok(decision.doc.words.length > 0);
    for (const c of decision.doc.candidates) assert.ok(c.score >= 0 && c.score <= 1 && c.result);
    assert.deepEqual(await p.creates(), []);
    assert.equal((await p.calls((c) => c.operation === 'CasebookSearch')).length, 1,
        'Search Issues is asked also when the mark was found');
    assert.deepEqual(await p.newIssues(), []);
    assert.ok(p.note(id).html.includes('known issue, nothing filed'));
    await assertOneInternalNote(S.oom[1], p.note(id).marker);
    await assertOnlyWhatIsAllowed();
});

test('undetermined: told as such, nothing searched or filed', async () => {
    const id = p.queue(S.running);
    await p.done(id);
    assertStagesInOrder(p.inv(id));
    const finding = p.finding(id);
    assert.equal(finding.class, 'undetermined');
    assert.equal(finding.reason, 'still_running');
    assert.equal(finding.signature_hash, '');
    assert.equal(p.decision(id).outcome, 'not_filed');
    assert.deepEqual(await p.calls((c) => c.service === 'linear'), []);
    assert.match(p.note(id).html, /Casebook: Undetermined<\/strong> \(still running\)/);
    await assertOneInternalNote(S.running[1], p.note(id).marker);
    await assertOnlyWhatIsAllowed();
});

test('a second customer with the same failure is linked to the same issue', async () => {
    await p.fresh({ known: false });
    const first = p.queue(S.oom);
    await p.done(first);
    assert.equal(p.decision(first).outcome, 'filed');
    const second = p.queue(S.oomElsewhere);
    await p.done(second);
    assert.equal(p.finding(first).signature_hash, p.finding(second).signature_hash);
    assert.equal(p.decision(second).outcome, 'matched');
    assert.equal(p.decision(second).issue_identifier, p.decision(first).issue_identifier);
    assert.equal((await p.creates()).length, 1);
    const { linear } = await p.control('GET', 'state');
    const [issue] = await p.newIssues();
    const tickets = linear.attachments.filter((a) => a.issueId === issue.id)
        .map((a) => Number(a.url.split('/').pop())).sort();
    assert.deepEqual(tickets, [S.oomElsewhere[1], S.oom[1]].sort());
    await assertOneInternalNote(S.oomElsewhere[1], p.note(second).marker);
});

test('the record is forgotten: the mark in Linear alone leads to the issue', async () => {
    await p.fresh({ known: false });
    const first = p.queue(S.oom);
    await p.done(first);
    p.sql('DELETE FROM filing');
    const second = p.queue(S.oomElsewhere);
    await p.done(second);
    assert.equal(p.decision(second).outcome, 'matched');
    assert.equal(p.decision(second).doc.candidates[0].via, 'mark');
    assert.equal((await p.creates()).length, 1);
});

test('a matched duplicate is followed to its original', async () => {
    const { linear } = await p.control('GET', 'state');
    const known = linear.issues.find((i) => i.identifier === 'SUP-412');
    const copy = linear.issues.find((i) => i.identifier === 'SUP-413');
    const mark = /`(cbk[0-9a-f]{24})`/.exec(known.description)[0];
    const patch = (id, set) =>
        p.control('POST', 'patch', { service: 'linear', table: 'issues', match: { id }, set });
    await patch(copy.id, { description: mark });
    await patch(known.id, { description: 'the original, without mark' });
    const id = p.queue(S.oom);
    await p.done(id);
    assert.equal(p.decision(id).outcome, 'matched');
    assert.equal(p.decision(id).issue_identifier, 'SUP-412');
    assert.match(p.decision(id).doc.why, /SUP-413 is marked as a duplicate of it/);
});

test('the same failure at once on two workers: one issue', async () => {
    await p.fresh({ known: false });
    /* both searches are over before either creates */
    await p.fault({ service: 'linear', operation: 'CasebookCreateIssue', times: 2, latency_ms: 700 });
    const ids = [p.queue(S.oom), p.queue(S.oomElsewhere)];
    await p.done(...ids);
    const issues = await p.newIssues();
    assert.equal(issues.length, 1);
    for (const id of ids) assert.equal(p.decision(id).issue_identifier, issues[0].identifier);
    const outcomes = ids.map((id) => p.decision(id).outcome).sort();
    assert.ok(outcomes[0] === 'filed', 'one of them filed it');
    for (const [, ticket] of [S.oom, S.oomElsewhere]) assert.equal((await p.notes(ticket)).length, 1);
});

test('without a ticket: a finding and an issue, and Zendesk is not asked', async () => {
    const id = p.queue([S.crashed[0], null]);
    await p.done(id);
    assert.equal(p.finding(id).class, 'crashed');
    assert.equal(p.decision(id).outcome, 'filed');
    assert.equal(p.note(id), undefined);
    assert.deepEqual(await p.calls((c) => c.service === 'zendesk'), []);
});

test('a closed ticket takes no note: the finding stands and it is said', async () => {
    const id = p.queue(S.closed);
    await p.done(id);
    assert.equal(p.finding(id).class, 'killed_early');
    assert.equal(p.note(id).state, 'closed');
    assert.match(p.note(id).error, /closed/);
    assert.deepEqual(await p.puts(), [], 'it was seen before anything was sent');
});

test('a ticket that closes between the look and the note', async () => {
    await p.fault({ service: 'zendesk', method: 'PUT', latency_ms: 1500 });
    const id = p.queue(S.crashed);
    const run = p.agentOnce();
    await until('the note to be on its way', async () => (await p.puts()).length === 1);
    await p.control('POST', 'patch',
        { service: 'zendesk', table: 'tickets', match: { id: S.crashed[1] }, set: { status: 'closed' } });
    await run;
    await p.done(id);
    assert.equal(p.note(id).state, 'closed');
    assert.equal((await p.notes(S.crashed[1])).length, 0);
});

test('a ticket that is gone', async () => {
    const id = p.queue([S.crashed[0], 999999]);
    await p.done(id);
    assert.equal(p.note(id).state, 'gone');
    assert.match(p.note(id).error, /deleted/);
    assert.deepEqual(await p.puts(), []);
});

test('which classes are filed is the administrator\'s choice', async () => {
    p.setConfig({ 'Linear.FileClasses': 'out_of_memory,timeout' });
    try {
        const id = p.queue(S.crashed);
        await p.done(id);
        assert.equal(p.decision(id).outcome, 'not_filed');
        assert.match(p.decision(id).doc.why, /administrator/);
        assert.equal((await p.calls((c) => c.operation === 'CasebookSearch')).length, 1);
        assert.deepEqual(await p.creates(), []);
    } finally {
        p.setConfig({ 'Linear.FileClasses': undefined });
    }
});

test('a link to the finding in issue and note when the public address is known', async () => {
    p.setConfig({ 'Web.PublicUrl': 'https://support.example/casebook' });
    try {
        const id = p.queue(S.crashed);
        await p.done(id);
        const link = `https://support.example/casebook/investigations/${id}`;
        assert.ok(p.note(id).html.includes(`<a href="${link}">`));
        assert.ok(JSON.parse((await p.creates())[0].body).variables.description.includes(link));
    } finally {
        p.setConfig({ 'Web.PublicUrl': undefined });
    }
});

test('an agent with nothing to do asks nobody but the ledger\'s source', async () => {
    const id = p.queue(S.crashed);
    await p.done(id);
    await p.control('DELETE', 'calls');
    await p.agentOnce();
    assert.deepEqual(await p.calls((c) => c.service !== 'e2b'), []);
    for (const c of await p.calls()) assert.match(c.path, /^\/(v2\/)?sandboxes$|^\/events\/sandboxes$/);
});

test('running again keeps the old finding and makes a new note', async () => {
    const first = p.queue(S.crashed);
    await p.done(first);
    const second = p.queue(S.crashed);
    await p.done(second);
    assert.equal(p.finding(first).signature_hash, p.finding(second).signature_hash);
    assert.equal(p.decision(second).outcome, 'matched');
    assert.equal(p.decision(second).doc.candidates[0].via, 'record');
    assert.equal((await p.creates()).length, 1);
    assert.equal((await p.notes(S.crashed[1])).length, 2);
});

test('the kept evidence gives the same finding again', async () => {
    const id = p.queue(S.keyError);
    await p.done(id);
    const doc = JSON.parse(p.finding(id).doc);
    assert.match(doc.signature, /KeyError/, 'what old agents logged of the output is read');
    writeFileSync(`${p.dir}/case.json`, JSON.stringify(p.evidence(id)));
    const again = await runProgram(PROGRAMS.tool, ['diagnose', `${p.dir}/case.json`]);
    assert.equal(again.status, 0, again.stderr);
    const { class: cls, signature_hash: hash, headline } = JSON.parse(again.stdout);
    assert.deepEqual([cls, hash, headline], [doc.class, doc.signature_hash, doc.headline]);
});

test('every story of the demo\'s world, read through the services, gets its class', async () => {
    const { sandboxes } = await p.control('GET', 'state');
    const told = sandboxes.filter((s) => s.expect?.class);
    assert.ok(told.length >= 30);
    const ids = new Map(told.map((s) => [p.queue([s.id ?? s.sandboxID, null]), s]));
    await p.done(...ids.keys());
    for (const [id, { id: sandbox, expect }] of ids) {
        const finding = JSON.parse(p.finding(id).doc);
        assert.equal(finding.class, expect.class, `${sandbox}: ${expect.why}`);
        if (expect.reason) assert.equal(finding.reason, expect.reason, sandbox);
        for (const factor of expect.factors ?? []) {
            assert.ok(finding.factors.includes(factor), `${sandbox}: ${factor} among ${finding.factors}`);
        }
    }
});
