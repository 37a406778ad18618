/*
 * The odd sandboxes of the demo's world, the search keys that are easily spoiled, and the
 * log of 100,000 lines.
 */
import assert from 'node:assert/strict';
import test, { after, afterEach, before } from 'node:test';
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
afterEach(async () => {
    if (stack.sim.isRunning) await stack.control('DELETE', 'faults');
});

const fault = (order) => stack.control('POST', 'faults', { times: -1, ...order });
const told = (where, status, ...words) => maya.told(where, status, ...words);

/* ---- odd sandboxes ------------------------------------------------------ */

test('a session of 7 seconds: two samples, told in words', async () => {
    await told('/sandboxes/if5d2s9e8h1w7n4k6v0ty', 200, '2 samples only: the session lasted 7 s', 'ran 7 s', '2 samples');
    assert.equal(await maya.page.locator('#chart-memory circle.c-dot').count(), 2);
    assert.equal(await maya.page.locator('.c-limit').count(), 2, 'memory and disk keep their limits');
});

test('no samples at all: one empty plot that says so', async () => {
    await told('/sandboxes/i4hn8w2c6rj0y5t1vq9ze', 200, 'E2B holds no samples for this sandbox, though it ran for 5 min');
    assert.equal(await maya.page.locator('.c-plot').count(), 0);
});

test('memory has its limit from E2B and a second line where processes are killed', async () => {
    await told(`/sandboxes/${SID}`, 200);
    const memory = squeeze(await maya.page.locator('#chart-memory svg.c-plot').textContent());
    assert.match(memory, /limit 1,024 MiB/);
    assert.match(memory, /processes are killed from about \d+ MiB/);
    assert.equal(await maya.page.locator('#chart-memory .c-limit').count(), 1);
    const dashed = await maya.page.$eval('#chart-memory .c-kill', (line) => getComputedStyle(line).strokeDasharray);
    assert.notEqual(dashed, 'none');
});

test('paused and resumed three times: one row and one page', async () => {
    const sid = 'ie8n4a1y7d3g6r0w9p5vf';
    await maya.open('/tickets/48122/sandboxes');
    assert.equal(await maya.page.locator('table.sbx tbody td.id', { hasText: sid }).count(), 1);
    assert.match(await maya.page.locator('table.sbx tbody tr', { hasText: sid }).innerText(), /paused/);
    await maya.openSandbox(sid);
    const timeline = await maya.text('#timeline');
    assert.equal(timeline.match(/Paused/g).length, 3, timeline);
    assert.equal(timeline.match(/Resumed/g).length, 3, timeline);
    assert.equal(timeline.match(/Session started/g).length, 1);
    assert.equal(await maya.page.locator('.c-pause').count() % 3, 0);
    assert.ok(await maya.page.locator('.c-pause').count() > 0, 'pauses are drawn');
});

test('with a complaint window: how many overlap it, and the way to the next one that does', async () => {
    await maya.open('/tickets/48213');
    await maya.chooseWindow();
    await maya.findSandboxes();
    const rows = await maya.page.$$eval('table.sbx tbody tr', (all) => all.map((r) => ({ id: r.querySelector('a').textContent, at: r.querySelector('a').href, over: r.classList.contains('over') })));
    const over = rows.filter((r) => r.over);
    assert.ok(over.length > 1 && over.length < rows.length);
    for (const [i, row] of rows.entries()) {
        await maya.open(row.at);
        const place = over.indexOf(row);
        const newer = rows.slice(0, i).findLast((r) => r.over);
        const older = rows.slice(i + 1).find((r) => r.over);
        const link = async (rel) => ((await maya.page.locator(`a[rel=${rel}]`).count()) ? maya.page.locator(`a[rel=${rel}]`).evaluate((a) => a.href) : undefined);
        assert.match(await maya.text('.head'), place < 0 ? new RegExp(`of this customer ${over.length} overlap the window`) : new RegExp(`overlaps the window: ${place + 1} of ${over.length}`), row.id);
        assert.equal(await link('prev'), newer?.at, `${row.id}: newer`);
        assert.equal(await link('next'), older?.at, `${row.id}: older, with ticket and window`);
    }
});

test('a log of more than a page: the process table has all processes with their ends', async () => {
    await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200);
    assert.match(squeeze(await maya.page.locator('#pid-685').innerText()), /exit code 137/);
    assert.match(squeeze(await maya.page.locator('#pid-512').innerText()), /exit code 0/);
});

test('says running, silent: with the last sign of life, and what it means', async () => {
    await told('/sandboxes/im0n2b4v6c8x1z3l5k7jh', 200, 'says running, silent', /has been silent for \d+ /,
        /Its last (log line|sign of life) is from \d\d:\d\d:\d\d/, 'until the timeout when a machine has died');
});

test('more than 100 events: all are counted', async () => {
    await maya.open('/sandboxes/il8b1n7m4q0w6e3r9t2yu?events=all');
    const all = (await maya.page.locator('.tl-row .letter').allInnerTexts()).filter((mark) => mark !== '?').length;
    assert.ok(all > 100, `${all} events`);
    assert.match(await maya.text('#timeline'), new RegExp(`${all} events`));
});

test('an expected end on another day is told with its day', async () => {
    await maya.open('/sandboxes/im0n2b4v6c8x1z3l5k7jh');
    const end = squeeze(await maya.page.locator('.tl-row').first().locator('.tl-end').innerText());
    assert.match(end, /\d+ \w{3}/, end);
});

test('ended and forgotten by E2B (404): the facts are rebuilt, and which ones is said', async () => {
    await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200, /†/, /Rebuilt: vCPU, Memory, State from its killed event of/, /vCPU † 2/, /Memory † 1,024 MiB/, 'Terminated by its timeout');
    assert.ok(await maya.page.locator('.facts abbr').count() >= 4);
});

test('ended, though E2B still lists an old snapshot of it as paused', async () => {
    await told('/sandboxes/il9p5o2i8u1y7t4r0e6wq', 200, 'It has ended', /E2B still lists an older snapshot of it, of [^,]+, as paused/);
    assert.match(squeeze(await maya.page.locator('.head .st').innerText()), /^ended$/);
});

test('no log lines: that is no proof of silence', async () => {
    await fault({ service: 'e2b', path: `/v2/sandboxes/${SID}/logs`, body: { logs: [] } });
    await fault({ service: 'e2b', path: `/sandboxes/${SID}/logs`, body: { logs: [], logEntries: [] } });
    await told(`/sandboxes/${SID}?logs=1`, 200, 'No lines. E2B sometimes answers an error with an empty list, so this is no proof of silence',
        'No process was started through E2B, as far as the log tells');
});

test('what programs printed is counted, not kept: said beside the processes', async () => {
    await told('/sandboxes/if5d2s9e8h1w7n4k6v0ty', 200, 'E2B counts what a program prints but does not keep the text', 'ask the customer');
});

test('the template is told by name and id, also of a sandbox that E2B has forgotten', async () => {
    await maya.open('/tickets/48213/sandboxes');
    for (const row of await maya.page.locator('table.sbx tbody tr td[data-l=Template]').allInnerTexts()) {
        assert.match(squeeze(row), /^(report-py|import-node) [a-z0-9]{20}$/, row);
    }
});

/* ---- search keys -------------------------------------------------------- */

const rowsFor = async (where) => {
    await maya.open(where);
    return (await maya.page.locator('table.sbx tbody td.id').allInnerTexts()).sort();
};

test('an organisation with & in its name finds its sandboxes', async () => {
    const rows = ['ibs1x7c3v9b5n0m4l8k2j', 'ibs2h6g0f4d8s1a5p9o3i', 'ibs3q8w2e6r0t4y9u1i5o'];
    await maya.open('/tickets/48230/sandboxes');
    await maya.click(maya.page.locator('.chips a, .next a', { hasText: 'Brandt & Söhne GmbH' }));
    assert.deepEqual((await maya.page.locator('table.sbx tbody td.id').allInnerTexts()).sort(), rows);
    assert.match(await maya.text('table.sbx'), /org/, 'which tag matched');
    assert.deepEqual(await rowsFor(`/sandboxes?value=${encodeURIComponent('Brandt & Söhne GmbH')}`), rows);
    assert.ok((await rowsFor(`/sandboxes?value=${encodeURIComponent('Lumen & Moor')}`)).includes('im0n2b4v6c8x1z3l5k7jh'));
});

test('an address with + finds its own sandboxes, and not those of the look-alike', async () => {
    assert.deepEqual(await rowsFor('/tickets/48226/sandboxes'), ['il6q2w9e5r1t8y4u0o7ps', 'il7f3g8h0j5k2l9z4x6cv']);
    assert.deepEqual(await rowsFor('/tickets/48227/sandboxes'), ['il8b1n7m4q0w6e3r9t2yu', 'il9p5o2i8u1y7t4r0e6wq']);
    await maya.lookUp('lena.orlov+qa@kestrel.example');
    assert.deepEqual(await maya.page.locator('table.rows td.id').allInnerTexts(), ['#48226']);
});

test('an identifier under another tag is found, and the row says which', async () => {
    await maya.open('/tickets/48213/sandboxes');
    const matched = squeeze(await maya.page.locator('table.sbx tbody tr', { hasText: 'ik2c9t6v0n4e7w1q8r5mb' }).locator('td[data-l="Matched on"]').innerText());
    assert.equal(matched, 'requestedBy');
});

/* ---- the long log ------------------------------------------------------- */

const LONG = '/tickets/48229/sandboxes/iw5e8r2t6y0u4o9a1s3dg';
const numbers = () => maya.page.$$eval('#l-body .l-no', (cells) => cells.map((c) => Number(c.textContent.replaceAll(',', ''))));

test('100,000 lines: closed at first, loaded a thousand at a time, in order and without repeats', async () => {
    await maya.open(LONG);
    assert.equal(await maya.page.locator('table.logs').count(), 0);
    assert.match(await maya.text('#raw'), /More than 1,000 lines/);
    await maya.click(maya.page.locator('#l-show'));
    assert.match(await maya.text('#l-foot'), /Showing 1 . 1,000/);
    for (let page = 2; page <= 3; page++) {
        await maya.page.locator('#l-foot [data-more]').click();
        await maya.page.locator('#l-foot', { hasText: `${page},000` }).waitFor();
    }
    const shown = await numbers();
    assert.deepEqual(shown, Array.from({ length: 3000 }, (_, i) => i + 1));
    const words = await maya.page.$$eval('#l-body .l-msg', (cells) => cells.map((c) => c.textContent).filter((t) => /ledger row/.test(t)));
    assert.equal(new Set(words).size, words.length, 'no line twice');
});

test('100,000 lines: followed to the end, each comes once, and the end is said', async () => {
    const rows = new Set();
    const bursts = new Set();
    let where = `${LONG}/logs?fold=no`;
    let last = 0;
    let end = '';
    let isSkipSaid = false;
    for (let pages = 0; where && pages < 200; pages++) {
        const { text: html, status } = await stack.get(where, { user: 'maya' });
        assert.equal(status, 200, where);
        for (const [, n] of html.matchAll(/class="l-no"><a[^>]*>([\d,]+)</g)) {
            assert.equal(Number(n.replaceAll(',', '')), ++last, 'line numbers go on');
        }
        for (const [, n] of html.matchAll(/ledger row (\d+) of/g)) {
            assert.ok(!rows.has(n), `ledger row ${n} comes once`);
            rows.add(n);
        }
        for (const [, n] of html.matchAll(/burst (\d+): /g)) {
            assert.ok(!bursts.has(n), `burst ${n} comes once`);
            bursts.add(n);
        }
        isSkipSaid ||= /were skipped/.test(html);
        const position = html.match(/data-more="([^"]*)"/)?.[1];
        end = squeeze(html.slice(html.lastIndexOf('</table>')).replace(/<[^>]+>/g, ''));
        where = position && `${LONG}/logs?from=${encodeURIComponent(position)}&n=${last}&fold=no`;
    }
    assert.equal(rows.size, 99_000);
    assert.ok(bursts.size >= 1000, `${bursts.size} of 1,200 lines of one millisecond`);
    assert.equal(isSkipSaid, bursts.size < 1200, 'lines that E2B cannot give out are said to be missing');
    assert.match(end, new RegExp(`End of the log: ${last.toLocaleString('en-US')} lines`));
});

test('the log can be searched', async () => {
    await maya.open(`${LONG}?logs=1`);
    await maya.page.fill('#l-q', 'Process with pid 580');
    await maya.click(maya.page.locator('.l-form button'));
    assert.match(await maya.text('#l-body'), /Process with pid 580/);
    assert.match(await maya.text('#l-foot'), /End of the log: \d+ matching lines/);
    await maya.page.fill('#l-q', 'no such words anywhere');
    await maya.click(maya.page.locator('.l-form button'));
    assert.match(await maya.text('#raw'), /No line fits this filter/);
    assert.equal(await maya.page.locator('table.logs').count(), 0);
    assert.equal(await maya.page.inputValue('#l-q'), 'no such words anywhere');
});

test('the log is searched for what a program printed, or the page says that E2B cannot', async () => {
    await maya.open(`${LONG}?logs=1&q=${encodeURIComponent('ledger row 17 of')}`);
    assert.match(await maya.text('#raw'), /ledger row 17 of 99000: stored|not (in )?what (a )?programs? print/);
});

test('the level of a line can be asked for', async () => {
    await maya.open('/sandboxes/ihs0a1b2c3d4e5f6g7h8i?logs=1&level=warn');
    const levels = await maya.page.locator('#l-body .l-lvl').allTextContents();
    assert.ok(levels.length > 0);
    assert.deepEqual(levels.filter((level) => !/warn|error/.test(level)), []);
});
