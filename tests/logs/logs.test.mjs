/*
 * A log of 120,000 lines, 3,000 of them in one millisecond, truly identical neighbours among those: through
 * the pages' "Load more" and through the agent, however the server pages.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Stack, until } from '../lib/stack.mjs';
import { LONG, OLD, SHORT, footOf, rowsOf, sameLine, truthOf } from './lines.mjs';
import { childrenOf, peakOf, watchPeak } from './memory.mjs';

const MAX_MORE_KIB = 16 * 1024;
let stack, truth;

before(async () => {
    stack = await Stack.start({ world: 'tests/logs/world', config: { 'Web.Responders': 1, 'Web.MaxRequests': 100000 } });
    truth = await truthOf(stack, LONG);
});
after(() => stack?.stop());

const paging = (mode) => stack.control('POST', 'settings', { logs_paging: mode });

/* All fragments of "Load more", from the beginning (or the newest line) to the end that is said. */
async function loadAll(id, query = '') {
    const rows = [];
    let from = '1';
    for (let pages = 0; ; pages++) {
        assert.ok(pages < 400, 'the end is never reached');
        const page = await stack.get(`/sandboxes/${id}/logs?from=${from}&n=${rows.length}&fold=no${query}`);
        assert.equal(page.status, 200, page.text.slice(0, 400));
        const foot = footOf(page.text);
        rows.push(...rowsOf(page.text));
        if (!foot.more) return { rows, foot, pages: pages + 1 };
        from = foot.more;
    }
}

function checkAll(rows, expected) {
    assert.equal(rows.length, expected.length);
    rows.forEach((row, i) => {
        if (!sameLine(row, expected[i]))
            assert.fail(`line ${i + 1}: ${JSON.stringify(row)} is not ${JSON.stringify(expected[i])}`);
    });
}

test('the world is what it is meant to be', () => {
    assert.equal(truth.length, 120000);
    const perMs = new Map();
    for (const line of truth) perMs.set(line.stamp.slice(0, 23), (perMs.get(line.stamp.slice(0, 23)) ?? 0) + 1);
    assert.ok(Math.max(...perMs.values()) >= 3000);
    const twins = truth.filter((line, i) =>
        i > 0 && JSON.stringify(line) === JSON.stringify(truth[i - 1]));
    assert.ok(twins.length >= 100, `${twins.length} identical neighbours`);
});

/* A fresh responder; what it ever needed is asked by peakOf(). */
async function freshResponder() {
    await stack.web.restart();
    const [responder] = await until('the responder', () => {
        const all = childrenOf(stack.web.pid);
        return all.length === 1 && all;
    });
    return responder;
}

/* What else a person can do with a log. */
async function lookAround(id) {
    for (const query of ['', '?logs=1', '?logs=1&order=newest', '?logs=1&q=stored', '?logs=1&level=error',
        '?logs=1&q=row+57999&in=printed']) {
        assert.equal((await stack.get(`/sandboxes/${id}${query}`)).status, 200, query);
    }
}

for (const mode of ['cursor', 'ms', 'offset']) {
    test(`paging by ${mode}: every line once, in order, to the end; a responder's memory does not grow with it`,
        async (t) => {
            await paging(mode);
            let responder = await freshResponder();
            await lookAround(SHORT);
            assert.equal((await loadAll(SHORT)).rows.length, 1000);
            const short = peakOf(responder);

            responder = await freshResponder();
            const { rows, foot } = await loadAll(LONG);
            await lookAround(LONG);
            const long = peakOf(responder);
            checkAll(rows, truth);
            assert.deepEqual([rows[0].number, rows.at(-1).number], [1, 120000]);
            assert.match(foot.text, /End of the log: 120,000 lines\./);
            assert.doesNotMatch(foot.text, /missing/);
            t.diagnostic(`responder, ${mode}: ${short} KiB for 1,000 lines, ${long} KiB for 120,000`);
            assert.ok(short > 0 && long - short <= MAX_MORE_KIB, `${short} KiB and ${long} KiB`);
        });
}

test('newest first: the same lines from the other end', async () => {
    await paging('cursor');
    await stack.web.restart();
    const { rows, foot } = await loadAll(LONG, '&order=newest');
    checkAll(rows, [...truth].reverse());
    assert.deepEqual([rows[0].number, rows.at(-1).number], [-1, -120000]);
    assert.match(foot.text, /That was the oldest line: 120,000 lines\./);
});

const linkOf = (html, text) => {
    const foot = /<p class="l-foot".*?<\/p>/s.exec(html)[0];
    const href = new RegExp(`<a[^>]*href="([^"]+)"[^>]*>${text}</a>`).exec(foot)?.[1];
    return href?.replaceAll('&amp;', '&').replace(stack.basePath, '').replace(/#.*/, '');
};

test('without a script: pages below and above, in either order', async () => {
    for (const [order, list, below, above] of [['oldest', truth, 'Load more', 'Older lines'],
        ['newest', [...truth].reverse(), 'Load older', 'Newer lines']]) {
        const first = await stack.get(`/sandboxes/${LONG}?logs=1&fold=no&order=${order}`);
        assert.equal(linkOf(first.text, above), undefined, 'nothing is above the first page');
        const second = await stack.get(linkOf(first.text, below));
        const shown = rowsOf(second.text);
        const from = Math.abs(shown[0].number) - 1;
        assert.equal(from, rowsOf(first.text).length);
        checkAll(shown, list.slice(from, from + shown.length));
        const back = rowsOf((await stack.get(linkOf(second.text, above))).text);
        assert.equal(Math.abs(back[0].number), 1, order);
        checkAll(back, list.slice(0, from));
    }
});

test('where E2B cannot be read backward, that is said', async () => {
    await paging('ms');
    await stack.web.restart();
    const page = await stack.get(`/sandboxes/${SHORT}?logs=1&fold=no&order=newest`);
    assert.match(page.text, /gives its log oldest first only/);
    assert.equal(rowsOf(page.text)[0].number, 1);
    await paging('cursor');
    await stack.web.restart();
});

test('a search says where it looked', async () => {
    const messages = await stack.get(`/sandboxes/${LONG}?logs=1&q=row+15000`);
    assert.match(messages.text, /No line fits this filter/);
    assert.match(messages.text, /E2B searched the message of each line only/);
    const all = linkOf(messages.text, 'Search those, too');
    let page = await stack.get(all);
    for (let i = 0; i < 10 && !rowsOf(page.text).length; i++) {
        assert.match(page.text, /Nothing found in the [\d,]+ lines looked through/);
        page = await stack.get(linkOf(page.text, 'Look further'));
    }
    assert.match(rowsOf(page.text)[0].text, /ledger row 15000 of 58000: stored/);
    assert.match(page.text, /what programs printed where E2B kept it/);
});

test('lines that E2B no longer keeps are said to be gone, at the end where they would stand', async () => {
    const first = await stack.get(`/sandboxes/${OLD}?logs=1&fold=no`);
    const gone = /E2B keeps log lines for 7 days: what was written before \d+ \w+ \d\d:\d\d is gone\./;
    assert.match(first.text, gone);
    assert.ok(rowsOf(first.text).length > 50);
    assert.match((await stack.get(`/sandboxes/${OLD}/logs?from=1&order=newest`)).text, gone);
    assert.doesNotMatch((await stack.get(`/sandboxes/${LONG}?logs=1`)).text, gone);
});

test('the process table comes from all of the log', async () => {
    const { text } = await stack.get(`/sandboxes/${LONG}`);
    const table = /<section class="sec" id="processes">.*?<\/section>/s.exec(text)[0];
    assert.match(table, /settle\.py --month 9/);
    assert.match(table, /exit code 1\b/);
    assert.match(table, /ingest\.py --source ledger/);
    assert.match(table, /finished, exit code 0/);
});

test('a log that breaks off leaves what came, says so, and leads on', async () => {
    await stack.control('POST', 'faults', { service: 'e2b', path: `/sandboxes/${SHORT}/logs`, times: -1, status: 500 });
    const page = await stack.get(`/sandboxes/${SHORT}/logs?from=1&fold=no`);
    await stack.control('DELETE', 'faults');
    assert.equal(page.status, 200);
    assert.equal(rowsOf(page.text).length, 1000);
    assert.match(page.text, /Exit codes could not be read: E2B answered/);
});

test('a filter that E2B ignores is applied all the same', async () => {
    const body = { logs: truth.slice(0, 40).map((l, i) => ({ timestamp: l.stamp, level: i % 4 ? 'info' : 'error',
        message: i % 3 ? l.message : 'wanted', fields: {} })) };
    await stack.control('POST', 'faults', { service: 'e2b', path: `/v2/sandboxes/${SHORT}/logs`, times: 1, body });
    const page = await stack.get(`/sandboxes/${SHORT}/logs?from=1&q=wanted&level=error`);
    await stack.control('DELETE', 'faults');
    assert.deepEqual(rowsOf(page.text).map((r) => r.text), Array(4).fill('wanted'));
});

async function queue(id) {
    const page = await stack.get(`/sandboxes/${id}`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)[1];
    const answer = await stack.postForm(`/sandboxes/${id}/investigations`, { csrf, from: '', to: '', again: '1' });
    assert.equal(answer.status, 303, answer.text.slice(0, 300));
}

const newest = (id) => Number(stack.sql(`SELECT COALESCE(MAX(id), 0) FROM investigation WHERE sandbox_id = '${id}'`)[0][0]);

async function agentPeak(id) {
    const last = newest(id);
    await queue(id);
    assert.ok(newest(id) > last, 'a new investigation');
    const agent = await stack.agentStart({ args: ['--once'], name: `agent-${id}` });
    const watch = watchPeak(agent.pid);
    await until(`the investigation of ${id}`, () => !agent.isRunning, { timeoutMs: 240_000 });
    return watch.stop();
}

const finding = (id) =>
    stack.sql(`SELECT i.state, f.class, f.headline FROM investigation i JOIN finding f ON f.investigation_id = i.id
               WHERE i.sandbox_id = '${id}' ORDER BY i.id DESC LIMIT 1`)[0];

for (const mode of ['cursor', 'ms', 'offset']) {
    test(`paging by ${mode}: the agent's memory does not grow with the log, and it finds what stands in the middle`,
        async (t) => {
            await paging(mode);
            await stack.web.restart();
            const short = await agentPeak(SHORT);
            const long = await agentPeak(LONG);
            t.diagnostic(`agent, ${mode}: ${short} KiB for 1,000 lines, ${long} KiB for 120,000`);
            const [state, cls, headline] = finding(LONG);
            assert.equal(state, 'done');
            t.diagnostic(`${cls}: ${headline}`);
            assert.ok(short > 0 && long - short <= MAX_MORE_KIB, `${short} KiB and ${long} KiB`);
            const page = await stack.get(`/investigations/${newest(LONG)}`);
            assert.match(page.text, /KeyError/);
            assert.match(page.text, /settle\.py/);
        });
}
