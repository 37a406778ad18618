/* All of the demo's world goes through the pipeline: what leaves for Linear names no customer, what leaves for Zendesk is internal. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT } from '../lib/stack.mjs';
import { Pipeline } from '../pipeline/harness.mjs';

const STAFF = '@demo.example';
/* Parts of names that are shorter stand in other words' place too often. */
const SHORT = 4;

let p, world, sent;

function readWorld() {
    const dir = path.join(ROOT, 'tests/sim/world/demo');
    const files = fs.readdirSync(dir).filter((name) => name.endsWith('.json'))
        .map((name) => JSON.parse(fs.readFileSync(path.join(dir, name), 'utf8')));
    const all = (key) => files.flatMap((file) => file[key] ?? []);
    /* each sandbox with a ticket of its customer, else of the same file */
    const subjects = files.flatMap((file) => (file.sandboxes ?? []).map((sandbox) => {
        const owners = Object.values(sandbox.metadata ?? {});
        const tickets = file.tickets ?? [];
        return [sandbox.id, (tickets.find((t) => owners.includes(t.requester)) ?? tickets[0]).id];
    }));
    return { subjects, sandboxes: all('sandboxes'), users: all('users'), organizations: all('organizations'), tickets: all('tickets') };
}

before(async () => {
    world = readWorld();
    p = await Pipeline.begin({ 'Agent.Workers': 4 });
    await p.fresh({ known: false });
    await p.control('POST', 'settings', { linear_searches: 0, ticket_updates: 0 });
    const ids = world.subjects.map((subject) => p.queue(subject));
    await p.finish(...ids);
    sent = await p.calls((c) => c.service === 'linear');
});
after(() => p?.stop());

/* What names a customer: each with where it comes from. */
function names() {
    const list = [];
    const add = (what, value) => value && list.push([what, String(value)]);
    for (const user of world.users.filter((u) => !u.email?.endsWith(STAFF))) {
        add('requester', user.name);
        /* that of one who has left is a description, of which each word is anybody's */
        if (user.active !== false) for (const part of user.name.split(/\s+/)) if (part.length >= SHORT) add('requester', part);
        add('requester', user.email);
        add('requester', user.email?.split('@')[0]);
    }
    for (const org of world.organizations.filter((o) => o.name !== 'Demo Support')) {
        add('organisation', org.name);
        for (const domain of org.domain_names ?? []) add('organisation', domain);
    }
    for (const sandbox of world.sandboxes) {
        for (const [key, value] of Object.entries(sandbox.metadata ?? {})) add(`metadata ${key}`, value);
    }
    return [...new Map(list.map((entry) => [entry.join(), entry])).values()];
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const wordly = (text) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(text)}(?![\\p{L}\\p{N}])`, 'iu');

/* The commands as they were given, but for the marks of code: a script may be called like the job that it does. */
const withoutCommands = (text) => world.sandboxes.flatMap((sandbox) => sandbox.processes ?? [])
    .reduce((left, { cmd }) => left.replaceAll(cmd, '[command]'), text.replaceAll('`', ''));

/* Every text in the variables of a call, decoded. */
function texts(value) {
    if (typeof value === 'string') return [value];
    return value && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];
}

test('the whole world was searched for, and much of it was filed', () => {
    const of = (operation) => sent.filter((c) => c.operation === operation);
    assert.ok(names().length > 80, `${names().length} names`);
    assert.ok(of('CasebookSearch').length > 15);
    assert.ok(of('CasebookCreateIssue').length > 8);
});

test('no search, no issue and nothing else that Linear is sent has a requester, an organisation or a value of metadata', () => {
    const found = [];
    for (const call of sent) {
        const all = withoutCommands(texts(JSON.parse(call.body).variables).join('\n'));
        for (const [what, name] of names()) {
            if (wordly(name).test(all)) {
                const at = all.search(wordly(name));
                found.push(`${call.operation}: ${what} "${name}" in "${all.slice(Math.max(0, at - 60), at + 60)}"`);
            }
        }
    }
    assert.deepEqual(found, []);
});

test('every update of a ticket says public: false, and every comment that came of it is internal', async () => {
    const puts = await p.puts();
    assert.ok(puts.length > 15, `${puts.length} notes`);
    for (const put of puts) assert.equal(JSON.parse(put.body).ticket.comment.public, false, put.path);
    const { zendesk } = await p.control('GET', 'state');
    let notes = 0;
    for (const ticket of zendesk) {
        const ours = ticket.comments.filter((comment) => comment.metadata?.custom?.casebook_note);
        notes += ours.length;
        for (const comment of ours) assert.equal(comment.public, false, `ticket ${ticket.id}`);
        const before = world.tickets.find((t) => t.id === ticket.id);
        assert.equal(ticket.status, before.status, `ticket ${ticket.id} keeps its status`);
    }
    assert.equal(notes, puts.filter((put) => put.status === 200).length);
});
