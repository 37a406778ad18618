// The real clients against the simulator: they must understand each other, and the calls that the
// simulator recorded are the ones that the services' own documentation allows.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { probe } from './harness.mjs';

const world = fileURLToPath(new URL('world', import.meta.url));

async function simulator(t, ...options) {
  const child = spawn(join(process.env.CASEBOOK_BUILD, 'tests/sim/casebook-sim'), ['--world', world, '--port', '0', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill());
  const url = await new Promise((done, fail) => {
    let out = '';
    child.on('error', fail);
    child.on('exit', (code) => fail(new Error(`the simulator ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(out);
      if (found && out.includes('\n')) done(found[0]);
    });
  });
  const control = async (method, path, body) => {
    const answer = await fetch(`${url}/_sim${path}`, { method, body: body && JSON.stringify(body) });
    assert.equal(answer.status, 200, await answer.clone().text());
    return answer.json();
  };
  return {
    settings: {
      'zendesk.base_url': `${url}/zendesk`,
      'zendesk.client_id': 'casebook',
      'zendesk.client_secret': 'demo-secret',
      'linear.base_url': `${url}/linear/graphql`,
      'linear.api_key': 'lin_api_demo',
      'linear.team': 'SUP',
    },
    post: (path, body) => control('POST', path, body),
    calls: async (service) => (await control('GET', '/calls')).filter((c) => c.service === service),
  };
}

test('sim: a ticket, its comments and a search in one batch', async (t) => {
  const sim = await simulator(t);
  const [ticket, page] = await probe(sim.settings, 'ticket', 4711, '+', 'page', 4711, 'export');
  assert.equal(ticket.src.state, 'ok', ticket.src.err.msg);
  assert.equal(ticket.ticket.requester.email, 'lena+qa@orlov.example');
  assert.equal(ticket.ticket.organization, 'Orlov & Co');
  assert.equal(ticket.ticket.domain, 'orlov.example');
  assert.equal(ticket.ticket.comment_count, 3);
  assert.deepEqual(page.comments.comments.map((c) => [c.public, c.author.name]), [[true, 'Lena Orlov'], [false, 'Kim Agent'], [true, 'Zendesk']]);
  assert.deepEqual(page.search.tickets.map((x) => x.id).sort(), [4711, 4712]);
  assert.ok(page.search.tickets.every((x) => x.organization === 'Orlov & Co'));
});

test('sim: search by address finds one person, not the look-alike', async (t) => {
  const sim = await simulator(t);
  const [r] = await probe(sim.settings, 'search', 'LENA+qa@orlov.example', 1);
  assert.equal(r.src.state, 'ok', r.src.err.msg);
  assert.deepEqual(r.tickets.map((x) => x.id), [4711]);
});

test('sim: what is typed never becomes a keyword', async (t) => {
  const sim = await simulator(t);
  const typed = ['type:user', '-type:ticket', 'status:closed', 'a&type:user', 'x" type:user "y', '"', '*', 'requester:me'];
  const r = await probe(sim.settings, ...typed.flatMap((q, i) => [...(i ? ['+'] : []), 'search', q, 1]));
  r.forEach((x, i) => {
    if (typed[i] === '"') assert.equal(x.src.err.kind, 'input');
    else assert.deepEqual([x.src.state, x.tickets.length], ['ok', 0], typed[i]);
  });
});

test('sim: no subject, a deleted requester, a missing ticket', async (t) => {
  const sim = await simulator(t);
  const r = await probe(sim.settings, 'ticket', 4712, '+', 'ticket', 4713, '+', 'ticket', 99);
  assert.equal(r[0].ticket.subject, '(no subject)');
  assert.equal(r[1].ticket.requester.name, 'deleted user');
  assert.equal(r[1].ticket.requester.deleted, true);
  assert.equal(r[2].src.state, 'not_there');
});

test('sim: a long conversation, page by page, each comment once and in order', async (t) => {
  const sim = await simulator(t);
  const [r] = await probe(sim.settings, 'comments', 4713);
  assert.equal(r.comments.length, 231);
  assert.equal(r.pages, 3);
  assert.equal(new Set(r.comments.map((c) => c.id)).size, 231);
  r.comments.slice(1).forEach((c, i) => assert.match(c.body, new RegExp(`update ${i + 1} of 230`)));
});

test('sim: an expired token is renewed', async (t) => {
  const sim = await simulator(t);
  await sim.post('/faults', { service: 'zendesk', path: '/api/v2/tickets', status: 401, body: { error: 'invalid_token' } });
  const [r] = await probe(sim.settings, 'ticket', 4711);
  assert.equal(r.src.state, 'ok', r.src.err.msg);
  assert.equal((await sim.calls('zendesk')).filter((c) => c.path === '/oauth/tokens').length, 2);
});

const note = (sim, id, marker, stamp) => probe(sim.settings, 'note', id, '<p>Cause</p>', marker, stamp).then((r) => r[0]);
const stampOf = async (sim, id) => (await probe(sim.settings, 'ticket', id))[0].ticket.stamp;

test('sim: a note is internal, is found by its marker, and a repeat with the old stamp is refused', async (t) => {
  const sim = await simulator(t);
  const marker = randomUUID();
  const stamp = await stampOf(sim, 4711);
  const posted = await note(sim, 4711, marker, stamp);
  assert.equal(posted.result, 'posted', posted.err.msg);
  assert.equal(posted.was_public, false);
  const [found, other, comments] = await probe(
    sim.settings, 'note-find', 4711, marker, stamp, '+', 'note-find', 4711, randomUUID(), stamp, '+', 'comments', 4711,
  );
  assert.deepEqual([found.ok, found.found, found.audit_id], [true, true, posted.audit_id], found.err.msg);
  assert.deepEqual([other.ok, other.found], [true, false]);
  const mine = comments.comments.filter((c) => c.marker === marker);
  assert.deepEqual(mine.map((c) => c.public), [false]);
  assert.equal((await note(sim, 4711, marker, stamp)).result, 'conflict');
  const puts = (await sim.calls('zendesk')).filter((c) => c.method === 'PUT');
  assert.equal(puts.length, 2);
  for (const put of puts) assert.equal(JSON.parse(put.body).ticket.comment.public, false);
});

test('sim: closed, gone, cut after the effect', async (t) => {
  const sim = await simulator(t);
  const marker = randomUUID();
  const stamp = await stampOf(sim, 4711);
  assert.equal((await note(sim, 4712, marker, await stampOf(sim, 4712))).result, 'closed');
  assert.equal((await note(sim, 99, marker, stamp)).result, 'gone');
  await sim.post('/faults', { service: 'zendesk', method: 'PUT', cut: 'after' });
  const cutOff = await note(sim, 4711, marker, stamp);
  assert.equal(cutOff.result, 'unknown');
  const [found] = await probe(sim.settings, 'note-find', 4711, marker, stamp);
  assert.deepEqual([found.ok, found.found], [true, true]);
});

const token = 'fsig111111111111111111111111';

test('sim: who, team, the token in our team only, archived too, and the original of a duplicate', async (t) => {
  const sim = await simulator(t);
  const [who, team, byToken, none, words, read, missing] = await probe(
    sim.settings, 'whoami', '+', 'team', '+', 'find-token', token, '+', 'find-token', 'fsig999999999999999999999999', '+',
    'search-issues', 'export killed', '+', 'read', 'SUP-2', '+', 'read', 'SUP-99',
  );
  assert.deepEqual([who.ok, who.org], [true, 'Demo'], who.err.msg);
  assert.equal(team.team_id, '2a9d3c1e-5b70-4f0a-9d6e-0c8b7a6f5e4d');
  assert.deepEqual(byToken.issues.map((i) => [i.identifier, i.archived]), [['SUP-1', true]], byToken.err.msg);
  assert.deepEqual([none.ok, none.issues.length], [true, 0]);
  assert.equal(words.ok, true, words.err.msg);
  assert.ok(words.issues.some((i) => i.identifier === 'SUP-1'));
  assert.ok(words.issues.every((i) => i.identifier.startsWith('SUP-')));
  assert.equal(read.issue.duplicate_of, byToken.issues[0].id);
  assert.equal(missing.err.kind, 'notfound');
});

test('sim: one id makes one issue, also when the first answer is lost', async (t) => {
  const sim = await simulator(t);
  const id = randomUUID();
  await sim.post('/faults', { service: 'linear', operation: 'CasebookCreateIssue', cut: 'after' });
  const create = () => probe(sim.settings, 'create', id, 'Disk is full', '`fsig222222222222222222222222`').then((r) => r[0]);
  const first = await create();
  assert.deepEqual([first.ok, first.err.unknown], [false, true], first.err.msg);
  const second = await create();
  assert.deepEqual([second.ok, second.err.kind], [false, 'conflict'], second.err.msg);
  const [there, found, states] = await probe(
    sim.settings, 'probe', id, '+', 'find-token', 'fsig222222222222222222222222', '+', 'states', id, randomUUID(),
  );
  assert.equal(there.issue.id, id);
  assert.equal(there.issue.state, 'triage');
  assert.deepEqual(found.issues.map((i) => i.id), [id]);
  assert.deepEqual(states.issues.map((i) => i.id), [id], states.src.err.msg);
});

for (const integration of [true, false]) {
  test(`sim: a ticket is linked once, Zendesk integration ${integration ? 'on' : 'off'}`, async (t) => {
    const sim = await simulator(t);
    await sim.post('/settings', { zendesk_integration: integration });
    const url = 'https://demo.zendesk.com/agent/tickets/4711';
    const [a, b, other] = await probe(sim.settings, 'link', 'SUP-1', 4711, url, '+', 'link', 'SUP-1', 4711, url, '+', 'link', 'OPS-1', 4711, url);
    assert.equal(a.ok, true, a.err.msg);
    assert.equal(b.ok, true, b.err.msg);
    assert.equal(other.err.kind, 'denied');
    const writes = (await sim.calls('linear')).map((c) => c.operation).filter((o) => /Link(Zendesk|Url)/.test(o));
    assert.deepEqual(writes, integration ? ['CasebookLinkZendesk'] : ['CasebookLinkZendesk', 'CasebookLinkUrl']);
  });
}

test('sim: the search limit is a wait of at most a minute', async (t) => {
  const sim = await simulator(t);
  await sim.post('/settings', { linear_searches: 1 });
  const [a, b] = await probe(sim.settings, 'search-issues', 'export', '+', 'search-issues', 'export');
  assert.equal(a.ok, true, a.err.msg);
  assert.deepEqual([b.ok, b.err.retryable, b.err.unknown], [false, true, false]);
  assert.ok(b.err.retry_after_us <= 60e6, String(b.err.retry_after_us));
});

test('sim: every call is one that the facts allow', async (t) => {
  const sim = await simulator(t);
  const id = randomUUID();
  const url = 'https://demo.zendesk.com/agent/tickets/4711';
  await probe(
    sim.settings, 'page', 4711, 'export', '+', 'search', 'lena+qa@orlov.example', 2, '+', 'note', 4711, '<p>x</p>', id, await stampOf(sim, 4711), '+',
    'note-find', 4711, id, '2026-01-01T00:00:00Z', '+', 'whoami', '+', 'find-token', token, '+', 'create', id, 't', 'd', '+', 'link', id, 4711, url,
  );
  const shapes = [
    /^POST \/oauth\/tokens \?$/,
    /^GET \/api\/v2\/tickets\/\d+\.json \?include=users,organizations,comment_count$/,
    /^GET \/api\/v2\/tickets\/\d+\/comments\.json \?page%5Bsize%5D=100(&page%5Bafter%5D=[\w%.~-]+)?&sort=created_at&include=users&include_inline_images=true$/,
    /^GET \/api\/v2\/tickets\/\d+\/audits\.json \?page%5Bsize%5D=100(&page%5Bafter%5D=[\w%.~-]+)?&sort=-created_at$/,
    /^GET \/api\/v2\/search\.json \?query=type%3Aticket%20[\w%.~-]+(&sort_by=updated_at&sort_order=desc)?&per_page=25&include=tickets\(users,organizations\)(&page=\d+)?$/,
    /^PUT \/api\/v2\/tickets\/\d+\.json \?$/,
  ];
  for (const c of await sim.calls('zendesk')) {
    const line = `${c.method} ${c.path} ?${c.query}`;
    assert.ok(shapes.some((s) => s.test(line)), line);
    assert.ok(c.status < 300, `${line}: ${c.status}`);
  }
  const linear = await sim.calls('linear');
  assert.ok(linear.length >= 6);
  for (const c of linear) {
    assert.equal(`${c.method} ${c.path}${c.query}`, 'POST /graphql');
    assert.equal(JSON.parse(c.body).operationName, c.operation);
    assert.match(c.operation, /^Casebook/);
    assert.equal(c.status, 200, c.operation);
  }
});
