// What the Linear client really sends, and what it makes of awkward answers (docs: the facts about
// Linear's API, sections 1 to 6).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cut, json, ownHeaders, probe, script, serve, text } from './harness.mjs';

const conf = (server, more = {}) => ({
  'linear.base_url': `${server.url}/graphql`,
  'linear.api_key': 'lin_api_EXAMPLE',
  'linear.team': 'SUP',
  ...more,
});
const uuid = '3b9c51e0-7d2a-4f60-98ce-77aa10b2c3d4';
const token = 'fsig3b9c51e07d2a4f6018ce77aa';
const data = (d, headers) => json(200, { data: d }, headers);
const error = (status, extensions, message = 'technical', headers = {}) =>
  json(status, { data: null, errors: [{ message, extensions }] }, headers);
const team = data({ organization: { id: 'org-1' }, teams: { nodes: [{ id: 'team-1' }] } });
const issue = (more = {}) => ({
  id: uuid,
  identifier: 'SUP-12',
  title: 'Stops',
  description: `x \`${token}\``,
  state: { name: 'Todo', type: 'unstarted' },
  team: { id: 'team-1' },
  trashed: null,
  archivedAt: null,
  ...more,
});
const operation = (request) => JSON.parse(request.body).operationName;
const variables = (request) => JSON.parse(request.body).variables;
// By operation name: the answer, or a function of how often it was asked.
const byOperation = (replies) => {
  const seen = {};
  return (request) => {
    const name = operation(request).replace('Casebook', '');
    seen[name] = (seen[name] ?? 0) + 1;
    const reply = replies[name];
    return typeof reply === 'function' ? reply(seen[name]) : reply;
  };
};

test('a request: one address, the key bare, operation name, variables apart', async (t) => {
  const s = await serve(t, () => data({ viewer: { id: 'u', name: 'Case Book' }, organization: { id: 'o', name: 'Acme' } }));
  const [r] = await probe(conf(s), 'whoami');
  assert.deepEqual([r.ok, r.name, r.org], [true, 'Case Book', 'Acme']);
  const [q] = s.requests;
  assert.equal(`${q.method} ${q.url}`, 'POST /graphql');
  assert.equal(q.headers.authorization, 'lin_api_EXAMPLE');
  assert.equal(q.headers['content-type'], 'application/json');
  assert.deepEqual(ownHeaders(q), ['accept', 'authorization', 'content-type', 'user-agent']);
  assert.deepEqual(Object.keys(JSON.parse(q.body)), ['query', 'variables', 'operationName']);
  assert.equal(operation(q), 'CasebookWhoAmI');
  assert.match(JSON.parse(q.body).query, /^query CasebookWhoAmI /);
});

test('the key: an OAuth token gets Bearer, a personal key never', async (t) => {
  const cases = {
    lin_api_abc: 'lin_api_abc',
    'Bearer lin_api_abc': 'lin_api_abc',
    lin_oauth_abc: 'Bearer lin_oauth_abc',
    '0123456789abcdef0123456789abcdef01234567': 'Bearer 0123456789abcdef0123456789abcdef01234567',
    'Bearer something': 'Bearer something',
    'some-key': 'some-key',
  };
  const s = await serve(t, () => data({ viewer: { id: 'u' } }));
  for (const key of Object.keys(cases)) await probe(conf(s, { 'linear.api_key': key }), 'whoami');
  assert.deepEqual(s.requests.map((r) => r.headers.authorization), Object.values(cases));
});

test('whoami: an empty viewer is a refused key', async (t) => {
  const s = await serve(t, () => data({ viewer: null, organization: null }));
  const [r] = await probe(conf(s), 'whoami');
  assert.deepEqual([r.ok, r.err.kind], [false, 'auth']);
});

test('team: looked up once; a wrong key is told', async (t) => {
  const s = await serve(t, script(team, data({ organization: { id: 'org-1' }, teams: { nodes: [] } })));
  const [a, b] = await probe(conf(s), 'team', '+', 'team');
  assert.deepEqual([a.team_id, a.org_id, b.team_id], ['team-1', 'org-1', 'team-1']);
  assert.equal(s.requests.length, 1);
  assert.deepEqual(variables(s.requests[0]), { teamKey: 'SUP' });
  const [c] = await probe(conf(s), 'team');
  assert.equal(c.err.kind, 'notfound');
  assert.match(c.err.msg, /SUP/);
});

test('find-token: our team, archived too, not the trash, and only what really holds the token', async (t) => {
  const s = await serve(
    t,
    byOperation({
      Team: team,
      FindToken: data({
        issues: {
          nodes: [
            issue({ id: 'a', archivedAt: '2026-11-01T00:00:00Z' }),
            issue({ id: 'b', trashed: true }),
            issue({ id: 'c', description: 'nothing' }),
            issue({ id: 'd', description: null, title: `T ${token.toUpperCase()}` }),
          ],
        },
      }),
    }),
  );
  const [r] = await probe(conf(s), 'find-token', token);
  assert.deepEqual(r.issues.map((i) => i.id), ['a', 'd']);
  assert.equal(r.issues[0].archived, true);
  assert.deepEqual(variables(s.requests[1]), { token, teamId: 'team-1' });
  assert.match(JSON.parse(s.requests[1].body).query, /includeArchived: true/);
});

test('find-token: a search that did not answer is not "no match"', async (t) => {
  const s = await serve(t, byOperation({ Team: team, FindToken: json(200, { data: { issues: null }, errors: [{ message: 'boom' }] }) }));
  const [r] = await probe(conf(s), 'find-token', token);
  assert.deepEqual([r.ok, r.issues.length], [false, 0]);
  const asked = s.requests.length;
  const [empty] = await probe(conf(s), 'find-token', '');
  assert.deepEqual(empty.issues, [], 'an empty token would match every issue: it is not asked for');
  assert.deepEqual(s.requests.slice(asked).map(operation), ['CasebookTeam']);
});

test('search-issues: words in variables, limited by the filter, lifted by team id when known', async (t) => {
  const s = await serve(t, byOperation({ Team: team, Search: data({ searchIssues: { nodes: [issue(), issue({ id: 'x', trashed: true })] } }) }));
  const words = 'export "stops" $x } query';
  const r = await probe(conf(s), 'search-issues', words, '+', 'team', '+', 'search-issues', words, '+', 'search-issues', 'ä'.repeat(150), '+', 'search-issues', ' ');
  assert.deepEqual(variables(s.requests[0]), { words, teamKey: 'SUP' });
  assert.deepEqual(variables(s.requests[2]), { words, teamKey: 'SUP', boostTeam: 'team-1' });
  assert.equal(variables(s.requests[3]).words, 'ä'.repeat(100));
  assert.equal(r[0].issues.length, 1);
  assert.equal(r[4].err.kind, 'input');
  assert.equal(s.requests.length, 4);
});

test('read: not found in both forms; a duplicate names its original', async (t) => {
  const s = await serve(
    t,
    script(
      error(200, { code: 'INPUT_ERROR' }, 'Entity not found: Issue'),
      error(400, { code: 'ENTITY_NOT_FOUND' }),
      data({ issue: issue({ state: { type: 'duplicate' }, relations: { nodes: [{ type: 'duplicate', relatedIssue: { id: 'orig' } }] } }) }),
    ),
  );
  const r = await probe(conf(s), 'read', 'SUP-1', '+', 'read', 'SUP-1', '+', 'read', 'SUP-12');
  assert.deepEqual([r[0].err.kind, r[1].err.kind], ['notfound', 'notfound']);
  assert.equal(r[2].issue.duplicate_of, 'orig');
  assert.deepEqual(variables(s.requests[2]), { idOrIdentifier: 'SUP-12' });
});

test('probe: there, not there, in the trash', async (t) => {
  const s = await serve(t, script(data({ issues: { nodes: [issue()] } }), data({ issues: { nodes: [] } }), data({ issues: { nodes: [issue({ trashed: true })] } })));
  const r = await probe(conf(s), 'probe', uuid, '+', 'probe', uuid, '+', 'probe', uuid);
  assert.deepEqual(r.map((x) => [x.ok, x.issue.id, x.issue.trashed]), [[true, uuid, false], [true, '', false], [true, uuid, true]]);
});

test('states: fifty issues in one request; none asks nothing', async (t) => {
  const ids = Array.from({ length: 53 }, (_, i) => `id-${i}`);
  const s = await serve(t, () => data({ issues: { nodes: [issue({ id: 'id-1', state: { name: 'Done', type: 'completed' } })] } }));
  const r = await probe(conf(s), 'states', ...ids, '+', 'states');
  assert.deepEqual(variables(s.requests[0]).ids, ids.slice(0, 50));
  assert.equal(r[0].issues[0].state, 'completed');
  assert.equal(r[1].src.state, 'ok');
  assert.equal(s.requests.length, 1);
});

test('find-known: all at once; what is not there is an answer, what did not answer is none', async (t) => {
  const missing = error(200, { code: 'INPUT_ERROR' }, 'Entity not found: Issue');
  const hung = data({ attachmentsForURL: { nodes: [{ issue: issue({ id: 'a' }) }, { issue: issue({ id: 'a' }) }, { issue: issue({ id: 'b', trashed: true }) },
    { issue: issue({ id: 'c', team: { id: 'other' } }) }] } });
  const s = await serve(t, byOperation({ Team: team, ReadIssue: missing, FindLink: hung, FindToken: data({ issues: { nodes: [] } }) }));
  const [r] = await probe(conf(s), 'find-known', 'SUP-1', uuid, 'https://s.example/f', token);
  assert.equal(r.ok, true, r.err?.msg);
  assert.deepEqual([r.by_person.id, r.on_record.id, r.with_link.map((i) => i.id), r.with_token], ['', '', ['a'], []]);
  assert.equal(s.requests.length, 5);
  for (const failing of ['ReadIssue', 'FindLink', 'FindToken']) {
    const f = await serve(t, byOperation({ Team: team, ReadIssue: missing, FindLink: hung, FindToken: data({ issues: { nodes: [] } }), [failing]: error(400, { type: 'forbidden' }) }));
    const [bad] = await probe(conf(f), 'find-known', 'SUP-1', uuid, 'https://s.example/f', token);
    assert.deepEqual([bad.ok, bad.err.kind], [false, 'denied'], failing);
  }
});

test('comment: one that is there already is enough', async (t) => {
  const conflict = error(200, { code: 'INPUT_ERROR' }, 'conflict on insert of Comment');
  const s = await serve(t, byOperation({ Comment: conflict, ReadComment: data({ comment: { id: uuid } }) }));
  const [r] = await probe(conf(s), 'comment', uuid, 'SUP-1', 'Seen again');
  assert.equal(r.ok, true);
  const none = await serve(t, byOperation({ Comment: conflict, ReadComment: error(200, { code: 'INPUT_ERROR' }, 'Entity not found: Comment') }));
  const [no] = await probe(conf(none), 'comment', uuid, 'SUP-1', 'Seen again');
  assert.equal(no.ok, false);
});

test('errors: the text for people first, the kind from code or type', async (t) => {
  const s = await serve(
    t,
    script(
      error(400, { code: 'AUTHENTICATION_ERROR', userPresentableMessage: 'Sign in again' }),
      error(200, { type: 'forbidden' }),
      text(403, '<html>blocked</html>'),
      text(404, 'nope'),
    ),
  );
  const r = await probe(conf(s), 'read', 'x', '+', 'read', 'x', '+', 'read', 'x', '+', 'read', 'x');
  assert.deepEqual(r.map((x) => x.err.kind), ['auth', 'denied', 'denied', 'notfound']);
  assert.match(r[0].err.msg, /linear: CasebookReadIssue: HTTP 400: Sign in again/);
  assert.match(r[1].err.msg, /technical/);
});

test('rate limit: HTTP 400, 200 and 429 are a wait until the latest reset', async (t) => {
  const at = Date.now() + 90_000;
  const resets = { 'X-RateLimit-Requests-Reset': String(at - 60_000), 'X-RateLimit-Endpoint-Requests-Reset': String(at) };
  const s = await serve(
    t,
    script(
      error(400, { code: 'RATELIMITED' }, 'slow down', resets),
      error(200, { type: 'ratelimited' }),
      text(429, 'too many', { 'Retry-After': '30' }),
    ),
  );
  const r = await probe(conf(s, { deadline_ms: 400 }), 'read', 'x', '+', 'read', 'x', '+', 'read', 'x');
  assert.ok(r.every((x) => !x.ok && x.err.retryable && !x.err.unknown));
  assert.ok(r[0].err.retry_after_us > 60e6 && r[0].err.retry_after_us <= 90e6, String(r[0].err.retry_after_us));
  assert.equal(r[1].err.retry_after_us, 2e6);
  assert.equal(r[2].err.retry_after_us, 30e6);
  assert.equal(s.requests.length, 3);
});

// --- writes ---

const create = (s, title = 'Export stops', description = `## What\n\n\`${token}\``, more = {}) =>
  probe(conf(s, more), 'create', uuid, title, description);
const found = data({ issues: { nodes: [issue()] } });
const nothing = data({ issues: { nodes: [] } });

test('create: our id, our team, title and text; nothing that was not asked for', async (t) => {
  const s = await serve(t, byOperation({ Team: team, CreateIssue: data({ issueCreate: { success: true, issue: issue() } }) }));
  const [r] = await create(s, `  Export\n stops\t${'ö'.repeat(150)}`);
  assert.equal(r.ok, true);
  assert.equal(r.issue.identifier, 'SUP-12');
  assert.deepEqual(s.requests.map(operation), ['CasebookTeam', 'CasebookCreateIssue']);
  const v = variables(s.requests[1]);
  assert.deepEqual(Object.keys(v).sort(), ['description', 'id', 'teamId', 'title']);
  assert.equal(v.id, uuid);
  assert.equal(v.teamId, 'team-1');
  assert.match(v.title, /^Export stops ö+$/);
  assert.ok(Buffer.byteLength(v.title) <= 200);
  assert.equal(v.description, `## What\n\n\`${token}\``);
});

test('create: too long a text is refused before anything is sent', async (t) => {
  const s = await serve(t, byOperation({ Team: team, CreateIssue: data({ issueCreate: { success: true, issue: issue() } }) }));
  const [big] = await create(s, 'x', 'd'.repeat(65537));
  assert.deepEqual([big.ok, big.err.kind, s.requests.length], [false, 'input', 0]);
  const [fits] = await create(s, 'x', 'd'.repeat(65536));
  assert.equal(fits.ok, true);
});

test('create: a taken id is a conflict, whatever the words are', async (t) => {
  for (const refusal of [
    error(400, { code: 'INPUT_ERROR', statusCode: 400, userError: true, userPresentableMessage: 'already exists' }, 'conflict on insert of Issue'),
    error(200, { code: 'INVALID_INPUT' }, 'quite another text'),
    data({ issueCreate: { success: false, issue: null } }),
    data({ issueCreate: { success: true, issue: null } }),
  ]) {
    const s = await serve(t, byOperation({ Team: team, CreateIssue: refusal, ProbeIssue: found }));
    const [r] = await create(s);
    assert.deepEqual([r.ok, r.err.kind, r.err.unknown], [false, 'conflict', false]);
    assert.deepEqual(variables(s.requests[2]), { id: uuid });
    assert.equal(s.requests.length, 3);
  }
});

test('create: another refusal keeps its words and is not repeated', async (t) => {
  const s = await serve(t, byOperation({ Team: team, CreateIssue: error(400, { code: 'INPUT_ERROR', userPresentableMessage: 'labelIds wrong' }), ProbeIssue: nothing }));
  const [r] = await create(s);
  assert.deepEqual([r.err.kind, r.err.unknown, r.err.retryable], ['input', false, false]);
  assert.match(r.err.msg, /labelIds wrong/);
  assert.deepEqual(s.requests.map(operation), ['CasebookTeam', 'CasebookCreateIssue', 'CasebookProbeIssue']);
});

test('create: a full workspace is a final no', async (t) => {
  const s = await serve(t, byOperation({ Team: team, CreateIssue: error(400, { code: 'USAGE_LIMIT_EXCEEDED', userPresentableMessage: 'exceeded the free issue limit' }) }));
  const [r] = await create(s);
  assert.deepEqual([r.err.kind, r.err.retryable, r.err.unknown], ['denied', false, false]);
  assert.match(r.err.msg, /free issue limit/);
});

test('create: cut, 5xx and unreadable answers are unknown, and sent once', async (t) => {
  for (const reply of [cut, json(500, {}), text(502, 'bad gateway'), text(503, 'x', { 'Retry-After': '1' }), text(200, 'garbage'), json(200, '{"data":'), error(200, { type: 'internal error' })]) {
    const s = await serve(t, byOperation({ Team: team, CreateIssue: reply }));
    const [r] = await create(s);
    assert.deepEqual([r.ok, r.err.unknown, r.err.retryable], [false, true, true], JSON.stringify(reply));
    assert.equal(s.requests.filter((q) => operation(q) === 'CasebookCreateIssue').length, 1);
  }
});

test('create: a rate limit was not run: wait and send again', async (t) => {
  const s = await serve(t, byOperation({ Team: team, CreateIssue: error(400, { code: 'RATELIMITED' }) }));
  const [r] = await create(s);
  assert.deepEqual([r.err.retryable, r.err.unknown, r.err.retry_after_us], [true, false, 2e6]);
  assert.equal(s.requests.length, 2);
});

const url = 'https://acme.zendesk.com/agent/tickets/4711';
const link = (s) => probe(conf(s), 'link', 'SUP-12', 4711, url);
const links = (...urls) => data({ issue: { id: uuid, team: { id: 'team-1' }, attachments: { nodes: urls.map((u) => ({ url: u })) } } });
const ok = (name) => data({ [name]: { success: true } });

test('link: the integration first, the ticket number as text', async (t) => {
  const s = await serve(t, byOperation({ Team: team, IssueLinks: links('https://x.example'), LinkZendesk: ok('attachmentLinkZendesk') }));
  const [r] = await link(s);
  assert.equal(r.ok, true);
  assert.deepEqual(s.requests.map(operation), ['CasebookTeam', 'CasebookIssueLinks', 'CasebookLinkZendesk']);
  assert.deepEqual(variables(s.requests[2]), { issueId: 'SUP-12', ticketId: '4711', url });
});

test('link: without the integration a plain link', async (t) => {
  const s = await serve(t, byOperation({ Team: team, IssueLinks: links(), LinkZendesk: error(200, { code: 'INPUT_ERROR' }, 'no integration'), LinkUrl: ok('attachmentLinkURL') }));
  const [r] = await link(s);
  assert.equal(r.ok, true);
  assert.deepEqual(variables(s.requests[3]), { issueId: 'SUP-12', url, title: 'Ticket 4711' });
});

test('link: one that is there is not written again', async (t) => {
  const s = await serve(t, byOperation({ Team: team, IssueLinks: links(url) }));
  const [r] = await link(s);
  assert.deepEqual([r.ok, s.requests.length], [true, 2]);
});

test('link: both refused: the attachments decide', async (t) => {
  const refused = error(200, { code: 'INPUT_ERROR' }, 'refused');
  const there = await serve(t, byOperation({ Team: team, IssueLinks: (n) => links(...(n > 1 ? [url] : [])), LinkZendesk: refused, LinkUrl: refused }));
  const gone = await serve(t, byOperation({ Team: team, IssueLinks: links(), LinkZendesk: refused, LinkUrl: refused }));
  const [a] = await link(there);
  const [b] = await link(gone);
  assert.equal(a.ok, true);
  assert.equal(b.ok, false);
  assert.match(b.err.msg, /CasebookLinkUrl.*refused/);
});

test("link: another team's issue is not written to", async (t) => {
  const s = await serve(t, byOperation({ Team: team, IssueLinks: data({ issue: { team: { id: 'team-2' }, attachments: { nodes: [] } } }) }));
  const [r] = await link(s);
  assert.deepEqual([r.ok, r.err.kind, s.requests.length], [false, 'denied', 2]);
});

test('link: a rate limit ends it', async (t) => {
  const s = await serve(t, byOperation({ Team: team, IssueLinks: links(), LinkZendesk: error(400, { code: 'RATELIMITED' }) }));
  const [r] = await link(s);
  assert.equal(r.err.retryable, true);
  assert.equal(s.requests.length, 3);
});

test('no answer shows the key', async (t) => {
  const s = await serve(t, () => error(400, { code: 'AUTHENTICATION_ERROR' }));
  const r = await probe(conf(s, { 'linear.api_key': 'lin_api_SECRET77' }), 'whoami', '+', 'team', '+', 'create', uuid, 't', 'd');
  assert.doesNotMatch(JSON.stringify(r) + r.log, /SECRET77/);
});
