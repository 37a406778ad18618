// The sandbox page of what E2B no longer tells: rebuilt facts and where they come from, each state in words,
// metrics in one round, and an E2B without events.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Stack, until } from '../lib/stack.mjs';
import { order, panelsOf, textOf } from './page.mjs';

const LONG = 'ilong0000000000000001';
const SOON = 'isoon0000000000000001'; // ends about a minute after the simulator's start
const FINE_S = 55 * 60;
const SLOW_MS = 4000; // so long does E2B take where the order of calls is looked at

let stack;
let beforeHarvest; // the page of LONG while the ledger is empty

async function read(id, query = '') {
    const answer = await stack.get(`/sandboxes/${id}${query}`);
    return { ...answer, panels: panelsOf(answer.text), says: (name) => textOf(panelsOf(answer.text)[name]) };
}

async function callsSince(n) {
    return (await stack.control('GET', `calls?since=${n}`)).filter((c) => c.service === 'e2b');
}

async function lastCall() {
    return (await stack.control('GET', 'calls?since=0')).at(-1)?.n ?? 0;
}

/* { vCPU: { text, origin }, ... } */
function factsOf(page) {
    return Object.fromEntries([...page.panels.facts.matchAll(/<div><dt>([\s\S]*?)<\/dt><dd>([\s\S]*?)<\/dd>/g)].map(
        ([, label, value]) => [textOf(label).replace(/ †$/, ''), {
            text: textOf(value), origin: label.match(/<abbr title="([^"]*)">/)?.[1].replace(/&#39;/g, "'") ?? null,
        }]));
}

async function e2bStatus(id) {
    const answer = await fetch(`${stack.simUrl}/e2b/sandboxes/${id}`,
        { headers: { 'X-API-Key': 'e2b_demo0000000000000000000000000000000000' } });
    await answer.arrayBuffer();
    return answer.status;
}

before(async () => {
    stack = await Stack.start({ world: 'tests/panels/world' });
    const since = await lastCall();
    beforeHarvest = await read(LONG);
    beforeHarvest.calls = await callsSince(since);
    await stack.agentOnce(); // SOON is still listed
});
after(() => stack?.stop());

test('a dead sandbox: each fact, and where it comes from', async () => {
    const page = await read(LONG);
    const facts = factsOf(page);
    assert.equal(page.status, 200);
    assert.equal(facts.vCPU.text, '2');
    assert.match(facts.vCPU.origin, /^from its killed event of (\d+ \w+ )?\d\d:\d\d:\d\d$/);
    assert.equal(facts.Memory.text, '1,024 MiB');
    assert.match(facts.Memory.origin, /^from its killed event of /);
    assert.match(facts.Disk.origin, /^from (the samples|Casebook's record)/);
    assert.match(facts.Template.text, /q3v8n1r6t0w5y2k9c4m7/);
    assert.match(facts.Template.origin, /^from (its killed event|Casebook's record)/);
    assert.match(facts.State.text, /^ended by a request, /);
    assert.match(facts.State.origin, /^from its killed event of /);
    assert.match(facts.Started.origin, /^from its created event of /);
    assert.match(facts['Ran for'].text, /^18 h/);
    assert.match(facts['Timeout setting'].text, /^24 h/);
    assert.match(facts['Timeout setting'].origin, /^from (the log line|Casebook's record)/);
    assert.match(page.says('facts'), /† E2B forgets a sandbox when it ends\. Rebuilt: vCPU, Memory.* from its killed event of /);
    assert.match(page.says('facts'), /userId=sam@quartz\.example/);
    assert.match(page.says('timeline'), /Session started.*Terminated by a request, 5 h 59 min before its timeout|Terminated by a request, 6 h before its timeout/);
});

/* id, where the words stand, the words */
const STATES = [
    ['silent', 'isilent00000000000001', 'head', /says running, silent .*E2B says this sandbox is running, but it has been silent for [23]\d min/],
    ['an older snapshot', 'isnapshot000000000001', 'head', /ended .*It has ended\. ?E2B still lists an older snapshot of it, of .* UTC, as paused\./],
    ['deleted while paused', 'ideleted0000000000001', 'head', /ended .*It was deleted while it was paused\. ?E2B records no event for that/],
    ['deleted while paused, as a fact', 'ideleted0000000000001', 'facts', /deleted while paused; paused at /],
    ['resumed: the run of now and all', 'iresumed0000000000001', 'head', /running for 1\d min( \d+ s)?, 2\d min( \d+ s)? in all/],
    ['resumed: each run', 'iresumed0000000000001', 'facts', /Each of the 2 runs .*10 min.*, paused .*1\d min.*still running/],
];
for (const [name, id, place, words] of STATES)
    test(`in words: ${name}`, async () => {
        const page = await read(id);
        assert.equal(page.status, 200);
        assert.match(page.says(place), words);
    });

test('metrics of an unknown life: one request, without bounds', () => {
    const metrics = beforeHarvest.calls.filter((c) => c.path.endsWith('/metrics'));
    assert.deepEqual(metrics.map((c) => c.query ?? ''), ['']);
    assert.match(beforeHarvest.says('charts'), /Each value is the highest of 2 min/);
});

test('metrics of a known life: both bounds, close at the end and in the window, in one round', async () => {
    const start = Date.now() - 20 * 3600e3;
    const from = new Date(start + 9 * 3600e3).toISOString(), to = new Date(start + 9.25 * 3600e3).toISOString();
    await order(stack, { service: 'e2b', path: `/sandboxes/${LONG}/metrics`, under: [] }, { latency_ms: SLOW_MS });
    const since = await lastCall();
    const page = await read(LONG, `?from=${from}&to=${to}`);
    const calls = await callsSince(since);
    await stack.control('DELETE', 'faults');
    const metrics = calls.filter((c) => c.path.endsWith('/metrics'));
    const asked = metrics.map((c) => c.t_us);
    assert.ok(Math.max(...asked) - Math.min(...asked) < SLOW_MS * 1000, 'one was asked for after another was answered');
    const ranges = metrics.map((c) => {
        const q = new URLSearchParams(c.query);
        return [Number(q.get('start')), Number(q.get('end'))];
    });
    assert.equal(ranges.length, 3);
    assert.ok(ranges.every(([a, b]) => a > 0 && b >= a), JSON.stringify(ranges));
    assert.equal(ranges.filter(([a, b]) => b - a <= FINE_S).length, 2);
    assert.ok(ranges.some(([a, b]) => b - a <= FINE_S && a * 1000 <= Date.parse(from) && b * 1000 >= Date.parse(to)));
    assert.match(page.says('charts'), /Every sample is shown from .*, from .*\. Elsewhere each value is the highest of 2 min/);
    assert.match(page.says('charts'), /(8[5-9]|9\d)\d MiB peak/);
    const whole = await read(LONG, '?life=whole');
    assert.doesNotMatch(whole.says('charts'), /no samples for/); // coarse is no gap
});

test('the charts of one run of several', async () => {
    const whole = await read('iresumed0000000000001');
    const links = [...whole.panels.charts.matchAll(/<a href="([^"]*[?&;]run=\d+[^"]*)"[^>]*>/g)].map(([, href]) => href.replace(/&amp;/g, '&'));
    assert.equal(links.length, 2);
    assert.match(whole.says('charts'), /or one run: 1, from .* 2, from /);
    const first = await stack.get(links[0].replace(/^\/casebook/, '').replace(/#.*/, ''));
    const charts = textOf(panelsOf(first.text).charts);
    const [, from, to] = charts.match(/CPU use, (\d\d:\d\d):\d\d to (\d\d:\d\d):\d\d UTC/);
    const minutes = (t) => Number(t.slice(0, 2)) * 60 + Number(t.slice(3));
    assert.match(charts, /Whole life/);
    assert.ok((minutes(to) - minutes(from) + 1440) % 1440 <= 12, `${from} to ${to}`); // it ran for 10 min
});

/* ---- a self-hosted E2B ---- */

async function selfHosted(paging) {
    await stack.control('POST', 'settings', { events: false, logs_paging: paging });
    await stack.web.restart(); // what it had learnt of the other E2B is forgotten
}

for (const paging of ['ms', 'offset'])
    test(`self-hosted, log pages by ${paging}: the page works and says what is not there`, async () => {
        await selfHosted(paging);
        const page = await read('iresumed0000000000001');
        assert.equal(page.status, 200);
        assert.match(page.says('head'), /E2B here has no event history\. ?The timeline is built from Casebook's own sightings and from the logs\./);
        assert.doesNotMatch(page.text, /could not be (read|loaded)/);
        const long = await read(LONG, '?logs=1');
        assert.match(long.says('processes'), /python3 serve\.py.*exit code 3/);
        assert.match(long.says('raw'), /Killing sandbox.*End of the log/);
        assert.match(long.says('charts'), /Memory/);
        assert.equal((await stack.control('GET', 'calls?since=0')).filter((c) => c.service === 'e2b' && c.method !== 'GET').length, 0);
    });

test('self-hosted: a sandbox that died is told from sightings and logs', async () => {
    await selfHosted('ms');
    await until('the sandbox to end', async () => await e2bStatus(SOON) === 404, { timeoutMs: 120_000 });
    for (let i = 0; i < 3; i++) await stack.agentOnce(); // it misses in one complete list after another
    const page = await read(SOON);
    const facts = factsOf(page);
    assert.equal(page.status, 200);
    assert.match(page.says('head'), /\bended\b/);
    assert.equal(facts.vCPU.text, '2');
    assert.match(facts.Disk.text, /^10 GiB/);
    assert.match(facts.Disk.origin, /^from Casebook's record/);
    assert.match(facts.Template.text, /quartz-py/);
    assert.match(page.says('facts'), /userId=sam@quartz\.example/);
    assert.match(facts['Timeout setting'].text, /^6 min/);
    assert.doesNotMatch(page.text, /could not be (read|loaded)/);
});

test('self-hosted: fields that an old server does not have', async () => {
    await selfHosted('ms');
    await order(stack, { service: 'e2b', path: '/sandboxes/isilent00000000000001', under: ['/sandboxes/isilent00000000000001/'] }, {
        body: {
            sandboxID: 'isilent00000000000001', templateID: 'q3v8n1r6t0w5y2k9c4m7', clientID: 'x', state: 'running',
            startedAt: new Date(Date.now() - 45 * 60e3).toISOString(), endAt: new Date(Date.now() + 3600e3).toISOString(),
            cpuCount: 2, memoryMB: 1024,
        },
    });
    const page = await read('isilent00000000000001');
    const facts = factsOf(page);
    assert.equal(page.status, 200);
    assert.match(facts.Disk.origin, /^from (the samples|Casebook's record)/);
    assert.doesNotMatch(page.text, /could not be (read|loaded)/);
    await stack.control('DELETE', 'faults');
});

test('self-hosted: without metrics storage the charts say so, and nothing is zero', async () => {
    await selfHosted('ms');
    await order(stack, { service: 'e2b', path: `/sandboxes/${LONG}/metrics`, under: [] }, { body: [] });
    const page = await read(LONG);
    assert.match(page.says('charts'), /This E2B stores no metrics, or holds none for this sandbox\./);
    assert.doesNotMatch(page.says('charts'), /\b0 %/);
    await stack.control('DELETE', 'faults');
});

test('one sandbox under two tickets', async () => {
    for (const [ticket, subject] of [[5001, 'Stopped'], [5002, 'Stopped again']]) {
        const page = await stack.get(`/tickets/${ticket}/sandboxes/${LONG}`);
        assert.equal(page.status, 200);
        assert.match(textOf(panelsOf(page.text).strip), new RegExp(`Ticket #${ticket} .*Subject ${subject} Requester`));
        assert.match(textOf(panelsOf(page.text).facts), /ended by a request/);
    }
});
