/* Times in another zone: the choice, what it writes, what it leaves in UTC and says so; copying; without a script. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { openDesk, squeeze } from './desk.mjs';
import { WINDOW } from './gallery.mjs';

const AT = '/tickets/48122/sandboxes/io2b8f5t1z6k9w3n0q7hd';

let desk;
let ken;
before(async () => {
    desk = await openDesk();
    ken = await desk.engineer('ken', { timezoneId: 'America/New_York', permissions: ['clipboard-read', 'clipboard-write'] });
});
after(() => desk?.close());

const choose = (value) => ken.page.selectOption('#zone', value);

/* What Intl itself says of a moment. */
const clock = (iso, timeZone) => new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(iso));

async function assertAll(timeZone) {
    const times = await ken.page.$$eval('main time, .strip time', (all) => all.map((t) => [t.getAttribute('datetime'), t.textContent]));
    assert.ok(times.length > 2, `${times.length} times`);
    for (const [iso, text] of times) assert.ok(text.includes(clock(iso, timeZone)), `${iso} in ${timeZone} is ${text}`);
}

test('UTC until somebody chooses; the customer\'s zone only under a ticket', async () => {
    await ken.open('/');
    assert.deepEqual(await ken.page.locator('#zone option').allInnerTexts(), ['UTC', 'My time (New York)']);
    await ken.open('/tickets/48122');
    assert.deepEqual(await ken.page.locator('#zone option').allInnerTexts(), ['UTC', 'My time (New York)', 'Customer (Tokyo)']);
    assert.equal(await ken.page.locator('#zone').inputValue(), 'utc');
    await assertAll('UTC');
});

test('a choice writes every time, names its zone, and is remembered', async () => {
    await ken.open(`/tickets/48122?${WINDOW}`);
    const before = await ken.text('.strip');
    assert.match(before, /24 Nov 13:55 . 14:10 UTC/);
    await choose('customer');
    await assertAll('Asia/Tokyo');
    assert.match(await ken.text('.strip'), /24 Nov 22:55 . 23:10 Tokyo time/);
    assert.match(await ken.text('.head'), /created \d+ \w{3} \d\d:\d\d Tokyo time/);
    assert.match(await ken.text('.foot'), /Times are Tokyo time; those in sentences, charts and fields are UTC/);
    assert.match(await ken.text('label[for=from]'), /UTC/, 'fields are read as UTC, and go on to say so');

    await ken.open(AT);
    assert.equal(await ken.page.locator('#zone').inputValue(), 'customer');
    await assertAll('Asia/Tokyo');
    assert.match(await ken.text('#timeline'), /Times in lists: Tokyo time. In sentences and charts: UTC/);
    assert.match(await ken.text('.tl-head'), /Time \(Tokyo time\)/);
    assert.match(await ken.page.locator('#numbers th').first().textContent(), /UTC/, 'the numbers stay UTC, and say so');

    await ken.open('/investigations');
    assert.equal(await ken.page.locator('#zone').inputValue(), 'utc', 'no customer here: UTC');
    await ken.open(AT);
    await choose('utc');
    await assertAll('UTC');
    assert.match(await ken.text('.tl-head'), /Time \(UTC\)/);
    assert.equal(await ken.page.locator('.zone-note:visible').count(), 0);
    assert.match(await ken.text('.foot'), /Times are UTC\./);
});

test('another day is said; what a script brings later is written too', async () => {
    await ken.open(`/tickets/48122?from=2026-11-24T02:00:00Z&to=2026-11-24T16:00:00Z`);
    await choose('mine');
    assert.match(await ken.text('.strip'), /23 Nov 21:00 . 11:00 \(24 Nov\) New York time|23 Nov 21:00 . 11:00 New York time/);
    await ken.open(AT);
    await ken.investigate();
    await Promise.all([desk.stack.agentOnce(), ken.awaitFinding()]);
    await assertAll('America/New_York');
    await choose('utc');
});

test('a copied time is ISO 8601; other text is copied as it is', async () => {
    await ken.open(AT);
    const copy = async (selector) => {
        await ken.page.evaluate((s) => {
            const range = document.createRange();
            range.selectNodeContents(document.querySelector(s));
            getSelection().removeAllRanges();
            getSelection().addRange(range);
        }, selector);
        await ken.page.keyboard.press('Control+c');
        return ken.page.evaluate(() => navigator.clipboard.readText());
    };
    const iso = await ken.page.locator('.tl time').first().getAttribute('datetime');
    assert.equal(await copy('.tl time'), iso);
    assert.ok((await copy('.tl')).includes(iso), 'within a longer text too');
    assert.equal(squeeze(await copy('h1')), 'io2b8f5t1z6k9w3n0q7hd');
    assert.equal(await ken.page.locator('.tl time').first().getAttribute('datetime'), iso, 'the page is as it was');
    assert.match(await ken.page.locator('.tl time').first().innerText(), /^\d\d:\d\d:\d\d/);
});

test('without a script nothing offers it', async () => {
    const plain = await desk.engineer('ken', { javaScriptEnabled: false });
    await plain.open('/tickets/48122');
    assert.equal(await plain.page.locator('#zone:visible').count(), 0);
    assert.equal(await plain.page.locator('#keys-open:visible, #keys:visible, .find kbd:visible').count(), 0);
    assert.match(await plain.text('.foot'), /Times are UTC\./);
    await plain.page.context().close();
});
