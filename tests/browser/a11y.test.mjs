/*
 * Accessible, and safe to look at: axe-core on every page and main state in light and dark,
 * the job by keyboard alone, no sideways scrolling on a phone, nothing from other hosts,
 * and nothing executed of what hostile customers write.
 */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { accessibilityFaults } from '../lib/browser.mjs';
import { openDesk, squeeze } from './desk.mjs';
import { OOM, STATES, hangGallery, inState, unfold } from './gallery.mjs';

let desk;
let stack;
let maya;
before(async () => {
    desk = await openDesk();
    stack = desk.stack;
    maya = await hangGallery(desk);
});
after(() => desk?.close());

/* axe looks at each row of a long table; those after the fortieth are like the others. */
const thin = (page) => page.$$eval('tbody, ol.tl', (all) => all.forEach((rows) => {
    for (const row of [...rows.children].slice(40)) row.remove();
}));

const faultsOf = async (page, options) => {
    await thin(page);
    return accessibilityFaults(page, options);
};

/* The dark pages are the light ones in other colours. */
const COLOURS = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/* What is folded is looked at open, on every page; closed, on one of each kind. */
const FOLDED = ['lookup, words', 'ticket', 'search with a window', 'search, nothing found', 'sandbox, raw logs open', 'sandbox with a window',
    'sandbox, waiting for the agent', 'finding', 'investigations', 'patterns', 'help'];

test('axe-core finds nothing, folds closed and open; nor in the colours of the dark', async (t) => {
    assert.deepEqual(FOLDED.filter((name) => !STATES[name]), []);
    const light = await desk.engineer('maya', { colorScheme: 'light' });
    const dark = await desk.engineer('maya', { colorScheme: 'dark' });
    for (const [name, state] of Object.entries(STATES)) {
        await t.test(name, () => inState(stack, state, [light, dark], async (engineer) => {
            const { page } = engineer;
            if (engineer === light && FOLDED.includes(name)) assert.deepEqual(await faultsOf(page), [], 'with closed folds');
            await unfold(page);
            assert.deepEqual(await faultsOf(page, engineer === dark ? COLOURS : undefined), [], 'with open folds');
        }));
    }
    assert.notEqual(await dark.page.evaluate(() => getComputedStyle(document.body).backgroundColor),
        await light.page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'dark is another palette');
    for (const { page } of [light, dark]) await page.context().close();
});

test('no sideways scrolling at 390 and at 320 px', async (t) => {
    const phones = [await desk.engineer('maya', { width: 390, height: 844 }), await desk.engineer('maya', { width: 320, height: 640 })];
    for (const [name, state] of Object.entries(STATES)) {
        await t.test(name, () => inState(stack, state, phones, async ({ page }) => {
            await unfold(page);
            const [need, have, wide] = await page.evaluate(() => [
                document.documentElement.scrollWidth, document.documentElement.clientWidth,
                [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
                    .slice(0, 5).map((e) => `${e.tagName}.${e.className}`).join(' '),
            ]);
            assert.ok(need <= have, `${have} px wide, needs ${need}: ${wide}`);
        }));
    }
    await t.test('axe-core finds nothing in the narrow layout', async () => {
        for (const at of [OOM, `${OOM}?logs=1`, '/tickets/48213', STATES['search with a window'].at, '/investigations']) {
            await phones[0].open(at);
            assert.deepEqual(await faultsOf(phones[0].page), [], at);
        }
    });
    for (const { page } of phones) await page.context().close();
});

/* ---- by keyboard alone --------------------------------------------------- */

/* Presses Tab until the focus is on what `wanted` (a function in the page) says yes to. */
async function tabTo(page, what, wanted) {
    for (let i = 0; i < 300; i++) {
        await page.keyboard.press('Tab');
        const at = await page.evaluate(wanted);
        if (!at) continue;
        const ring = await page.evaluate(() => {
            const e = document.activeElement;
            const s = getComputedStyle(e);
            const box = e.getBoundingClientRect();
            const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            return { ring: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2, isSeen: Boolean(top && (e.contains(top) || top.contains(e))) };
        });
        assert.ok(ring.ring, `the focus on ${what} has a ring`);
        assert.ok(ring.isSeen, `${what} is in view when it has the focus`);
        return;
    }
    assert.fail(`Tab never came to ${what} on ${page.url()}`);
}

const onText = (text) => `document.activeElement && document.activeElement.closest('main') && document.activeElement.textContent.trim() === ${JSON.stringify(text)}`;

test('the whole job by keyboard alone', async () => {
    const kai = await desk.engineer('kai');
    const { page } = kai;
    const press = (key) => kai.away(() => page.keyboard.press(key));

    await kai.open('/');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content', 'first of all the skip link');
    assert.ok(await page.evaluate(() => document.activeElement.getBoundingClientRect().top >= 0), 'which shows itself');
    await page.keyboard.press('Enter');
    await tabTo(page, 'the lookup field', `document.activeElement.id === 'q'`);
    await page.keyboard.type('48090');
    await press('Enter');
    await tabTo(page, 'the ticket', onText('#48090'));
    await press('Enter');
    if (!(await page.inputValue('#from'))) {
        await tabTo(page, 'the first proposal', `Boolean(document.activeElement.closest('.proposals'))`);
        await press('Enter');
    }
    await tabTo(page, 'Find sandboxes', onText('Find sandboxes'));
    await press('Enter');
    await tabTo(page, 'the sandbox', onText('iz81m4b7u2g9a6x3c0ojq'));
    await press('Enter');
    await tabTo(page, 'Investigate', onText('Investigate this sandbox'));
    await press('Enter');
    await Promise.all([stack.agentOnce(), kai.awaitFinding()]);
    assert.match(await kai.text('#finding'), /Hit its timeout/);
    await tabTo(page, 'the evidence', `Boolean(document.activeElement.closest('.proof'))`);
    await tabTo(page, 'the issue in Linear', `Boolean(document.activeElement.closest('.issue'))`);
    await tabTo(page, 'Right', onText('Right'));
    await press('Enter');
    assert.match(await kai.text('#finding'), /kai says it is right/);
    await tabTo(page, 'Show raw logs', onText('Show raw logs'));
    await press('Enter');
    assert.ok(await page.locator('#l-body tr').count() > 3);
    await page.context().close();
});

test('what a link leads to is not hidden under the strip', async () => {
    await maya.open(OOM);
    const targets = await maya.page.locator('.proof a, a[href="#reply"]').evaluateAll((all) => all.map((a) => a.href));
    assert.ok(targets.length > 2, targets.join(' '));
    for (const target of targets) {
        await maya.page.goto(target);
        const [top, strip] = await maya.page.evaluate(() => [
            document.querySelector(':target')?.getBoundingClientRect().top ?? -1,
            document.querySelector('.strip').getBoundingClientRect().bottom,
        ]);
        assert.ok(top >= strip - 1, `${target}: ${top} under ${strip}`);
    }
});

test('landmarks, one h1, headings in order, language, times with their machine form', async () => {
    for (const at of ['/', '/tickets/48213', '/tickets/48213/sandboxes', OOM, '/investigations', STATES.finding.at]) {
        await maya.open(at);
        const page = await maya.page.evaluate(() => ({
            marks: ['header', 'main', 'footer', 'nav'].filter((m) => !document.querySelector(m)),
            h1: document.querySelectorAll('h1').length,
            lang: document.documentElement.lang,
            title: document.title,
            times: [...document.querySelectorAll('time')].filter((t) => Number.isNaN(Date.parse(t.getAttribute('datetime')))).length,
            ids: [...document.querySelectorAll('[id]')].map((e) => e.id).filter((id, i, all) => all.indexOf(id) !== i),
        }));
        assert.deepEqual({ ...page, title: page.title.endsWith(' - Casebook') },
            { marks: [], h1: 1, lang: 'en', title: true, times: 0, ids: [] }, at);
    }
});

test('charts can be read without seeing them', async () => {
    await maya.open(OOM);
    for (const plot of await maya.page.locator('svg.c-plot').all()) {
        assert.equal(await plot.getAttribute('role'), 'img');
        const ids = (await plot.getAttribute('aria-labelledby')).split(' ');
        const words = await Promise.all(ids.map((id) => maya.page.locator(`#${id}`).textContent()));
        assert.match(words[0], /^(CPU|Memory|Disk) use, \d\d:\d\d/);
        assert.ok(words[1].length > 30, words[1]);
    }
    assert.equal(await maya.page.locator('svg.c-plot').count(), 3);
});

test('less motion, forced colours, zoom by text: the page holds', async () => {
    const still = await desk.engineer('maya', { reducedMotion: 'reduce', forcedColors: 'active' });
    await still.open('/tickets/48122/sandboxes/io2b8f5t1z6k9w3n0q7hd');
    const moving = await still.page.$$eval('*', (all) => all.filter((e) => {
        const s = getComputedStyle(e);
        return s.animationName !== 'none' && parseFloat(s.animationDuration) > 0.01 && s.animationIterationCount !== '0';
    }).length);
    assert.equal(moving, 0);
    await still.page.context().close();
});

/* ---- nothing foreign, nothing executed ----------------------------------- */

test('no page asks another host for anything, and the browser has nothing to complain of', async () => {
    const eve = await desk.engineer('eve');
    for (const state of Object.values(STATES).filter((s) => !s.fault)) {
        await eve.open(state.at);
        await unfold(eve.page);
    }
    const own = new URL(stack.url).host;
    assert.deepEqual(eve.page.asked.filter((url) => new URL(url).host !== own), []);
    assert.deepEqual(eve.page.problems.filter((p) => !/status of 404/.test(p)), []);
    const policy = (await eve.open(OOM)).headers()['content-security-policy'];
    assert.match(policy, /default-src '(none|self)'/);
    assert.doesNotMatch(policy, /unsafe-eval|\*|script-src[^;]*unsafe-inline/);
    await eve.page.context().close();
});

const HOSTILE = ['/?q=48240', '/tickets/48240', '/tickets/48240/sandboxes', '/tickets/48240/sandboxes/ihs0a1b2c3d4e5f6g7h8i?logs=1',
    '/sandboxes?value=%3Cb%3EZero%3C%2Fb%3E%20%26%20%22Nil%22', '/investigations',
    '/?q=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E', '/sandboxes?value=%22%3E%3Cimg+src%3Dx+onerror%3Dalert(1)%3E&key=%22%3E%3Cscript%3E',
    '/tickets/48213?from=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E&to=x', '/investigations?by=%22%3E%3Csvg+onload%3Dalert(1)%3E',
    `${OOM}?logs=1&q=%3C%2Fmark%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E`];

for (const at of HOSTILE) {
    test(`hostile bytes are text: ${at}`, async () => {
        const eve = await desk.engineer('eve');
        await eve.open(at);
        await unfold(eve.page);
        const found = await eve.page.evaluate(() => ({
            scripts: [...document.scripts].filter((s) => !/\/static\/\w+\.js\?/.test(s.src)).length,
            handlers: [...document.querySelectorAll('*')].flatMap((e) => [...e.attributes])
                .filter((a) => /^on/i.test(a.name) || /^\s*(javascript|data|vbscript):/i.test(a.value)).map((a) => `${a.name}=${a.value}`),
            images: document.images.length,
            styled: document.querySelectorAll('main [style], main style, main link, main base, main meta, main iframe').length,
        }));
        assert.deepEqual(found, { scripts: 0, handlers: [], images: 0, styled: 0 });
        assert.deepEqual(eve.page.problems.filter((p) => !/status of 404/.test(p)), []);
        await eve.page.context().close();
    });
}

test('hostile words are shown as they are, invisible and turning characters are not obeyed', async () => {
    await maya.open('/tickets/48240');
    assert.match(squeeze(await maya.page.locator('h1').innerText()), /<script>alert\('subject'\)<\/script> \{\{ticket\.id\}\} "quotes" & more/);
    const body = await maya.text('.talk');
    assert.doesNotMatch(body, /hidden words of an attacker/, 'what Zendesk hides is not shown as if it were said');
    assert.doesNotMatch(body, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u202a-\u202e\u2066-\u2069]/u);
    assert.doesNotMatch(await maya.page.content(), /files\.example\.net/, 'attachments are not linked');

    await maya.open('/tickets/48240/sandboxes/ihs0a1b2c3d4e5f6g7h8i?logs=1');
    const logs = await maya.text('table.logs');
    assert.match(logs, /<script>alert\('out'\)<\/script> & <b>bold<\/b>/);
    assert.match(logs, /\{\{ticket\.id\}\} <\?cs var:Page\.Title \?> \$\{jndi:ldap:\/\/x\}/);
    assert.doesNotMatch(logs, /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/u);
    const facts = await maya.text('#facts');
    assert.match(facts, /<script>=alert\('key'\)/);
});
