/*
 * The raw logs with a script: links to a line, evidence, folds, the search while it is typed, filters, copy, file,
 * older and newer lines, and 100,000 of them at once.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test, { after, before } from 'node:test';
import { accessibilityFaults } from '../lib/browser.mjs';
import { until } from '../lib/stack.mjs';
import { openDesk } from './desk.mjs';

const SID = 'i7q2m0xk4v9d1c8b3zt5e';
const AT = `/tickets/48213/sandboxes/${SID}`;
const LONG = '/tickets/48229/sandboxes/iw5e8r2t6y0u4o9a1s3dg';

let desk;
let maya;
let stack;
before(async () => {
    desk = await openDesk();
    stack = desk.stack;
    maya = await desk.engineer('maya', { permissions: ['clipboard-read', 'clipboard-write'] });
});
after(() => desk?.close());

const rows = (page) => page.locator('#l-body tbody > tr');
const texts = (page) => page.locator('#l-body tbody > tr .l-msg').allTextContents();

async function loadMore(page, title) {
    await page.locator('#l-foot [data-more]').click();
    await page.locator('#l-foot b', { hasText: title }).waitFor();
}

async function untilMoved(page, what, act) {
    const count = await rows(page).count();
    await act();
    await until(what, async () => (await rows(page).count()) !== count);
}

test('the link of a line opens it from anywhere, whichever page it was on, with the lines around it', async () => {
    const { page } = maya;
    await maya.open(`${LONG}?logs=1`);
    assert.match(await maya.text('#l-foot b'), /^Showing 1 . 1,000 of unknown so far$/);
    await loadMore(page, 'Showing 1 – 2,000 of unknown so far');
    const row = rows(page).nth(-7);
    const line = await row.evaluate((tr) => ({ text: tr.querySelector('.l-msg span').textContent, time: tr.querySelector('time').dateTime,
        href: tr.querySelector('.l-no a').href, before: tr.previousElementSibling.querySelector('.l-msg span').textContent }));
    assert.match(line.href, /[?&]logs=1&at=2[^#]*#l[0-9a-f]{8}$/);

    for (const javaScriptEnabled of [true, false]) {
        const tom = await desk.engineer('tom', { javaScriptEnabled });
        await tom.open(line.href);
        const target = tom.page.locator('#l-body tr:target');
        assert.equal(await target.count(), 1, 'the line is on the page');
        assert.equal(await target.locator('time').getAttribute('datetime'), line.time);
        assert.equal(await target.locator('.l-msg span').first().textContent(), line.text);
        assert.ok((await texts(tom.page)).includes(line.before), 'with the one before it');
        const box = await target.boundingBox();
        assert.ok(box && box.y > 0 && box.y < 900, `it is in view: ${JSON.stringify(box)}`);
        assert.match(await tom.text('#raw'), /All lines around \d\d:\d\d:\d\d\.\d\d\d, without a filter/);
        await tom.page.context().close();
    }
});

test('older and newer lines come in place, in order and once', async () => {
    const { page } = maya;
    await maya.open(`${LONG}?logs=1`);
    await loadMore(page, '2,000');
    await maya.open(await rows(page).nth(1500).locator('.l-no a').evaluate((a) => a.href));
    await untilMoved(page, 'older lines', () => page.locator('#l-foot [data-up]').click());
    await untilMoved(page, 'newer lines', () => page.locator('#l-foot [data-more]').click());
    const shown = await page.locator('#l-body tbody > tr').evaluateAll((all) => all.map((tr) =>
        ({ time: tr.querySelector('time').dateTime, n: /ledger row (\d+) of/.exec(tr.cells[4].textContent)?.[1] })));
    const numbers = shown.filter((s) => s.n).map((s) => Number(s.n));
    assert.ok(numbers.length > 1500, `${numbers.length} rows`);
    numbers.forEach((n, i) => assert.ok(i === 0 || n === numbers[i - 1] + 1, `${n} follows ${numbers[i - 1]}`));
    assert.ok(shown.every((s, i) => i === 0 || s.time >= shown[i - 1].time), 'in the order of time');
    assert.equal(new URL(page.url()).searchParams.has('at'), true, 'without another page');
});

test('evidence from the log opens the log at its line, highlighted', async () => {
    await maya.investigated(48213, SID);
    const link = maya.page.locator('.proof a', { hasText: 'Log line' }).first();
    const time = await link.evaluate((a) => a.closest('li').querySelector('time').dateTime);
    await maya.click(link);
    const at = maya.page.locator('#l-body tr.at').first();
    assert.equal((await at.locator('time').getAttribute('datetime')).slice(0, 19), time.slice(0, 19));
    assert.equal(await maya.page.locator('#l-body tr.at #at:target').count(), 1);
    const box = await at.boundingBox();
    assert.ok(box.y > 0 && box.y < 900, 'in view');
    await maya.click(maya.page.locator('.l-tools').getByRole('link', { name: /^Jump to the failure, / }));
    assert.equal(await maya.page.locator('#at:target').count(), 1);
});

test('a stack trace is folded, opened by a click, and never stands above the raw logs', async () => {
    const { page } = maya;
    await maya.open('/sandboxes/il6q2w9e5r1t8y4u0o7ps?logs=1');
    const trace = page.locator('.l-trace');
    assert.equal(await trace.count(), 1);
    await trace.scrollIntoViewIfNeeded();
    assert.match(await trace.locator('summary').textContent(), /^Show a stack trace of \d lines$/);
    assert.equal(await trace.locator('.l-line').first().isVisible(), false);
    await trace.locator('summary').click();
    assert.equal(await trace.locator('.l-line').first().isVisible(), true);
    assert.match(await trace.locator('.l-line').last().innerText(), /KeyError/);
    const above = await page.evaluate(() => [...document.querySelectorAll('main > section:not(#raw)')].map((s) => s.innerText).join('\n'));
    assert.doesNotMatch(above, /Traceback|KeyError/);
    await page.locator('#l-fold').check();
    assert.equal(await trace.evaluate((d) => d.open), true);
    await page.fill('#l-q', 'test 7 passed');
    await page.locator('#l-count', { hasText: /match/ }).waitFor();
    await page.locator('#l-next').click();
    assert.deepEqual(await accessibilityFaults(page), []);
});

test('what is typed is looked for in the loaded lines: how many, next and previous, only these and some around', async () => {
    const { page } = maya;
    await maya.open(`${AT}?logs=1`);
    const all = await rows(page).count();
    await page.fill('#l-q', 'PART 7 OF');
    await page.locator('#l-count', { hasText: /match/ }).waitFor();
    const hits = (await texts(page)).filter((t) => /part 7 of/i.test(t)).length;
    assert.ok(hits > 0 && hits < 20, `${hits} hits`);
    assert.match(await maya.text('#l-count'), new RegExp(`^${hits} lines? match(es)? in the lines loaded so far$`));
    await page.locator('#l-next').click();
    assert.match(await maya.text('#l-count'), new RegExp(`^Match 1 of ${hits}\\b`));
    assert.match(await maya.text('.logs .cur .l-msg'), /part 7 of/);
    await page.locator('#l-prev').click();
    assert.match(await maya.text('#l-count'), new RegExp(`^Match ${hits} of ${hits}\\b`));
    assert.equal(await page.evaluate(() => CSS.highlights.get('hit').size), hits);
    await page.locator('#l-near').check();
    const left = await rows(page).evaluateAll((trs) => trs.filter((tr) => !tr.hidden).map((tr) => tr.cells[4].textContent));
    assert.ok(left.length > hits && left.length <= hits * 7, `${left.length} of ${all} lines`);
    const first = left.findIndex((t) => /part 7 of/.test(t));
    assert.equal(first, 3, 'three lines before the first');
    await page.fill('#l-q', '');
    await until('all of them again', async () => (await rows(page).evaluateAll((trs) => trs.filter((tr) => !tr.hidden).length)) === all);
    assert.equal(await page.locator('#l-hits').isVisible(), false);
});

test('platform and processes apart, wrapping on and off, at once; without a script by the form', async () => {
    const { page } = maya;
    await maya.open(`${AT}?logs=1`);
    const [, platform, processes] = await page.locator('#l-only option').allTextContents();
    const count = await rows(page).count();
    const shown = (kind) => page.locator(`#l-body tr.${kind}`).evaluateAll((trs) => trs.filter((tr) => getComputedStyle(tr).display !== 'none').length);
    assert.equal(Number(platform.match(/\d+/)[0]) + Number(processes.match(/\d+/)[0]), 1000);
    await page.selectOption('#l-only', 'platform');
    assert.equal(await shown('proc'), 0);
    assert.ok(await shown('plat') > 3);
    await page.selectOption('#l-only', 'process');
    assert.equal(await shown('plat'), 0);
    await page.selectOption('#l-only', '');
    assert.equal(await shown('plat') + await shown('proc'), count);
    await page.locator('#l-wrap').check();
    assert.equal(await page.locator('.logs .l-msg').first().evaluate((e) => getComputedStyle(e).whiteSpace), 'pre');

    const kim = await desk.engineer('kim', { javaScriptEnabled: false });
    await kim.open(`${AT}?logs=1`);
    await kim.page.selectOption('#l-only', 'platform');
    await kim.page.locator('#l-wrap').check();
    await kim.click(kim.button('Search all of the log'));
    assert.equal(await kim.page.locator('#l-body tr.proc').first().isVisible(), false);
    assert.equal(await kim.page.locator('#l-body tr.plat').first().isVisible(), true);
    assert.match(await kim.page.locator('#l-body').getAttribute('class'), /nowrap-lines/);
    await kim.page.context().close();
});

test('a search of all of the log: each match leads to the lines around it', async () => {
    await maya.open(`${LONG}?logs=1`);
    await maya.page.fill('#l-q', 'Process with pid 580 ended');
    await maya.click(maya.button('Search all of the log'));
    assert.match(await maya.text('#l-foot'), /End of the log: \d+ matching lines/);
    assert.match(await maya.text('#l-body mark'), /Process with pid 580 ended/);
    await maya.click(maya.page.getByRole('link', { name: 'lines around it' }));
    assert.match(await maya.text('#l-body tr:target'), /Process with pid 580 ended/);
    assert.ok(await rows(maya.page).count() > 50, 'lines that do not match');
});

test('copy and file hold every loaded line with ISO times, and say that these are not all', async () => {
    const { page } = maya;
    await maya.open(`${AT}?logs=1`);
    assert.match(await maya.text('.l-tools'), /this is not all of the log/);
    await page.locator('#l-copy').click();
    await page.locator('#l-copy', { hasText: 'Copied' }).waitFor();
    const copied = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n');
    assert.match(copied[0], /^# This is not all of the log: Showing 1 . 1,000 of unknown so far$/);
    assert.equal(copied.length - 1, 1000);
    copied.slice(1).forEach((line) => assert.match(line, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z\t/));
    await untilMoved(page, 'more', () => page.locator('#l-foot [data-more]').click());
    assert.equal(await page.locator('#l-notall').isVisible(), false);
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#l-file').click()]);
    assert.equal(download.suggestedFilename(), `${SID}.log.txt`);
    const file = fs.readFileSync(await download.path(), 'utf8').trim().split('\n');
    const total = Number(/End of the log: ([\d,]+) lines/.exec(await maya.text('#l-foot'))[1].replace(',', ''));
    assert.equal(file.length, total);
    assert.deepEqual(file.slice(0, 1000), copied.slice(1));
    assert.deepEqual(page.problems, []);

    const plain = await stack.get(`${AT}/logs?from=1&as=text`, { user: 'maya' });
    assert.match(plain.headers.get?.('content-disposition') ?? plain.headers['content-disposition'], /attachment; filename="i7q2m0xk4v9d1c8b3zt5e\.log\.txt"/);
    const server = plain.text.trim().split('\n');
    assert.match(server[0], /^# This is not all of the log: there are more lines below\.$/);
    assert.equal(server.length, 1001);
});

/* What Chromium itself counts: objects that are laid out, and layouts since the session (cdp) began. */
async function layout(cdp) {
    const { metrics } = await cdp.send('Performance.getMetrics');
    const value = (name) => metrics.find((m) => m.name === name).value;
    return { objects: value('LayoutObjects'), nodes: value('Nodes'), count: value('LayoutCount') };
}

const STEPS = 20;

/* How many layouts it takes to scroll through all in so many steps. */
async function layoutsOfScroll(page, cdp) {
    const before = await layout(cdp);
    await page.evaluate(async (steps) => {
        const box = document.getElementById('l-body');
        for (let i = 0; i <= steps; i++) {
            box.scrollTop = box.scrollHeight * i / steps;
            await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
        }
    }, STEPS);
    return (await layout(cdp)).count - before.count;
}

/*
 * From the third page on the answers are copies of the second, made in the page, so that neither the simulator nor
 * the responder is what is measured: numbers and texts go on, and after `pages` pages comes the end.
 */
const copyPages = (page, pages) => page.evaluate((end) => {
    const ask = globalThis.fetch;
    let first;
    let n = 1;
    globalThis.fetch = async (url, ...rest) => {
        if (!/\/logs\?/.test(url)) return ask(url, ...rest);
        first ??= await (await ask(url, ...rest)).text();
        n++;
        let body = first.replaceAll('ledger row ', `page ${n} ledger row `).replace(/data-last="\d+"/, `data-last="${n * 1000}"`)
            .replace(/(Showing [\d,]+ . )[\d,]+/, `$1${(n * 1000).toLocaleString('en')}`);
        if (n === end) body = body.replace(/<a class="btn" data-more.*?<\/a>/, '').replace(/(<p class="l-foot"[^>]*>)<b>.*?<\/b>/, '$1<b>End of the log: all lines.</b>');
        return new Response(body);
    };
}, pages);

test('100,000 loaded lines cost about what a few thousand cost: each page and each scroll', async () => {
    const { page } = maya;
    await maya.open(`${LONG}?logs=1`);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable');
    await copyPages(page, 100);
    await loadMore(page, '2,000');
    await loadMore(page, '3,000');
    await loadMore(page, '4,000');
    const fewLayouts = await layoutsOfScroll(page, cdp);
    const few = await layout(cdp); /* of all its pages: they have been in view */
    await page.locator('#l-rest').click();
    await page.locator('#l-foot b', { hasText: /End of the log/ }).waitFor({ timeout: 300_000 });
    const all = page.locator('#l-body tbody > tr');
    const total = await all.count();
    assert.ok(total > 99_000, `${total} rows`);
    const many = await layout(cdp);
    assert.ok(many.objects < few.objects * 1.5, `${many.objects} objects are laid out, ${few.objects} with 4,000 lines`);
    const layouts = await layoutsOfScroll(page, cdp);
    /* one where another page comes into view, and no more: 4 pages come less often than 100 */
    assert.ok(fewLayouts > 0 && layouts <= STEPS + fewLayouts, `${layouts} layouts in ${STEPS} steps, ${fewLayouts} with 4,000 lines`);
    const wanted = /page 57 ledger row \d+ of/.exec(await page.locator('.l-page').nth(56).textContent())[0];
    await page.fill('#l-q', wanted);
    await page.locator('#l-count', { hasText: '1 line matches' }).waitFor();
    await page.locator('#l-next').click();
    const box = await page.locator('.logs .cur').boundingBox();
    assert.ok(box.y > 0 && box.y < 900, 'the one match of 100,000 lines is in view');
    assert.deepEqual(page.problems, []);
});
