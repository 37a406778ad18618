// E2B's webhook through nginx (e2b.md 7): who is let in, what is taken, and that it is in the ledger at once.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { Stack } from '../lib/stack.mjs';

const SECRET = 'whsec-4b7f0c9d/u+secret=';
const SANDBOX = 'ihook0a1b2c3d4e5f6g7h';

let stack, serial = 0;

before(async () => {
    stack = await Stack.start({
        parts: ['mariadb', 'web', 'nginx'],
        config: { 'E2B.WebhookSecret': SECRET, 'Log.Level': 'debug' },
    });
});
after(() => stack?.stop());

const uuid = () => `00000000-0000-4000-8000-${String(++serial).padStart(12, '0')}`;

/* An event as webhooks carry it now. */
const snake = (changes = {}) => ({
    id: uuid(), version: 'v2', type: 'sandbox.lifecycle.killed', timestamp: '2026-11-30T10:05:00.123456Z',
    event_data: {
        sandbox_metadata: { userId: 'ana' }, kill_reason: 'request',
        execution: { started_at: '2026-11-30T10:00:00Z', vcpu_count: 2, memory_mb: 512, execution_time: 300123 },
    },
    sandbox_id: SANDBOX, sandbox_execution_id: 'b1a9c0de-5f11-4e0d-8d37-0c4c6a2f7e90',
    sandbox_template_id: 'p3v8n1r6t0w5y2k9c4m7', sandbox_build_id: 'b', sandbox_team_id: 't', ...changes,
});
/* And as older documents show it. */
const camel = () => ({
    id: uuid(), type: 'sandbox.lifecycle.updated', timestamp: '2026-11-30T10:01:00Z',
    eventData: { sandbox_metadata: { userId: 'ana' }, set_timeout: '2026-11-30T10:31:00Z' },
    sandboxId: SANDBOX, sandboxExecutionId: 'b1a9c0de-5f11-4e0d-8d37-0c4c6a2f7e90',
    sandboxTemplateId: 'p3v8n1r6t0w5y2k9c4m7', sandboxTeamId: 't',
});
const bare = () => {
    const { event_data, ...event } = snake({ type: 'sandbox.lifecycle.created', timestamp: '2026-11-30T10:00:00Z' });
    return event;
};

/* base64(SHA-256(secret, body)) without '=': a plain hash, no HMAC. */
const sign = (body, secret = SECRET) =>
    createHash('sha256').update(secret).update(body).digest('base64').replace(/=+$/, '');
const urlSafe = (signature) => signature.replaceAll('+', '-').replaceAll('/', '_');

function post(body, headers = {}, options = {}) {
    const all = { 'Content-Type': 'application/json', 'e2b-signature-version': 'v1', 'e2b-signature': sign(body), ...headers };
    for (const name of Object.keys(all)) if (all[name] === null) delete all[name];
    return stack.request('POST', '/hooks/e2b', { user: null, headers: all, body, ...options });
}

const stored = (id) => Number(stack.sql(`SELECT COUNT(*) FROM ledger_event WHERE id = '${id}'`)[0][0]);
const events = () => Number(stack.sql('SELECT COUNT(*) FROM ledger_event')[0][0]);

/* An event whose signature has, or has not, the letters in which the alphabets differ. */
function eventSigned(pattern, make = snake) {
    for (;;) {
        const event = make(), body = JSON.stringify(event);
        if (pattern.test(sign(body))) return { event, body };
    }
}

test('a signed event is in the ledger at once, without a user', async () => {
    const created = bare(), updated = camel(), killed = snake();
    for (const event of [killed, created, updated]) {
        const answer = await post(JSON.stringify(event));
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.text, 'stored\n');
        assert.equal(stored(event.id), 1);
    }
    const [[state, reason, start, record, via]] = stack.sql(`SELECT s.state, s.kill_reason, s.first_start_us, s.record,
        e.via FROM ledger_sandbox AS s JOIN ledger_event AS e USING (sandbox_id) WHERE e.id = '${killed.id}'`);
    assert.deepEqual([state, reason, start, via], ['ended', 'request', String(Date.UTC(2026, 10, 30, 10) * 1000), 'hook']);
    const { runs: [run] } = JSON.parse(record);
    assert.equal(run.end - run.start, 300_123_456);
    assert.equal(run.moves[0].to, Date.UTC(2026, 10, 30, 10, 31) * 1000);
    assert.equal(stack.sql(`SELECT COUNT(*) FROM ledger_tag WHERE sandbox_id = '${SANDBOX}' AND tag_value = 'ana'`)[0][0], '1');
});

test('both alphabets, with and without = at the end', async () => {
    for (const pattern of [/[+/].*[+/]/, /^[^+/]*$/, /\+/, /\//]) {
        for (const spell of [(s) => s, urlSafe, (s) => `${s}=`, (s) => `${urlSafe(s)}=`]) {
            const { event, body } = eventSigned(pattern);
            const answer = await post(body, { 'e2b-signature': spell(sign(body)) });
            assert.equal(answer.status, 200, `${pattern} ${spell}: ${answer.text}`);
            assert.equal(stored(event.id), 1);
        }
    }
});

test('who is not E2B is refused with words, and nothing is stored', async () => {
    const body = JSON.stringify(snake()), good = sign(body), before = events();
    const other = JSON.stringify(snake());
    const flipped = (good[0] === 'A' ? 'B' : 'A') + good.slice(1);
    const last = good.slice(0, -1) + (good.at(-1) === 'A' ? 'B' : 'A');
    const cases = [
        ['no signature', { 'e2b-signature': null }, /e2b-signature is missing/],
        ['an empty one', { 'e2b-signature': '' }, /e2b-signature is missing/],
        ['only =', { 'e2b-signature': '=' }, /e2b-signature is missing/],
        ['the first letter wrong', { 'e2b-signature': flipped }, /does not fit/],
        ['the last letter wrong', { 'e2b-signature': last }, /does not fit/],
        ['cut', { 'e2b-signature': good.slice(0, -1) }, /does not fit/],
        ['longer', { 'e2b-signature': `${good}A` }, /does not fit/],
        ['very long', { 'e2b-signature': good.repeat(50) }, /is missing|does not fit/],
        ['of another body', { 'e2b-signature': sign(other) }, /does not fit/],
        ['with another secret', { 'e2b-signature': sign(body, 'whsec-other') }, /does not fit/],
        ['without a secret', { 'e2b-signature': sign(body, '') }, /does not fit/],
        ['an HMAC', { 'e2b-signature': createHmac('sha256', SECRET).update(body).digest('base64') }, /does not fit/],
        ['another version', { 'e2b-signature-version': 'v2' }, /version is not v1/],
        ['no version', { 'e2b-signature-version': null }, /version is not v1/],
        ['a name and password', { 'e2b-signature': null, Authorization: `Basic ${btoa('ann:x')}` }, /is missing/],
    ];
    for (const [name, headers, words] of cases) {
        const answer = await post(body, headers);
        assert.equal(answer.status, 401, name);
        assert.match(answer.text, words, name);
        assert.ok(!answer.text.includes(good), `${name}: the right signature is not told`);
    }
    assert.equal(events(), before);
});

test('a repeated one is well received, and has no effect', async () => {
    const event = snake(), body = JSON.stringify(event);
    assert.equal((await post(body)).text, 'stored\n');
    const row = () => stack.sql(`SELECT * FROM ledger_sandbox WHERE sandbox_id = '${SANDBOX}'`);
    const before = row();
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(body)));
    for (const answer of answers) assert.deepEqual([answer.status, answer.text], [200, 'known already\n']);
    assert.equal(stored(event.id), 1);
    assert.deepEqual(row(), before);
    const fresh = JSON.stringify(snake());
    const texts = (await Promise.all([1, 2, 3].map(() => post(fresh)))).map((a) => a.text).sort();
    assert.deepEqual(texts, ['known already\n', 'known already\n', 'stored\n'], 'at once');
});

test('what is no event is refused with words', async () => {
    const before = events();
    const cases = [
        ['', /no JSON/], ['hello', /no JSON/], ['{"id":"x"', /no JSON/], ['null', /./], ['[]', /no JSON object/],
        ['"text"', /./], ['{}', /"id" is missing/],
        [JSON.stringify(snake({ id: null })), /"id" is missing/],
        [JSON.stringify(snake({ id: 'x'.repeat(65) })), /too long/],
        [JSON.stringify(snake({ type: undefined })), /"type" is missing/],
        [JSON.stringify(snake({ timestamp: 'yesterday' })), /"timestamp" is no time/],
        [JSON.stringify(snake({ sandbox_id: undefined })), /names no sandbox/],
        [JSON.stringify(snake({ sandbox_id: 'I"; DROP' })), /names no sandbox/],
        ['['.repeat(3000), /no JSON/],
        ['{"id":"a","id":"b"}', /no JSON/],
    ];
    for (const [body, words] of cases) {
        const answer = await post(body);
        assert.equal(answer.status, 400, body.slice(0, 60));
        assert.match(answer.text, words, body.slice(0, 60));
    }
    assert.equal(events(), before);
});

test('an unknown type, a lot of data and bytes that are no UTF-8 are taken', async () => {
    const odd = snake({ type: 'sandbox.lifecycle.teleported' });
    assert.equal((await post(JSON.stringify(odd))).status, 200);
    const big = snake();
    big.event_data.sandbox_metadata.note = 'n'.repeat(200_000);
    assert.equal((await post(JSON.stringify(big))).status, 200);
    const text = JSON.stringify(snake({ event_data: { sandbox_metadata: { userId: 'X' } } }));
    const bytes = Buffer.from(text);
    bytes[bytes.indexOf('X')] = 0xff;
    assert.equal((await post(bytes)).status, 200);
    for (const e of [odd, big]) assert.equal(stored(e.id), 1);
});

test('256 KiB and not a byte more', async () => {
    const event = snake(), text = JSON.stringify(event);
    const full = text + ' '.repeat(256 * 1024 - text.length);
    assert.equal((await post(full)).status, 200);
    assert.equal(stored(event.id), 1);
    const next = JSON.stringify(snake());
    assert.equal((await post(next + ' '.repeat(256 * 1024 + 1 - next.length))).status, 413);
    assert.equal((await post(' '.repeat(3 << 20))).status, 413);
});

test('only POST', async () => {
    const answer = await stack.request('GET', '/hooks/e2b', { user: null });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'POST');
});

test('without the database E2B is told to come again', async () => {
    const event = snake(), body = JSON.stringify(event);
    await stack.mariadb.stop();
    const answer = await post(body);
    assert.equal(answer.status, 503);
    assert.equal((await post(body, { 'e2b-signature': null })).status, 401);
    await stack.mariadb.start();
    assert.equal((await post(body)).text, 'stored\n');
});

test('neither the secret nor a signature is in a log', () => {
    const log = stack.web.log() + fs.readFileSync(`${stack.dir}/nginx.access.log`, 'utf8');
    assert.match(log, /a webhook request was refused/);
    assert.match(log, /\/hooks\/e2b/);
    assert.ok(!log.includes(SECRET) && !log.includes('whsec'));
    assert.doesNotMatch(log, /[A-Za-z0-9+/_-]{43}/);
});

test('it is not there while no secret is set', async () => {
    stack.setConfig({ 'E2B.WebhookSecret': null });
    await stack.web.restart();
    const body = JSON.stringify(snake()), before = events();
    for (const secret of ['', SECRET]) {
        const answer = await post(body, { 'e2b-signature': sign(body, secret) });
        assert.equal(answer.status, 404);
    }
    assert.equal(events(), before);
});
