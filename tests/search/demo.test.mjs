/*
 * The search in the demo's world, with its ended, paused, resumed and forked sandboxes: spellings, links, what
 * overlaps the complaint window, and each half failing.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Stack } from '../lib/stack.mjs';
import { below, readPage } from './big.mjs';

const NOTHING = 'No sandbox found for this customer in the retained window';
const PRIYA = 'priya@brightwater.example';
const OOM = 'i7q2m0xk4v9d1c8b3zt5e'; /* paused once, ended: only on record */
const MIN = 60_000;

let stack;

before(async () => {
    stack = await Stack.start();
    await stack.agentOnce();
});
after(() => stack?.stop());
afterEach(() => stack.control('DELETE', 'faults'));

const iso = (ms) => new Date(ms).toISOString();
const query = (fields) => new URLSearchParams(fields).toString();

async function page(where, status = 200) {
    const answer = await stack.get(where);
    assert.equal(answer.status, status, `${where}: ${readPage(answer.text).text.slice(0, 1500)}`);
    return readPage(answer.text);
}

const search = (fields, status) => page(`/sandboxes?${query(fields)}`, status);

/* ---- one row each ------------------------------------------------------- */

test('list and record are one: each sandbox once, newest start first, each row with its source', async () => {
    const got = await search({ value: PRIYA });
    assert.equal(got.heading, `${got.ids.length} sandboxes`);
    assert.equal(new Set(got.ids).size, got.ids.length);
    const starts = got.starts.map(Date.parse);
    assert.deepEqual(starts, [...starts].sort((a, b) => b - a));
    const of = Object.fromEntries(got.ids.map((id, i) => [id, got.rows[i].text]));
    assert.match(of.ip3k7d0m9xb2s8f4ua6lw, /running ?in E2B's list now/);
    assert.match(of[OOM], /ended ?from Casebook's record/);
    assert.match(of[OOM], /paused 2 min 51 s/);
    assert.match(of[OOM], /\| userId \|/);
    assert.match(of.iz81m4b7u2g9a6x3c0ojq, /\| requestedBy \|/);
});

test('a fork is a row of its own, and shown as one', async () => {
    const got = await search({ value: 'quillpoint' });
    const fork = got.rows[got.ids.indexOf('ir4c0v8b2n6m1z5x9l3kj')].text;
    assert.match(fork, /a fork, or older than E2B keeps: its first event is a resume/);
    assert.equal(got.rows.filter((row) => row.text.includes('a fork')).length, 1);
});

test('paused and resumed three times: one row', async () => {
    const got = await search({ value: 'k.mori@tanegashi.example' });
    assert.equal(got.ids.filter((id) => id === 'ie8n4a1y7d3g6r0w9p5vf').length, 1);
});

test('an older snapshot that E2B still lists does not make an ended sandbox paused', async () => {
    const got = await search({ value: 'lena.orlov@kestrel.example' });
    assert.match(got.rows[got.ids.indexOf('il9p5o2i8u1y7t4r0e6wq')].text, /ended ?E2B lists an older snapshot of it/);
});

/* ---- spellings ---------------------------------------------------------- */

test('spellings that differ in case or in blanks around them find the same, and are named', async () => {
    const exact = await search({ value: PRIYA });
    for (const value of ['PRIYA@Brightwater.EXAMPLE', `  ${PRIYA}`, 'Priya@brightwater.example ']) {
        const got = await search({ value });
        assert.deepEqual(got.ids, exact.ids, value);
    }
    const got = await search({ value: 'PRIYA@Brightwater.EXAMPLE' });
    assert.ok(got.rows.every((row) => row.text.includes(`spelled “${PRIYA}”`)), got.rows[0].text);
    assert.match(got.text, /What was searched.*userId ?PRIYA@Brightwater\.EXAMPLE.*userId ?priya@brightwater\.example \(another spelling\)/);
    assert.ok(exact.rows.every((row) => !row.text.includes('spelled')));
    assert.match(exact.text, /Other spellings, in both places none: .*PRIYA@BRIGHTWATER\.EXAMPLE/);
});

test('spellings are asked in the same round as the value itself', async () => {
    await stack.control('POST', 'faults', { service: 'e2b', times: -1, latency_ms: 500 });
    await stack.control('DELETE', 'calls');
    await search({ value: 'PRIYA@Brightwater.EXAMPLE' });
    const calls = (await stack.control('GET', 'calls?since=0')).filter((c) => c.service === 'e2b');
    const times = calls.map((c) => c.t_us);
    assert.ok(calls.length > 3);
    assert.ok(calls.some((c) => c.query.includes('userId%3Dpriya%252540brightwater.example')));
    assert.ok(Math.max(...times) - Math.min(...times) < 500_000);
});

test('a spelling that only the record knows is asked at E2B too', async () => {
    stack.sql(`UPDATE ledger_tag SET tag_value = ' pRiYa@brightwater.example' WHERE sandbox_id = '${OOM}' AND tag_key = 'userId'`);
    stack.sql(`UPDATE ledger_sandbox SET tags = JSON_SET(tags, '$.userId', ' pRiYa@brightwater.example') WHERE sandbox_id = '${OOM}'`);
    try {
        await stack.control('DELETE', 'calls');
        const got = await search({ value: PRIYA });
        assert.match(got.rows[got.ids.indexOf(OOM)].text, /userId, spelled “ ?pRiYa@brightwater\.example”/);
        const calls = await stack.control('GET', 'calls?since=0');
        assert.ok(calls.some((c) => c.query?.includes('userId%3D%252520pRiYa%252540brightwater.example')));
    } finally {
        stack.sql(`UPDATE ledger_tag SET tag_value = '${PRIYA}' WHERE sandbox_id = '${OOM}' AND tag_key = 'userId'`);
        stack.sql(`UPDATE ledger_sandbox SET tags = JSON_SET(tags, '$.userId', '${PRIYA}') WHERE sandbox_id = '${OOM}'`);
    }
});

test('what differs in more than case and blanks is another customer', async () => {
    const one = await search({ value: 'lena.orlov@kestrel.example' });
    const other = await search({ value: 'lena.orlov+qa@kestrel.example' });
    assert.ok(one.ids.length > 0 && other.ids.length > 0);
    assert.deepEqual(one.ids.filter((id) => other.ids.includes(id)), []);
});

/* ---- a sandbox id ------------------------------------------------------- */

test('an identifier that looks like a sandbox id opens that sandbox, under its ticket and with the window', async () => {
    const plain = await stack.get(`/sandboxes?value=${OOM}`);
    assert.equal(plain.status, 303);
    assert.equal(plain.location, `${stack.basePath}/sandboxes/${OOM}`);
    const window = query({ from: '2026-11-24T13:55:00Z', to: '2026-11-24T14:10:00Z' });
    const under = await stack.get(`/tickets/48213/sandboxes?value=%20${OOM}%20&${window}`);
    assert.equal(under.status, 303);
    assert.equal(under.location, `${stack.basePath}/tickets/48213/sandboxes/${OOM}?${window}`);
});

/* ---- filters and links -------------------------------------------------- */

test('filters, window, tag and value stay in every link of the search', async () => {
    const from = iso(Date.now() - 180 * MIN), to = iso(Date.now() - 10 * MIN);
    const fields = { value: PRIYA, key: 'userId', state: 'ended', template: 'report-py', started_from: '2026-01-02 03:04', overlap: '1', from, to };
    const got = await page(`/tickets/48213/sandboxes?${query(fields)}`);
    const sent = new URL(got.links['Brightwater Analytics'], stack.url).searchParams;
    for (const [name, value] of Object.entries({ ...fields, value: 'Brightwater Analytics' })) {
        if (name === 'from' || name === 'to') assert.ok(Math.abs(Date.parse(sent.get(name)) - Date.parse(value)) < 1000, name);
        else assert.equal(sent.get(name), value, name);
    }
    const form = (await stack.get(`/tickets/48213/sandboxes?${query(fields)}`)).text;
    assert.match(form, /name="overlap" value="1"/);
    assert.match(form, /name="template"[^>]*value="report-py"/);
    assert.match(form, /<option selected>ended/);
});

test('what the filters leave out is said: never as if the customer had none', async () => {
    const got = await search({ value: PRIYA, state: 'paused', template: 'report-py' });
    assert.match(got.text, /Without these filters there are 8 sandboxes of this customer/);
    assert.equal((await page(below(stack, got.links['Show all 8']))).ids.length, 8);
    const some = await search({ value: PRIYA, state: 'paused' });
    assert.equal(some.heading, '1 of 8 sandboxes');
    assert.deepEqual(some.ids, ['ik2c9t6v0n4e7w1q8r5mb']);
});

test('a filter that cannot be read is not obeyed, and that is said', async () => {
    for (const [fields, words] of [[{ state: 'frozen' }, /A state is running, paused or ended/],
        [{ overlap: '1' }, /There is no complaint window/], [{ started_from: 'soon' }, /Write a time like/]]) {
        const got = await search({ value: PRIYA, ...fields });
        assert.match(got.text, words);
        assert.equal(got.ids.length, 8);
    }
});

/* ---- overlap ------------------------------------------------------------ */

/* The executions that E2B's events tell: [[start, end], ...] in ms; the end of one that runs is null. */
async function runsOf(id) {
    const answer = await fetch(`${stack.simUrl}/e2b/events/sandboxes/${id}?limit=100&orderAsc=true`,
        { headers: { 'X-API-Key': 'e2b_demo0000000000000000000000000000000000' } });
    const runs = [];
    for (const event of await answer.json()) {
        const at = Date.parse(event.timestamp);
        if (/created$|resumed$/.test(event.type)) runs.push([at, null]);
        if (/paused$|killed$/.test(event.type)) runs.at(-1)[1] = at;
    }
    return runs;
}

test('it overlaps when any of its executions does; a paused gap does not count', async () => {
    const [[start, paused], [resumed, end]] = await runsOf(OOM);
    const ask = async (from, to) => {
        const got = await search({ value: PRIYA, from: iso(from), to: iso(to) });
        return { heading: got.heading, row: got.rows[got.ids.indexOf(OOM)] };
    };
    const first = await ask(start + 2 * MIN, start + 3 * MIN);
    assert.ok(first.row.marked);
    assert.match(first.row.text, /ran during the complaint window: overlaps all of it/);
    const gap = await ask(paused + 20_000, resumed - 20_000);
    assert.ok(!gap.row.marked);
    assert.match(gap.row.text, /paused during all of it/);
    assert.doesNotMatch(gap.row.text, /ran during/);
    const second = await ask(resumed + MIN, resumed + 2 * MIN);
    assert.ok(second.row.marked);
    const later = await ask(end + 5 * MIN, end + 6 * MIN);
    assert.ok(!later.row.marked);
    assert.match(later.row.text, /ended 5 min before it|ended 4 min 5\d s before it|ended 5 min \d s before it/);
    const both = await ask(paused - MIN, resumed + MIN);
    assert.match(both.row.text, /overlaps 2 min( 1 s)? of it, with a pause between|overlaps 1 min 59 s of it, with a pause between/);
});

test('the heading counts those that overlap, as many as are marked, and a filter shows them alone', async () => {
    const [[, paused], [resumed]] = await runsOf(OOM);
    for (const [from, to] of [[paused + 20_000, resumed - 20_000], [resumed, resumed + 30 * MIN]]) {
        const fields = { value: PRIYA, from: iso(from), to: iso(to) };
        const got = await search(fields);
        const marked = got.ids.filter((_, i) => got.rows[i].marked);
        const word = marked.length === 1 ? 'overlaps' : 'overlap';
        assert.equal(got.heading, `8 sandboxes, ${marked.length} ${word} the complaint window`);
        assert.deepEqual((await search({ ...fields, overlap: '1' })).ids, marked);
    }
});

test('one paused and resumed three times, seen only on record: its gaps are known there', async () => {
    const id = 'ie8n4a1y7d3g6r0w9p5vf';
    const runs = await runsOf(id);
    assert.ok(runs.length >= 3);
    const gap = [runs[0][1] + 5_000, runs[1][0] - 5_000];
    await stack.control('POST', 'faults', { service: 'e2b', times: -1, status: 500, body: 'text' });
    const fields = { value: 'k.mori@tanegashi.example' };
    const between = await search({ ...fields, from: iso(gap[0]), to: iso(gap[1]) });
    assert.ok(!between.rows[between.ids.indexOf(id)].marked);
    const within = await search({ ...fields, from: iso(runs[1][0] + 2_000), to: iso(runs[1][0] + 4_000) });
    assert.ok(within.rows[within.ids.indexOf(id)].marked);
});

/* ---- nothing found ------------------------------------------------------ */

test('nothing found: what was asked, under which tags and spellings, and what both places said', async () => {
    const got = await search({ value: 'Nobody@nowhere.example' });
    assert.equal(got.heading, NOTHING);
    for (const key of ['userId', 'requestedBy', 'org']) {
        assert.match(got.text, new RegExp(`${key} ?Nobody@nowhere\\.example ?none ?none`));
    }
    assert.match(got.text, /Other spellings, in both places none: nobody@nowhere\.example/);
});

/* ---- halves that fail --------------------------------------------------- */

const FAULTS = {
    'no answer in time': { latency_ms: 60_000 },
    'status 401': { status: 401, body: { code: 401, message: 'no' } },
    'status 404': { status: 404, body: { code: 404, message: 'no' } },
    'status 429': { status: 429, headers: { 'Retry-After': '60' }, body: 'text' },
    'status 500 with HTML': { status: 500, body: 'html' },
    'a cut body': { cut: 'mid' },
    garbage: { body: 'garbage' },
    'a line of 5 MB': { body: `"${'x'.repeat(5 << 20)}"` },
};

for (const [name, fault] of Object.entries(FAULTS)) {
    test(`E2B's list: ${name}. It is said, the record is shown, and nothing is "not found"`, async () => {
        await stack.control('POST', 'faults', { service: 'e2b', times: -1, ...fault });
        const some = await search({ value: PRIYA });
        assert.match(some.text, /Part of the search failed\./);
        assert.match(some.text, /from Casebook's record only/);
        assert.ok(some.ids.includes(OOM) && some.ids.includes('ip3k7d0m9xb2s8f4ua6lw'), 'running ones as the record knows them');
        assert.match(some.rows[some.ids.indexOf('ip3k7d0m9xb2s8f4ua6lw')].text, /running ?from Casebook's record, \d+ (s|min) ago/);
        const none = await search({ value: 'nobody@nowhere.example' }, 502);
        assert.match(none.text, /The search could not be made\..*This does not mean that there are none/);
        assert.doesNotMatch(none.text, new RegExp(NOTHING));
    });
}

test('one of many lists fails: its part is missing, the rest is there', async () => {
    await stack.control('POST', 'faults', { service: 'e2b', path: '/v2/sandboxes', skip: 2, times: 1, status: 500, body: 'text' });
    const got = await search({ value: PRIYA });
    assert.match(got.text, /Part of the search failed\..*or from the part that answered/);
    assert.match(got.text, /(userId|requestedBy|org) ?[^ ]+@brightwater\.example[^@]* ?no answer/i);
    assert.equal(got.ids.length, 8);
});

test('the record fails: what E2B lists is shown, and that ended ones are missing is said', async () => {
    stack.sql('RENAME TABLE ledger_tag TO ledger_tag_away');
    try {
        const got = await search({ value: PRIYA });
        assert.match(got.text, /Casebook's own record could not be read\. ?Ended sandboxes are missing below/);
        assert.deepEqual(got.ids.sort(), ['ik2c9t6v0n4e7w1q8r5mb', 'ip3k7d0m9xb2s8f4ua6lw', 'iv6r3h8y1k5z0p9t2d7xc']);
        const none = await search({ value: 'nobody' }, 502);
        assert.match(none.text, /Casebook's own record could not be read.*Whether there are ended ones cannot be told/);
        assert.doesNotMatch(none.text, new RegExp(NOTHING));
        await stack.control('POST', 'faults', { service: 'e2b', times: -1, status: 500, body: 'text' });
        const both = await search({ value: PRIYA }, 502);
        assert.match(both.text, /The search could not be made\..*could not be read either/);
    } finally {
        stack.sql('RENAME TABLE ledger_tag_away TO ledger_tag');
    }
});

test('only the details of the record fail: the rows stand, and that is said', async () => {
    stack.sql('RENAME TABLE ledger_template TO ledger_template_away');
    try {
        const got = await search({ value: PRIYA });
        assert.match(got.text, /Some of Casebook's own record could not be read\./);
        assert.equal(got.ids.length, 8);
    } finally {
        stack.sql('RENAME TABLE ledger_template_away TO ledger_template');
    }
});

test('a second page of the list that breaks off: what came is shown, and that it broke off is said', async () => {
    await stack.control('POST', 'settings', { list_endless: true });
    stack.sql('UPDATE ledger_span SET last_us = last_us - 3600000000');
    try {
        await stack.control('POST', 'faults', { service: 'e2b', path: '/v2/sandboxes', skip: 20, times: -1, status: 500, body: 'text' });
        const got = await search({ value: PRIYA, key: 'userId', page: 9 });
        assert.match(got.text, /E2B's list for the tag userId (broke off|is longer than Casebook reads)/);
        assert.ok(got.ids.length >= 5);
        assert.doesNotMatch(got.text, new RegExp(NOTHING));
    } finally {
        await stack.control('POST', 'settings', { list_endless: false });
        stack.sql('UPDATE ledger_span SET last_us = last_us + 3600000000');
    }
});

test('self-hosted, without an event history: the record lives from the list alone', async () => {
    const own = await Stack.start();
    try {
        await own.control('POST', 'settings', { events: false });
        await own.agentOnce();
        const answer = await own.get(`/sandboxes?${query({ value: PRIYA })}`);
        const got = readPage(answer.text);
        assert.equal(answer.status, 200);
        assert.equal(got.heading, '3 sandboxes');
        assert.doesNotMatch(got.text, /failed|could not be read/);
    } finally {
        await own.stop();
    }
});
