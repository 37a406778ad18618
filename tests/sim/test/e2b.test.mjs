// E2B as e2b.md describes it, point by point of its section 13.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { E2B_KEY, HOSTILE, LONG_LOG, MAIN, SHORT, Simulator, VECTORS, listAll } from './simulator.mjs';

let sim;
before(async () => (sim = await Simulator.start()));
after(() => sim.stop());
beforeEach(() => sim.reset());

const ids = (answer) => answer.body.map((s) => s.sandboxID).sort();

test('login: three kinds of 401, in the envelope', async () => {
  for (const [headers, words] of [
    [{}, /missing/],
    [{ 'X-API-Key': 'sk_nothing' }, /malformed/],
    [{ 'X-API-Key': `${E2B_KEY}1` }, /^Invalid API key, please visit .*\n/],
  ]) {
    const answer = await sim.e2bAnswer('/v2/sandboxes', headers);
    const body = await answer.json();
    assert.equal(answer.status, 401);
    assert.equal(body.code, 401);
    assert.match(body.message, words);
  }
});

test('the metadata filter is decoded three times: the nine vectors', async (t) => {
  const small = await Simulator.start(VECTORS);
  t.after(() => small.stop());
  const vectors = {
    'metadata=ticket%3D48213': ['iv1', 'iv2'],
    'metadata=ticket%3D48213%26env%3Dprod': ['iv2'],
    'metadata=zendesk_ticket%3D%25252348213': ['iv3'],
    'metadata=customer%3DAna%252520%252526%252520Co': ['iv4'],
    'metadata=customer%252520id%3DAna%252520%252526%252520Co': ['iv5'],
    'metadata=k%3Da%25252Bb': ['iv6'],
    'metadata=q%3Da%25253Db': ['iv7'],
    'metadata=q%3D50%252525%25252Bx': ['iv8'],
    'metadata=e%3Dzo%2525C3%2525AB%252540example.com': ['iv9'],
  };
  for (const [query, found] of Object.entries(vectors)) {
    assert.deepEqual(ids(await small.e2b(`/v2/sandboxes?${query}`)), found, query);
    assert.deepEqual(ids(await small.e2b(`/sandboxes?${query}`)), found, `v1 ${query}`);
  }
  // Encoded too few times, a plus silently becomes a blank, an ampersand is refused.
  assert.deepEqual(ids(await small.e2b('/v2/sandboxes?metadata=k%3Da%2Bb')), ['iva']);
  for (const wrong of ['metadata=', 'metadata=x', 'metadata=a%3Db%3Dc', 'metadata=c%3DAna%2520%26%2520Co', 'metadata=q%3D50%25']) {
    const answer = await small.e2b(`/v2/sandboxes?${wrong}`);
    assert.equal(answer.status, 400, wrong);
    assert.match(answer.body.message, /Error parsing metadata/);
  }
});

test('list: pages by key, totals, and what is not listed', async () => {
  const rows = await listAll(sim);
  const all = ids({ body: rows });
  assert.equal(new Set(all).size, all.length);
  assert.deepEqual(all, ids(await sim.e2b('/v2/sandboxes')));
  assert.ok(!all.includes(MAIN), 'an ended one is not listed');
  const starts = rows.map((r) => r.startedAt);
  assert.deepEqual(starts, [...starts].sort().reverse());
  const { headers, body } = await sim.e2b('/v2/sandboxes?state=running');
  assert.equal(Number(headers.get('x-total-running')), body.length);
  assert.ok(body.every((r) => r.state === 'running'));
  const paused = await sim.e2b('/v2/sandboxes?state=paused');
  assert.equal(paused.headers.get('x-total-running'), null);
  assert.ok(paused.body.length > 0 && paused.body.every((r) => r.state === 'paused'));
  assert.equal(body.length + paused.body.length, all.length);
});

test('list: repeated rows, an endless token, wrong parameters', async () => {
  await sim.settings({ list_repeats: true });
  const first = await sim.e2b('/v2/sandboxes?limit=3');
  const second = await sim.e2b(`/v2/sandboxes?limit=3&nextToken=${first.headers.get('x-next-token')}`);
  assert.equal(second.body[0].sandboxID, first.body[2].sandboxID);
  await sim.settings({ list_repeats: false, list_endless: true });
  const end = await sim.e2b('/v2/sandboxes?limit=100');
  const again = await sim.e2b(`/v2/sandboxes?limit=100&nextToken=${end.headers.get('x-next-token')}`);
  assert.deepEqual(again.body, []);
  assert.equal(again.headers.get('x-next-token'), end.headers.get('x-next-token'));
  for (const wrong of ['limit=0', 'limit=101', 'limit=x', 'state=ended', 'nextToken=zzz', 'order=up', 'template=a:b']) {
    assert.equal((await sim.e2b(`/v2/sandboxes?${wrong}`)).status, 400, wrong);
  }
  const token = first.headers.get('x-next-token');
  assert.equal((await sim.e2b(`/v2/sandboxes?order=asc&nextToken=${token}`)).status, 400);
});

test('get: running with secrets, paused, ended, never there, wrong ids', async () => {
  const running = (await sim.e2b('/sandboxes/ip3k7d0m9xb2s8f4ua6lw')).body;
  assert.equal(running.state, 'running');
  assert.match(running.envdAccessToken, /^ea_secret_/);
  assert.ok(running.network.rules);
  assert.deepEqual(running.lifecycle, { onTimeout: 'kill', autoResume: false });
  const paused = (await sim.e2b('/sandboxes/ik2c9t6v0n4e7w1q8r5mb')).body;
  assert.equal(paused.state, 'paused');
  assert.ok(paused.endAt < new Date().toISOString());
  assert.equal((await sim.e2b(`/sandboxes/${MAIN}`)).status, 404);
  assert.equal((await sim.e2b('/sandboxes/inever')).status, 404);
  assert.equal((await sim.e2b('/sandboxes/ip3k7d0m9xb2s8f4ua6lw-6532622b')).status, 200);
  for (const wrong of ['IUPPER', 'a-b-c', 'x_y', '%3Cscript%3E']) {
    assert.equal((await sim.e2b(`/sandboxes/${wrong}`)).status, 400, wrong);
  }
});

test('an ended sandbox still answers events, metrics and logs', async () => {
  const events = (await sim.e2b(`/events/sandboxes/${MAIN}?limit=100&orderAsc=true`)).body;
  assert.deepEqual(
    events.map((e) => e.type.split('.').pop()),
    ['created', 'paused', 'resumed', 'updated', 'killed'],
  );
  assert.equal(events[4].eventData.kill_reason, 'timeout');
  assert.match(events[3].eventData.set_timeout, /:\d\dZ$/);
  assert.equal(new Set(events.map((e) => e.sandboxExecutionId)).size, 2);
  assert.equal((await sim.e2b(`/sandboxes/${MAIN}/metrics`)).body.length, 284);
  assert.equal((await sim.e2b(`/v2/sandboxes/${MAIN}/logs`)).body.logs.length, 1000);
});

test('the main story: memory climbs to the line where processes are killed', async () => {
  const points = (await sim.e2b(`/sandboxes/${MAIN}/metrics`)).body;
  const peak = points.reduce((a, b) => (b.memUsed > a.memUsed ? b : a));
  const line = peak.memTotal - Math.min(peak.memTotal / 8, 134217728);
  // The line holds for user processes; memUsed counts the system's own memory too.
  assert.ok(peak.memUsed > 0.9 * peak.memTotal && peak.memUsed < line + 2 ** 26, `${peak.memUsed} of ${line}`);
  const at = points.indexOf(peak);
  assert.ok(points[at + 1].memUsed < 0.2 * line);
  const gaps = points.slice(1).map((p, i) => p.timestampUnix - points[i].timestampUnix);
  assert.ok(gaps.some((g) => g === 30), 'no samples for 25 s just before');
  assert.ok(gaps.some((g) => g > 120), 'the pause is a hole');
});

test('a crashed machine: running, no end event, "Sandbox stopped" alone', async () => {
  const id = 'ix8d5r2o7n4a1w6h9e3gp';
  assert.equal((await sim.e2b(`/sandboxes/${id}`)).body.state, 'running');
  assert.equal((await sim.e2b(`/events/sandboxes/${id}`)).body.length, 1);
  const lines = (await sim.e2b(`/v2/sandboxes/${id}/logs`)).body.logs.map((l) => l.message);
  assert.ok(lines.includes('Sandbox stopped'));
  assert.ok(!lines.some((m) => /^(Killing|Pausing|Checkpointing) sandbox/.test(m)));
  const points = (await sim.e2b(`/sandboxes/${id}/metrics`)).body;
  assert.ok(points.at(-1).timestampUnix < Date.now() / 1000 - 60);
});

test('endings: no reason, null and absent data, a lost event, an old snapshot, an unknown type', async () => {
  const events = async (id) => (await sim.e2b(`/events/sandboxes/${id}?limit=100&orderAsc=true`)).body;
  const old = await events('it1m6z9c3v8f0j5b2q7ke');
  assert.deepEqual(old.map((e) => [e.version, e.eventData]), [['v1', null], ['v1', null]]);
  assert.deepEqual((await events('ig6h1j8k3l0z5x9c4v7bn')).map((e) => e.type), ['sandbox.lifecycle.created']);
  const snapshot = await events('il9p5o2i8u1y7t4r0e6wq');
  assert.equal(snapshot.at(-1).type, 'sandbox.lifecycle.killed');
  const got = (await sim.e2b('/sandboxes/il9p5o2i8u1y7t4r0e6wq')).body;
  assert.equal(got.state, 'paused');
  assert.ok(got.endAt < snapshot.at(-1).timestamp);
  assert.equal((await events('ir4c0v8b2n6m1z5x9l3kj'))[0].type, 'sandbox.lifecycle.resumed');
  assert.ok((await events('id4v9s3c7x1z6q0w5e8rt')).some((e) => e.type === 'sandbox.lifecycle.relocated'));
});

test('a deadline really ends a running sandbox', async (t) => {
  const small = await Simulator.start(VECTORS);
  t.after(() => small.stop());
  assert.equal((await small.e2b('/sandboxes/ivfresh')).status, 404);
  let status = 200;
  for (let tries = 0; tries < 200 && status === 200; tries++) {
    status = (await small.e2b('/sandboxes/ivend')).status;
    if (status === 200) await new Promise((done) => setTimeout(done, 50));
  }
  assert.equal(status, 404);
});

test('events: default 10, pages of more than 100, filter by type, the whole team, none', async () => {
  const id = 'il8b1n7m4q0w6e3r9t2yu';
  assert.equal((await sim.e2b(`/events/sandboxes/${id}`)).body.length, 10);
  const pages = [];
  for (let offset = 0; ; offset += 100) {
    const { body } = await sim.e2b(`/events/sandboxes/${id}?limit=100&orderAsc=true&offset=${offset}`);
    pages.push(...body);
    if (body.length < 100) break;
  }
  assert.ok(pages.length > 100);
  assert.equal(new Set(pages.map((e) => e.id)).size, pages.length);
  const killed = (await sim.e2b('/events/sandboxes?limit=100&types=sandbox.lifecycle.killed&types=sandbox.lifecycle.paused')).body;
  assert.ok(killed.length > 5 && killed.every((e) => /(killed|paused)$/.test(e.type)));
  assert.ok(new Set(killed.map((e) => e.sandboxId)).size > 5);
  for (const wrong of ['limit=0', 'limit=101', 'offset=-1', 'orderAsc=maybe']) {
    assert.equal((await sim.e2b(`/events/sandboxes?${wrong}`)).status, 400, wrong);
  }
  await sim.settings({ events: false });
  assert.equal((await sim.e2b(`/events/sandboxes/${id}`)).status, 404);
  assert.equal((await sim.e2b('/events/sandboxes')).status, 404);
});

test('metrics: bounds, widths by range, maxima, emptiness', async () => {
  const path = `/sandboxes/${MAIN}/metrics`;
  const whole = (await sim.e2b(path)).body;
  const [first, last] = [whole[0].timestampUnix, whole.at(-1).timestampUnix];
  assert.ok(whole.every((p) => p.timestampUnix % 5 === 0));
  const wide = (await sim.e2b(`${path}?start=${last - 7200}&end=${last}`)).body;
  assert.ok(wide.every((p) => p.timestampUnix % 30 === 0));
  assert.equal(Math.max(...wide.map((p) => p.memUsed)), Math.max(...whole.map((p) => p.memUsed)));
  const day = (await sim.e2b(`${path}?start=${last - 90000}&end=${last}`)).body;
  assert.ok(day.every((p) => p.timestampUnix % 300 === 0));
  assert.equal((await sim.e2b(`${path}?start=${last + 60}`)).status, 400);
  assert.equal((await sim.e2b(`${path}?start=${last}&end=${first}`)).status, 400);
  assert.equal((await sim.e2b(`${path}?start=x`)).status, 400);
  assert.equal((await sim.e2b(`/sandboxes/i4hn8w2c6rj0y5t1vq9ze/metrics?start=${first}`)).status, 400);
  assert.deepEqual((await sim.e2b('/sandboxes/i4hn8w2c6rj0y5t1vq9ze/metrics')).body, []);
  assert.deepEqual((await sim.e2b('/sandboxes/inever/metrics')).body, []);
  assert.equal((await sim.e2b(`/sandboxes/${SHORT}/metrics`)).body.length, 2);
  assert.ok((await sim.e2b('/sandboxes/il7f3g8h0j5k2l9z4x6cv/metrics')).body.every((p) => !('memCache' in p)));
  assert.ok((await sim.e2b('/sandboxes/is9k5j1h7g3f0d6s2a8pq/metrics')).body.some((p) => p.memUsed > 2 ** 31));
});

test('metrics of many at once: the latest sample', async () => {
  const { body } = await sim.e2b(`/sandboxes/metrics?sandbox_ids=${MAIN},inever`);
  assert.deepEqual(Object.keys(body.sandboxes), [MAIN]);
  assert.equal((await sim.e2b('/sandboxes/metrics')).status, 400);
});

// Reads a log as e2b.md 5.3 says: forward, next cursor = floor_ms(newest), a multiset of what is held.
async function readForward(id, field, path) {
  const key = (l) => JSON.stringify(l);
  const all = [];
  let cursor = Date.now() - 7 * 86400000 + 60000;
  for (let page = 0; page < 300; page++) {
    const got = (await sim.e2b(`${path}${cursor}&limit=1000`)).body[field];
    const held = new Map();
    for (const l of all) held.set(key(l), (held.get(key(l)) ?? 0) + 1);
    let fresh = 0;
    for (const l of got) {
      const n = held.get(key(l)) ?? 0;
      if (n > 0) held.set(key(l), n - 1);
      else all.push(l) && fresh++;
    }
    if (got.length < 1000) return all;
    const newest = Math.floor(Date.parse(got.at(-1).timestamp));
    cursor = fresh === 0 || newest === cursor ? newest + 1 : newest;
  }
  throw new Error('no end');
}

test('logs v2: forward to the end in order, newest first by default; level, search, limits', async () => {
  const path = `/v2/sandboxes/${MAIN}/logs?`;
  const all = await readForward(MAIN, 'logs', `${path}direction=forward&cursor=`);
  assert.ok(all.length > 1000);
  const times = all.map((l) => Date.parse(l.timestamp));
  assert.deepEqual(times, [...times].sort((a, b) => a - b));
  const newest = (await sim.e2b(`${path}limit=5`)).body.logs;
  assert.equal(newest[0].message, 'Sandbox stopped');
  const warnings = (await sim.e2b(`${path}level=warn`)).body.logs;
  assert.ok(warnings.length > 0 && warnings.every((l) => l.level === 'warn' || l.level === 'error'));
  const hits = (await sim.e2b(`${path}search=threshold`)).body.logs;
  assert.ok(hits.length > 0 && hits.every((l) => l.message.includes('threshold')));
  assert.deepEqual((await sim.e2b(`${path}search=THRESHOLD`)).body.logs, []);
  assert.deepEqual((await sim.e2b(`${path}limit=0`)).body.logs, []);
  for (const wrong of ['limit=1001', 'cursor=-1', 'direction=up', 'level=loud', `search=${'x'.repeat(257)}`]) {
    assert.equal((await sim.e2b(path + wrong)).status, 400, wrong);
  }
  const cursor = Math.floor(Date.parse(newest[0].timestamp));
  const before = (await sim.e2b(`${path}cursor=${cursor}`)).body.logs;
  assert.notEqual(before[0].message, 'Sandbox stopped', 'the bound is exclusive');
  assert.deepEqual((await sim.e2b('/v2/sandboxes/inever/logs')).body, { logs: [] });
});

test('logs: what only the raw line tells', async () => {
  const start = Date.now() - 86400000;
  const { logs, logEntries } = (await sim.e2b(`/sandboxes/ij5y0c8m2r7d4x1v6t9sb/logs?start=${start}`)).body;
  assert.equal(logs.length, logEntries.length);
  const at = logEntries.findIndex((l) => l.fields?.event_type === 'process_end');
  assert.equal(logEntries[at].fields.process_result, undefined);
  assert.deepEqual(JSON.parse(logs[at].line).process_result, { exit_code: 1, exited: true, status: 'exit status 1', error: 'exit status 1' });
  const ok = (await sim.e2b(`/sandboxes/${SHORT}/logs?start=${start}`)).body.logs.map((l) => JSON.parse(l.line));
  assert.deepEqual(ok.find((l) => l.event_type === 'process_end').process_result, { exited: true, status: 'exit status 0' });
  const created = logEntries.find((l) => l.message === 'Sandbox created');
  assert.match(created.fields.end_time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+00:00$/);
});

test('logs of hostile bytes: no JSON, null fields, exponents, NUL, ANSI, twice the same, bad UTF-8', async () => {
  const raw = Buffer.from(await (await sim.e2bAnswer(`/sandboxes/${HOSTILE}/logs`)).arrayBuffer());
  assert.ok(raw.includes(0xff));
  const { logs, logEntries } = JSON.parse(raw.toString('utf8'));
  const garbage = logEntries.filter((l) => l.fields === null);
  assert.equal(garbage.length, 2);
  assert.deepEqual([garbage[0].message, garbage[0].level], ['', 'info']);
  const end = logEntries.find((l) => l.fields?.event_type === 'process_end');
  assert.equal(end.fields.stdout_bytes, '5.24288E+06');
  assert.equal(end.fields.stderr_bytes, '3.6E+06');
  assert.ok(logEntries.some((l) => l.message.includes('\u0000')));
  assert.ok(logEntries.some((l) => (l.fields?.data ?? '').includes('\u001b[')));
  assert.equal(logEntries.filter((l) => l.message === 'same line twice').length, 2);
  const odd = logEntries.find((l) => l.fields?.big);
  assert.deepEqual([odd.fields.big, odd.fields.ratio, odd.fields.flag, odd.fields.nothing, odd.fields.list], ['5.24288E+06', '0.5', 'true', undefined, undefined]);
  assert.ok(logs.some((l) => l.line === 'this line is no JSON at all <i>'));
  await sim.settings({ logs_clickhouse: true });
  const other = (await sim.e2b(`/v2/sandboxes/${HOSTILE}/logs?limit=1000`)).body.logs;
  assert.ok(other.some((l) => l.message === '' && Object.keys(l.fields).length === 0));
});

test('log paging: cursor, milliseconds only, line offset', async () => {
  const recent = Date.now() - 86400000;
  await sim.settings({ logs_paging: 'ms' });
  assert.equal((await sim.e2b(`/v2/sandboxes/${MAIN}/logs`)).status, 404);
  assert.equal((await sim.e2b(`/sandboxes/${MAIN}/logs?start=${recent}`)).body.logs.length, 1000);
  for (const start of [0, 1000, Date.now() - 31 * 86400000]) {
    assert.deepEqual((await sim.e2b(`/sandboxes/${MAIN}/logs?start=${start}`)).body, { logs: [], logEntries: [] });
  }
  assert.deepEqual((await sim.e2b(`/sandboxes/${MAIN}/logs?start=${recent}&limit=5001`)).body.logs, []);
  await sim.settings({ logs_paging: 'offset' });
  assert.equal((await sim.e2b(`/v2/sandboxes/${MAIN}/logs`)).status, 404);
  const first = (await sim.e2b(`/sandboxes/${MAIN}/logs?start=0&limit=1000`)).body.logs;
  const second = (await sim.e2b(`/sandboxes/${MAIN}/logs?start=1000&limit=1000`)).body.logs;
  const overlap = (await sim.e2b(`/sandboxes/${MAIN}/logs?start=999&limit=2`)).body.logs;
  assert.equal(first.length, 1000);
  assert.ok(second.length > 0 && second.length < 1000);
  assert.deepEqual(overlap, [first[999], second[0]]);
  assert.deepEqual((await sim.e2b(`/sandboxes/${MAIN}/logs?start=${recent}`)).body.logs, []);
  assert.equal((await sim.e2b(`/sandboxes/${MAIN}/logs?start=0&limit=1001`)).status, 400);
});

test('a log of 100,000 lines, many in one millisecond', async () => {
  await sim.settings({ logs_paging: 'offset' });
  let count = 0;
  const inOneMs = new Map();
  for (let page = []; count === 0 || page.length === 1000; count += page.length) {
    page = (await sim.e2b(`/sandboxes/${LONG_LOG}/logs?start=${count}&limit=1000`)).body.logEntries;
    for (const l of page) {
      const ms = l.timestamp.slice(0, 23);
      inOneMs.set(ms, (inOneMs.get(ms) ?? 0) + 1);
    }
  }
  assert.ok(count >= 100000, `${count}`);
  assert.ok(Math.max(...inOneMs.values()) > 1000);
});

test('only reads: everything else is refused', async () => {
  for (const [method, path] of [['DELETE', `/sandboxes/${MAIN}`], ['POST', '/sandboxes'], ['POST', `/sandboxes/${MAIN}/timeout`]]) {
    const answer = await fetch(`${sim.url}/e2b${path}`, { method, headers: { 'X-API-Key': E2B_KEY } });
    assert.equal(answer.status, 405);
  }
});
