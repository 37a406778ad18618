/*
 * What holds on every page alike: nothing moves after it was drawn, nothing raw stands above the raw logs, and on
 * paper a finding is a clean report.
 */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { openDesk, squeeze } from './desk.mjs';
import { OOM, STATES, WINDOW, hangGallery, inState } from './gallery.mjs';

let desk;
let stack;
let maya;
before(async () => {
    desk = await openDesk();
    stack = desk.stack;
    maya = await hangGallery(desk);
});
after(() => desk?.close());

/* Chromium's own measure, from the first paint on. */
const WATCH = () => {
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const s of list.getEntries())
            if (!s.hadRecentInput) window.shifts.push([s.value, s.sources.map((x) => x.node?.nodeName + '.' + x.node?.className).join(' ')]);
    }).observe({ type: 'layout-shift', buffered: true });
};

test('nothing moves after it was drawn: cumulative layout shift 0', async (t) => {
    const looks = [await desk.engineer('maya'), await desk.engineer('maya', { width: 390, height: 844 })];
    for (const { page } of looks) await page.addInitScript(WATCH);
    for (const name of ['lookup, words', 'ticket with a window', 'search with a window', 'sandbox with a window', 'sandbox, raw logs open', 'finding', 'investigations', 'patterns', 'help']) {
        await t.test(name, () => inState(stack, STATES[name], looks, async ({ page }) => {
            await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
            assert.deepEqual(await page.evaluate(() => window.shifts), []);
        }));
    }
    for (const { page } of looks) await page.context().close();
});

/* ---- nothing raw above the raw logs ---- */

/* A stack trace's lines, and the names that programs give their errors. */
const RAW = [/Traceback \(most recent/, /File "[^"]*", line \d+/, /^\s*at .+:\d+:\d+\)?$/m, /\b[A-Z]\w*(Error|Exception)\b/, /goroutine \d+ \[/, /panic: /,
    /\bSIG(KILL|TERM|SEGV|ABRT)\b/, /core dumped/i];

test('no stack trace and no exception name stands above the raw logs, but inside the evidence', async (t) => {
    const seen = { evidence: 0 };
    for (const [ticket, id] of [[48213, 'i7q2m0xk4v9d1c8b3zt5e'], [48197, 'ij5y0c8m2r7d4x1v6t9sb'], [48226, 'il6q2w9e5r1t8y4u0o7ps'], [48226, 'il7f3g8h0j5k2l9z4x6cv'],
        [48229, 'iw5e8r2t6y0u4o9a1s3dg'], [48122, 'iy7t5r3e1w9q8a6s4d2fg'], [48230, 'ibs1x7c3v9b5n0m4l8k2j'], [47951, 'ix8d5r2o7n4a1w6h9e3gp']]) {
        await t.test(id, async () => {
            if (id === 'ix8d5r2o7n4a1w6h9e3gp' || id === 'iy7t5r3e1w9q8a6s4d2fg') {
                await maya.open(`/tickets/${ticket}/sandboxes/${id}`);
                if (!await maya.page.locator('#headline').count()) {
                    await maya.investigate();
                    await stack.agentOnce();
                }
            }
            await maya.investigated(ticket, id);
            const { above, evidence } = await maya.page.evaluate(() => {
                const evidence = [...document.querySelectorAll('.proof')].map((e) => e.innerText).join('\n');
                /* what is quoted as evidence, and the commands as they were given, may name it */
                for (const e of document.querySelectorAll('.proof, .cmd, #raw')) e.remove();
                return { above: document.querySelector('main').innerText, evidence };
            });
            for (const pattern of RAW) {
                const hit = pattern.exec(above);
                assert.equal(hit?.[0], undefined, `${pattern}: ${above.slice(Math.max(0, (hit?.index ?? 0) - 120), (hit?.index ?? 0) + 120)}`);
                if (pattern.test(evidence)) seen.evidence++;
            }
        });
    }
    assert.ok(seen.evidence > 0, 'the pattern would have found one: the evidence quotes some');
});

test('one finding alone: the same', async () => {
    await maya.open(STATES.finding.at);
    await maya.page.$$eval('.proof, .cmd', (all) => all.forEach((e) => e.remove()));
    for (const pattern of RAW) assert.doesNotMatch(await maya.page.locator('main').innerText(), pattern);
});

/* ---- paper ---- */

test('on paper: light, the strip as the head, nothing to press, address and person at the foot', async () => {
    const night = await desk.engineer('maya', { colorScheme: 'dark' });
    await night.open(`${OOM}?${WINDOW}`);
    await night.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const paper = await night.page.evaluate(() => {
        const seen = (s) => [...document.querySelectorAll(s)].filter((e) => e.checkVisibility()).length;
        return {
            ground: getComputedStyle(document.body).backgroundColor,
            pressed: seen('button, input, select, textarea, form, .btn, .bar, .tabs, details:not([open])'),
            strip: seen('.strip'),
            at: getComputedStyle(document.querySelector('.strip')).position,
            finding: seen('#headline') + seen('.proof') + seen('.reply'),
            foot: document.querySelector('.paper').innerText,
        };
    });
    assert.deepEqual({ ...paper, foot: null }, { ground: 'rgb(255, 255, 255)', pressed: 0, strip: 1, at: 'static', finding: 3, foot: null });
    assert.match(squeeze(paper.foot), new RegExp(`/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e, printed by maya from the page of \\d+ \\w{3} \\d\\d:\\d\\d UTC`));
    const pdf = await night.page.pdf({ format: 'A4' });
    assert.ok(pdf.length > 20_000 && pdf.subarray(0, 5).toString() === '%PDF-');
    await night.page.context().close();
});

test('from a ticket\'s number to a finding at most four clicks', async () => {
    const tom = await desk.engineer('tom');
    await tom.lookUp(48090);
    await tom.openTicket(48090);
    await tom.chooseWindow();
    await tom.findSandboxes();
    await tom.openSandbox('iz81m4b7u2g9a6x3c0ojq');
    await tom.investigate();
    await Promise.all([stack.agentOnce(), tom.awaitFinding()]);
    assert.ok(tom.clicks <= 4, `${tom.clicks} clicks`);
    await tom.page.context().close();
});
