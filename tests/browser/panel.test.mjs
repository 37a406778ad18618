/*
 * The panel of a running investigation: how it is asked for, what is announced, and how it is cancelled. The browser's
 * clock is moved by hand.
 */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { until } from '../lib/stack.mjs';
import { openDesk, squeeze } from './desk.mjs';

const SID = 'ip3k7d0m9xb2s8f4ua6lw';
const AT = `/tickets/48213/sandboxes/${SID}`;

let desk;
let maya;
let stack;
before(async () => {
    desk = await openDesk();
    stack = desk.stack;
    maya = await desk.engineer('maya', { permissions: ['clipboard-read', 'clipboard-write'] });
});
after(() => desk?.close());

const isPoll = (r) => /\/investigation(\?|$)/.test(r.url());

/* Moves the clock on, second by second; what was asked in between is answered, and the answer looked at. */
async function pass(page, seconds) {
    for (let i = 0; i < seconds; i++) {
        await page.clock.runFor(1000);
        await page.evaluate(() => 0);
        await until('the answers', () => page.open === 0);
        await page.evaluate(() => 0);
    }
}

test('asked for every 2 s, after a minute every 5 s, not while hidden; most answers are "not modified"', async () => {
    const { page } = maya;
    const polls = [];
    page.open = 0;
    page.on('request', (r) => { if (isPoll(r)) page.open++; });
    for (const end of ['requestfinished', 'requestfailed']) page.on(end, (r) => { if (isPoll(r)) page.open--; });
    page.on('response', (r) => { if (isPoll(r)) polls.push(r.status()); });
    await page.clock.install();
    await maya.open(AT);
    await maya.investigate();
    await page.clock.pauseAt(Date.now() + 3000);
    polls.length = 0;
    await pass(page, 20);
    await until('the answers', () => polls.length >= 9);
    assert.ok(polls.length <= 11, `${polls.length} in 20 s`);
    assert.ok(polls.filter((s) => s === 304).length >= polls.length - 1, `${polls} are mostly "not modified"`);

    await pass(page, 50);
    const before = polls.length;
    await pass(page, 20);
    assert.ok(polls.length - before >= 3 && polls.length - before <= 5, `${polls.length - before} in 20 s after a minute`);

    await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
        document.dispatchEvent(new Event('visibilitychange'));
    });
    await pass(page, 6);
    const hidden = polls.length;
    await pass(page, 20);
    assert.equal(polls.length, hidden, 'none while the tab is hidden');
    await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => false });
        document.dispatchEvent(new Event('visibilitychange'));
    });
    await until('a look as soon as it is seen again', () => polls.length > hidden);
});

test('the status is one element that changes with the step only; the seconds go on beside it, silently', async () => {
    const { page } = maya;
    const id = stack.sql(`SELECT id FROM investigation WHERE sandbox_id = '${SID}'`)[0][0];
    await page.evaluate(() => {
        globalThis.statusLine = document.querySelector('#panel [role=status]');
        globalThis.said = [];
        new MutationObserver(() => globalThis.said.push(globalThis.statusLine.textContent))
            .observe(globalThis.statusLine, { childList: true, characterData: true, subtree: true });
    });
    assert.equal(await page.locator('#panel .steps li').count(), 5);
    await pass(page, 10);
    assert.deepEqual(await page.evaluate(() => globalThis.said), [], 'nothing is said while the step stays');

    stack.sql(`UPDATE investigation SET started_us = created_us + 1000000, lease_until_us = created_us + 600000000000, worker = 'test:1' WHERE id = ${id}`);
    await pass(page, 6);
    await until('the step to be told', () => page.evaluate(() => globalThis.said.length > 0));
    assert.deepEqual(await page.evaluate(() => globalThis.said), ['Investigating: reading E2B, step 1 of 5']);
    assert.equal(await page.evaluate(() => globalThis.statusLine.isConnected), true, 'the same element');
    const elapsed = () => page.locator('#panel [data-elapsed]').innerText();
    const first = await elapsed();
    assert.match(first, /^\d+ (s|min \d+ s)$/);
    await pass(page, 3);
    assert.notEqual(await elapsed(), first, 'the seconds go on');
    assert.equal((await page.evaluate(() => globalThis.said)).length, 1, 'but are not announced');
    assert.match(squeeze(await page.locator('#panel').innerText()), /Started by you .* ago\. You can leave this page: the work goes on and the finding is kept\./);
});

test('another person who opens it is told who started it', async () => {
    const tom = await desk.engineer('tom', { javaScriptEnabled: false });
    await tom.open(`${AT}?already=1`);
    assert.match(await tom.text('#finding'), /maya started this .*\. ?Yours was not started a second time\. The steps below are from that run\./);
    assert.match(await tom.text('#panel'), /Started by maya/);
    assert.equal(await tom.link('Look again').count(), 1);
    await tom.page.context().close();
});

test('cancelled after the panel was renewed: the words say who, when, and that nothing was done', async () => {
    await maya.click(maya.button('Cancel'));
    assert.match(await maya.text('#panel'), /Cancelled by you at \d\d:\d\d:\d\d UTC\.\s*Nothing was filed or posted\./);
    assert.equal(await maya.button('Investigate this sandbox').count(), 1);
});

test('the reply is copied as it stands, and that is said in place and announced', async () => {
    const fresh = await desk.engineer('maya', { permissions: ['clipboard-read', 'clipboard-write'] });
    await fresh.investigated(48213, 'i7q2m0xk4v9d1c8b3zt5e');
    const button = fresh.button('Copy reply');
    await button.click();
    await fresh.page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await fresh.page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await fresh.page.locator('#reply-text').evaluate((e) => e.textContent));
    assert.match(copied, /Hello|Hi /);
    assert.equal(await fresh.text('#live'), 'Copied');
    await fresh.button('Copy reply').waitFor();
    await fresh.button('Copy id').click();
    await until('the id', async () => (await fresh.page.evaluate(() => navigator.clipboard.readText())) === 'i7q2m0xk4v9d1c8b3zt5e');
    await fresh.page.context().close();
});

test('the note can be read as it was posted, word for word as Zendesk has it', async () => {
    const fresh = await desk.engineer('maya');
    await fresh.open('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e');
    await fresh.page.locator('summary', { hasText: 'Read the note as it was posted' }).click();
    const shown = await fresh.text('.note-body');
    const { zendesk } = await stack.control('GET', 'state');
    const note = zendesk.find((t) => t.id === 48213).comments.filter((c) => c.public === false).at(-1);
    const words = squeeze(note.body).split(' ').filter((w) => /^[A-Za-z]{4,}$/.test(w));
    assert.ok(words.length > 10);
    for (const word of words) assert.ok(shown.includes(word), `the note says ${word}`);
    await fresh.page.context().close();
});
