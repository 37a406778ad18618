// Every panel of the sandbox page fails alone: each upstream call with each misbehaviour.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Stack } from '../lib/stack.mjs';
import { callsOf, order, PANELS, panelsOf, sandboxPath, SANDBOX, textOf } from './page.mjs';

const DEADLINE_S = 3;
const HANGS_MS = 120_000; // far beyond the deadline: the page has to come while the call hangs
const LINE = 5 << 20;
const PAGE_BYTES_MAX = 1 << 20;
const UNKNOWN = 'izzzzzzzzzzzzzzzzzzzz';

const FAULTS = {
    timeout: { fault: { latency_ms: HANGS_MS }, why: /did not answer.* timed out after/ },
    401: { fault: { status: 401, body: { code: 401, message: 'Invalid API key' } }, why: /refused Casebook's credentials \(401\)/ },
    404: { fault: { status: 404, body: { code: 404, message: 'there is nothing here' } }, why: /gave an answer that cannot be used: there is nothing here/ },
    429: { fault: { status: 429, body: 'text' }, why: /asked Casebook to wait: too many requests/ },
    '500 HTML': { fault: { status: 500, body: 'html' }, why: /answered “500[^”]*” in/ },
    'cut body': { fault: { cut: 'mid' }, why: /gave no complete answer (twice|three times) within/ },
    garbage: { fault: { body: 'garbage' }, why: /gave an answer that cannot be used/ },
    '5 MB line': { fault: { body: 'x'.repeat(LINE) }, why: /gave an answer that cannot be used/ },
};

/* What the page may never say of something that could not be read. */
const DENIALS = {
    head: /No sandbox with this id is known/,
    facts: /\bnone\b/,
    timeline: /No event is on record|0 events|no events\b/,
    charts: /holds no samples|stores no metrics|No samples/,
    processes: /No process was started|started through E2B: 0/,
    raw: /No lines|End of the log|\b0 lines/,
    finding: /not investigated|no issue/i,
    strip: /knows no such ticket/,
};

/*
 * Which panels a call may change, where its failure is told, and in which words. `told` overrides the
 * words of the failure's cause where the place has others.
 */
const EXPECT = {
    get: { changes: ['facts'], at: 'facts', title: /The sandbox could not be read from E2B\./ },
    events: { changes: ['timeline'], at: 'timeline', title: /The events could not be loaded\. .* Those in Casebook's own record are shown\./ },
    metrics: { changes: ['charts', 'facts', 'finding'], // evidence no longer links to its chart
        at: 'charts', title: /The charts could not be loaded\./ },
    logs: { changes: ['processes', 'timeline', 'facts', 'raw', 'charts'], at: 'processes', title: /The logs could not be loaded\./ },
    rawLogs: { changes: ['processes', 'timeline'], at: 'processes', title: /Exit codes could not be read:/ },
    ticket: {
        changes: ['strip', 'facts', 'finding'], at: 'strip', title: /Zendesk/,
        told: {
            timeout: /Zendesk did not answer/, 'cut body': /Zendesk did not answer/, 401: /Zendesk refused Casebook/,
            404: /Zendesk knows no such ticket/, default: /Zendesk's answer cannot be used/,
        },
    },
    linear: {
        changes: ['finding'], at: 'finding', title: /Its state is the one of the search\./,
        told: { 404: /Linear gave an answer that cannot be used/ },
    },
};

/* A 404 of these is an answer, not a failure. */
const ANSWERS = {
    'get 404': { changes: [], at: 'head', says: /ended/ }, // it has ended: E2B answers 404 anyway
    'events 404': { changes: ['timeline', 'head'], at: 'timeline', says: /5 events/ },
    'ticket 404': { changes: ['strip', 'facts', 'finding'], at: 'strip', says: /Zendesk knows no such ticket/ },
};

let stack;
let whole; // the page when all is well

async function read(path = sandboxPath()) {
    const answer = await stack.get(path);
    return { ...answer, panels: panelsOf(answer.text) };
}

async function healthy() {
    await stack.control('DELETE', 'faults');
}

function assertIntact(page, changes, what) {
    for (const name of ['head', 'strip', ...PANELS]) {
        if (changes.includes(name)) continue;
        assert.equal(textOf(page.panels[name]), textOf(whole.panels[name]), `${what}: ${name} is not as it was`);
    }
}

before(async () => {
    stack = await Stack.start({ config: { 'Web.RequestDeadline': DEADLINE_S, 'Web.Responders': 2 } });
    const page = await stack.get(sandboxPath());
    const csrf = page.text.match(/name="csrf" value="([^"]+)"/)[1];
    const queued = await stack.postForm(`${sandboxPath()}/investigations`, { csrf });
    assert.equal(queued.status, 303);
    await stack.agentOnce(); // decides, finds the Linear issue, and harvests the ledger
    whole = await read();
});
after(() => stack?.stop());

test('the page has all of its panels when nothing fails', () => {
    assert.equal(whole.status, 200);
    for (const name of ['head', 'strip', ...PANELS]) assert.notEqual(textOf(whole.panels[name]), '', name);
    assert.match(textOf(whole.panels.finding), /Out of memory.*SUP-412/);
    assert.match(textOf(whole.panels.timeline), /5 events.*Session started.*Terminated/);
    assert.match(textOf(whole.panels.charts), /Memory/);
    assert.match(textOf(whole.panels.processes), /killed by signal 9/);
    assert.doesNotMatch(whole.text, /could not be (read|loaded)/);
});

for (const [name, call] of Object.entries(callsOf())) {
    for (const [kind, { fault, why }] of Object.entries(FAULTS)) {
        test(`${name}: ${kind}`, async () => {
            const expected = ANSWERS[`${name} ${kind}`] ?? EXPECT[name];
            await healthy();
            const [since] = (await stack.control('GET', 'calls?since=0')).slice(-1);
            await order(stack, call, fault);
            stack.sql('DELETE FROM linear_issue'); // what was read of an issue is shown for half a minute
            const page = await read();
            assert.equal(page.status, 200);
            assert.ok(page.text.length < PAGE_BYTES_MAX, `${page.text.length} bytes`);
            assertIntact(page, expected.changes, `${name}: ${kind}`);
            const place = textOf(page.panels[expected.at]);
            if (expected.says) {
                assert.match(place, expected.says);
                return;
            }
            assert.match(place, expected.title);
            assert.match(place, expected.told?.[kind] ?? expected.told?.default ?? why);
            if (kind === '429' && name === 'ticket') await stack.web.restart(); // it heeds the wait that was asked for
            for (const changed of expected.changes)
                assert.doesNotMatch(textOf(page.panels[changed]), DENIALS[changed], changed);
            if (kind === 'timeout') { // the page came while the call was still hanging
                const calls = await stack.control('GET', `calls?since=${since?.n ?? 0}`);
                const hung = calls.filter((c) => c.service === call.service && c.status === 0);
                assert.notEqual(hung.length, 0, 'no call was hanging');
            }
        });
    }
}

test('the panels are whole again once nothing fails', async () => {
    await healthy();
    assertIntact(await read(), [], 'after all faults');
});

/* A line of 5 MB in an answer that is as it should be: cut, and shown. */
const AT = '2026-01-01T00:00:00Z';
const HUGE = 'y'.repeat(LINE);
const LONG_ANSWERS = {
    get: { sandboxID: SANDBOX, templateID: 't', state: 'running', startedAt: AT, endAt: AT, metadata: { a: HUGE } },
    events: [{ id: 'e1', type: HUGE, timestamp: AT, sandboxId: SANDBOX }],
    metrics: [{ timestampUnix: 1767225600, cpuUsedPct: 1, memUsed: 1, memTotal: 2, note: HUGE }],
    logs: { logs: [{ timestamp: AT, level: 'info', message: HUGE }] },
    rawLogs: { logs: [{ timestamp: AT, line: HUGE }] },
};
for (const [name, body] of Object.entries(LONG_ANSWERS)) {
    test(`${name}: a good answer with a line of 5 MB`, async () => {
        await healthy();
        await order(stack, callsOf()[name], { body });
        const page = await read();
        assert.equal(page.status, 200);
        assert.ok(page.text.length < PAGE_BYTES_MAX, `${page.text.length} bytes`);
        assert.match(textOf(page.panels.finding), /Out of memory.*SUP-412/);
        assert.doesNotMatch(page.text, /y{70000}/);
    });
}

test('all of E2B fails: what Casebook knows is shown, and nothing is denied', async () => {
    for (const [kind, { fault, why }] of Object.entries(FAULTS)) {
        if (kind === '404') continue;
        await healthy();
        await order(stack, { service: 'e2b', path: '/', under: [] }, fault);
        const page = await read();
        assert.equal(page.status, 200, kind);
        assert.match(textOf(page.panels.facts), /could not be read from E2B/, kind);
        assert.match(textOf(page.panels.facts), why, kind);
        assert.match(textOf(page.panels.timeline), /5 events.*Terminated/, kind);
        for (const name of ['facts', 'timeline', 'charts', 'processes', 'raw'])
            assert.doesNotMatch(textOf(page.panels[name]), DENIALS[name], `${kind}: ${name}`);
        assert.match(textOf(page.panels.finding), /Out of memory/, kind);
    }
});

test('an id nobody knows is called unknown only when everybody has answered', async () => {
    const path = sandboxPath(UNKNOWN);
    await healthy();
    const missing = await stack.get(path);
    assert.equal(missing.status, 404);
    assert.match(textOf(missing.text), /No sandbox with this id is known to E2B or to Casebook/);
    const { ticket, linear, ...reads } = callsOf(UNKNOWN);
    for (const [name, call] of Object.entries(reads)) {
        if (name === 'rawLogs') continue; // says nothing about whether it exists
        for (const [kind, { fault }] of Object.entries(FAULTS)) {
            if (kind === '404' && (name === 'get' || name === 'events')) continue; // that is an answer
            await healthy();
            await order(stack, call, fault);
            const page = await read(path);
            assert.equal(page.status, 200, `${name}: ${kind}`);
            assert.match(textOf(page.panels.head), /It is not known whether this sandbox exists/, `${name}: ${kind}`);
            assert.doesNotMatch(textOf(page.text), /No sandbox with this id is known/, `${name}: ${kind}`);
        }
    }
});

test("a failed login at Zendesk costs the strip only", async () => {
    for (const fault of [{ latency_ms: HANGS_MS }, { status: 500, body: 'html' }]) {
        await healthy();
        await stack.web.restart(); // no token in memory
        await order(stack, { service: 'zendesk', path: '/oauth', under: [] }, fault);
        const page = await read();
        assert.equal(page.status, 200);
        assertIntact(page, ['strip', 'facts', 'finding'], 'login');
        assert.match(textOf(page.panels.strip), /Zendesk/);
    }
});

test('without its database the page shows what E2B tells', async () => {
    await healthy();
    await stack.mariadb.stop();
    const page = await read();
    assert.equal(page.status, 200);
    assert.match(textOf(page.panels.finding), /Casebook's own database does not answer/);
    for (const name of ['timeline', 'charts', 'processes'])
        assert.doesNotMatch(textOf(page.panels[name]), DENIALS[name], name);
    assert.match(textOf(page.panels.timeline), /5 events/);
});
