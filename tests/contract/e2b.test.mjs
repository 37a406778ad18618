// What the E2B clients really send: only GETs, without a body, to the paths and with the parameters of
// the facts about E2B's API (sections 1 to 6), whatever the answers are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, ownHeaders, probe, serve, text } from './harness.mjs';

const id = 'i7q2m0xk4v9d1c8b3zt5e';
const key = 'e2b_0f3c0f3c';
const conf = (server, more = {}) => ({ 'e2b.base_url': `${server.url}/`, 'e2b.api_key': key, ...more });

// Path patterns and the parameters that each may carry.
const allowed = [
  [/^\/v2\/sandboxes$/, ['state', 'limit', 'metadata', 'nextToken']],
  [/^\/sandboxes$/, ['metadata']],
  [/^\/sandboxes\/[a-z0-9]+$/, []],
  [/^\/sandboxes\/[a-z0-9]+\/metrics$/, ['start', 'end']],
  [/^\/sandboxes\/[a-z0-9]+\/logs$/, ['start', 'limit']],
  [/^\/v2\/sandboxes\/[a-z0-9]+\/logs$/, ['cursor', 'direction', 'limit', 'level', 'search']],
  [/^\/events\/sandboxes(\/[a-z0-9]+)?$/, ['offset', 'limit', 'orderAsc']],
];

function check(request) {
  const url = new URL(request.url, 'http://x');
  const rule = allowed.find(([path]) => path.test(url.pathname));
  assert.equal(request.method, 'GET', request.url);
  assert.equal(request.body, '');
  assert.ok(rule, `no such route in our facts: ${request.url}`);
  for (const name of url.searchParams.keys()) assert.ok(rule[1].includes(name), request.url);
  assert.equal(new Set(url.searchParams.keys()).size, [...url.searchParams.keys()].length, request.url);
  assert.equal(request.headers['x-api-key'], key);
  assert.equal(request.headers.authorization, undefined);
  assert.deepEqual(ownHeaders(request), ['accept', 'user-agent', 'x-api-key']);
}

const commands = [
  'e2b-get', id, '+', 'e2b-list', 'userId', 'ana+test@example.net', '+', 'e2b-list', '', '', '+', 'e2b-events', id, '+',
  'e2b-team-events', '+', 'e2b-metrics', id, '+', 'e2b-logs', id, '', 'needle & more', 'results',
];

for (const [name, answer] of [
  ['empty answers', () => json(200, [])],
  ['objects', () => json(200, {})],
  ['errors', () => json(400, { code: 400, message: 'validation error: no' })],
  ['missing routes', () => json(404, { code: 404, message: 'validation error: no matching operation was found' })],
  ['HTML', () => text(200, '<html>x</html>')],
]) {
  test(`only GETs of known routes, with ${name}`, async (t) => {
    const s = await serve(t, answer);
    await probe(conf(s), ...commands);
    assert.ok(s.requests.length >= 7);
    s.requests.forEach(check);
  });
}

const asked = (s) => s.requests.map((r) => r.url);

test('get: the plain path', async (t) => {
  const s = await serve(t, () => json(404, { code: 404, message: `Sandbox "${id}" doesn't exist or you don't have access to it` }));
  const [r] = await probe(conf(s), 'e2b-get', id);
  assert.deepEqual(asked(s), [`/sandboxes/${id}`]);
  assert.equal(r.src.state, 'not_there');
});

test('nothing but an id becomes a path', async (t) => {
  const s = await serve(t, () => json(200, {}));
  for (const bad of ['../v2/sandboxes', 'ABC', 'a/b', 'a?x=1', '', 'a'.repeat(65)]) {
    const r = await probe(conf(s), 'e2b-get', bad, '+', 'e2b-events', bad, '+', 'e2b-metrics', bad, '+', 'e2b-logs', bad);
    for (const x of r) assert.deepEqual([x.src.state, x.src.err.kind], ['failed', 'input'], bad);
  }
  assert.equal(s.requests.length, 0);
});

test('list: the filter is encoded three times (2.2)', async (t) => {
  const vectors = [
    ['ticket', '48213', 'ticket%3D48213'],
    ['zendesk_ticket', '#48213', 'zendesk_ticket%3D%25252348213'],
    ['customer', 'Ana & Co', 'customer%3DAna%252520%252526%252520Co'],
    ['customer id', 'Ana & Co', 'customer%252520id%3DAna%252520%252526%252520Co'],
    ['k', 'a+b', 'k%3Da%25252Bb'],
    ['q', 'a=b', 'q%3Da%25253Db'],
    ['q', '50%+x', 'q%3D50%252525%25252Bx'],
    ['e', 'zoë@example.com', 'e%3Dzo%2525C3%2525AB%252540example.com'],
  ];
  const s = await serve(t, () => json(200, []));
  await probe(conf(s), ...vectors.flatMap(([k, v], i) => [...(i ? ['+'] : []), 'e2b-list', k, v]));
  assert.deepEqual(
    s.requests.map((r) => /[?&]metadata=([^&]*)/.exec(r.url)[1]),
    vectors.map((v) => v[2]),
  );
  for (const r of s.requests) assert.match(r.url, /^\/v2\/sandboxes\?state=running%2Cpaused&limit=100&metadata=/);
});

test('list: the next page is asked for with the same parameters', async (t) => {
  const s = await serve(t, (_, n) => json(200, [], n === 0 ? { 'X-Next-Token': 'a+b/=' } : {}));
  await probe(conf(s), 'e2b-list', 'k', 'v');
  assert.deepEqual(asked(s), [
    '/v2/sandboxes?state=running%2Cpaused&limit=100&metadata=k%3Dv',
    '/v2/sandboxes?state=running%2Cpaused&limit=100&metadata=k%3Dv&nextToken=a%2Bb%2F%3D',
  ]);
});

test('list: without the v2 route the old one is asked with the same filter', async (t) => {
  const s = await serve(t, (r) => (r.url.startsWith('/v2/') ? json(404, { code: 404, message: 'no matching operation was found' }) : json(200, [])));
  const [r] = await probe(conf(s), 'e2b-list', 'k', 'v');
  assert.deepEqual(asked(s), ['/v2/sandboxes?state=running%2Cpaused&limit=100&metadata=k%3Dv', '/sandboxes?metadata=k%3Dv']);
  assert.equal(r.src.state, 'ok');
});

const event = (n) => ({
  id: `6d0f4c1e-0b7a-4c55-9a30-${String(n).padStart(12, '0')}`,
  type: 'sandbox.lifecycle.updated',
  timestamp: new Date(Date.UTC(2026, 8, 14, 8, 0, n)).toISOString(),
  sandboxId: id,
  eventData: null,
});

test('events: oldest first, a hundred a page, to the end', async (t) => {
  const s = await serve(t, (_, n) => json(200, Array.from({ length: n < 2 ? 100 : 3 }, (__, i) => event(n * 100 + i))));
  const [r] = await probe(conf(s), 'e2b-events', id);
  assert.deepEqual(asked(s), [0, 100, 200].map((o) => `/events/sandboxes/${id}?offset=${o}&limit=100&orderAsc=true`));
  assert.equal(r.count, 203);
});

test('events of the team: newest first', async (t) => {
  const s = await serve(t, () => json(200, [event(1)]));
  await probe(conf(s), 'e2b-team-events');
  assert.deepEqual(asked(s), ['/events/sandboxes?offset=0&limit=100&orderAsc=false']);
});

test('metrics: both bounds, in seconds, or none', async (t) => {
  const s = await serve(t, () => json(200, []));
  await probe(conf(s), 'e2b-metrics', id, '+', 'e2b-metrics', id, '2026-09-14T08:12:00Z', '2026-09-14T08:12:40.5Z');
  assert.deepEqual(asked(s), [`/sandboxes/${id}/metrics`, `/sandboxes/${id}/metrics?start=1789373520&end=1789373561`]);
});

test('logs: by cursor in milliseconds, forward, at most 1000', async (t) => {
  const s = await serve(t, () => json(200, { logs: [] }));
  await probe(conf(s, { 'e2b.logs_paging': 'cursor' }), 'e2b-logs', id, '', 'a & b');
  const url = new URL(s.requests[0].url, s.url);
  assert.equal(url.pathname, `/v2/sandboxes/${id}/logs`);
  assert.equal(url.searchParams.get('direction'), 'forward');
  assert.equal(url.searchParams.get('limit'), '1000');
  assert.equal(url.searchParams.get('search'), 'a & b');
  const age = Date.now() - Number(url.searchParams.get('cursor'));
  assert.ok(age > 0 && age <= 7 * 86_400_000, `cursor is ${age} ms old`);
});

test('logs: the older route by start and limit', async (t) => {
  const s = await serve(t, () => json(200, { logs: [], logEntries: [] }));
  await probe(conf(s, { 'e2b.logs_paging': 'offset' }), 'e2b-logs', id);
  const url = new URL(s.requests[0].url, s.url);
  assert.equal(url.pathname, `/sandboxes/${id}/logs`);
  assert.equal(url.searchParams.get('limit'), '1000');
  assert.match(url.searchParams.get('start'), /^\d+$/);
});

test('no message shows the key', async (t) => {
  const s = await serve(t, () => json(401, { code: 401, message: `Invalid API key ${key}` }));
  const r = await probe(conf(s), ...commands);
  assert.doesNotMatch(JSON.stringify(r) + r.log, new RegExp(key));
});
