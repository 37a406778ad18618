/*
 * Every field of every service is hostile (world.mjs): Chromium executes nothing, loads nothing from elsewhere,
 * follows nothing, and the pages hold their shape at 1280 and at 390 px.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { openDesk, squeeze } from '../browser/desk.mjs';
import { BLUNT_TICKET, LONG, LONG_TICKET, MAIL, ORG, SANDBOXES, TICKET, bare, evil, writeWorld } from './world.mjs';

let folder;
let desk;
let stack;
let wide;
let narrow;
const PAGES = {};

before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'casebook-hostile-'));
    writeWorld(folder);
    desk = await openDesk({ world: folder });
    stack = desk.stack;
    wide = await desk.engineer('eve');
    narrow = await desk.engineer('eve', { width: 390, height: 844 });
    await spoilLinear();
    Object.assign(PAGES, {
        'lookup by number': `/?q=${TICKET}`,
        'lookup by words': '/?q=script',
        'recent tickets': '/',
        ticket: `/tickets/${TICKET}`,
        'ticket of long words': `/tickets/${LONG_TICKET}`,
        'ticket without readable words': `/tickets/${BLUNT_TICKET}`,
        search: `/tickets/${TICKET}/sandboxes`,
        'search with a window': `/tickets/${TICKET}/sandboxes?from=2026-01-01T00:00:00Z&to=2027-12-31T00:00:00Z`,
        'search by tag': `/sandboxes?value=${ORG}`,
        'search for an attack': `/sandboxes?value=${encodeURIComponent(evil('query'))}&key=${encodeURIComponent(evil('tag').slice(0, 100))}`,
        'search, nothing found': `/tickets/${LONG_TICKET}/sandboxes`,
        sandbox: `/tickets/${TICKET}/sandboxes/${SANDBOXES[0]}`,
        'sandbox with its logs': `/tickets/${TICKET}/sandboxes/${SANDBOXES[0]}?logs=1`,
        'sandbox, logs searched': `/sandboxes/${SANDBOXES[0]}?logs=1&q=${encodeURIComponent('<script>')}`,
        'sandbox of a long template, with a line of 5 MB': `/sandboxes/${SANDBOXES[2]}?logs=1`,
        finding: '/investigations/1',
        'finding that matched': '/investigations/2',
        investigations: '/investigations',
        'investigations, an attack as filter': `/investigations?by=${encodeURIComponent(evil('by').slice(0, 200))}`,
        patterns: '/investigations/patterns',
    });
});
after(async () => {
    await desk?.close();
    if (folder) fs.rmSync(folder, { recursive: true, force: true });
});

/* The issue that was filed gets a hostile title and address; the second sandbox then matches it. */
async function spoilLinear() {
    await wide.investigated(TICKET, SANDBOXES[0]);
    const { linear } = await stack.control('GET', 'state');
    const own = linear.issues.filter((issue) => issue.identifier !== 'SUP-201').at(-1);
    const state = linear.states.find((s) => s.name.includes('<script>'));
    if (own) {
        await stack.control('POST', 'patch', {
            service: 'linear', table: 'issues', match: { identifier: own.identifier },
            set: { title: bare('filed title'), url: 'javascript:alert(8)', ...(state ? { stateId: state.id } : {}) },
        });
    }
    stack.sql('DELETE FROM linear_issue'); /* what was read is shown for half a minute, with the title of before */
    await wide.investigated(0, SANDBOXES[1]);
}

const OWN = () => new URL(stack.url).host;

async function assertHarmless({ page }, name) {
    const found = await page.evaluate(() => ({
        scripts: [...document.scripts].filter((s) => !/\/static\/\w+\.js\?/.test(s.src)).length,
        handlers: [...document.querySelectorAll('*')].flatMap((e) => [...e.attributes])
            .filter((a) => /^on/i.test(a.name) || /^\s*(javascript|data|vbscript):/i.test(a.value) && /^(href|src|action|formaction)$/i.test(a.name)).map((a) => `${a.name}=${a.value}`),
        foreign: document.querySelectorAll('img, iframe, object, embed, base, video, audio, main style, main link, main [style], form[action^="http://evil"], main img').length,
        away: [...document.links].filter((a) => a.host !== location.host && !/(^|\.)linear\.app$|^127\.0\.0\.1:\d+$/.test(a.host)).map((a) => a.href),
        shut: [...document.querySelectorAll('header, main, footer')].filter((e) => getComputedStyle(e).display === 'none').length,
        turned: document.body.innerText.match(/[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b\u000c\u000e-\u001f]/gu)?.length ?? 0,
    }));
    assert.deepEqual(found, { scripts: 0, handlers: [], foreign: 0, away: [], shut: 0, turned: 0 }, name);
    assert.deepEqual(page.problems.filter((p) => !/status of (400|404|502)/.test(p)), [], `${name}: the browser has nothing to complain of`);
    assert.deepEqual(page.asked.filter((url) => new URL(url).host !== OWN()), [], `${name}: nothing is asked of another host`);
}

async function assertShape({ page }, name) {
    const shape = await page.evaluate(() => ({
        need: document.documentElement.scrollWidth,
        have: document.documentElement.clientWidth,
        bar: document.querySelector('.bar').getBoundingClientRect().height,
        strip: document.querySelector('.strip')?.getBoundingClientRect().height ?? 0,
        h1: document.querySelectorAll('h1').length,
        wide: [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5)
            .map((e) => `${e.tagName}.${e.className}`).join(' '),
    }));
    assert.ok(shape.need <= shape.have, `${name}: ${shape.have} px wide, needs ${shape.need}: ${shape.wide}`);
    assert.ok(shape.bar <= 140 && shape.strip <= 110, `${name}: bar ${shape.bar}, strip ${shape.strip}`);
    assert.equal(shape.h1, 1, name);
}

test('every page, at 1280 and at 390 px', async (t) => {
    for (const [name, at] of Object.entries(PAGES)) {
        await t.test(name, async () => {
            for (const engineer of [wide, narrow]) {
                engineer.page.problems.length = 0;
                await engineer.open(at);
                assert.ok(engineer.status < 500, `${at.slice(0, 80)}: ${engineer.status}`);
                await engineer.page.$$eval('main details', (all) => all.forEach((d) => {
                    d.open = true;
                }));
                await assertHarmless(engineer, name);
                await assertShape(engineer, name);
            }
        });
    }
});

test('what was said stays readable, as text', async () => {
    await wide.open(PAGES.ticket);
    assert.match(await wide.page.locator('h1').innerText(), /"><script>alert\('subject'\)<\/script>/);
    assert.match(await wide.text('.strip'), /mal"onfocus=alert\(1\)'@evil\.example|alert/);
    assert.match(await wide.text('.talk'), /<script>alert\('plain'\)<\/script>/);
    await wide.open(PAGES['sandbox with its logs']);
    assert.match(await wide.text('table.logs'), /<script>alert\('out'\)<\/script>/);
    assert.match(squeeze(await wide.page.locator('.tags').innerText()), /alert\('key'\).*alert\('value'\)/);
    assert.match(await wide.text('#timeline'), /reason given by E2B/);
});

test('what a terminal would obey is named or bold in the log, however it is reached; the file has none of it', async () => {
    const at = `/sandboxes/${SANDBOXES[0]}`;
    const lines = async () => wide.page.$$eval('table.logs .l-msg', (all) => all
        .filter((e) => /^"><script>alert\('out'/.test(e.textContent))
        .map((e) => ({ all: e.textContent, ...Object.fromEntries(['b', 'span > .quiet'].map((what) => [what, [...e.querySelectorAll(what)].map((m) => m.textContent)])) })));
    await wide.open(`${at}?logs=1`);
    const [line] = await lines();
    assert.match(line.all, /⟨RLO⟩gnirts⟨PDF⟩ ⟨LRI⟩hidden⟨PDI⟩ red {2}/, 'the title that was to be set is gone');
    assert.deepEqual(line.b, ['red']);
    assert.deepEqual(line['span > .quiet'], ['⟨RLO⟩', '⟨PDF⟩', '⟨LRI⟩', '⟨PDI⟩']);
    const link = await wide.page.locator('table.logs tr', { hasText: `alert('out')` }).first().locator('.l-no a').getAttribute('href');
    await wide.open(new URL(link, `${stack.url}${at}`).href);
    assert.deepEqual(await lines(), [line], 'around the line');
    const fragment = (await stack.get(`${at}/logs?from=1`)).text;
    assert.ok(fragment.includes('<span class="quiet">⟨RLO⟩</span>gnirts') && fragment.includes('<b>red</b>'), 'more of them');
    const file = (await stack.get(`${at}/logs?from=1&as=text`)).text;
    assert.match(file, /alert\('out'.*\uFFFDgnirts\uFFFD \uFFFDhidden\uFFFD red {2}/);
    const of = (all) => all.split('\n').find((l) => l.includes("alert('out')")).split('\t')[3].trimEnd();
    await wide.open(`${at}?logs=1`);
    const [download] = await Promise.all([wide.page.waitForEvent('download'), wide.page.locator('#l-file').click()]);
    assert.equal(of(fs.readFileSync(await download.path(), 'utf8')), of(file), 'the script makes the same file');
    await wide.open(`${at}?logs=1&in=printed&q=${encodeURIComponent('hidden')}`);
    assert.ok(await wide.page.locator('table.logs mark', { hasText: 'hidden' }).count() > 0);
});

test('hostile names of issues, states and addresses', async () => {
    for (const at of ['/investigations/1', '/investigations/2']) {
        await wide.open(at);
        await assertHarmless(wide, at);
    }
    assert.match(await wide.text('.f-right'), /alert\('(filed title|title)'\)/, 'the matched issue is told with its own title');
    assert.equal(await wide.page.locator('.issue a[href="#"]').count(), 1, 'its address leads nowhere');
});

test('ids, keys and whole answers that are attacks', async () => {
    const row = {
        sandboxID: '"><script>alert(9)</script>', clientID: 'x', templateID: bare('t').slice(0, 60), alias: bare('alias'), startedAt: new Date().toISOString(),
        endAt: new Date(Date.now() + 6e5).toISOString(), cpuCount: 2, memoryMB: 512, diskSizeMB: 1024, state: bare('state'), envdVersion: '0.5.0',
        metadata: { userId: MAIL, __proto__: { a: bare('proto') } },
    };
    const answers = [
        ['/v2/sandboxes', [row, { ...row, sandboxID: LONG }, { ...row, sandboxID: 'iokok0a1b2c3d4e5f6g7h', state: bare('state') }]],
        ['/events', [{ id: bare('id'), type: bare('type'), timestamp: 'yesterday', sandboxId: bare('sid'), eventData: { set_timeout: bare('timeout') } }]],
        [`/sandboxes/${SANDBOXES[0]}`, { ...row, sandboxID: bare('id') }],
    ];
    for (const [where, body] of answers) {
        await stack.control('POST', 'faults', { service: 'e2b', path: where, times: -1, status: 200, body });
    }
    try {
        for (const at of [PAGES['search by tag'], PAGES.sandbox, PAGES['sandbox with its logs']]) {
            for (const engineer of [wide, narrow]) {
                await engineer.open(at);
                assert.ok(engineer.status < 500, `${at}: ${engineer.status}`);
                await assertHarmless(engineer, at);
                await assertShape(engineer, at);
            }
        }
    } finally {
        await stack.control('DELETE', 'faults');
    }
});
