/*
 * What does not exist, and garbage in every field, path and form: words, a request number
 * that is in the log, and nothing done.
 */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { openDesk, squeeze } from './desk.mjs';

const SID = 'ip3k7d0m9xb2s8f4ua6lw';

let desk;
let maya;
let stack;
before(async () => {
    desk = await openDesk();
    stack = desk.stack;
    maya = await desk.engineer('maya');
});
after(() => desk?.close());

const told = (where, status, ...words) => maya.told(where, status, ...words);

test('what does not exist: a page that says so', async () => {
    await told('/tickets/99999999', 404, 'There is no ticket #99999999', 'Zendesk knows no ticket with this number');
    await told('/sandboxes/izzzzzzzzzzzzzzzzzzzz', 404, 'No sandbox with this id is known', 'Check it letter by letter');
    await told('/tickets/48213/sandboxes/izzzzzzzzzzzzzzzzzzzz', 404, 'No sandbox with this id is known', '#48213');
    await told('/investigations/987654', 404, 'There is no such investigation');
    for (const where of ['/nowhere', '/tickets/abc', '/tickets/0', '/tickets/-1', '/tickets/99999999999999999999', '/investigations/x',
        '/tickets', '/tickets/48213/', '/sandboxes/', '/investigations/1/cancel']) {
        await maya.open(where);
        assert.ok([400, 404, 405].includes(maya.status), `${where}: ${maya.status}`);
        assert.ok((await maya.text()).length > 60, `${where} has words`);
        await maya.assertLogged();
    }
});

const GARBAGE = [
    '\'"><script>alert(1)</script>', '%00', '%ff%fe%80', 'a'.repeat(6000), '-1', '0', '99999999999999999999999', '1e309', 'NaN',
    '../../../etc/passwd', '%0d%0aSet-Cookie:x=1', '{{7*7}}<?cs var:Page.Csrf ?>${x}', '\u202egnirts\u202c', '🦊'.repeat(50), "' or 1=1 --", '%', '+', '&&&===',
    '2026-13-45T99:99:99Z', '2026-11-24T13:55:00+99:99',
];
const FIELDS = {
    '/': ['q', 'page'],
    '/tickets/48213': ['from', 'to'],
    '/tickets/48213/sandboxes': ['key', 'value', 'from', 'to', 'state', 'page', 'started_from', 'started_to'],
    '/sandboxes': ['key', 'value', 'from', 'to', 'state', 'page', 'started_from', 'started_to'],
    [`/tickets/48213/sandboxes/${SID}`]: ['from', 'to', 'logs', 'n', 'q', 'level', 'events', 'life', 'already'],
    [`/sandboxes/${SID}`]: ['from', 'to', 'logs', 'n', 'q', 'level', 'events', 'life', 'already'],
    [`/sandboxes/${SID}/logs`]: ['from', 'n', 'q', 'level'],
    [`/sandboxes/${SID}/investigation`]: ['from', 'to'],
    '/investigations': ['class', 'template', 'signature', 'by', 'before'],
    '/investigations/patterns': ['days'],
    '/help': ['x'],
};

/* What every answer has to be: words, no empty table, its request in the log. */
function assertAnswer(answer, where) {
    const plain = squeeze(answer.text.replace(/<(script|style)\b.*?<\/\1>/gs, ' ').replace(/<[^>]+>/g, ' '));
    assert.ok(answer.status < 500, `${where}: ${answer.status} ${plain.slice(0, 300)}`);
    if (answer.status === 303) return;
    assert.ok(plain.length > 15, `${where} has words: ${plain}`);
    const isPage = /<!doctype/i.test(answer.text);
    if (isPage) assert.doesNotMatch(answer.text, /<tbody[^>]*>\s*<\/tbody>/, `${where} has no empty table`);
    assert.doesNotMatch(answer.text, /<script>alert/i, where);
    assert.equal(answer.headers.get('set-cookie'), null, where);
    const id = answer.text.match(/[Rr]equest <code>([0-9a-f]+)<\/code>/)?.[1];
    if (id) assert.ok(stack.web.log().includes(id), `${where}: request ${id} is in the log`);
    else assert.ok(!isPage, `${where}: a whole page names its request`);
}

for (const [where, fields] of Object.entries(FIELDS)) {
    test(`garbage in every field of ${where}`, async () => {
        for (const field of fields) {
            for (const value of GARBAGE) {
                const raw = /^%/.test(value) || value === '+' || value === '&&&===' ? value : encodeURIComponent(value);
                const more = where.startsWith('/sandboxes') && where.length < 12 && field !== 'value' ? '&value=priya%40brightwater.example' : '';
                const at = `${where}?${field}=${raw}${more}`;
                assertAnswer(await stack.get(at, { user: 'maya' }), at.slice(0, 200));
            }
        }
        assert.equal(stack.web.isRunning, true);
    });
}

test('garbage in every part of every path', async () => {
    const paths = ['/tickets/X', '/tickets/X/sandboxes', '/tickets/48213/sandboxes/X', '/sandboxes/X', '/sandboxes/X/logs',
        '/sandboxes/X/investigation', '/tickets/X/sandboxes/X/investigation', '/investigations/X'];
    for (const pattern of paths) {
        for (const value of GARBAGE) {
            const raw = /^%/.test(value) ? value : encodeURIComponent(value);
            const answer = await stack.get(pattern.replaceAll('X', raw), { user: 'maya' });
            /* nginx itself refuses some: then with its own words */
            if (/<center>nginx<\/center>|<hr><center>/.test(answer.text)) assert.ok(answer.status >= 400 && answer.status < 500);
            else assertAnswer(answer, pattern + value.slice(0, 60));
        }
    }
});

test('garbage in forms: words, and nothing is done', async () => {
    await maya.investigated(48213, 'i7q2m0xk4v9d1c8b3zt5e');
    await maya.open(`/tickets/48213/sandboxes/${SID}`);
    const csrf = await maya.page.locator('form[action$="/investigations"] input[name=csrf]').inputValue();
    const count = () => stack.sql('SELECT COUNT(*) FROM investigation')[0][0];
    const before = count();
    const actions = ['cancel', 'feedback', 'retry-note', 'link'];

    for (const token of ['', 'x', csrf.slice(0, -1), `${csrf}0`, 'a'.repeat(5000)]) {
        const answer = await stack.postForm(`/tickets/48213/sandboxes/${SID}/investigations`, { csrf: token }, { user: 'maya' });
        assert.equal(answer.status, 403);
        assert.match(answer.text, /This page was open too long. Nothing was done/);
        assertAnswer(answer, 'a bad token');
    }
    const other = await stack.postForm(`/tickets/48213/sandboxes/${SID}/investigations`, { csrf }, { user: 'tom' });
    assert.equal(other.status, 403, 'the token is bound to its user');
    for (const action of actions) {
        for (const id of ['999999', 'x', '-1']) {
            const answer = await stack.postForm(`/investigations/${id}/${action}`, { csrf, verdict: 'wrong', class: '?', issue: '!' }, { user: 'maya' });
            assert.ok(answer.status >= 400, `${action} ${id}: ${answer.status}`);
            assertAnswer(answer, `${action} ${id}`);
        }
    }
    for (const form of [{ verdict: 'maybe' }, { verdict: 'wrong', class: 'nonsense' }]) {
        const [[id]] = stack.sql("SELECT id FROM investigation WHERE state = 'done' LIMIT 1");
        const answer = await stack.postForm(`/investigations/${id}/feedback`, { csrf, ...form }, { user: 'maya' });
        assert.equal(answer.status, 400);
        assertAnswer(answer, JSON.stringify(form));
    }
    const odd = await stack.request('POST', `/sandboxes/${SID}/investigations`, { user: 'maya', headers: { 'Content-Type': 'text/plain' }, body: `csrf=${csrf}` });
    assert.equal(odd.status, 415);
    assert.equal(count(), before);
});

test('bad times: the form says how to write one, and keeps what was written', async () => {
    await told('/tickets/48213?from=yesterday&to=2026-11-24', 200, 'Write a time like 2026-11-24 13:55');
    assert.equal(await maya.page.inputValue('#from'), 'yesterday');
    assert.equal(await maya.page.getAttribute('#from', 'aria-invalid'), 'true');
    await told('/tickets/48213?from=2026-11-24+15:00&to=2026-11-24+14:00', 200, 'The end is before the start');
    await told('/tickets/48213/sandboxes?from=2026-11-24+15:00&to=2026-11-24+14:00', 200, 'The end is before the start', SID);
    await told('/tickets/48213/sandboxes?started_from=soon', 200, 'Write a time like');
});
