/* The judgement: whether a run ended right, by what the services recorded and what is stored. */
import { tokenOf } from './control.mjs';

const parsed = (call) => JSON.parse(call.body);

/* All that is looked at, read once. */
export async function readRecord(p, { since = 0 } = {}) {
    const calls = await p.control('GET', `calls?since=${since}`);
    const { zendesk, linear } = await p.control('GET', 'state');
    const rows = (sql) => new Map(p.sql(sql).map((row) => [Number(row[0]), row.slice(1)]));
    return {
        calls,
        tickets: new Map(zendesk.map((ticket) => [ticket.id, ticket])),
        issues: linear.issues,
        investigations: rows('SELECT id, state, worker, failure, class FROM investigation'),
        findings: rows('SELECT investigation_id, signature_hash, template_id FROM finding'),
        decisions: rows('SELECT investigation_id, outcome, COALESCE(issue_identifier, \'\') FROM linear_decision'),
        notes: rows('SELECT investigation_id, state, marker, error FROM note'),
    };
}

function judgeState(record, run, complain) {
    const [state, worker, failure, cls] = record.investigations.get(run.id) ?? ['missing'];
    if (state !== 'done') complain(`it is ${state} (${failure || 'no reason yet'}): lost`);
    if (worker) complain(`it is still held by ${worker}`);
    if (cls !== 'crashed') complain(`its class is ${cls}`);
}

function judgeIssue(record, run, complain) {
    const [hash, templateId] = record.findings.get(run.id) ?? [];
    if (!hash) return complain('it has no finding');
    const token = tokenOf(hash, templateId);
    const issues = record.issues.filter((issue) => issue.description.includes(token));
    const inTemplate = record.issues.filter((issue) => issue.description.includes(run.p.template));
    const [outcome, identifier] = record.decisions.get(run.id) ?? [];

    if (inTemplate.length !== 1 || issues.length !== 1) {
        complain(`${inTemplate.length} issues of its template, ${issues.length} with its mark`);
    }
    if (outcome !== 'filed' && !(run.twin && outcome === 'matched')) complain(`its decision is ${outcome}`);
    if (identifier !== issues[0]?.identifier) complain(`it names ${identifier}, the issue is ${issues[0]?.identifier}`);
    const ids = new Set(createsOf(record, run).map((call) => parsed(call).variables.id));
    if (ids.size > 1) complain('it was created under different ids');
    judgeSearches(record, run, token, complain);
}

const createsOf = (record, run) => record.calls.filter((call) =>
    call.operation === 'CasebookCreateIssue' && call.body.includes(run.p.template));

/* Both searches were answered before the first create. */
function judgeSearches(record, run, token, complain) {
    const [first] = createsOf(record, run);
    if (!first) return;
    for (const [operation, text] of [['CasebookFindToken', token], ['CasebookSearch', run.p.template]]) {
        if (!record.calls.some((call) => call.n < first.n && call.status === 200 && call.operation === operation &&
            call.body.includes(text))) complain(`it was created before ${operation} was answered`);
    }
}

function judgeNote(record, run, complain) {
    const [state, marker, error] = record.notes.get(run.id) ?? [];
    const ticket = record.tickets.get(run.p.ticket);
    const [, ...added] = ticket.comments;

    if (state !== 'posted') complain(`its note is ${state}: ${error}`);
    if (added.length !== 1) complain(`${added.length} notes`);
    if (added.some((comment) => comment.public !== false)) complain('a public comment');
    if (added[0] && added[0].metadata?.custom?.casebook_note !== marker) complain('another note than the one that is kept');
    if (ticket.status !== 'open') complain(`the ticket became ${ticket.status}`);
}

const PUT_HAS = ['comment', 'metadata', 'safe_update', 'updated_stamp'].join();

function judgePuts(record, run, complain) {
    for (const call of record.calls.filter((c) => c.method === 'PUT' && c.path.includes(`/tickets/${run.p.ticket}`))) {
        const { ticket } = parsed(call);
        if (ticket.comment.public !== false) complain('an update that does not say public: false');
        if (Object.keys(ticket).sort().join() !== PUT_HAS) complain(`an update of ${Object.keys(ticket)}`);
    }
}

/* After an answer that asked for a wait, nobody asks the same for that long. */
function judgeWait(record, run, complain) {
    if (!run.wait) return;
    const same = (a) => (b) => a.service === b.service && a.method === b.method && a.path === b.path &&
        a.operation === b.operation && (a.service !== 'linear' || b.body.includes(run.orders[0].has ?? run.mark));
    for (const told of record.calls.filter((c) => c.fault === run.orderIds[0])) {
        const next = record.calls.filter(same(told)).find((c) => c.n > told.n);
        const waited = next && (next.t_us - told.t_us) / 1e6;
        if (waited < run.wait) complain(`told to wait ${run.wait} s, asked again after ${waited.toFixed(2)} s`);
    }
}

/* A worker waits at a stop for less than MariaDB's patience: a test that is late on a busy machine has missed it. */
export const MISSED = 'what was to go wrong did not happen';

function judgeFault(record, run, complain) {
    const main = run.orders.map((order, i) => !order.isBeside && run.orderIds[i]);
    if (run.watches.length === 0 && record.calls.some((c) => c.fault && main.includes(c.fault))) run.struck++;
    if (!run.struck) complain(MISSED);
}

/* Sets run.complaints. */
export function judge(record, run) {
    const complain = (text) => run.complaints.push(text);
    const [hash, templateId] = record.findings.get(run.id) ?? [];
    run.mark = hash && tokenOf(hash, templateId);
    judgeState(record, run, complain);
    judgeIssue(record, run, complain);
    judgeNote(record, run, complain);
    judgePuts(record, run, complain);
    judgeWait(record, run, complain);
    judgeFault(record, run, complain);
}

/* What holds for all together: nothing was written that is nobody's, and E2B was only read. */
export function judgeAll(record, runs) {
    const complaints = [];
    const writes = record.calls.filter((call) => call.service === 'e2b' && call.method !== 'GET');
    const foreign = record.calls.filter((call) => call.service === 'zendesk' && call.method !== 'GET' &&
        !(call.method === 'PUT' || call.path === '/oauth/tokens'));
    const failures = new Set(runs.map((run) => run.p.template));
    const issues = record.issues.filter((issue) => /\bjob\d{4}w0y5/.test(issue.description));
    if (writes.length) complaints.push(`${writes.length} writes to E2B`);
    if (foreign.length) complaints.push(`Zendesk was asked ${foreign[0].method} ${foreign[0].path}`);
    if (issues.length !== failures.size) complaints.push(`${issues.length} issues for ${failures.size} failures`);
    return complaints;
}
