/* Single keys move and open; none of them does anything. Their list, and the switch that turns them off. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { accessibilityFaults } from '../lib/browser.mjs';
import { openDesk } from './desk.mjs';

let desk;
let stack;
let kim;
before(async () => {
    desk = await openDesk();
    stack = desk.stack;
    kim = await desk.engineer('kim');
});
after(() => desk?.close());

const press = (key) => kim.page.keyboard.press(key);
const leave = (key) => kim.away(() => press(key));
const focused = () => kim.page.evaluate(() => ({ id: document.activeElement.id, text: document.activeElement.textContent.trim() }));

test('the whole job by single keys and Enter: lookup, ticket, sandboxes, sandbox, finding', async () => {
    await kim.open('/');
    await press('/');
    assert.equal((await focused()).id, 'q');
    await kim.page.keyboard.type('48122');
    await leave('Enter');
    await press('j');
    assert.equal((await focused()).text, '#48122');
    await leave('Enter');
    await press('g');
    assert.equal((await focused()).id, 'from', 'to the window fields');
    await leave('Enter');
    await press('n');
    const { text: first } = await focused();
    assert.equal(first, 'io2b8f5t1z6k9w3n0q7hd', 'the sandbox that overlaps');
    await leave('Enter');
    assert.match(kim.page.url(), /io2b8f5t1z6k9w3n0q7hd/);
    await kim.page.locator('button', { hasText: 'Investigate this sandbox' }).focus();
    await leave('Enter');
    await Promise.all([stack.agentOnce(), kim.awaitFinding()]);
    await leave('l');
    assert.ok(await kim.page.locator('#l-body tr').count() > 3, 'l opens the raw logs');
    await leave('l');
    assert.equal(await kim.page.locator('table.logs').count(), 0, 'and closes them');
});

/* priya's sandboxes, newest first, are on record; each page leads to its neighbours. */
test('n and p walk from a sandbox to the next ones of the customer', async () => {
    await kim.open('/sandboxes?value=priya@brightwater.example');
    const rows = await kim.page.$$eval('table.sbx tbody tr', (all) => all.map((r) => r.querySelector('a').textContent));
    const at = () => rows.indexOf(new URL(kim.page.url()).pathname.split('/').at(-1));
    assert.ok(rows.length > 2);
    await kim.open(`/sandboxes/${rows[0]}`);
    assert.match(await kim.text('.head'), new RegExp(`of this customer: 1 of ${rows.length} Older`), 'there is no newer one');
    for (let i = 1; i < rows.length; i++) {
        await leave('n');
        assert.equal(at(), i);
        assert.match(await kim.text('.head'), new RegExp(`of this customer: ${i + 1} of ${rows.length}`));
    }
    assert.equal(await kim.page.locator('a[rel=next]').count(), 0, 'the oldest one');
    await leave('p');
    assert.equal(at(), rows.length - 2);
});

test('j and k walk the rows, and stop at the ends', async () => {
    await kim.open('/sandboxes?value=priya@brightwater.example');
    const ids = await kim.page.locator('table.sbx tbody a').allInnerTexts();
    const at = [];
    for (const key of ['j', 'j', 'k', 'k', 'k', ...ids.map(() => 'j'), 'j']) {
        await press(key);
        at.push(ids.indexOf((await focused()).text));
    }
    assert.deepEqual(at.slice(0, 5), [0, 1, 0, 0, 0]);
    assert.equal(at.at(-1), ids.length - 1);
    const ring = await kim.page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(ring, 'none', 'the focus is seen');
});

test('not while typing, not with Ctrl, Alt, Meta; Escape leaves the field', async () => {
    await kim.open('/');
    await kim.page.focus('#q');
    await kim.page.keyboard.type('j?lgnp/k');
    assert.equal(await kim.page.inputValue('#q'), 'j?lgnp/k');
    await press('Escape');
    assert.notEqual((await focused()).id, 'q');
    for (const key of ['Control+/', 'Alt+j', 'Meta+/']) await press(key);
    assert.notEqual((await focused()).id, 'q');
    assert.equal(await kim.page.locator('#keys:visible').count(), 0);
});

test('? lists every key; its switch turns them off for good, and on again', async () => {
    await kim.open('/');
    await press('?');
    const list = kim.page.locator('#keys');
    assert.equal(await list.isVisible(), true);
    const keys = await list.locator('kbd').allInnerTexts();
    assert.deepEqual(keys, ['/', 'j', 'k', 'Enter', 'n', 'p', 'l', 'g', 'Esc', '?']);
    assert.deepEqual(await accessibilityFaults(kim.page), []);
    await press('Escape');
    assert.equal(await list.isVisible(), false);

    await press('?');
    await kim.page.uncheck('#keys-on');
    await press('Escape');
    await press('/');
    assert.equal((await focused()).id === 'q', false);
    await kim.open('/investigations');
    await press('?');
    assert.equal(await list.isVisible(), false, 'also the next page');
    await kim.page.click('#keys-open');
    assert.equal(await list.isVisible(), true, 'the list is still reached by its button');
    await kim.page.check('#keys-on');
    await press('?');
    assert.equal(await list.isVisible(), false);
});

test('no key does anything: none is sent anywhere', async () => {
    await kim.open('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e');
    const before = stack.sql('SELECT COUNT(*) FROM investigation')[0][0];
    const posts = [];
    kim.page.on('request', (r) => r.method() !== 'GET' && posts.push(r.url()));
    for (const key of 'abcdefhikmoqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,;:+-!'.split('')) await press(key);
    assert.deepEqual(posts, []);
    assert.equal(stack.sql('SELECT COUNT(*) FROM investigation')[0][0], before);
});
