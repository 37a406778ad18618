/*
 * A customer with 2,500 running and paused sandboxes and 20,000 ended ones: one round of calls for the first
 * screen, every sandbox once to the very end, indexes for every query, and nothing that grows with other
 * customers' rows.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CUSTOMER, KEYS, TICKET, below, endedId, fillCustomer, fillInvestigations, fillOthers, freshRecord, liveId, readPage, startBig, stopBig } from './big.mjs';
import { planOf, rowsRead, scans, statementsOf } from './plans.mjs';

const RUNNING = 2000, PAUSED = 500, ENDED = 20_000;
const ALL = RUNNING + PAUSED + ENDED;
const HOUR_US = 3_600_000_000;
const SEARCH = `/sandboxes?value=${encodeURIComponent(CUSTOMER)}`;
const number = (n) => n.toLocaleString('en');
const iso = (us) => new Date(us / 1000).toISOString().slice(0, 19) + 'Z';

let stack;
let newest; /* start of the newest ended one of the record, in µs */

before(async () => {
    stack = await startBig({ running: RUNNING, paused: PAUSED });
    await stack.agentOnce();
    newest = fillCustomer(stack, ENDED);
    freshRecord(stack);
});
after(() => stopBig(stack));

async function page(where, status = 200) {
    const answer = await stack.get(where);
    assert.equal(answer.status, status, answer.text.slice(0, 2000));
    return readPage(answer.text);
}

async function callsDuring(act) {
    await stack.control('DELETE', 'calls');
    const result = await act();
    return { result, calls: await stack.control('GET', 'calls?since=0') };
}

test('the first screen takes one round: every call is under way before the first has its answer', async () => {
    await page(`/tickets/${TICKET}`); /* the ticket is known now, and Zendesk's token is there */
    const slow = 700;
    await stack.control('POST', 'faults', { service: 'e2b', times: -1, latency_ms: slow });
    await stack.control('POST', 'faults', { service: 'zendesk', times: -1, latency_ms: slow });
    const { result, calls } = await callsDuring(() => page(`/tickets/${TICKET}/sandboxes`));
    await stack.control('DELETE', 'faults');
    assert.equal(result.heading, `${number(ALL)} sandboxes`);
    const services = new Set(calls.map((c) => c.service));
    assert.deepEqual([...services].sort(), ['e2b', 'zendesk']);
    for (const key of KEYS) assert.ok(calls.some((c) => c.query?.includes(`metadata=${key}%3D`)), `the tag ${key} is asked`);
    assert.ok(calls.every((c) => !/nextToken/.test(c.query ?? '')), 'no second page of a list');
    const times = calls.map((c) => c.t_us);
    const spread = Math.max(...times) - Math.min(...times);
    assert.ok(spread < slow * 1000, `${calls.length} calls begin within ${spread} µs, before the first answer`);
    assert.deepEqual(calls.filter((c) => c.service === 'e2b').map((c) => c.method).filter((m) => m !== 'GET'), []);
});

test('the heading counts all, and what was not read of the list is said', async () => {
    const first = await page(SEARCH);
    assert.equal(first.heading, `${number(ALL)} sandboxes`);
    assert.equal(first.ids.length, 50);
    assert.match(first.text, /Showing 1 – 50 of 22,500, page 1 of 450|Showing 1 &ndash; 50 of 22,500, page 1 of 450/);
    assert.match(first.text, new RegExp(`More at E2B: its list says ${number(RUNNING)} running for the tag userId`));
    assert.match(first.text, /The newest 100 were read now; the others are shown as Casebook's record had them/);
    assert.match(first.rows[0].text, /in E2B's list now/);
});

/* Pages at both ends and every eighth between them: each has to show its own part of the order, by hand, and to lead to
   the next one, so that together they show every sandbox once. */
test('to the very end: every sandbox once, newest start first', async () => {
    const order = [...Array.from({ length: RUNNING + PAUSED }, (_, i) => liveId(i)), ...Array.from({ length: ENDED }, (_, i) => endedId(i + 1))];
    const pages = ALL / 50;
    const looked = (n) => n <= 6 || n > pages - 6 || n % 8 === 0 || Math.abs(n - (RUNNING + PAUSED) / 50) < 3;
    for (let n = 1; n <= pages; n++) {
        if (!looked(n)) continue;
        const got = await page(n === 1 ? SEARCH : `${SEARCH}&page=${n}`);
        assert.deepEqual(got.ids, order.slice((n - 1) * 50, n * 50), `page ${n}`);
        const older = got.links.Older && new URL(got.links.Older, stack.url).searchParams.get('page');
        assert.equal(older, n < pages ? String(n + 1) : undefined, `page ${n} leads on`);
    }
});

test('the last page is one link away, and pages behind it are it', async () => {
    const first = await page(SEARCH);
    const last = await page(below(stack, first.links.Oldest));
    assert.equal(last.ids.length, 50);
    assert.match(last.text, /of 22,500, page 450 of 450/);
    assert.equal(last.links.Older, undefined);
    assert.deepEqual((await page(`${SEARCH}&page=999999`)).ids, last.ids);
    assert.deepEqual((await page(`${SEARCH}&page=nonsense`)).ids, first.ids);
    assert.deepEqual((await page(below(stack, last.links.Newest))).ids, first.ids);
});

test('states are counted as they are: running, paused and ended add up to all', async () => {
    for (const [state, n] of [['running', RUNNING], ['paused', PAUSED], ['ended', ENDED]]) {
        const got = await page(`${SEARCH}&state=${state}`);
        assert.equal(got.heading, `${number(n)} of ${number(ALL)} sandboxes`);
        assert.ok(got.rows.every((row) => row.text.includes(state)), state);
    }
});

test('a window of long ago: what overlaps is counted over all pages, and can be had alone', async () => {
    /* every 5 min one that runs 10 min: a window of 1 h from a start on */
    const from = newest - (ENDED / 2) * 300_000_000;
    const window = `from=${iso(from)}&to=${iso(from + HOUR_US)}`;
    const all = await page(`${SEARCH}&${window}`);
    const n = Number(all.heading.match(/, (\d+) overlap the complaint window$/)?.[1]);
    assert.ok(n === 13 || n === 14, all.heading); /* the fraction of the second decides */
    assert.ok(all.rows.every((row) => !row.marked), 'none of the newest');
    const only = await page(below(stack, all.links['Only those that overlap']));
    assert.equal(only.ids.length, n);
    assert.ok(only.rows.every((row) => row.marked && row.text.includes('ran during the complaint window: overlaps')));
    const near = await page(below(stack, all.links['Only those started within 1 h of the window']));
    assert.ok(near.ids.length >= 36 && near.ids.length <= 38, `${near.ids.length} started in 3 h`);
    assert.equal(near.rows.filter((row) => row.marked).length, n);
});

test('a template is a filter by its id and by its name', async () => {
    const byId = await page(`${SEARCH}&template=template1`);
    const byName = await page(`${SEARCH}&template=Import-Node`);
    assert.match(byId.heading, /^6,667 of 22,500 sandboxes$/);
    assert.equal(byName.heading, byId.heading);
    assert.deepEqual(byName.ids, byId.ids);
    assert.ok(byName.rows.every((row) => /import-node ?template1/.test(row.text)), byName.rows[0].text);
    assert.match((await page(`${SEARCH}&template=report-py`)).heading, /^2,500 of/);
});

test('every query uses an index, whatever the search', async () => {
    fillOthers(stack, 20_000);
    fillInvestigations(stack, 5_000);
    freshRecord(stack);
    const from = newest - 1000 * 300_000_000;
    const window = `from=${iso(from)}&to=${iso(from + HOUR_US)}`;
    const statements = await statementsOf(stack, async () => {
        await page(`/tickets/${TICKET}/sandboxes?${window}`);
        await page(`${SEARCH}&${window}&overlap=1`);
        await page(`${SEARCH}&state=ended&template=import-node&started_from=${iso(from)}`);
        await page(`${SEARCH}&page=400`);
        await page('/sandboxes?value=nobody');
    });
    const tables = new Set();
    for (const statement of statements) {
        const plan = planOf(stack, statement);
        assert.equal(scans(plan), '', `${statement.slice(0, 300)}\n${JSON.stringify(plan)}`);
        for (const { table } of plan) if (table) tables.add(table);
    }
    assert.ok(tables.has('ledger_tag'), 'the record was asked by tag');
    const seek = statements.find((s) => s.includes('ledger_tag'));
    const [plan] = planOf(stack, seek);
    assert.equal(plan.key, 'by_seek');
    assert.match(plan.extra, /Using index/, 'from the index alone');
    assert.doesNotMatch(plan.extra, /filesort|temporary/);
});

test('a statement without an index would be noticed', () => {
    const plan = planOf(stack, "SELECT sandbox_id FROM ledger_tag WHERE tag_value = 'x'");
    assert.notEqual(scans(plan), '');
});

test('other customers\' rows are not read: the same number of rows beside 40,000 more of them', async () => {
    const where = `${SEARCH}&from=${iso(newest)}&to=${iso(newest + HOUR_US)}`;
    const reads = async () => {
        await page(where);
        const before = rowsRead(stack);
        await page(where);
        return rowsRead(stack) - before;
    };
    const few = await reads();
    fillOthers(stack, 40_000, { perUser: 7 });
    freshRecord(stack);
    const many = await reads();
    assert.ok(few > ENDED, `${few} rows`);
    assert.ok(Math.abs(many - few) < 200, `${few} rows read before, ${many} with more of others`);
});

test('no query for each row: a page of 50 takes as many as a page of one', async () => {
    const [few] = [await statementsOf(stack, () => page(`${SEARCH}&template=no-such-template`))];
    const many = await statementsOf(stack, () => page(`${SEARCH}&state=ended`));
    assert.ok(many.length <= few.length + 3, `${many.length} queries for 50 rows, ${few.length} for none`);
});

/* ---- without a record --------------------------------------------------- */

test('without a record, the list is read as far as the page of results needs, up to its bound', async () => {
    stack.sql('DELETE FROM ledger_tag');
    stack.sql(`UPDATE ledger_span SET last_us = last_us - ${HOUR_US}`); /* nobody keeps it up to date */
    const further = (calls) => calls.filter((c) => /nextToken/.test(c.query ?? '')).length;
    const first = await callsDuring(() => page(SEARCH));
    assert.equal(further(first.calls), 0);
    assert.equal(first.result.ids.length, 50);
    assert.match(first.result.heading, /^at least 100 sandboxes/);
    assert.match(first.result.text, /the next pages of this search read on/);
    assert.match(first.result.text, /Casebook's record is behind\. ?It was last brought up to date 1 h ago/);

    const seen = new Set(first.result.ids);
    let got = first.result;
    for (let n = 2; n <= 6; n++) {
        const next = await callsDuring(() => page(below(stack, got.links.Older)));
        got = next.result;
        assert.equal(further(next.calls), Math.floor(n / 2), `page ${n}`);
        for (const id of got.ids) seen.add(id);
    }
    assert.equal(seen.size, 300);

    const end = await page(`${SEARCH}&page=9999`);
    assert.match(end.heading, /^at least 2,000 sandboxes$/);
    assert.match(end.text, /E2B's list for the tag userId is longer than Casebook reads\. ?It was read to its page 20, 2000 sandboxes/);
    const paused = await page(`${SEARCH}&state=paused`);
    assert.equal(paused.ids.length, 0);
    assert.equal(paused.heading, 'No sandbox found in what was read so far', 'the paused ones are behind the bound');
});
