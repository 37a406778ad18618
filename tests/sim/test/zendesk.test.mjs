// Zendesk as zendesk.md describes it.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Simulator } from './simulator.mjs';

let sim;
before(async () => (sim = await Simulator.start()));
after(() => sim.stop());
beforeEach(async () => {
  await sim.reset();
  sim.token = null;
});

const ids = (answer) => answer.results.map((r) => r.id);
const note = (id, comment, more = {}) => sim.zendesk(`/tickets/${id}.json`, 'PUT', { ticket: { comment, ...more } });
const lastComment = async (id) => (await sim.zendesk(`/tickets/${id}/comments.json?page%5Bsize%5D=1&sort=-created_at`)).body.comments[0];

test('login: client credentials, API token, and what is refused', async () => {
  const { status, body } = await sim.login();
  assert.equal(status, 201);
  assert.deepEqual([body.token_type, body.scope, body.expires_in], ['bearer', 'read tickets:write', 3600]);
  const post = (b) => fetch(`${sim.url}/zendesk/oauth/tokens`, { method: 'POST', body: JSON.stringify(b) });
  const good = { grant_type: 'client_credentials', client_id: 'casebook', client_secret: 'demo-secret', scope: 'read' };
  assert.equal((await post({ ...good, client_secret: 'x' })).status, 401);
  assert.equal((await post({ ...good, expires_in: 60 })).status, 400);
  assert.equal((await post({ ...good, grant_type: 'password' })).status, 400);
  const get = (authorization, path = '/tickets/48213') =>
    fetch(`${sim.url}/zendesk/api/v2${path}`, { headers: authorization ? { authorization } : {} });
  const basic = (t) => `Basic ${Buffer.from(t).toString('base64')}`;
  assert.equal((await get(basic('agent@demo.example/token:demo-token'))).status, 200);
  const wrong = await get(basic('agent@demo.example/token:other'));
  assert.deepEqual([wrong.status, await wrong.json()], [401, { error: "Couldn't authenticate you" }]);
  const bad = await get('Bearer nothing');
  assert.deepEqual([bad.status, (await bad.json()).error], [401, 'invalid_token']);
  const anonymous = await get(null, '/users/me.json');
  assert.deepEqual([anonymous.status, (await anonymous.json()).user.id], [200, null]);
  await sim.settings({ expire_tokens: true });
  assert.equal((await sim.zendesk('/tickets/48213')).status, 401);
});

test('scopes: search and audits need the broad read, notes tickets:write', async () => {
  await sim.login('tickets:read tickets:write');
  const refused = await sim.zendesk('/search.json?query=type:ticket');
  assert.equal(refused.status, 403);
  assert.equal(refused.body.error, 'Forbidden');
  assert.match(refused.body.description, /read/);
  assert.equal((await sim.zendesk('/tickets/48213/audits.json')).status, 403);
  assert.equal((await sim.zendesk('/tickets/48213')).status, 200);
  await sim.login('read');
  assert.equal((await note(48213, { body: 'x', public: false })).status, 403);
  await sim.login('reads');
  assert.equal((await sim.zendesk('/tickets/48213')).status, 403);
});

test('search: words, their beginnings, phrases, negation', async () => {
  assert.deepEqual(ids(await sim.search('type:ticket import')).sort(), [48090, 48197]);
  assert.ok(ids(await sim.search('type:ticket HALFWAY')).includes(48213));
  assert.ok(ids(await sim.search('type:ticket halfw')).includes(48213), 'a beginning');
  assert.ok(!ids(await sim.search('type:ticket alfway')).includes(48213), 'never the middle');
  assert.deepEqual(ids(await sim.search('type:ticket "dies halfway"')), [48213]);
  assert.deepEqual(ids(await sim.search('type:ticket "halfway dies"')), []);
  assert.ok(!ids(await sim.search('type:ticket report -halfway')).includes(48213));
  assert.ok(ids(await sim.search('type:ticket half*y')).includes(48213));
  assert.deepEqual(ids(await sim.search('type:ticket 48213')), [48213]);
});

test('search: keywords, order of status, dates, either of two', async () => {
  assert.deepEqual(ids(await sim.search('type:ticket status:closed')), [46874]);
  const open = (await sim.search('type:ticket status<solved')).results;
  assert.ok(open.length > 10 && open.every((t) => ['new', 'open', 'pending', 'hold'].includes(t.status)));
  const both = (await sim.search('type:ticket status:hold status:pending')).results;
  assert.deepEqual([...new Set(both.map((t) => t.status))].sort(), ['hold', 'pending']);
  assert.deepEqual(ids(await sim.search('type:ticket organization:fjordpay tags:ingest')), [48229]);
  assert.deepEqual(ids(await sim.search('type:ticket created<20days')), [46874]);
  assert.ok(ids(await sim.search('type:ticket created>2hours')).includes(48213));
  const mine = ids(await sim.search('type:ticket requester:priya@brightwater.example'));
  assert.deepEqual(mine.sort(), [47911, 48090, 48213]);
});

test('search: an address with a plus, and its look-alike', async () => {
  const found = (await sim.search('type:ticket requester:lena.orlov+qa@kestrel.example')).results;
  assert.deepEqual(found.map((t) => t.id).sort(), [48226, 48227]);
  const { body } = await sim.zendesk('/search.json?query=type:ticket%20requester:lena.orlov+qa@kestrel.example');
  assert.deepEqual(ids(body), [], 'an unencoded plus is a blank');
});

test('search: other record types come back without type:ticket', async () => {
  const types = new Set((await sim.search('brightwater')).results.map((r) => r.result_type));
  assert.deepEqual([...types].sort(), ['organization', 'ticket', 'user']);
});

test('search: sideloads in the nested form only; pages; limits', async () => {
  const nested = await sim.search('type:ticket halfway', '&include=tickets(users,organizations)');
  assert.deepEqual(nested.users.map((u) => u.email).sort(), ['priya@brightwater.example', 'tom.lindqvist@demo.example']);
  assert.equal(nested.organizations[0].name, 'Brightwater Analytics');
  assert.equal((await sim.search('type:ticket halfway', '&include=users,organizations')).users, undefined);
  const page = await sim.search('type:ticket', '&per_page=5&page=2&sort_by=created_at&sort_order=asc');
  assert.equal(page.results.length, 5);
  assert.ok(page.count > 15 && page.next_page && page.previous_page);
  assert.equal(page.facets, null);
  const first = await sim.search('type:ticket', '&per_page=5&sort_by=created_at&sort_order=asc');
  assert.equal(first.results[0].id, 46874);
  assert.equal((await sim.zendesk('/search.json?query=x&page=11&per_page=100')).status, 422);
  assert.equal((await sim.zendesk('/search.json?query=x&page%5Bsize%5D=10')).status, 400);
  await sim.settings({ search_repeats: true });
  const again = await sim.search('type:ticket', '&per_page=5&page=2&sort_by=created_at&sort_order=asc');
  assert.equal(again.results[0].id, first.results[4].id);
});

test('search: the index lags and may show an old status', async () => {
  assert.equal((await sim.search('type:ticket 47988')).results[0].status, 'solved');
  assert.equal((await sim.zendesk('/tickets/47988')).body.ticket.status, 'closed');
  assert.deepEqual(ids(await sim.search('type:ticket 48251')), [], 'not indexed yet');
  assert.equal((await sim.zendesk('/tickets/48251')).status, 200);
});

test('ticket: sideloads, comment count, nulls, hidden users, the two 404', async () => {
  const { body } = await sim.zendesk('/tickets/48213.json?include=users,organizations,comment_count');
  assert.equal(body.ticket.comment_count, 4);
  assert.equal(body.organizations[0].name, 'Brightwater Analytics');
  assert.ok(body.users.some((u) => u.id === body.ticket.requester_id));
  assert.ok(!Object.keys(body.ticket).some((k) => k.startsWith('_')));
  assert.ok(body.ticket.requester_id > 2 ** 32);
  const removed = (await sim.zendesk('/tickets/48190?include=users')).body;
  assert.equal(removed.ticket.subject, null);
  assert.ok(!removed.users.some((u) => u.id === removed.ticket.requester_id));
  const gone = await sim.zendesk('/tickets/99');
  assert.deepEqual([gone.status, gone.body], [404, { error: 'RecordNotFound', description: 'Not found' }]);
  assert.equal((await sim.zendesk('/nothing')).body.error, 'InvalidEndpoint');
  assert.equal((await sim.zendesk('/tickets/48213', 'DELETE')).status, 404);
});

test('comments: two styles of paging that do not mix', async () => {
  const all = [];
  let after = '';
  do {
    const { body } = await sim.zendesk(`/tickets/48101/comments?page%5Bsize%5D=50${after && `&page%5Bafter%5D=${after}`}&include=users`);
    all.push(...body.comments);
    assert.ok(body.users.length >= 1);
    after = body.meta.has_more ? body.meta.after_cursor : '';
  } while (after);
  assert.equal(all.length, 125);
  assert.deepEqual(all.map((c) => c.created_at), all.map((c) => c.created_at).sort());
  assert.ok(all.some((c) => c.public) && all.some((c) => !c.public));
  const offset = (await sim.zendesk('/tickets/48101/comments?per_page=100&page=2')).body;
  assert.deepEqual([offset.comments.length, offset.count, offset.next_page], [25, 125, null]);
  const newest = (await sim.zendesk('/tickets/48101/comments?page%5Bsize%5D=1&sort=-created_at')).body.comments[0];
  assert.equal(newest.id, all.at(-1).id);
  const ignored = (await sim.zendesk('/tickets/48101/comments?page%5Bsize%5D=1&sort_order=desc')).body.comments[0];
  assert.equal(ignored.id, all[0].id, 'cursor style ignores sort_order');
  assert.equal((await sim.zendesk('/tickets/48101/comments?per_page=100&page=101')).body.error, 'InvalidPaginationDepth');
  assert.equal((await sim.zendesk('/tickets/48101/comments/count')).body.count.value, 125);
});

test('comments: Zendesk itself, flags, hostile text', async () => {
  const system = (await sim.zendesk('/tickets/48145/comments')).body.comments;
  assert.equal(system[1].author_id, -1);
  const [comment] = (await sim.zendesk('/tickets/48240/comments')).body.comments;
  assert.deepEqual(comment.metadata.flags, [2, 11]);
  assert.match(comment.plain_body, /<script>.*\u0000.*\u202e/s);
  assert.match(comment.html_body, /javascript:/);
  assert.ok(!comment.plain_body.includes('hidden words'));
});

test('a note: internal, in the audit with our marker, nothing else changed', async () => {
  const before = (await sim.zendesk('/tickets/48213')).body.ticket;
  const answer = await note(48213, { html_body: '<p>Cause &amp; <code>{{ticket.id}}</code> {{ticket.id}} {{secret}}</p>', public: false }, { metadata: { console_note: 'n1' }, safe_update: true, updated_stamp: before.updated_at });
  assert.equal(answer.status, 200);
  const event = answer.body.audit.events.find((e) => e.type === 'Comment');
  assert.equal(event.public, false);
  assert.deepEqual(answer.body.audit.metadata.custom, { console_note: 'n1' });
  const comment = await lastComment(48213);
  assert.equal(comment.id, event.id);
  assert.deepEqual(comment.metadata.custom, { console_note: 'n1' });
  assert.equal(comment.plain_body, 'Cause & {{ticket.id}} 48213');
  assert.equal(answer.body.ticket.status, before.status);
  const audits = (await sim.zendesk('/tickets/48213/audits.json?sort_order=desc')).body.audits;
  assert.equal(audits[0].id, answer.body.audit.id);
  const byCursor = (await sim.zendesk('/tickets/48213/audits.json?page%5Bsize%5D=2&sort=-created_at')).body.audits;
  assert.equal(byCursor[0].id, audits[0].id);
  assert.ok(answer.headers.get('X-Zendesk-Request-Id'));
});

test('a note whose "public" is left out follows the first comment', async () => {
  assert.equal((await note(48213, { body: 'x' })).body.audit.events[0].public, true);
});

test('a repeat is a second note; an old stamp is 409; a closed ticket 422', async () => {
  const stamp = (await sim.zendesk('/tickets/48160')).body.ticket.updated_at;
  const guard = { safe_update: true, updated_stamp: stamp };
  assert.equal((await note(48160, { body: 'one', public: false }, guard)).status, 200);
  const conflict = await note(48160, { body: 'one', public: false }, guard);
  assert.deepEqual([conflict.status, conflict.body.error], [409, 'UpdateConflict']);
  assert.equal((await note(48160, { body: 'one', public: false })).status, 200);
  const notes = (await sim.zendesk('/tickets/48160/comments')).body.comments.filter((c) => c.plain_body === 'one');
  assert.equal(notes.length, 2);
  const closed = await note(47988, { body: 'x', public: false });
  assert.equal(closed.status, 422);
  assert.match(closed.body.details.status[0].description, /closed prevents ticket update/);
  assert.equal((await note(99, { body: 'x', public: false })).status, 404);
  const readOnly = await sim.zendesk('/tickets/48160', 'PUT', { ticket: { description: 'x' } });
  assert.equal(readOnly.status, 422);
});

test('a long note is cut at 64 kB without a word', async () => {
  await note(48213, { body: `${'ö'.repeat(40000)}END`, public: false });
  const comment = await lastComment(48213);
  assert.equal(Buffer.byteLength(comment.body), 65534);
  assert.ok(!comment.body.includes('END') && !comment.body.includes('\ufffd'));
});

test('too many updates of one ticket: 429, plain text, Retry-After', async () => {
  await sim.settings({ ticket_updates: 2 });
  await note(48213, { body: '1', public: false });
  await note(48213, { body: '2', public: false });
  const refused = await note(48213, { body: '3', public: false });
  assert.equal(refused.status, 429);
  assert.match(refused.headers.get('content-type'), /text\/html/);
  assert.equal(refused.body, null);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await note(48226, { body: '1', public: false })).status, 200);
});

test('users and tags', async () => {
  const { ticket } = (await sim.zendesk('/tickets/48213')).body;
  const many = (await sim.zendesk(`/users/show_many.json?ids=${ticket.requester_id},36900000010003`)).body.users;
  assert.deepEqual(many.map((u) => u.name), ['Priya Raman', 'Tom Lindqvist']);
  const suspended = (await sim.zendesk('/users/search.json?query=paulo')).body.users[0];
  assert.equal(suspended.suspended, true);
  assert.equal((await sim.zendesk('/users/search.json?query=marek')).body.users[0].active, false);
  const mine = (await sim.zendesk(`/users/${ticket.requester_id}/tickets/requested.json`)).body.tickets;
  assert.deepEqual(mine.map((t) => t.id).sort(), [47911, 48090, 48213]);
  const tags = await sim.zendesk('/tickets/48213/tags.json', 'PUT', { tags: ['casebook'] });
  assert.deepEqual(tags.body.tags, ['sandbox', 'report', 'casebook']);
});
