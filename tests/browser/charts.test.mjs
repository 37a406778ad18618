/*
 * Timeline, charts and evidence: one crosshair with values, by pointer and by keys; zoom by links; each piece of
 * evidence leads to its place; and what the page weighs with 720 points a chart.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { accessibilityFaults } from '../lib/browser.mjs';
import { ROOT } from '../lib/stack.mjs';
import { openDesk, squeeze } from './desk.mjs';

const SID = 'i7q2m0xk4v9d1c8b3zt5e';
const AT = `/tickets/48213/sandboxes/${SID}`;

let desk;
let maya;
let stack;
let withWindow;
before(async () => {
    desk = await openDesk();
    stack = desk.stack;
    maya = await desk.engineer('maya');
    await maya.open('/tickets/48213');
    await maya.chooseWindow();
    await maya.findSandboxes();
    withWindow = `${AT}${new URL(maya.page.url()).search}`;
    await maya.investigated(48213, SID);
});
after(() => desk?.close());

const readouts = (page) => page.locator('.c-readout').allInnerTexts().then((all) => all.map(squeeze));
const axis = (page) => page.locator('#t-memory').evaluate((t) => t.textContent);

/* The row of the table of numbers with this time: [cpu, memory, disk]. */
const numbersAt = (page, time) => page.locator('#numbers tbody tr').evaluateAll((rows, t) => {
    const row = rows.find((r) => r.cells.length === 5 && r.cells[0].textContent.trim() === t);
    return row && [1, 2, 4].map((c) => row.cells[c].textContent.trim());
}, time);

async function assertReadout(page) {
    const shown = await readouts(page);
    const [time] = shown[0].split(' ');
    assert.match(time, /^\d\d:\d\d:\d\d$/);
    const [cpu, memory, disk] = await numbersAt(page, time);
    assert.deepEqual(shown, [`${time} ${cpu} %`, `${time} ${memory} MiB`, `${time} ${disk} GiB`]);
    const crosses = await page.locator('.c-cross line').evaluateAll((all) => all.map((l) => l.getAttribute('x1')));
    assert.equal(crosses.length, 3);
    assert.equal(new Set(crosses).size, 1, `one place in all three charts: ${crosses}`);
    return time;
}

test('the pointer moves one crosshair over all three charts, with the values of that moment; Escape drops it', async () => {
    const { page } = maya;
    await maya.open(withWindow);
    await page.evaluate(() => {
        globalThis.shifts = 0;
        new PerformanceObserver((list) => {
            for (const e of list.getEntries()) globalThis.shifts += e.value;
        }).observe({ type: 'layout-shift', buffered: true });
    });
    const plot = page.locator('.c-plot').nth(1);
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 60);
    const early = await assertReadout(page);
    await page.mouse.move(box.x + box.width * 0.8, box.y + 60);
    const late = await assertReadout(page);
    assert.ok(late > early, `${late} is after ${early}`);
    await page.mouse.move(2, 2);
    assert.equal((await readouts(page))[0].split(' ')[0], late, 'it stays when the pointer leaves');
    await page.keyboard.press('Escape');
    assert.deepEqual(await readouts(page), ['', '', '']);
    assert.equal(await page.locator('.c-cross').first().getAttribute('visibility'), 'hidden');
    assert.equal(await page.evaluate(() => globalThis.shifts), 0, 'nothing moved');
    assert.deepEqual(page.problems, []);
});

test('the charts are one tab stop: arrow keys walk the samples, and the values are said', async () => {
    const { page } = maya;
    await maya.open(withWindow);
    const walk = page.getByRole('slider');
    assert.equal(await walk.count(), 1);
    await walk.focus();
    await page.keyboard.press('Home');
    const first = await assertReadout(page);
    await page.keyboard.press('ArrowRight');
    const second = await assertReadout(page);
    assert.ok(second > first);
    await page.keyboard.press('End');
    const last = await assertReadout(page);
    assert.ok(last > second);
    const said = await walk.getAttribute('aria-valuetext');
    const [cpu, memory, disk] = await numbersAt(page, last);
    assert.equal(said, `${last} UTC: CPU ${cpu} %, memory ${memory} MiB, disk ${disk} GiB`);
    await page.keyboard.press('ArrowLeft');
    assert.ok(await assertReadout(page) < last);
    for (const scheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme: scheme });
        assert.deepEqual(await accessibilityFaults(page), [], scheme);
    }
    await page.emulateMedia({ colorScheme: null });
});

test('zoom by links, without JavaScript: window, failure, last minutes, one run, and back to all of it', async () => {
    const kim = await desk.engineer('kim', { javaScriptEnabled: false });
    await kim.open(withWindow);
    const whole = await axis(kim.page);
    const seen = new Set([whole]);
    for (const name of ['the complaint window', 'around the failure', 'the last 5 min', /^1, from /]) {
        await kim.click(kim.page.locator('#charts').getByRole('link', { name }));
        assert.match(kim.page.url(), /#charts$/);
        const part = await axis(kim.page);
        assert.ok(!seen.has(part), `${name} shows another part: ${part}`);
        seen.add(part);
        assert.equal(await kim.page.locator('.c-zoom [aria-current]').count(), 1);
        assert.match(await kim.text('.s-window'), /UTC/, 'the window is kept');
    }
    await kim.click(kim.page.locator('#charts').getByRole('link', { name: 'Whole life' }));
    assert.equal(await axis(kim.page), whole);
    assert.ok(await kim.page.locator('.c-cols title').count() > 100, 'values without a script: a title on each column');
    await kim.page.context().close();
});

test('a zoom shows the values of its own part', async () => {
    const { page } = maya;
    await maya.open(`${withWindow}&zoom=failure`);
    await page.getByRole('slider').focus();
    await page.keyboard.press('Home');
    const from = /use, (\S+) to (\S+) UTC/.exec(await axis(page));
    const first = await assertReadout(page);
    await page.keyboard.press('End');
    const last = await assertReadout(page);
    assert.ok(first >= from[1] && last <= from[2], `${first} to ${last} lie within ${from[1]} to ${from[2]}`);
});

test('each piece of evidence leads to its place, which is highlighted; its number stands there', async () => {
    const { page } = maya;
    await maya.open(withWindow);
    const links = await page.locator('.proof li').evaluateAll((items) => items.map((li) => ({
        number: li.querySelector('.num-mark').textContent, href: li.querySelector('.p-link a')?.getAttribute('href') })));
    assert.ok(links.length >= 4);
    const kinds = new Set();
    for (const { number, href } of links) {
        assert.ok(href, `evidence ${number} leads somewhere`);
        if (!href.startsWith('#')) continue;
        kinds.add(href.replace(/-.*/, ''));
        await page.locator(`.proof a[href="${href}"]`).first().click();
        const target = await page.evaluate(() => {
            const t = document.querySelector(':target');
            if (!t) return null;
            const box = t.getBoundingClientRect();
            const painted = t.querySelector('.c-num') ?? (t.tagName === 'TR' ? t.cells[0] : t);
            const style = getComputedStyle(painted);
            const numbers = [...t.querySelectorAll('.num-mark, text')].map((e) => e.textContent.replace('evidence ', ''));
            return { numbers, top: box.top, bottom: box.bottom, strip: document.querySelector('.strip').getBoundingClientRect().bottom,
                height: innerHeight, paint: style.fill + style.backgroundColor };
        });
        assert.ok(target, `${href} is there`);
        assert.ok(target.top >= target.strip && target.bottom <= target.height, `${href} is in view: ${JSON.stringify(target)}`);
        assert.ok(target.numbers.includes(number), `number ${number} stands at ${href}: ${target.numbers}`);
        const plain = await page.evaluate(() => {
            const t = document.querySelector(':target');
            const painted = t.querySelector('.c-num') ?? (t.tagName === 'TR' ? t.cells[0] : t);
            history.replaceState(null, '', '#top');
            location.hash = '#nowhere';
            const style = getComputedStyle(painted);
            return style.fill + style.backgroundColor;
        });
        assert.notEqual(target.paint, plain, `${href} is highlighted`);
    }
    assert.deepEqual([...kinds].sort(), ['#event', '#mark', '#pid', '#point']);
});

test('evidence that a zoom does not show leads to all of the time', async () => {
    await maya.open(`${withWindow}&zoom=5m`);
    const link = maya.page.locator('.proof a', { hasText: 'Memory chart' }).first();
    assert.match(await link.getAttribute('href'), /life=whole#point-\d+$/);
    await maya.click(link);
    assert.equal(await maya.page.locator('.c-mark:target').count(), 1);
});

test('the rail tells when it ran, when it was to end, and how that moved', async () => {
    await maya.open(AT);
    assert.equal(await maya.page.locator('.c-ran').count(), 2, 'two runs');
    const ends = await maya.page.locator('.c-rail title').evaluateAll((all) => all.map((t) => t.textContent));
    assert.equal(ends.length, 3);
    assert.match(ends[0], /not reached: paused/);
    assert.match(ends[1], /moved/);
    assert.match(ends[2], /reached/);
    assert.equal(await maya.page.locator('.c-rail line.c-moved').count(), 1);
});

test('no samples: the rail, and one plot that says why', async () => {
    await maya.open('/tickets/48213/sandboxes/i4hn8w2c6rj0y5t1vq9ze');
    assert.equal(await maya.text('#charts .c-say'), 'E2B holds no samples for this sandbox, though it ran for 5 min.');
    assert.equal(await maya.page.locator('.c-rail .c-boxt').count(), 2);
});

test('720 points a chart: at most 150 KB of HTML, 60 KB of CSS and scripts, and nothing shifts', async () => {
    const start = Math.floor(Date.now() / 5000) * 5 - 3600;
    const body = Array.from({ length: 720 }, (_, i) => ({
        timestamp: new Date((start + i * 5) * 1000).toISOString(), timestampUnix: start + i * 5, cpuCount: 2,
        cpuUsedPct: (i * 37.13) % 100, memUsed: 300_000_000 + (i * 7_654_321) % 700_000_000, memTotal: 1_030_000_000,
        memCache: 88_080_384 + i * 1000, diskUsed: 1_500_000_000 + i * 3_000_000, diskTotal: 10_300_000_000,
    }));
    await stack.control('POST', 'faults', { service: 'e2b', path: `/sandboxes/${SID}/metrics`, times: -1, status: 200, body });
    try {
        const { text } = await stack.get(AT, { user: 'maya' });
        assert.match(text, /Numbers \(720 samples\)/);
        assert.ok(Buffer.byteLength(text) <= 150 * 1000, `${Buffer.byteLength(text)} bytes`);
        const fresh = await desk.engineer('maya');
        await fresh.page.addInitScript(() => {
            globalThis.shifts = 0;
            new PerformanceObserver((list) => {
                for (const e of list.getEntries()) globalThis.shifts += e.value;
            }).observe({ type: 'layout-shift', buffered: true });
        });
        await fresh.open(AT);
        assert.equal(await fresh.page.getByRole('slider').count(), 1);
        assert.equal(await fresh.page.evaluate(() => globalThis.shifts), 0, 'nothing shifts after the load');
        await fresh.page.context().close();
    } finally {
        await stack.control('DELETE', 'faults');
    }
    const folder = path.join(ROOT, 'cs-templates/static');
    const bytes = fs.readdirSync(folder).filter((f) => /\.(css|js)$/.test(f))
        .reduce((sum, f) => sum + fs.statSync(path.join(folder, f)).size, 0);
    assert.ok(bytes <= 60 * 1024, `${bytes} bytes of CSS and scripts`);
});

test('at 390 px nothing scrolls sideways, with a finding, a zoom and the logs open', async () => {
    const phone = await desk.engineer('maya', { width: 390, height: 844 });
    for (const where of [withWindow, `${withWindow}&zoom=failure`, `${withWindow}&logs=1`, `${withWindow}&logs=1&wrap=no`]) {
        await phone.open(where);
        assert.equal(await phone.page.evaluate(() => document.documentElement.scrollWidth), 390, where);
    }
    await phone.page.context().close();
});
