// The harvest against a feed that grows, lags, fails and tells things late; harvests are killed, and run at once.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, beforeEach, test } from 'node:test';
import { LIFE_EVENTS, LIFE_US, lifeEvents, random, sandboxId } from './feed.mjs';
import { World } from './world.mjs';

const MINUTE = 60_000, HOUR = 60 * MINUTE;
const PAGE = 100, STEP = 95; // a page repeats five rows of the one before

let world, feed;

before(async () => {
    world = await World.start();
    feed = world.feed;
});
after(() => world?.stop());
beforeEach(() => world.clear());

/* Kill -9 after so many pages of this run, a little later than the page was sent: anywhere in its storing. */
async function killAfter(pages, delayMs, ...args) {
    const run = world.harvest(...args);
    const from = feed.requests.length;
    await Promise.race([run.ended, new Promise((done) => {
        feed.onPage = () => {
            if (feed.requests.length < from + pages) return;
            feed.onPage = null;
            setTimeout(done, delayMs);
        };
    })]);
    feed.onPage = null;
    run.kill('SIGKILL');
    const { signal, status, stderr } = await run.ended;
    assert.equal(signal, 'SIGKILL', `it ended with ${status} before it was killed: ${stderr}`);
}

test('100,000 events, 50 more a second, killed ten times: nothing lost, nothing twice', { timeout: 600_000 }, async (t) => {
    const seed = Number(process.env.SEED ?? Date.now() % 1e6);
    const pick = random(seed);
    t.diagnostic(`SEED=${seed}`);
    const lives = feed.fill(100_000, Date.now() - MINUTE);
    feed.grow(50);
    let asked = 0;
    for (let i = 0; i < 10; i++) {
        const pages = 10 + pick(100);
        asked += pages;
        await killAfter(pages, pick(40), '--backfill');
        assert.ok(world.number('SELECT COUNT(*) FROM ledger_gap') > 0, 'what is left is on record');
    }
    const last = await world.harvested('--backfill');
    assert.match(last.stdout, /\d pages, [\d,]+ events \([\d,]+ new\), [\d,]+ a second, back to 20\d\d-/);
    assert.match(last.stdout, /about .* left/);
    const total = feed.quiet();
    t.diagnostic(`${total} events, ${feed.requests.length} requests`);
    await world.harvested();
    world.holdsAll();
    assert.equal(world.number("SELECT COUNT(*) FROM ledger_sandbox WHERE state = 'ended' AND kill_reason = 'request'"), lives);
    assert.equal(world.number("SELECT SUM(ran_us) FROM ledger_sandbox WHERE kill_reason = 'request'"), lives * LIFE_US);
    // each start costs its look at the head, the way down to where it was, and some pages again
    const least = Math.ceil(total / STEP), again = 11 * 60;
    assert.ok(feed.requests.length < least + again, `${feed.requests.length} requests, ${least} at least`);
});

test('a backfill that is done begins anew, and stores nothing again', async () => {
    feed.fill(1000, Date.now() - MINUTE);
    await world.harvested('--backfill');
    world.holdsAll();
    const again = await world.harvested('--backfill');
    assert.ok(again.requests.filter((r) => r.limit === PAGE).length >= 10, 'it read all of it');
    assert.match(again.stdout, /events read, 0 of them new/);
    world.holdsAll();
});

test('harvests at once, one of them killed, store the same', { timeout: 120_000 }, async () => {
    feed.fill(6000, Date.now() - MINUTE);
    feed.grow(50);
    const others = [world.harvest('--backfill'), world.harvest(), world.harvest()];
    await killAfter(30, 10, '--backfill');
    for (const run of others) {
        const { status, stderr } = await run.ended;
        assert.equal(status, 0, stderr);
    }
    feed.quiet();
    await world.harvested('--backfill');
    world.holdsAll();
});

test('ordinary harvests that are killed leave nothing out behind what they stored', { timeout: 120_000 }, async () => {
    const at = Date.now() - 10 * HOUR;
    feed.fill(6000, at);
    await world.harvested();
    for (let i = 1; i <= 4; i++) {
        feed.fill(1600, at + i * HOUR, 2000);
        await killAfter(2 + i, 5 * i);
    }
    feed.fill(400, at + 5 * HOUR, 2000);
    const last = await world.harvested();
    world.holdsAll();
    const pages = last.requests.filter((r) => r.limit === PAGE).map((r) => r.offset);
    assert.ok(pages.length < (4 * 1600 + 400) / STEP + 30, `what is left is read, not everything: ${pages}`);
});

test('two hosts that read the same gap at once lose nothing', { timeout: 120_000 }, async () => {
    feed.fill(4000, Date.now() - MINUTE);
    const first = world.harvest('--backfill');
    // as on a cluster, where the lock of one server is not that of the other
    const taken = new Promise((done) => (feed.onPage = (r, n) => n > 12 && done()));
    await taken;
    const [[id]] = world.sql('SELECT id FROM ledger_gap');
    world.sql(`UPDATE ledger_gap SET id = id + 1000 WHERE id = ${id}`);
    const second = world.harvest('--backfill');
    for (const run of [first, second]) {
        const { status, stderr } = await run.ended;
        assert.equal(status, 0, stderr);
    }
    await world.harvested('--backfill');
    world.holdsAll();
});

test('an ordinary harvest reads what is new and little more', async () => {
    feed.fill(5000, Date.now() - 10 * MINUTE, 5000);
    await world.harvested();
    world.holdsAll();
    const nothing = await world.harvested();
    assert.ok(nothing.requests.length <= 2, `${nothing.requests.length} requests for nothing`);
    for (let i = 0; i < 250; i++) feed.one(Date.now());
    const some = await world.harvested();
    assert.ok(some.requests.length <= 2 + Math.ceil(250 / STEP), `${some.requests.length} requests for 250`);
    world.holdsAll();
});

test('events that come late or out of order are found', async () => {
    feed.fill(3000, Date.now() - 10 * MINUTE);
    for (let i = 0; i < 300; i++) feed.one(Date.now() - pickMs(i));
    await world.harvested();
    // behind three pages of newer ones that are known
    for (let i = 0; i < 40; i++) feed.one(Date.now() - 5000 - pickMs(i) / 2);
    await world.harvested();
    world.holdsAll();
    // and while the harvest pages
    feed.onPage = (request, n) => n % 2 && feed.one(Date.now() - 40_000);
    await world.harvested();
    feed.onPage = null;
    await world.harvested();
    world.holdsAll();
});
const pickMs = (i) => (i * 7919) % (2 * MINUTE - 10_000);

test('one that comes hours late is found by the slow look through all of it', async () => {
    feed.fill(3000, Date.now() - 10 * MINUTE, 5000);
    await world.harvested('--backfill');
    feed.one(Date.now() - HOUR);
    await world.harvested();
    assert.equal(world.number('SELECT COUNT(*) FROM ledger_event'), feed.events.length - 1);
    world.sql('UPDATE ledger_feed SET whole_us = whole_us - 7 * 3600 * 1000000'); // seven hours later
    let harvests = 0;
    do {
        const { requests } = await world.harvested();
        assert.ok(requests.length <= 30, `${requests.length} requests: it is to be slow`);
        for (let i = 0; i < 200; i++) feed.one(Date.now());
        harvests++;
    } while (harvests < 20 && world.number('SELECT COUNT(*) FROM ledger_gap') > 0);
    await world.harvested();
    world.holdsAll();
    assert.ok(harvests > 2, 'a few pages each time');
});

test('a server that lags behind the one asked before costs no event', async () => {
    feed.fill(3000, Date.now() - MINUTE);
    feed.lagging = 40;
    await world.harvested('--backfill');
    feed.lagging = 0;
    await world.harvested();
    world.holdsAll();
});

test('E2B fails halfway: what was read stays, and the next one goes on there', async () => {
    feed.fill(6000, Date.now() - MINUTE, 5000);
    let pages = 0;
    feed.answer = (request) => (request.limit === PAGE && ++pages > 30 ? 403 : 0);
    const run = await world.harvest('--backfill').ended;
    assert.equal(run.status, 1);
    assert.match(run.stderr, /events: .*the feed says 403/);
    assert.ok(world.number('SELECT COUNT(*) FROM ledger_event') >= 28 * STEP);
    feed.answer = null;
    const next = await world.harvested('--backfill');
    const again = next.requests.filter((r) => r.limit === PAGE && r.offset > 6 * STEP && r.offset < 20 * STEP);
    assert.deepEqual(again, [], 'what was stored is not read again');
    world.holdsAll();
});

test('a feed that is empty, or one page, or an exact number of pages', async () => {
    assert.equal((await world.harvested()).requests.length, 1);
    for (const events of [4, 100, 95 * 2 + 5]) {
        world.clear();
        feed.fill(events, Date.now() - MINUTE);
        await world.harvested();
        world.holdsAll();
    }
});

test('what Ledger.RetainDays would remove is not read in the first place', async () => {
    const old = Date.now() - 100 * 24 * HOUR;
    for (let i = 0; i < 600; i++) for (const e of lifeEvents(`old ${i}`, old + i * MINUTE)) feed.add(e);
    feed.fill(400, Date.now() - MINUTE, 5000);
    for (let i = 0; i < 2; i++) {
        const { requests } = await world.harvested('--backfill');
        const pages = requests.filter((r) => r.limit === PAGE);
        assert.ok(pages.length < 20, `it stops where the old ones begin: ${pages.map((r) => r.offset)}`);
        assert.equal(world.number('SELECT COUNT(*) FROM ledger_event'), 400);
    }
    assert.equal(world.number('SELECT COUNT(*) FROM ledger_gap'), 0);
});

test('a time of the far future stops no later harvest', async () => {
    feed.fill(400, Date.now() - MINUTE);
    feed.one(Date.now() + 1000 * HOUR);
    await world.harvested();
    for (let i = 0; i < 300; i++) feed.one(Date.now());
    await world.harvested();
    world.holdsAll();
});

const alive = () => world.number("SELECT COUNT(*) FROM ledger_sandbox WHERE state = 'running'");

test('a list of 2,500 is read to its end; who is missing in two of them has gone', async () => {
    const all = Array.from({ length: 2500 }, (_, i) => sandboxId(`listed ${i}`));
    feed.list = all;
    const { stdout } = await world.harvested();
    assert.match(stdout, /2,500 sandboxes listed/);
    assert.equal(alive(), 2500);
    feed.list = all.slice(0, 2390);
    await world.harvested();
    assert.equal(alive(), 2500, 'one list may miss some');
    feed.list = all.slice(0, 2400);
    await world.harvested();
    assert.equal(alive(), 2400);
    feed.list = all;
    await world.harvested();
    assert.equal(alive(), 2500, 'they are back');
});

test('a list without an end, and the old route, mark nothing as gone', async () => {
    const all = Array.from({ length: 250 }, (_, i) => sandboxId(`cut ${i}`));
    feed.list = all;
    await world.harvested();
    feed.list = all.slice(0, 150);
    for (feed.listEnd of ['endless', 'v1'])
        for (let i = 0; i < 3; i++) {
            assert.match((await world.harvested()).stdout, /not complete: nothing is marked as gone/);
            assert.equal(alive(), 250, feed.listEnd);
        }
});

test('an event costs the same in a ledger ten times as large', async () => {
    const work = [];
    for (const others of [0, 40_000]) {
        world.clear();
        feed.fill(2000, Date.now() - MINUTE);
        await world.harvested();
        if (others) world.enlarge(others);
        for (let i = 0; i < 500; i++) feed.one(Date.now());
        const before = world.work();
        await world.harvested();
        work.push(world.work() - before);
    }
    assert.ok(work[0] > 2000, 'counted');
    assert.ok(work[1] < work[0] * 1.1, `${work.join(' rows, then ')}`);
});

test('memory does not grow with the feed', async () => {
    const peaks = [];
    for (const events of [1000, 20_000]) {
        world.clear();
        feed.fill(events, Date.now() - MINUTE);
        const run = world.harvest('--backfill');
        let kib = 0;
        feed.onPage = (request) => {
            if (request.limit !== PAGE) return;
            const status = fs.readFileSync(`/proc/${run.pid}/status`, 'utf8');
            kib = Math.max(kib, Number(/VmHWM:\s+(\d+)/.exec(status)[1]));
        };
        const { status, stderr } = await run.ended;
        assert.equal(status, 0, stderr);
        peaks.push(kib);
    }
    assert.ok(peaks[0] > 1000, 'measured');
    assert.ok(peaks[1] - peaks[0] < 4096, `${peaks.join(' KiB, then ')} KiB`);
});

test('the answers of each life are whole', async () => {
    feed.fill(LIFE_EVENTS, Date.now() - MINUTE);
    await world.harvested();
    const [[record]] = world.sql('SELECT record FROM ledger_sandbox');
    const { runs: [run] } = JSON.parse(record);
    assert.equal(run.how, 'killed');
    assert.equal(run.reason, 'request');
    assert.equal(run.end - run.start, LIFE_US);
    assert.equal(run.moves.length, 2);
    assert.equal(run.moves[1].from, run.moves[0].to);
    assert.equal(run.moves[1].source.event, 'updated');
});
