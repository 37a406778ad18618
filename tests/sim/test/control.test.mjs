// The simulator's own routes: recorded calls, faults, settings, reset; and its start and end.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { E2B_KEY, MAIN, Simulator } from './simulator.mjs';

let sim;
before(async () => (sim = await Simulator.start()));
after(() => sim.stop());
beforeEach(async () => {
  await sim.reset();
  await sim.control('DELETE', '/calls');
  sim.token = null;
});

const calls = (since = 0) => sim.control('GET', `/calls?since=${since}`);
const list = () => sim.e2bAnswer('/v2/sandboxes?limit=1');
const CREATE = 'mutation File($i: IssueCreateInput!) { issueCreate(input: $i) { success } }';
const input = { id: '3b9c51e0-7d2a-4f60-98ce-77aa10b2c3d4', teamId: '2a9d3c1e-5b70-4f0a-9d6e-0c8b7a6f5e4d', title: 'x' };
const made = async () => (await sim.state()).linear.issues.some((i) => i.id === input.id);

test('every call is recorded in order, with body and operation, without credentials', async () => {
  await sim.e2b(`/sandboxes/${MAIN}/logs?start=0`);
  await sim.zendesk('/tickets/48213.json');
  await sim.linear('query Who { viewer { id } }', { a: 1 });
  const all = await calls();
  assert.deepEqual(all.map((c) => [c.service, c.method, c.path, c.query, c.operation, c.status]), [
    ['e2b', 'GET', `/sandboxes/${MAIN}/logs`, 'start=0', null, 200],
    ['zendesk', 'POST', '/oauth/tokens', '', null, 201],
    ['zendesk', 'GET', '/api/v2/tickets/48213.json', '', null, 200],
    ['linear', 'POST', '/graphql', '', 'Who', 200],
  ]);
  assert.equal(JSON.parse(all[3].body).variables.a, 1);
  assert.doesNotMatch(JSON.stringify(all), /demo-secret|lin_api_demo|e2b_demo/);
  assert.ok(all.every((c, i) => i === 0 || c.n === all[i - 1].n + 1));
  assert.deepEqual((await calls(all[2].n)).map((c) => c.n), [all[3].n]);
});

test('a fault for the calls whose body has a text; the record names the order that a call met', async () => {
  const { id } = await sim.fault({ service: 'linear', has: '"b":1', status: 503, body: {} });
  const status = async (vars) => (await sim.linear('query Who { viewer { id } }', vars)).status;
  assert.deepEqual([await status({ a: 1 }), await status({ b: 1 }), await status({ b: 1 })], [200, 503, 200]);
  assert.deepEqual((await calls()).map((c) => c.fault), [undefined, id, undefined]);
});

test('faults: status, headers, HTML, garbage, text, literal; times and skip', async () => {
  await sim.fault({ service: 'e2b', status: 502, body: 'html' });
  await sim.fault({ service: 'e2b', status: 429, body: 'text', headers: { 'Retry-After': '2' }, times: 2 });
  await sim.fault({ service: 'e2b', status: 500, body: '{"code":500,"message":"x"}' });
  await sim.fault({ service: 'e2b', status: 503, body: { code: 503 } });
  await sim.fault({ service: 'e2b', body: 'garbage' });
  const html = await list();
  assert.deepEqual([html.status, html.headers.get('content-type')], [502, 'text/html']);
  assert.match(await html.text(), /<html>/);
  for (let i = 0; i < 2; i++) {
    const slow = await list();
    assert.deepEqual([slow.status, slow.headers.get('retry-after')], [429, '2']);
  }
  assert.deepEqual(await (await list()).json(), { code: 500, message: 'x' });
  assert.deepEqual(await (await list()).json(), { code: 503 });
  const garbage = await list();
  assert.equal(garbage.status, 200);
  await assert.rejects(garbage.json());
  assert.equal((await list()).status, 200);
  await sim.fault({ service: 'e2b', status: 500, skip: 1 });
  assert.deepEqual([(await list()).status, (await list()).status, (await list()).status], [200, 500, 200]);
  await sim.fault({ service: 'e2b', status: 500, times: -1 });
  assert.deepEqual([(await list()).status, (await list()).status], [500, 500]);
  await sim.control('DELETE', '/faults');
  assert.equal((await list()).status, 200);
});

test('faults: only the calls they are for', async () => {
  await sim.fault({ service: 'e2b', path: '/events', status: 500, times: -1 });
  await sim.fault({ service: 'zendesk', method: 'PUT', status: 503, times: -1 });
  await sim.fault({ service: 'linear', operation: 'File', status: 500, times: -1 });
  assert.equal((await list()).status, 200);
  assert.equal((await sim.e2bAnswer('/events/sandboxes')).status, 500);
  assert.equal((await sim.zendesk('/tickets/48213')).status, 200);
  assert.equal((await sim.zendesk('/tickets/48213', 'PUT', { ticket: {} })).status, 503);
  assert.equal((await sim.linear('query Who { viewer { id } }')).status, 200);
  await assert.rejects(sim.linear(CREATE, { i: input }), SyntaxError);
  assert.equal(await made(), false, 'a given status stands for the whole answer');
  const wrong = await fetch(`${sim.url}/_sim/faults`, { method: 'POST', body: '{"service":"e2b","stauts":500}' });
  assert.equal(wrong.status, 400);
});

test('faults: a connection cut before the effect, after it, in the middle', async () => {
  await sim.fault({ service: 'linear', operation: 'File', cut: 'before' });
  await assert.rejects(sim.linear(CREATE, { i: input }), TypeError);
  assert.equal(await made(), false);
  await sim.fault({ service: 'linear', operation: 'File', cut: 'after' });
  await assert.rejects(sim.linear(CREATE, { i: input }), TypeError);
  assert.equal(await made(), true);
  assert.deepEqual((await calls()).map((c) => c.status), [0, 0]);
  await sim.fault({ service: 'e2b', cut: 'mid' });
  const half = await list();
  assert.equal(half.status, 200);
  await assert.rejects(half.text(), TypeError);
});

test('faults: a slow answer holds nobody else up', async () => {
  await sim.fault({ service: 'e2b', path: '/v2/sandboxes', latency_ms: 60000 });
  const stop = new AbortController();
  const slow = fetch(`${sim.url}/e2b/v2/sandboxes`, { headers: { 'X-API-Key': E2B_KEY }, signal: stop.signal });
  let waiting = [];
  while (waiting.length === 0) waiting = await calls();
  assert.equal((await sim.e2bAnswer('/sandboxes/inever')).status, 404);
  assert.equal((await sim.zendesk('/tickets/48213')).status, 200);
  stop.abort();
  await assert.rejects(slow);
});

test('reset goes back to the described world; empty forgets the data', async () => {
  await sim.login();
  await sim.linear(CREATE, { i: input });
  await sim.settings({ logs_paging: 'offset', events: false });
  await sim.fault({ service: 'e2b', status: 500, times: -1 });
  await sim.control('POST', '/patch', { service: 'zendesk', table: 'tickets', match: { id: 48213 }, set: { status: 'closed' } });
  await sim.reset();
  assert.equal(await made(), false);
  assert.equal((await list()).status, 200);
  const health = await sim.control('GET', '/health');
  assert.deepEqual([health.logs_paging, health.events], ['cursor', true]);
  assert.equal((await sim.zendesk('/tickets/48213')).status, 401, 'old tokens are gone');
  await sim.login();
  assert.equal((await sim.zendesk('/tickets/48213')).body.ticket.status, 'open');
  await sim.control('POST', '/reset', { empty: true });
  await sim.login();
  assert.equal((await sim.zendesk('/tickets/48213')).status, 404);
  assert.deepEqual((await sim.e2b('/v2/sandboxes')).body, []);
  assert.deepEqual((await sim.linear('{ issues(includeArchived: true) { nodes { id } } teams { nodes { key } } }')).data, {
    issues: { nodes: [] },
    teams: { nodes: [{ key: 'SUP' }, { key: 'CORE' }] },
  });
});

test('settings: text variables of the world take effect at the next reset; unknown names are refused', async () => {
  const token = 'cbk000000000000000000000001';
  await sim.settings({ tokens: { known_oom: token } });
  await sim.reset();
  const { linear } = await sim.state();
  assert.ok(linear.issues.find((i) => i.identifier === 'SUP-412').description.includes(token));
  await assert.rejects(sim.settings({ nonsense: true }), /400/);
  await assert.rejects(sim.settings({ events: 'no' }), /400/);
  await assert.rejects(sim.settings({ logs_paging: 'pages' }), /400/);
});

test('state: what tests assert on', async () => {
  await sim.zendesk('/tickets/48213', 'PUT', { ticket: { comment: { body: 'hello', public: false }, metadata: { m: 1 } } });
  const { zendesk, linear, sandboxes } = await sim.state();
  const comment = zendesk.find((t) => t.id === 48213).comments.at(-1);
  assert.deepEqual([comment.plain_body, comment.public, comment.metadata.custom], ['hello', false, { m: 1 }]);
  assert.ok(linear.issues.length && linear.attachments.length && linear.comments.length);
  assert.equal(sandboxes.find((s) => s.id === MAIN).expect.class, 'out_of_memory');
});

test('start and end: port file, options, SIGTERM, a broken world', async () => {
  const other = await Simulator.start(undefined, '--logs-paging', 'offset', '--no-events');
  const file = join(other.dir, 'port');
  let port;
  while (!port) port = existsSync(file) && readFileSync(file, 'utf8').trim();
  assert.equal(other.url, `http://127.0.0.1:${port}`);
  const health = await other.control('GET', '/health');
  assert.deepEqual([health.logs_paging, health.events], ['offset', false]);
  assert.equal(await other.stop(), 0);
  await assert.rejects(Simulator.start('/nonexistent'), /ended with 1/);
});
