/* The whole job with JavaScript off: every step is a link, a form or the page's own refresh. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { openDesk, squeeze } from './desk.mjs';

const TICKET = 48122;
const SANDBOX = 'io2b8f5t1z6k9w3n0q7hd';
const AT = `/tickets/${TICKET}/sandboxes/${SANDBOX}`;

let desk;
let stack;
let kim;
before(async () => {
    desk = await openDesk();
    stack = desk.stack;
    kim = await desk.engineer('kim', { javaScriptEnabled: false });
});
after(() => desk?.close());

test('from the number to the finding', async () => {
    await kim.lookUp(TICKET);
    await kim.openTicket(TICKET);
    await kim.chooseWindow();
    await kim.findSandboxes();
    await kim.openSandbox(SANDBOX);
    await kim.investigate();
    assert.match(await kim.text('#panel'), /Waiting for the agent.*Read E2B.*Decide what happened.*Look in Linear.*Post the internal note to #48122/);
    assert.equal(await kim.link('Look again').count(), 1);
    assert.equal(await kim.button('Cancel').count(), 1);

    await stack.agentOnce();
    await kim.click(kim.link('Look again'));
    assert.match(await kim.page.locator('#headline').innerText(), /^A request ended the sandbox/);
    assert.match(await kim.text('.f-right'), /Linear: new issue filed SUP-\d+.*Internal note posted.*kim, \d+/);
});

test('while it runs, the page loads itself anew; when it is over, no more', async () => {
    await kim.click(kim.button('Investigate again'));
    await Promise.all([stack.agentOnce(), kim.page.waitForEvent('load')]);
    await kim.awaitFinding();
    const { headers } = await stack.get(AT, { user: 'kim' });
    assert.equal(headers.get('refresh'), null);
    assert.equal(await kim.page.locator('meta[http-equiv="refresh" i]').count(), 0);
});

test('controls that only a script could serve are not shown', async () => {
    await kim.open(AT);
    for (const words of ['Copy id', 'Copy reply']) {
        assert.equal(await kim.page.locator('button:visible', { hasText: words }).count(), 0, words);
    }
    assert.equal(await kim.page.locator('button:visible:not(form button)').count(), 0, 'each button belongs to a form');
    assert.equal(await kim.page.locator('a[href="#"], a[href^="javascript:"], a:not([href])').count(), 0);
});

test('charts tell their numbers without a script', async () => {
    await kim.open(AT);
    const titles = await kim.page.locator('#chart-memory .c-cols title').allTextContents();
    assert.ok(titles.length > 20 && titles.length <= 120, `${titles.length} columns`);
    assert.match(titles[0], /^\d\d:\d\d:\d\d UTC, [\d,.]+ MiB$/);
    await kim.page.locator('#chart-memory a[href="#numbers"]').click(); /* the link opens the fold */
    assert.ok(await kim.page.locator('#numbers tbody tr:visible').count() > 100);
});

test('right or wrong, with the class and a remark; a corrected issue', async () => {
    await kim.open(AT);
    await kim.click(kim.button('Right'));
    assert.match(await kim.text('.f-right'), /kim says it is right/);

    await kim.page.locator('.right-wrong summary').click();
    await kim.page.selectOption('#fb-class', 'timeout');
    await kim.page.fill('#fb-remark', 'It was "our" <b>clean-up</b> job & nobody else');
    await kim.click(kim.page.locator('.right-wrong').getByRole('button', { name: 'Save' }));
    assert.match(await kim.text('.f-right'), /kim says it was: Hit its timeout.*It was "our" <b>clean-up<\/b> job & nobody else/);

    await kim.page.locator('summary', { hasText: 'Wrong match' }).click();
    await kim.page.fill('#link-issue', 'SUP-412');
    await kim.click(kim.page.locator('form[action$="/link"] button'));
    assert.match(await kim.text('.f-right'), /kim linked SUP-412 instead/);
});

test('raw logs: open, load more twice, go back to the beginning, hide', async () => {
    const long = '/tickets/48229/sandboxes/iw5e8r2t6y0u4o9a1s3dg';
    const first = () => kim.page.locator('#l-body .l-no').first().innerText();
    const last = () => kim.page.locator('#l-body .l-no').last().innerText();
    await kim.open(long);
    await kim.click(kim.link('Show raw logs').or(kim.button('Show raw logs')));
    assert.match(kim.page.url(), /#raw$/);
    assert.deepEqual([await first(), await last()], ['1', '1,000']);
    await kim.click(kim.link('Load more'));
    assert.deepEqual([await first(), await last()], ['1,001', '2,000']);
    await kim.click(kim.link('Load more'));
    assert.deepEqual([await first(), await last()], ['2,001', '3,000']);
    assert.match(await kim.text('#l-foot'), /Showing 2,001 . 3,000/);
    await kim.click(kim.link('From the beginning'));
    assert.equal(await first(), '1');
    await kim.click(kim.link('Hide raw logs'));
    assert.equal(await kim.page.locator('table.logs').count(), 0);
});

test('a short log: the end is said', async () => {
    await kim.open(`${AT}?logs=1&fold=no`);
    const shown = await kim.page.locator('#l-body tbody tr').count();
    assert.match(await kim.text('#l-foot'), new RegExp(`End of the log: ${shown} lines`));
    assert.equal(await kim.link('Load more').count(), 0);
});

test('the complaint window: by its fields, by a comment\'s time, cleared', async () => {
    await kim.open(`/tickets/${TICKET}`);
    await kim.page.fill('#from', '2026-11-24 13:55');
    await kim.page.fill('#to', '2026-11-24 14:10');
    await kim.findSandboxes();
    assert.match(squeeze(await kim.page.locator('.s-window').innerText()), /24 Nov.* 13:55 . 14:10 UTC/);

    await kim.open(`/tickets/${TICKET}`);
    await kim.click(kim.page.locator('.say-time a').first());
    assert.match(squeeze(await kim.page.locator('.s-window').innerText()), /\d+ \w{3} \d\d:\d\d . (\d+ \w{3} )?\d\d:\d\d UTC Change/);
    await kim.click(kim.link('Clear window'));
    /* no window is set; the best proposal stands in the fields again */
    assert.match(squeeze(await kim.page.locator('.s-window').innerText()), /not set/);
    assert.notEqual(await kim.page.inputValue('#from'), '2026-11-24 13:55');
});

test('the lists: sandboxes by another tag and state, investigations by class', async () => {
    await kim.open('/sandboxes');
    await kim.page.fill('#value', 'tanegashi');
    await kim.page.selectOption('#key', 'org');
    await kim.page.selectOption('#state', 'ended');
    await kim.click(kim.button('Search'));
    const rows = await kim.page.locator('table.sbx tbody tr').allInnerTexts();
    assert.ok(rows.length >= 2);
    for (const row of rows) assert.match(squeeze(row), /ended.*\borg\b/);

    await kim.open('/investigations');
    await kim.click(kim.page.locator('.chips a', { hasText: 'Killed early' }));
    assert.equal(await kim.page.locator('table.rows tbody tr').count(), 2);
    await kim.click(kim.page.locator('.chips a', { hasText: 'Crashed' }));
    assert.match(await kim.text(), /No investigation fits this filter/);
    await kim.click(kim.link('Clear'));
    await kim.page.selectOption('#class', 'killed_early');
    await kim.click(kim.button('Filter'));
    assert.equal(await kim.page.locator('table.rows tbody tr').count(), 2);
    await kim.click(kim.link('Patterns: the same failure again'));
    assert.match(await kim.text('table.rows'), /2 findings 1 sandbox/);
    assert.match(await kim.page.locator('.day-plot').nth(2).getAttribute('aria-label'), /^Killed early: 2 in 30 days/);
    await kim.click(kim.link('How this is counted'));
    assert.match(kim.page.url(), /\/help#patterns$/);
});
