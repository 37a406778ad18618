// Linear as linear.md describes it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { Simulator } from './simulator.mjs';

const TEAM = '2a9d3c1e-5b70-4f0a-9d6e-0c8b7a6f5e4d';
let sim;
before(async () => (sim = await Simulator.start()));
after(() => sim.stop());
beforeEach(() => sim.reset());

const CREATE = `mutation File($input: IssueCreateInput!) {
  issueCreate(input: $input) { success issue { id identifier title description url state { type } labels { nodes { name } } priority lastAppliedTemplate { name } } }
}`;
const PROBE = 'query Probe($id: ID!) { issues(first: 1, includeArchived: true, filter: { id: { eq: $id } }) { nodes { id identifier } } }';
const FIND = `query Find($filter: IssueFilter, $archived: Boolean) {
  issues(first: 50, includeArchived: $archived, filter: $filter) { nodes { identifier } pageInfo { hasNextPage endCursor } }
}`;
const issue = (more = {}) => ({ id: randomUUID(), teamId: TEAM, title: 'Disk is full', description: 'x', ...more });
const create = async (input) => sim.linear(CREATE, { input });
const find = async (filter, archived = true) => {
  const { data } = await sim.linear(FIND, { filter, archived });
  return data.issues.nodes.map((n) => n.identifier).sort();
};
const read = async (id) => (await sim.linear('query R($id: String!) { issue(id: $id) { identifier title description state { name type } } }', { id })).data.issue;

test('login: bare key only', async () => {
  assert.equal((await sim.linear('{ viewer { id } }')).status, 200);
  const bearer = await sim.linear('{ viewer { id } }', {}, 'Bearer lin_api_demo');
  assert.equal(bearer.status, 400);
  assert.match(bearer.errors[0].message, /Remove the Bearer prefix/);
  const wrong = await sim.linear('{ viewer { id } }', {}, 'lin_api_other');
  assert.deepEqual([wrong.status, wrong.errors[0].extensions.code], [401, 'AUTHENTICATION_ERROR']);
});

test('documents: syntax, unknown fields and arguments, variables, size, cost', async () => {
  const bad = [
    ['{ viewer { id }', /Syntax Error/],
    ['{ viewer { nonsense } }', /Cannot query field "nonsense" on type "User"/],
    ['{ issueSearch(term: "x") { nodes { id } } }', /Cannot query field "issueSearch"/],
    ['{ searchIssues(words: "x") { nodes { id } } }', /Unknown argument "words"/],
    ['{ searchIssues { nodes { id } } }', /"term" is required/],
    ['{ viewer }', /must have a selection/],
    ['{ issues(filter: { nonsense: { eq: "x" } }) { nodes { id } } }', /not defined/],
    ['{ issues(first: 251) { nodes { id } } }', /1 to 250/],
    ['{ issues(first: 250) { nodes { relations { nodes { id issue { id title } } } } } }', /too complex/],
  ];
  for (const [query, message] of bad) {
    const answer = await sim.linear(query);
    assert.equal(answer.status, 400, query);
    assert.match(answer.errors[0].message, message);
    assert.equal(answer.data, null);
  }
  assert.match((await sim.linear(PROBE)).errors[0].message, /"\$id" of required type "ID!" was not provided/);
  assert.match((await sim.linear(PROBE, { id: [] })).errors[0].message, /invalid value/);
  const fragments = await sim.linear(
    'query Q { a: issue(id: "SUP-412") { ...F ... on Issue { title } } } fragment F on Issue { state { name } __typename }',
  );
  assert.deepEqual(fragments.data.a, { state: { name: 'In Progress' }, __typename: 'Issue', title: 'python3 killed at the memory limit (report-py)' });
});

test('a missing issue is an error with HTTP 200, by filter an empty list; old identifiers work', async () => {
  const missing = await sim.linear('{ issue(id: "SUP-999") { id } }');
  assert.equal(missing.status, 200);
  assert.deepEqual([missing.data, missing.errors[0].message, missing.errors[0].extensions.code], [null, 'Entity not found: Issue', 'INPUT_ERROR']);
  assert.deepEqual((await sim.linear(PROBE, { id: randomUUID() })).data.issues.nodes, []);
  assert.equal((await read('CORE-88')).identifier, 'SUP-431');
});

test('create: our id, triage by default, next number', async () => {
  const input = issue({ priority: 2 });
  const { status, data } = await create(input);
  assert.equal(status, 200);
  const made = data.issueCreate.issue;
  assert.deepEqual([made.id, made.identifier, made.state.type, made.priority], [input.id, 'SUP-432', 'triage', 2]);
  assert.deepEqual((await sim.linear(PROBE, { id: input.id })).data.issues.nodes, [{ id: input.id, identifier: 'SUP-432' }]);
});

test('create: a repeated id is refused and changes nothing, before any other limit', async () => {
  const input = issue();
  await create(input);
  await sim.settings({ linear_issues: 1 });
  const again = await create({ ...input, title: 'Other' });
  assert.equal(again.status, 400);
  const { message, extensions } = again.errors[0];
  assert.equal(message, 'conflict on insert of Issue');
  assert.deepEqual([extensions.code, extensions.statusCode, extensions.userError], ['INPUT_ERROR', 400, true]);
  assert.match(extensions.userPresentableMessage, new RegExp(`${input.id}.*already exists`));
  assert.equal((await read(input.id)).title, 'Disk is full');
  const full = await create(issue());
  assert.deepEqual([full.status, full.errors[0].extensions.code], [400, 'USAGE_LIMIT_EXCEEDED']);
});

test('create: wrong input of each kind', async () => {
  const labels = (await sim.linear('{ issueLabels { nodes { id name } } }')).data.issueLabels.nodes;
  const label = (name) => labels.find((l) => l.name === name).id;
  for (const [input, message] of [
    [issue({ id: 'x' }), /must be a UUID/],
    [issue({ id: '3b9c51e0-7d2a-1f60-98ce-77aa10b2c3d4' }), /must be a UUID/],
    [issue({ teamId: randomUUID() }), /could not be found/],
    [issue({ title: '' }), /title/],
    [issue({ title: 'x'.repeat(256) }), /title/],
    [issue({ labelIds: ['Bug'] }), /could not be found/],
    [issue({ labelIds: [label('Cause')] }), /could not be found/],
    [issue({ labelIds: [label('Memory'), label('Timeout')] }), /not exclusive child labels/],
    [issue({ createAsUser: 'Maya' }), /actor=app/],
  ]) {
    const answer = await create(input);
    assert.equal(answer.status, 400);
    assert.match(answer.errors[0].message, message);
  }
});

test('create: a template adds its labels, a given description replaces its body', async () => {
  const { templates } = (await sim.linear('{ templates { id name type } }')).data;
  const { issueLabels } = (await sim.linear('{ issueLabels { nodes { id name } } }')).data;
  const templateId = templates.find((t) => t.type === 'issue').id;
  const bug = issueLabels.nodes.find((l) => l.name === 'Bug').id;
  const made = (await create(issue({ templateId, labelIds: [bug], title: undefined }))).data.issueCreate.issue;
  assert.deepEqual(made.labels.nodes.map((l) => l.name), ['Sandbox failure', 'Bug']);
  assert.deepEqual([made.title, made.description, made.lastAppliedTemplate.name], ['Sandbox failure', 'x', 'Sandbox failure']);
});

test('Markdown is rewritten on saving; code and the token stay', async () => {
  const rewrite = async (description) => (await create(issue({ description }))).data.issueCreate.issue.description;
  const pairs = {
    '- item  \n- [x] done': '* item\n* [X] done',
    '_em_ and build_report_py': '*em* and build_report_py',
    '[a](https://e.example)': '[a](<https://e.example>)',
    'see https://e.example/x.': 'see [https://e.example/x](<https://e.example/x>).',
    'libfoo.so broke': '[libfoo.so](<http://libfoo.so>) broke',
    'a [tag] and 2 * 3': 'a \\[tag\\] and 2 \\* 3',
    '`cbk00ff00ff00ff00ff00ff00ff`': '`cbk00ff00ff00ff00ff00ff00ff`',
    '```\n- _as_ [is]\n```': '```\n- _as_ [is]\n```',
    '|  a |b  |\n|:--|--:|\n| 1 | 2 |': '| a | b |\n| --- | --- |\n| 1 | 2 |',
    'x <!-- hidden --> y': 'x  y',
    '**bold** stays': '**bold** stays',
  };
  for (const [sent, stored] of Object.entries(pairs)) assert.equal(await rewrite(sent), stored);
  const titled = (await create(issue({ title: 'ABC-101: lost' }))).data.issueCreate.issue;
  assert.equal(titled.title, 'lost');
});

test('filters: contains, archived, team, state, labels, attachments, null, and/or, dates', async () => {
  const token = (await read('SUP-412')).description.match(/cbk[0-9a-f]{24}/)[0];
  assert.deepEqual(await find({ description: { contains: token } }), ['SUP-412']);
  assert.deepEqual(await find({ description: { contains: token.toUpperCase() } }), []);
  assert.deepEqual(await find({ description: { containsIgnoreCase: token.toUpperCase() } }), ['SUP-412']);
  assert.deepEqual(await find({ title: { contains: 'train-large' } }), ['SUP-198']);
  assert.deepEqual(await find({ title: { contains: 'train-large' } }, false), [], 'archived is hidden');
  assert.deepEqual(await find({ number: { eq: 412 } }), ['CORE-412', 'SUP-412']);
  assert.deepEqual(await find({ number: { eq: 412 }, team: { key: { eq: 'SUP' } } }), ['SUP-412']);
  assert.deepEqual(await find({ state: { type: { in: ['duplicate', 'canceled'] } } }), ['SUP-401', 'SUP-413', 'SUP-425']);
  assert.deepEqual(await find({ labels: { some: { name: { eqIgnoreCase: 'sandbox FAILURE' } } } }), ['SUP-412']);
  assert.deepEqual(await find({ attachments: { some: { url: { startsWith: 'https://demo.zendesk.com/agent/tickets/477' } } } }), ['SUP-412']);
  assert.deepEqual(await find({ assignee: { name: { eq: 'Noor Haddad' } } }), ['SUP-412', 'SUP-418']);
  assert.ok((await find({ assignee: { null: true } })).includes('SUP-290'));
  assert.deepEqual(await find({ comments: { body: { contains: 'chunks' } } }), ['SUP-412']);
  assert.deepEqual(await find({ createdAt: { gt: '-P2D' } }), ['SUP-431']);
  assert.deepEqual(
    await find({ and: [{ title: { containsIgnoreCase: 'killed' } }, { state: { type: { nin: ['duplicate'] } } }], or: [{ priority: { eq: 2 } }, { priority: { eq: 9 } }] }),
    ['SUP-198', 'SUP-412'],
  );
});

test('pages: cursors reach every issue once', async () => {
  const seen = [];
  let cursor;
  do {
    const { data } = await sim.linear(
      'query P($c: String) { issues(first: 4, after: $c, includeArchived: true) { nodes { identifier } pageInfo { hasNextPage endCursor } } }',
      cursor ? { c: cursor } : {},
    );
    seen.push(...data.issues.nodes.map((n) => n.identifier));
    cursor = data.issues.pageInfo.hasNextPage && data.issues.pageInfo.endCursor;
  } while (cursor);
  assert.equal(seen.length, 16);
  assert.equal(new Set(seen).size, 16);
});

test('searchIssues is fuzzy: unrelated rows, numbers of other teams, 30 a minute', async () => {
  const query = 'query S($t: String!) { searchIssues(term: $t, first: 20, includeArchived: true) { totalCount nodes { identifier } } }';
  const search = async (t) => (await sim.linear(query, { t })).data.searchIssues.nodes.map((n) => n.identifier);
  assert.equal((await search('report python3 killed memory limit'))[0], 'SUP-412');
  assert.ok((await search('zzxq wvvk')).length > 0, 'a meaningless term brings results');
  const byNumber = await search('412');
  assert.ok(byNumber.includes('CORE-412') && byNumber.includes('SUP-412'));
  await sim.settings({ linear_searches: 4 });
  await search('one more');
  const limited = await sim.linear(query, { t: 'x' });
  assert.deepEqual([limited.status, limited.errors[0].extensions.code], [400, 'RATELIMITED']);
  assert.equal(limited.headers.get('x-ratelimit-endpoint-name'), 'searchIssues');
  assert.equal(limited.headers.get('x-ratelimit-endpoint-requests-remaining'), '0');
  assert.ok(Number(limited.headers.get('x-ratelimit-endpoint-requests-reset')) > Date.now());
  assert.equal((await sim.linear('{ viewer { id } }')).status, 200);
});

test('an index that lags: a new issue is found by its id, not by its words', async () => {
  await sim.settings({ linear_index_lag_ms: 600_000 });
  const input = { ...issue(), title: 'Quokka', description: 'cbkquokka' };
  await create(input);
  const byWords = 'query F($t: String!) { issues(includeArchived: true, filter: { or: [{ description: { containsIgnoreCase: $t } }] }) { nodes { id } } }';
  const bySearch = 'query S($t: String!) { searchIssues(term: $t, first: 20) { nodes { id } } }';
  const found = async () => [
    (await sim.linear(PROBE, { id: input.id })).data.issues.nodes.length,
    (await sim.linear(byWords, { t: 'cbkquokka' })).data.issues.nodes.length,
    (await sim.linear(bySearch, { t: 'Quokka' })).data.searchIssues.nodes.filter((n) => n.id === input.id).length,
  ];
  assert.deepEqual(await found(), [1, 0, 0]);
  await sim.settings({ linear_index_lag_ms: 0 });
  assert.deepEqual(await found(), [1, 1, 1]);
});

test('a limited mutation was not run', async () => {
  await sim.settings({ linear_requests: 1 });
  await sim.linear('{ viewer { id } }');
  const input = issue();
  const refused = await create(input);
  assert.deepEqual([refused.status, refused.errors[0].extensions.code], [400, 'RATELIMITED']);
  await sim.settings({ linear_requests: 0 });
  assert.deepEqual((await sim.linear(PROBE, { id: input.id })).data.issues.nodes, []);
});

test('attachments are unique per issue and address; links with and without the integration', async () => {
  const put = 'mutation A($i: AttachmentCreateInput!) { attachmentCreate(input: $i) { success attachment { id title subtitle } } }';
  const one = { issueId: 'SUP-412', url: 'https://console.example.org/failure/x', title: 'a' };
  const first = (await sim.linear(put, { i: one })).data.attachmentCreate.attachment;
  const second = (await sim.linear(put, { i: { ...one, title: 'b', subtitle: '3 tickets' } })).data.attachmentCreate.attachment;
  assert.deepEqual([second.id, second.title, second.subtitle], [first.id, 'b', '3 tickets']);
  const other = (await sim.linear(put, { i: { ...one, issueId: 'SUP-413' } })).data.attachmentCreate.attachment;
  assert.notEqual(other.id, first.id);
  const at = await sim.linear('query U($u: String!) { attachmentsForURL(url: $u) { nodes { issue { identifier } } } }', { u: one.url });
  assert.deepEqual(at.data.attachmentsForURL.nodes.map((n) => n.issue.identifier).sort(), ['SUP-412', 'SUP-413']);
  const link = 'mutation Z { attachmentLinkZendesk(issueId: "SUP-412", ticketId: "48213") { success attachment { sourceType url metadata } } }';
  const linked = (await sim.linear(link)).data.attachmentLinkZendesk.attachment;
  assert.deepEqual([linked.sourceType, linked.url, linked.metadata], ['zendesk', 'https://demo.zendesk.com/agent/tickets/48213', { ticketId: '48213' }]);
  assert.equal((await sim.linear('{ issue(id: "SUP-412") { customerTicketCount } }')).data.issue.customerTicketCount, 3);
  await sim.settings({ zendesk_integration: false });
  assert.equal((await sim.linear(link)).status, 400);
  const plain = await sim.linear('mutation L { attachmentLinkURL(issueId: "SUP-413", url: "https://demo.zendesk.com/agent/tickets/1") { attachment { sourceType } } }');
  assert.equal(plain.data.attachmentLinkURL.attachment.sourceType, 'unknown');
});

test('comments: a repeat is refused with HTTP 200; duplicates point at their original', async () => {
  const say = 'mutation C($i: CommentCreateInput!) { commentCreate(input: $i) { success comment { id body } } }';
  const i = { id: randomUUID(), issueId: 'SUP-412', body: '- again' };
  assert.equal((await sim.linear(say, { i })).data.commentCreate.comment.body, '* again');
  const again = await sim.linear(say, { i });
  assert.deepEqual([again.status, again.errors[0].message], [200, 'conflict on insert of Comment']);
  const relations = 'query R($id: String!) { issue(id: $id) { state { type } relations { nodes { type relatedIssue { identifier } } } inverseRelations { nodes { issue { identifier } } } } }';
  const copy = (await sim.linear(relations, { id: 'SUP-413' })).data.issue;
  assert.deepEqual([copy.state.type, copy.relations.nodes], ['duplicate', [{ type: 'duplicate', relatedIssue: { identifier: 'SUP-412' } }]]);
  await sim.linear('mutation D { issueRelationCreate(input: { issueId: "SUP-290", relatedIssueId: "SUP-412", type: duplicate }) { success } }');
  const original = (await sim.linear(relations, { id: 'SUP-412' })).data.issue;
  assert.deepEqual(original.inverseRelations.nodes.map((n) => n.issue.identifier), ['SUP-413', 'SUP-290']);
  assert.equal((await read('SUP-290')).state.type, 'duplicate');
});
