// Every GraphQL document that Casebook sends is valid against Linear's own schema, uses nothing that is
// deprecated, stays below the cost limit, and the variables that are really sent fit it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  buildSchema, getNamedType, getVariableValues, isListType, isNullableType, isObjectType, NoDeprecatedCustomRule, parse,
  specifiedRules, TypeInfo, validate, visit, visitWithTypeInfo,
} from 'graphql';
import { documents, json, probe, serve } from './harness.mjs';

const shared = process.env.CASEBOOK_SHARED;
const skip = shared ? false : 'CASEBOOK_SHARED is not set: Linear’s schema is not there';
const schema = shared && buildSchema(readFileSync(join(shared, 'apis/linear-schema.graphql'), 'utf8'), { assumeValidSDL: true });

// Linear marks most of what is deprecated or internal only in the description.
function markedIn(text) {
  const info = new TypeInfo(schema);
  const marked = [];
  const look = (what, definition) => {
    const mark = /^\s*\[(deprecated|internal)/i.exec(definition?.description ?? '');
    if (mark) marked.push(`${what} is ${mark[1].toLowerCase()}`);
  };
  visit(parse(text), visitWithTypeInfo(info, {
    Field: { enter: (node) => look(node.name.value, info.getFieldDef()) },
    Argument: { enter: (node) => look(node.name.value, info.getArgument()) },
    ObjectField: { enter: (node) => look(node.name.value, getNamedType(info.getParentInputType())?.getFields?.()[node.name.value]) },
  }));
  return marked;
}

const errorsOf = (text) => [
  ...validate(schema, parse(text), [...specifiedRules, NoDeprecatedCustomRule]).map((e) => e.message),
  ...markedIn(text),
];

// The upper estimate of linear.md 1.3: 0.1 for a simple field, 1 for an object, a list times its `first`.
function cost(text) {
  const info = new TypeInfo(schema);
  const factors = [1];
  let total = 0;
  visit(parse(text), visitWithTypeInfo(info, {
    Field: {
      enter(node) {
        const type = getNamedType(info.getType());
        total += (isObjectType(type) ? 1 : 0.1) * factors.at(-1);
        const first = node.arguments.find((a) => a.name.value === 'first');
        factors.push(factors.at(-1) * (first ? Number(first.value.value) : 1));
      },
      leave() {
        factors.pop();
      },
    },
  }));
  return Math.ceil(total);
}

test('the schema is the one that was read', { skip }, () => {
  assert.equal(schema.getQueryType().getFields().searchIssues.args.some((a) => a.name === 'term'), true);
  assert.equal(schema.getMutationType().name, 'Mutation');
});

test('control: wrong documents are rejected', { skip }, () => {
  assert.match(errorsOf('query X { searchIssues(query: "a") { nodes { id } } }').join(), /Unknown argument "query"/);
  assert.match(errorsOf('query X { viewer { id nothing } }').join(), /Cannot query field "nothing"/);
  assert.match(errorsOf('query X { teams { nodes { draftWorkflowState { id } } } }').join(), /deprecated/);
  assert.match(errorsOf('query X($t: String!) { issueSearch(query: $t) { nodes { id } } }').join(), /query is deprecated/);
  assert.match(errorsOf('query X { issues(filter: { searchableContent: { contains: "a" } }) { nodes { id } } }').join(), /searchableContent is internal/);
  assert.match(errorsOf('query X($n: Int!) { issue(id: $n) { id } }').join(), /expecting type "String!"/);
});

const all = await documents();

test('there are documents, each with a name of its own', { skip }, () => {
  assert.ok(all.length >= 11);
  assert.equal(new Set(all.map((d) => d.operation)).size, all.length);
});

for (const { operation, text } of all) {
  test(`document ${operation}`, { skip }, () => {
    const ast = parse(text);
    assert.deepEqual(errorsOf(text), []);
    assert.equal(ast.definitions.length, 1);
    assert.equal(ast.definitions[0].name.value, operation);
    assert.ok(cost(text) <= 10_000, `costs ${cost(text)}`);
  });
}

// What the client selects it can also read: no field is asked for in vain, none is read unasked.
test('lists of issues show archived ones', { skip }, () => {
  for (const { operation, text } of all) {
    visit(parse(text), {
      Field(node) {
        if (['issues', 'searchIssues'].includes(node.name.value))
          assert.ok(node.arguments.some((a) => a.name.value === 'includeArchived' && a.value.value === true), operation);
      },
    });
  }
});

// A believable answer made from the document itself: each field by its type in the schema.
function answerTo(text) {
  const info = new TypeInfo(schema);
  const root = {};
  const stack = [root];
  visit(parse(text), visitWithTypeInfo(info, {
    Field: {
      enter(node) {
        const type = info.getType();
        const named = getNamedType(type);
        const list = isListType(isNullableType(type) ? type : type.ofType);
        let value;
        if (isObjectType(named)) value = {};
        else value = { Boolean: true, Float: 1.0, Int: 1, DateTime: '2026-11-30T10:15:00.000Z' }[named.name] ?? 'value-1';
        stack.at(-1)[node.name.value] = list ? [value] : value;
        stack.push(value);
      },
      leave() {
        stack.pop();
      },
    },
  }));
  return root;
}

test('the variables that are sent fit their documents', { skip }, async (t) => {
  const known = new Map(all.map((d) => [d.operation, d.text]));
  const seen = new Set();
  const s = await serve(t, (request) => {
    const body = JSON.parse(request.body);
    const answer = answerTo(body.query);
    if (answer.issue?.attachments) answer.issue.attachments.nodes = [];
    if (answer.issue) answer.issue.team.id = 'value-1';
    // The first form of the link is refused, so that the second is sent too; a comment is looked for after that.
    if (body.operationName === 'CasebookComment') answer.commentCreate.success = false;
    if (body.operationName === 'CasebookLinkZendesk') answer.attachmentLinkZendesk.success = false;
    return json(200, { data: answer });
  });
  const id = '3b9c51e0-7d2a-4f60-98ce-77aa10b2c3d4';
  const results = await probe(
    { 'linear.base_url': s.url, 'linear.api_key': 'lin_api_x', 'linear.team': 'SUP' },
    'whoami', '+', 'team', '+', 'find-token', 'value', '+', 'search-issues', 'a b', '+', 'read', 'SUP-1', '+',
    'probe', id, '+', 'create', id, 'Title', 'Text', '+', 'link', 'SUP-1', 4711, 'https://acme.zendesk.com/agent/tickets/4711', '+',
    'find-known', '', 'SUP-1', 'https://s.example/f', 'value', '+', 'put-link', 'SUP-1', 'https://s.example/f', 'Title', '+',
    'comment', id, 'SUP-1', 'Seen again', '+', 'states', id, id,
  );
  for (const r of results.slice(0, -1)) assert.equal(r.ok, true, r.err?.msg);
  assert.equal(results.at(-1).src.state, 'ok');
  for (const request of s.requests) {
    const body = JSON.parse(request.body);
    assert.equal(body.query, known.get(body.operationName));
    const [definition] = parse(body.query).definitions;
    const { errors } = getVariableValues(schema, definition.variableDefinitions ?? [], body.variables);
    assert.deepEqual((errors ?? []).map((e) => e.message), [], body.operationName);
    const declared = (definition.variableDefinitions ?? []).map((v) => v.variable.name.value);
    for (const name of Object.keys(body.variables)) assert.ok(declared.includes(name), `${body.operationName}: $${name}`);
    seen.add(body.operationName);
  }
  assert.deepEqual([...seen].sort(), [...known.keys()].sort());
});
