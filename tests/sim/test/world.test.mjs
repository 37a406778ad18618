// The demo's world: everything that its stories promise is there.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAIN, Simulator } from './simulator.mjs';

let sim;
let state;
before(async () => {
  sim = await Simulator.start();
  state = await sim.state();
});
after(() => sim.stop());

test('size: 12 tickets, 6 organisations, 30 sandboxes, 15 issues, each class', async () => {
  assert.ok(state.zendesk.length >= 12);
  assert.ok(state.sandboxes.length >= 30);
  assert.ok(state.linear.issues.length >= 15);
  const { results } = await sim.search('type:organization');
  assert.ok(results.length >= 6);
  const classes = new Set(state.sandboxes.map((s) => s.expect.class));
  assert.deepEqual([...classes].sort(), ['crashed', 'killed_early', 'out_of_memory', 'timeout', 'undetermined']);
  assert.deepEqual([...new Set(state.zendesk.map((t) => t.status))].sort(), ['closed', 'hold', 'new', 'open', 'pending', 'solved']);
});

test('a story is the same at every start', async (t) => {
  const other = await Simulator.start();
  t.after(() => other.stop());
  const shape = async (s) => (await s.e2b(`/sandboxes/${MAIN}/metrics`)).body.map((p) => [p.memUsed, p.cpuUsedPct, p.diskUsed]);
  const [a, b] = [await shape(sim), await shape(other)];
  const peak = (rows) => Math.max(...rows.map((r) => r[0]));
  assert.equal(peak(a), peak(b));
  assert.equal((await other.state()).sandboxes.length, state.sandboxes.length);
});

test('tickets tell times that lie in their sandbox', async () => {
  const { body } = await sim.zendesk('/tickets/48213/comments.json');
  const text = body.comments[0].plain_body;
  const told = /failed at (\d\d:\d\d:\d\d)/.exec(text)[1];
  const { logs } = (await sim.e2b(`/v2/sandboxes/${MAIN}/logs?search=ended`)).body;
  const ended = logs.find((l) => l.message === 'Process with pid 685 ended');
  const gap = Math.abs(Date.parse(ended.timestamp) - Date.parse(`${ended.timestamp.slice(0, 10)}T${told}Z`));
  assert.ok(gap <= 1000, `${told} against ${ended.timestamp}`);
  assert.ok(text.includes(MAIN));
});

test('the eight sandboxes of the main customer stand under two keys', async () => {
  const ofKey = (key) => state.sandboxes.filter((s) => s.metadata[key] === 'priya@brightwater.example');
  assert.equal(ofKey('userId').length, 6);
  assert.equal(ofKey('requestedBy').length, 2);
  assert.equal(state.sandboxes.filter((s) => s.metadata.org === 'Brandt & Söhne GmbH').length, 3);
});

test('paused and resumed three times is one sandbox with four runs', async () => {
  const story = state.sandboxes.find((s) => s.id === 'ie8n4a1y7d3g6r0w9p5vf');
  assert.deepEqual([story.runs, story.state], [4, 'running']);
});
