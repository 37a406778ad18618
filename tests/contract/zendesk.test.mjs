// What the Zendesk client really sends, byte for byte, and what it makes of awkward answers
// (docs: the facts about Zendesk's API, sections 1 to 8).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cut, json, ownHeaders, probe, script, serve, text } from './harness.mjs';

const client = (server, more = {}) => ({
  'zendesk.base_url': server.url,
  'zendesk.client_id': 'support-console',
  'zendesk.client_secret': 's3cret-value',
  ...more,
});
const oauth = (server, more = {}) => ({
  'zendesk.base_url': server.url,
  'zendesk.oauth_token': 'tok-fixed',
  ...more,
});
const token = (n) =>
  json(201, { access_token: `tok-${n}`, token_type: 'bearer', scope: 'read tickets:write', expires_in: 3600 });
const ticket = (more = {}) =>
  json(200, {
    ticket: { id: 4711, subject: 'Export', status: 'open', requester_id: 9, updated_at: '2026-11-30T10:15:00Z', ...more },
    users: [{ id: 9, name: 'Lena Orlov', email: 'lena@example.net', active: true }],
    organizations: [],
  });
const stamp = '2026-11-30T10:15:00Z';
const marker = 'b1946ac9-2f0e-4a55-8d13-6c0f4f7a9e21';
const refused401 = json(401, { error: 'invalid_token' });

test('login: client credentials with the broad read scope, once for several operations', async (t) => {
  const s = await serve(t, script(token(1), ticket(), ticket()));
  const [login, first, second] = await probe(client(s), 'login', '+', 'ticket', 4711, '+', 'ticket', 4711);

  assert.equal(login.ok, true);
  assert.equal(first.src.state, 'ok');
  assert.equal(second.src.state, 'ok');
  assert.deepEqual(s.requests.map((r) => `${r.method} ${r.url}`), [
    'POST /oauth/tokens',
    'GET /api/v2/tickets/4711.json?include=users,organizations,comment_count',
    'GET /api/v2/tickets/4711.json?include=users,organizations,comment_count',
  ]);
  assert.equal(
    s.requests[0].body,
    '{"grant_type":"client_credentials","client_id":"support-console","client_secret":"s3cret-value",' +
      '"scope":"read tickets:write","expires_in":3600}',
  );
  assert.equal(s.requests[0].headers['content-type'], 'application/json');
  assert.equal(s.requests[0].headers.authorization, undefined);
  for (const r of s.requests.slice(1)) {
    assert.equal(r.headers.authorization, 'Bearer tok-1');
    assert.equal(r.headers.accept, 'application/json');
    assert.equal(r.body, '');
    assert.deepEqual(ownHeaders(r), ['accept', 'authorization', 'user-agent']);
  }
});

test('login: an operation asks for its token itself', async (t) => {
  const s = await serve(t, script(token(1), ticket()));
  const [r] = await probe(client(s), 'ticket', 4711);
  assert.equal(r.src.state, 'ok');
  assert.equal(s.requests[0].url, '/oauth/tokens');
});

test('login: a 401 costs one new token and one repeat, and the new token is shared', async (t) => {
  const s = await serve(t, script(token(1), refused401, token(2), ticket(), ticket()));
  const [a, b] = await probe(client(s), 'ticket', 4711, '+', 'ticket', 4711);
  assert.equal(a.src.state, 'ok');
  assert.equal(a.src.tries, 4);
  assert.equal(b.src.state, 'ok');
  assert.deepEqual(s.requests.map((r) => r.headers.authorization), [
    undefined, 'Bearer tok-1', undefined, 'Bearer tok-2', 'Bearer tok-2',
  ]);
});

test('login: a second 401 is final', async (t) => {
  const s = await serve(t, script(token(1), refused401, token(2), refused401));
  const [r] = await probe(client(s), 'ticket', 4711);
  assert.equal(r.src.state, 'failed');
  assert.equal(r.src.err.kind, 'auth');
  assert.match(r.src.err.msg, /invalid_token/);
  assert.equal(s.requests.length, 4);
});

test('login: a 401 in one batch does not make the others fail', async (t) => {
  let tokens = 0;
  const s = await serve(t, (r) => {
    if (r.url === '/oauth/tokens') return token(++tokens);
    if (r.headers.authorization === 'Bearer tok-1') return refused401;
    if (r.url.startsWith('/api/v2/tickets/5.json')) return ticket();
    if (r.url.includes('/comments')) return json(200, { comments: [], users: [], meta: { has_more: false } });
    return json(200, { results: [], users: [], count: 0 });
  });
  const [, r] = await probe(client(s), 'login', '+', 'page', 5, 'words');
  assert.equal(r.ticket.state, 'ok');
  assert.equal(r.comments.src.state, 'ok');
  assert.equal(r.search.src.state, 'ok');
});

test('login: refused credentials are told without the secret', async (t) => {
  const s = await serve(t, () => json(401, { error: 'invalid_client', error_description: 'Unknown client' }));
  const r = await probe(client(s), 'login', '+', 'ticket', 5);
  assert.equal(r[0].ok, false);
  assert.equal(r[0].err.kind, 'auth');
  assert.match(r[0].err.msg, /zendesk: login: HTTP 401: invalid_client: Unknown client/);
  assert.equal(r[1].src.state, 'failed');
  assert.equal(s.requests.length, 2);
  assert.doesNotMatch(JSON.stringify(r) + r.log, /s3cret-value/);
});

test('login: an old API token goes as Basic EMAIL/token:TOKEN, a given OAuth token as Bearer', async (t) => {
  const s = await serve(t, script(ticket(), ticket(), refused401));
  await probe({ 'zendesk.base_url': `${s.url}/`, 'zendesk.email': 'agent@example.org', 'zendesk.api_token': 'A:b' }, 'ticket', 1);
  await probe(oauth(s), 'ticket', 1);
  const [last] = await probe(oauth(s), 'ticket', 1);
  assert.equal(s.requests[0].headers.authorization, `Basic ${Buffer.from('agent@example.org/token:A:b').toString('base64')}`);
  assert.match(s.requests[0].url, /^\/api\/v2\//);
  assert.equal(s.requests[1].headers.authorization, 'Bearer tok-fixed');
  assert.equal(last.src.err.kind, 'auth');
  assert.equal(s.requests.length, 3);
});

test('search: by address, encoded as a whole, exact rows only', async (t) => {
  const s = await serve(t, () =>
    json(200, {
      count: 3,
      results: [
        { result_type: 'ticket', id: 1, requester_id: 9, status: 'open' },
        { result_type: 'ticket', id: 2, requester_id: 10 },
        { result_type: 'user', id: 9 },
        { result_type: 'ticket', id: 3, requester_id: 11 },
      ],
      users: [
        { id: 9, email: 'Lena.Orlov+QA@example.net', name: 'Lena' },
        { id: 10, email: 'lena.orlov@example.net' },
        { id: 11, email: null },
      ],
      organizations: [],
    }),
  );
  const [r] = await probe(oauth(s), 'search', 'lena.orlov+qa@example.net', 1);
  assert.equal(
    s.requests[0].url,
    '/api/v2/search.json?query=type%3Aticket%20requester%3Alena.orlov%2Bqa%40example.net' +
      '&sort_by=updated_at&sort_order=desc&per_page=25&include=tickets(users,organizations)',
  );
  assert.deepEqual(r.tickets.map((x) => x.id), [1]);
  assert.equal(r.by_email, true);
  assert.equal(r.total, 3);
});

test('search: by words, nothing of the input can be a keyword', async (t) => {
  const s = await serve(t, () => json(200, { count: 0, results: [], users: [], organizations: [] }));
  await probe(oauth(s), 'search', 'R&D -type:ticket E4711 say"x', 3);
  const url = new URL(s.requests[0].url, s.url);
  assert.equal(url.searchParams.get('query'), 'type:ticket "R&D" "-type:ticket" E4711 "say x"');
  assert.match(s.requests[0].url, /query=type%3Aticket%20%22R%26D%22%20%22-type%3Aticket%22%20E4711%20%22say%20x%22&per_page=25&/);
  assert.equal(url.searchParams.get('page'), '3');
  assert.equal(url.searchParams.get('sort_by'), null);
  assert.equal(url.searchParams.get('include'), 'tickets(users,organizations)');
});

test('search: pages end at 10, and nothing to search for sends nothing', async (t) => {
  const s = await serve(t, () => json(200, { results: [] }));
  const r = await probe(oauth(s), 'search', 'x', 99, '+', 'search', ' "" ', 1);
  assert.match(s.requests[0].url, /&page=10$/);
  assert.equal(r[0].src.state, 'ok');
  assert.equal(r[1].src.state, 'failed');
  assert.equal(r[1].src.err.kind, 'input');
  assert.equal(s.requests.length, 1);
});

test('search: people that were not sideloaded are read by their ids', async (t) => {
  const results = [9, 10, 9].map((requester_id, i) => ({ result_type: 'ticket', id: i + 1, requester_id }));
  const s = await serve(
    t,
    script(json(200, { count: 3, results }), json(200, { users: [{ id: 9, email: 'a@b.example' }, { id: 10, email: 'c@b.example' }] })),
  );
  const [r] = await probe(oauth(s), 'search', 'a@b.example', 1);
  assert.equal(s.requests[1].url, '/api/v2/users/show_many.json?ids=9,10');
  assert.deepEqual(r.tickets.map((x) => x.id), [1, 3]);
});

test('search: a busy search service can be asked again later', async (t) => {
  const s = await serve(t, () => json(400, { error: 'unavailable', description: 'Sorry, we could not complete your search' }));
  const [r] = await probe(oauth(s), 'search', 'x', 1);
  assert.equal(r.src.state, 'failed');
  assert.equal(r.src.err.retryable, true);
});

test('ticket: a missing one, a wrong path and a foreign page are different facts', async (t) => {
  const s = await serve(
    t,
    script(
      json(404, { error: 'RecordNotFound', description: 'Not found' }),
      json(404, { error: 'InvalidEndpoint', description: 'Not found' }),
      text(404, '<html><body><h1>No such help desk</h1></body></html>'),
      text(200, '<html>maintenance</html>'),
    ),
  );
  const r = await probe(oauth(s), 'ticket', 1, '+', 'ticket', 2, '+', 'ticket', 3, '+', 'ticket', 4);
  assert.equal(r[0].src.state, 'not_there');
  assert.equal(r[1].src.state, 'failed');
  assert.equal(r[2].src.state, 'failed');
  assert.match(r[2].src.err.msg, /No such help desk/);
  assert.equal(r[3].src.state, 'failed');
  assert.match(r[3].src.err.msg, /not JSON/);
});

test('ticket: the four error shapes are read, with the request id', async (t) => {
  const id = { 'X-Zendesk-Request-Id': 'req-77' };
  const s = await serve(
    t,
    script(
      json(403, { error: 'Forbidden', description: 'missing the following required scopes: read' }, id),
      json(403, { error: { title: 'Forbidden', message: 'You do not have access' } }, id),
      json(400, { errors: [{ code: 'InvalidPaginationDepth', title: 'Too deep', detail: 'Use cursors' }] }, id),
      json(422, { error: 'RecordInvalid', description: 'Bad', details: { base: [{ description: 'One' }], x: [{ description: 'Two' }] } }, id),
    ),
  );
  const r = await probe(oauth(s), 'ticket', 1, '+', 'ticket', 2, '+', 'ticket', 3, '+', 'ticket', 4);
  assert.deepEqual(r.map((x) => x.src.err.kind), ['denied', 'denied', 'input', 'input']);
  assert.match(r[0].src.err.msg, /required scopes: read \[request req-77\]$/);
  assert.match(r[1].src.err.msg, /Forbidden: You do not have access/);
  assert.match(r[2].src.err.msg, /Too deep: Use cursors/);
  assert.match(r[3].src.err.msg, /Bad; One; Two/);
});

test('ticket: a plain-text 429 is a wait, 10 s when nothing is said', async (t) => {
  const s = await serve(t, (_, n) => text(429, 'Number of allowed API requests per minute exceeded', n < 1 ? { 'Retry-After': '93' } : {}));
  const [a] = await probe(oauth(s, { deadline_ms: 300 }), 'ticket', 1);
  const [b] = await probe(oauth(s, { deadline_ms: 300 }), 'ticket', 1);
  assert.equal(a.src.state, 'failed');
  assert.equal(a.src.err.retry_after_us, 93e6);
  assert.match(a.src.err.msg, /per minute exceeded/);
  assert.equal(b.src.err.retry_after_us, 10e6);
  assert.equal(b.src.err.retryable, true);
  assert.equal(s.requests.length, 2);
});

test('ticket: after a 429 nothing else is sent before its time, and that is told', async (t) => {
  const s = await serve(t, script(text(429, 'Too many', { 'Retry-After': '40' }), ticket()));
  const r = await probe(oauth(s, { deadline_ms: 300 }), 'ticket', 1, '+', 'ticket', 2, '+', 'note', 3, '<p>x</p>', marker, stamp);
  assert.equal(s.requests.length, 1);
  assert.equal(r[1].src.state, 'failed');
  assert.equal(r[1].src.err.status, 429);
  assert.ok(r[1].src.err.retry_after_us > 30e6 && r[1].src.err.retry_after_us <= 40e6);
  assert.equal(r[2].result, 'later');
});

test('ticket: a warning header is logged', async (t) => {
  const s = await serve(t, () => ({ ...ticket(), headers: { 'content-type': 'application/json', 'X-Zendesk-API-Warn': 'Removed keys: x' } }));
  const r = await probe(oauth(s), 'ticket', 1);
  assert.match(r.log, /Removed keys: x/);
});

test('ticket: a redirect is not followed', async (t) => {
  const other = await serve(t, () => ticket());
  const s = await serve(t, () => ({ status: 302, headers: { location: `${other.url}/x` }, body: '' }));
  const [r] = await probe(oauth(s), 'ticket', 1);
  assert.equal(r.src.state, 'failed');
  assert.equal(other.requests.length, 0);
});

test('comments: cursor style to the end, never the address from the answer', async (t) => {
  const page = (ids, next) =>
    json(200, {
      comments: ids.map((id) => ({ id, author_id: 9, public: id !== 2, plain_body: `text ${id}` })),
      users: [{ id: 9, name: 'Lena' }],
      meta: { has_more: next !== null, after_cursor: next },
      links: { next: 'https://evil.example/steal' },
    });
  const s = await serve(t, script(page([1, 2], 'a+/=='), page([3], null)));
  const [r] = await probe(oauth(s), 'comments', 4711);
  assert.deepEqual(s.requests.map((x) => x.url), [
    '/api/v2/tickets/4711/comments.json?page%5Bsize%5D=100&sort=created_at&include=users&include_inline_images=true',
    '/api/v2/tickets/4711/comments.json?page%5Bsize%5D=100&page%5Bafter%5D=a%2B%2F%3D%3D&sort=created_at&include=users&include_inline_images=true',
  ]);
  for (const x of s.requests) assert.doesNotMatch(x.url, /per_page|sort_order|[?&]page=/);
  assert.deepEqual(r.comments.map((c) => [c.id, c.public, c.body]), [[1, true, 'text 1'], [2, false, 'text 2'], [3, true, 'text 3']]);
  assert.equal(r.src.cut, false);
});

test('comments: a later page that fails leaves what was read, and says so', async (t) => {
  const s = await serve(
    t,
    script(json(200, { comments: [{ id: 1, author_id: -1, plain_body: 'x' }], meta: { has_more: true, after_cursor: 'c' } }), json(403, { error: 'Forbidden' })),
  );
  const [r] = await probe(oauth(s), 'comments', 4711);
  assert.equal(r.src.state, 'ok');
  assert.equal(r.src.cut, true);
  assert.equal(r.src.err.kind, 'denied');
  assert.equal(r.comments.length, 1);
});

test('comments: an endless conversation ends at 50 pages', async (t) => {
  const s = await serve(t, (_, n) => json(200, { comments: [], meta: { has_more: true, after_cursor: `c${n}` } }));
  const [r] = await probe(oauth(s), 'comments', 1);
  assert.equal(s.requests.length, 50);
  assert.equal(r.src.cut, true);
});

// --- the note ---

const note = (server, html = '<p>Cause &amp; "why" &#123;&#123;x}}</p>', settings = {}) =>
  probe(oauth(server, settings), 'note', 4711, html, marker, stamp);
const posted = (event) => json(200, { ticket: { id: 4711 }, audit: { id: 88, ticket_id: 4711, events: [{ id: 1, type: 'Notification' }, event] } });

test('note: one PUT, public false, marker, safe_update and stamp; nothing else', async (t) => {
  const s = await serve(t, script(posted({ id: 99, type: 'Comment', public: false })));
  const [r] = await note(s);
  assert.equal(r.result, 'posted');
  assert.equal(r.was_public, false);
  assert.deepEqual([r.audit_id, r.comment_id], [88, 99]);
  assert.equal(s.requests.length, 1);
  assert.equal(`${s.requests[0].method} ${s.requests[0].url}`, 'PUT /api/v2/tickets/4711.json');
  assert.equal(s.requests[0].headers['content-type'], 'application/json');
  assert.equal(
    s.requests[0].body,
    '{"ticket":{"comment":{"html_body":"<p>Cause &amp; \\"why\\" &#123;&#123;x}}</p>","public":false},' +
      `"metadata":{"casebook_note":"${marker}"},"safe_update":true,"updated_stamp":"${stamp}"}}`,
  );
});

test('note: a public one is an alarm, also when the event does not say', async (t) => {
  const s = await serve(t, script(posted({ id: 99, type: 'Comment', public: true }), posted({ id: 99, type: 'Comment' })));
  for (let i = 0; i < 2; i++) {
    const [r] = await note(s);
    assert.equal(r.result, 'posted');
    assert.equal(r.was_public, true);
  }
});

test('note: 60,000 bytes, or no stamp, are refused without a request', async (t) => {
  const s = await serve(t, script(posted({ id: 99, type: 'Comment', public: false })));
  const [big] = await note(s, 'x'.repeat(60000));
  const [bare] = await probe(oauth(s), 'note', 4711, '<p>x</p>', marker, '');
  assert.equal(big.result, 'refused');
  assert.equal(bare.result, 'refused');
  assert.equal(s.requests.length, 0);
  const [fits] = await note(s, 'x'.repeat(59999));
  assert.equal(fits.result, 'posted');
});

const closed = json(422, {
  error: 'RecordInvalid',
  description: 'Record validation errors',
  details: { status: [{ description: 'Status: closed prevents ticket update' }] },
});

test('note: a 422 is "closed" only when the ticket says so', async (t) => {
  const s = await serve(t, script(closed, ticket({ status: 'closed' }), closed, ticket({ status: 'open' }), closed, json(404, { error: 'RecordNotFound' })));
  const [a] = await note(s);
  const [b] = await note(s);
  const [c] = await note(s);
  assert.deepEqual([a.result, b.result, c.result], ['closed', 'refused', 'gone']);
  assert.match(a.err.msg, /closed prevents ticket update/);
  assert.equal(s.requests[1].method, 'GET');
  assert.match(s.requests[1].url, /^\/api\/v2\/tickets\/4711\.json/);
});

test('note: definite answers', async (t) => {
  const cases = [
    [json(409, { error: 'UpdateConflict', description: 'Safe Update prevented the update' }), 'conflict', false],
    [json(409, { error: 'DatabaseConflict', description: 'Database collision' }), 'conflict', false],
    [json(404, { error: 'RecordNotFound', description: 'Not found' }), 'gone', false],
    [json(404, { error: 'InvalidEndpoint' }), 'refused', false],
    [json(403, { error: 'Forbidden' }), 'refused', false],
    [json(401, { error: "Couldn't authenticate you" }), 'refused', false],
    [text(413, 'Request Entity Too Large'), 'refused', false],
    [text(429, 'Number of updates of this ticket exceeded', { 'Retry-After': '45' }), 'later', true],
  ];
  const s = await serve(t, (_, n) => cases[n][0]);
  for (const [, result, retryable] of cases) {
    const [r] = await note(s);
    assert.equal(r.result, result);
    assert.equal(r.err.retryable, retryable, r.err.msg);
    assert.equal(r.err.unknown, false);
    if (result === 'later') assert.equal(r.err.retry_after_us, 45e6);
  }
  assert.equal(s.requests.length, cases.length);
});

test('note: what may have arrived is unknown and is not sent again', async (t) => {
  const cases = [
    cut,
    json(500, { error: 'InternalError' }),
    text(502, '<html>Bad gateway</html>'),
    text(503, 'maintenance', { 'Retry-After': '1' }),
    text(504, 'timeout'),
    text(200, '<html>?</html>'),
    json(200, '{"ticket":'),
    json(200, { ticket: { id: 4711 } }),
    posted({ id: 3, type: 'Change' }),
  ];
  const s = await serve(t, (_, n) => cases[n]);
  for (const c of cases) {
    const [r] = await note(s);
    assert.equal(r.result, 'unknown', JSON.stringify(c));
    assert.equal(r.err.unknown, true);
  }
  assert.equal(s.requests.length, cases.length);
});

test('note: nobody there means later, not unknown', async () => {
  const [r] = await note({ url: 'http://127.0.0.1:1' }, '<p>x</p>');
  assert.equal(r.result, 'later');
  assert.equal(r.err.unknown, false);
  assert.equal(r.err.retryable, true);
});

test('note: an expired token is renewed and the PUT sent once more', async (t) => {
  const s = await serve(t, script(token(1), refused401, token(2), posted({ id: 99, type: 'Comment', public: false })));
  const [r] = await probe(client(s), 'note', 4711, '<p>x</p>', marker, stamp);
  assert.equal(r.result, 'posted');
  assert.deepEqual(s.requests.map((x) => x.method), ['POST', 'PUT', 'POST', 'PUT']);
  assert.equal(s.requests[1].body, s.requests[3].body);
});

test('note: a login that fails posts nothing', async (t) => {
  const s = await serve(t, () => json(401, { error: 'invalid_client' }));
  const [r] = await probe(client(s), 'note', 4711, '<p>x</p>', marker, stamp);
  assert.equal(r.result, 'refused');
  assert.ok(s.requests.every((x) => x.url === '/oauth/tokens'));
});

const audit = (id, minute, note_id) => ({
  id,
  created_at: `2026-11-30T10:${String(minute).padStart(2, '0')}:00Z`,
  metadata: { custom: note_id ? { casebook_note: note_id } : {} },
});
const find = (s, since = '2026-11-30T10:20:00Z') => probe(oauth(s), 'note-find', 4711, marker, since);

test('note-find: newest first, and no further back than needed', async (t) => {
  const page = (audits, next) => json(200, { audits, meta: { has_more: next !== null, after_cursor: next } });
  const s = await serve(t, script(page([audit(9, 40), audit(8, 35, 'other')], 'c1'), page([audit(7, 20), audit(6, 10)], 'c2')));
  const [r] = await find(s);
  assert.deepEqual([r.ok, r.found], [true, false]);
  assert.deepEqual(s.requests.map((x) => x.url), [
    '/api/v2/tickets/4711/audits.json?page%5Bsize%5D=100&sort=-created_at',
    '/api/v2/tickets/4711/audits.json?page%5Bsize%5D=100&page%5Bafter%5D=c1&sort=-created_at',
  ]);
});

test('note-find: found on a later page; an order that was ignored is read to the end', async (t) => {
  const page = (audits, next) => json(200, { audits, meta: { has_more: next !== null, after_cursor: next } });
  const s = await serve(t, script(page([audit(1, 1), audit(2, 2)], 'c1'), page([audit(3, 30, marker)], null)));
  const [r] = await find(s);
  assert.deepEqual([r.ok, r.found, r.audit_id], [true, true, 3]);
});

test('note-find: audits that cannot be read prove nothing', async (t) => {
  const s = await serve(
    t,
    script(json(403, { error: 'Forbidden', description: 'scope read' }), json(200, { audits: [audit(1, 30)], meta: { has_more: true, after_cursor: null } })),
  );
  const [a] = await find(s);
  const [b] = await find(s);
  assert.deepEqual([a.ok, b.ok], [false, false]);
  assert.match(a.err.msg, /audits of ticket 4711.*scope read/);
});

test('the agent link is the one for people', async () => {
  const [link] = await probe({ 'zendesk.base_url': 'https://acme.zendesk.com' }, 'agent-link', 4711);
  assert.equal(link, 'https://acme.zendesk.com/agent/tickets/4711');
});
