/* What is kept, logged and sent: no secret of ours, none of E2B's, and nothing personal to others. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Pipeline, S } from './harness.mjs';

/* Ours, and what E2B hands out with a sandbox (tests/sim/e2b.c). */
const SECRETS = ['e2b_demo00000', 'demo-secret', 'lin_api_demo', 'ea_secret_', 'rule_secret_do_not_show'];
/* What the hostile customer's program printed. */
const PRINTED = ['hunter2', 's3cret', 'eyJhbGciOi', 'lena@private.example', '10.1.2.3', 'sk_live_do_not_show'];

let p;
before(async () => {
    p = await Pipeline.begin({ 'Log.Level': 'debug' });
    await p.fresh({ known: false });
    /* running and paused ones too: only those come with a token */
    const ids = [S.hostile, S.oom, S.running, ['ie8n4a1y7d3g6r0w9p5vf', 48122], S.crashed, S.closed]
        .map((s) => p.queue(s));
    await p.done(...ids);
    const run = await p.tool('harvest', '--backfill');
    assert.equal(run.status, 0, run.stderr);
    p.told = run.stdout + run.stderr;
});
after(() => p?.stop());

/* Each text of each table as one string, by "table.column". */
function allTexts() {
    const columns = p.sql(`SELECT table_name, column_name, data_type FROM information_schema.columns
        WHERE table_schema = 'casebook' AND data_type IN ('char', 'varchar', 'tinytext', 'text', 'mediumtext',
        'longtext', 'json', 'blob', 'mediumblob', 'longblob', 'binary', 'varbinary')`);
    assert.ok(columns.length > 30);
    const texts = new Map();
    for (const [table, column, type] of columns) {
        const binary = /blob|binary/.test(type);
        const rows = p.sql(`SELECT ${binary ? `HEX(\`${column}\`)` : `\`${column}\``} FROM \`${table}\``);
        texts.set(`${table}.${column}`, rows.map(([cell]) =>
            binary ? Buffer.from(cell ?? '', 'hex').toString('latin1') : cell ?? '').join('\n'));
    }
    return texts;
}

function evidenceTexts() {
    return p.sql('SELECT investigation_id FROM evidence ORDER BY 1')
        .map(([id]) => JSON.stringify(p.evidence(id)));
}

test('no key, token or network rule in any table', () => {
    const texts = allTexts();
    assert.ok(texts.get('ledger_sandbox.sighting').includes('sandboxID'), 'sandboxes were really listed');
    for (const [where, text] of texts) {
        for (const secret of SECRETS) assert.ok(!text.includes(secret), `${secret} in ${where}`);
    }
});

test('no key, token or network rule in the kept evidence', () => {
    const texts = evidenceTexts();
    assert.equal(texts.length, 6);
    assert.ok(texts.some((t) => /"sandbox":\{/.test(t)), 'an answer of Get Sandbox is among them');
    for (const text of texts) {
        for (const secret of [...SECRETS, 'envdAccessToken', 'allowPublicTraffic']) {
            assert.ok(!text.includes(secret), `${secret} in the evidence`);
        }
    }
});

test('Zendesk\'s tokens are kept nowhere', async () => {
    const bearers = (await p.calls((c) => c.path === '/oauth/tokens')).length;
    assert.ok(bearers > 0);
    for (const [where, text] of allTexts()) {
        assert.ok(!/Bearer [A-Za-z0-9]/.test(text.replaceAll('Bearer eyJhbGciOi', '')), where);
    }
});

test('nothing of all that in the log, nor what customers wrote or printed', () => {
    const log = p.agentLog() + p.told;
    assert.ok(log.includes('stage done'));
    for (const word of [...SECRETS, ...PRINTED, 'Priya', '@brightwater.example', 'build_report.py', 'Authorization']) {
        assert.ok(!log.includes(word), `${word} in the log`);
    }
});

test('what a program printed leaves masked, and nobody\'s name or address leaves for Linear', async () => {
    const sent = await p.calls((c) => c.service === 'linear');
    assert.ok(sent.some((c) => c.operation === 'CasebookCreateIssue' && c.body.includes(S.hostile[0])));
    for (const c of sent) {
        for (const word of [...SECRETS, ...PRINTED, 'Priya', 'Raman', 'brightwater', '@zeronil', 'Nil', 'Kenji', 'Mori']) {
            assert.ok(!c.body.includes(word), `${word} in ${c.operation}`);
        }
    }
    const [create] = sent.filter((c) => c.operation === 'CasebookCreateIssue' && c.body.includes(S.hostile[0]));
    const { description } = JSON.parse(create.body).variables;
    assert.match(description, /\[secret\]/);
    assert.match(description, /\[email\]/);
    assert.match(description, /\[ip\]/);
    assert.equal(description.split('```').length % 2, 1, 'each fence is closed');
});

test('a search names the failure and the template, never a sandbox', async () => {
    for (const c of await p.calls((x) => x.operation === 'CasebookSearch')) {
        const { words } = JSON.parse(c.body).variables;
        assert.ok(words.length > 0 && words.length <= 200);
        for (const [sandbox] of Object.values(S)) assert.ok(!words.includes(sandbox), words);
    }
});

test('notes are masked and cannot run placeholders or markup', async () => {
    for (const put of await p.puts()) {
        for (const word of [...SECRETS, ...PRINTED]) assert.ok(!put.body.includes(word), word);
        const { html_body: html } = JSON.parse(put.body).ticket.comment;
        assert.ok(!html.includes('{{') && !html.includes('<script'));
        assert.match(html, /^(?:<\/?(?:p|strong|code)>|<br>|<a href="https?:[^"<>]*">|<\/a>|[^<>])*$/);
    }
});
