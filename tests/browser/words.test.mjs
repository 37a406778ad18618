/*
 * Casebook reads and diagnoses. No control, link, form, route or word on any page offers to
 * run or re-run anything, or to resume, pause, kill, connect to or open a shell in a sandbox.
 */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { openDesk, squeeze } from './desk.mjs';

/* Each page and main state; all of them are opened. */
const PAGES = [
    '/', '/?q=48213', '/?q=report', '/?q=nosuchword', '/tickets/48213', '/tickets/47988', '/tickets/48190', '/tickets/999999',
    '/tickets/48213/sandboxes', '/tickets/48233/sandboxes', '/sandboxes', '/sandboxes?value=tanegashi',
    '/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e?logs=1', '/tickets/48213/sandboxes/ip3k7d0m9xb2s8f4ua6lw',
    '/tickets/48213/sandboxes/ik2c9t6v0n4e7w1q8r5mb', '/sandboxes/ie8n4a1y7d3g6r0w9p5vf', '/sandboxes/im0n2b4v6c8x1z3l5k7jh',
    '/tickets/47988/sandboxes/it1m6z9c3v8f0j5b2q7ke', '/sandboxes/izzzzzzzzzzzzzzzzzzzz',
    '/tickets/48229/sandboxes/iw5e8r2t6y0u4o9a1s3dg?logs=1', '/investigations', '/investigations/patterns', '/help', '/investigations/1', '/investigations/2', '/nowhere',
];

/* Where a form may go: to read, or to change Casebook's own records only. */
const FORMS = {
    get: [/^\/$/, /^\/tickets\/\d+\/sandboxes$/, /^\/sandboxes$/, /^\/investigations$/, /^(\/tickets\/\d+)?\/sandboxes\/[a-z0-9]+$/],
    post: [/^(\/tickets\/\d+)?\/sandboxes\/[a-z0-9]+\/investigations$/, /^\/investigations\/\d+\/(cancel|feedback|retry-note|link)$/],
};

/* Where a link may lead, beside other services' pages. */
const LINKS = [
    /^\/$/, /^\/tickets\/\d+$/, /^\/tickets\/\d+\/sandboxes$/, /^\/sandboxes$/, /^(\/tickets\/\d+)?\/sandboxes\/[a-z0-9]+$/,
    /^(\/tickets\/\d+)?\/sandboxes\/[a-z0-9]+\/logs$/,
    /^\/investigations$/, /^\/investigations\/\d+$/, /^\/investigations\/patterns$/, /^\/help$/,
];
const ELSEWHERE = /^(https:\/\/linear\.app\/|http:\/\/127\.0\.0\.1:\d+\/zendesk\/agent\/tickets\/\d+$|https:\/\/[a-z0-9.-]+\/agent\/tickets\/\d+$)/;

/* Words that no control may use. What is told in sentences (paused, killed, ran) is another matter. */
const OFFERS = /\b(run|rerun|re-run|execute|exec|resume|unpause|wake|pause|suspend|kill|terminate|stop|restart|reboot|delete|destroy|connect|attach|shell|terminal|console|ssh|snapshot|fork|clone|extend|keep alive)\b/i;

/* The buttons there are; a new one has to be thought about here. */
const BUTTONS = new Set(['Find', 'Find sandboxes', 'Search', 'Filter', 'Investigate this sandbox', 'Investigate again', 'Cancel', 'Try again',
    'Right', 'Save', 'Post the note', 'Copy id', 'Copy reply', 'Show raw logs', 'Hide raw logs', 'Load more', 'Search all of the log', 'Copy the loaded lines', 'Load all the rest', 'Previous', 'Next',
    'Look in Linear again', 'Keys', 'Close']);

let desk;
let maya;
before(async () => {
    desk = await openDesk();
    maya = await desk.engineer('maya');
    await maya.investigated(48213, 'i7q2m0xk4v9d1c8b3zt5e');
    await maya.investigated(48213, 'i4hn8w2c6rj0y5t1vq9ze');
});
after(() => desk?.close());

const controls = () => maya.page.evaluate(() => {
    /* textContent, since what a closed fold holds has no innerText */
    const words = (e) => [e.textContent, e.getAttribute('title'), e.getAttribute('aria-label'), e.tagName === 'INPUT' ? e.value : '']
        .filter(Boolean).join(' | ');
    return {
        forms: [...document.forms].map((f) => ({ method: f.method, action: new URL(f.action).pathname, inline: f.hasAttribute('action') })),
        formactions: document.querySelectorAll('[formaction], [formmethod], [ping], area, iframe, object, embed').length,
        buttons: [...document.querySelectorAll('button, input[type=submit], input[type=button], input[type=image], [role=button], summary')]
            .map((b) => ({ tag: b.tagName, words: words(b) })),
        links: [...document.querySelectorAll('a')].map((a) => ({ href: a.getAttribute('href') ?? '', url: a.href, words: words(a), isData: Boolean(a.closest('.body, .history, .l-msg, td')) })),
        labels: [...document.querySelectorAll('label, option, [placeholder]')].map((l) => l.textContent || l.getAttribute('placeholder') || ''),
    };
});

for (const where of PAGES) {
    test(`${where}: its forms, buttons and links`, async () => {
        await maya.open(where);
        const base = new URL(maya.stack.url).pathname;
        const all = await controls();

        for (const form of all.forms) {
            const at = form.action.slice(base.length);
            assert.ok(FORMS[form.method]?.some((allowed) => allowed.test(at)), `${form.method} ${at}`);
        }
        assert.equal(all.formactions, 0);
        for (const { tag, words } of all.buttons) {
            assert.doesNotMatch(words, OFFERS, `a control says "${words}"`);
            if (tag !== 'SUMMARY') assert.ok(BUTTONS.has(squeeze(words)), `the button "${squeeze(words)}" is known`);
        }
        for (const { href, url, words, isData } of all.links) {
            if (!isData) assert.doesNotMatch(words, OFFERS, `a link says "${words}"`);
            if (ELSEWHERE.test(url)) continue;
            const to = new URL(url);
            assert.equal(to.host, new URL(maya.stack.url).host, `${href} leads away`);
            assert.ok(LINKS.some((allowed) => allowed.test(to.pathname.slice(base.length)))
                || to.pathname === new URL(maya.page.url()).pathname, `a link leads to ${to.pathname}`);
        }
        for (const label of all.labels) assert.doesNotMatch(label, OFFERS, `a field says "${label}"`);
    });

    test(`${where}: no sentence offers it`, async () => {
        await maya.open(where);
        const text = await maya.page.evaluate(() => {
            for (const said of document.querySelectorAll('.body, .notes, table.logs, .cmd, .reply-text, .note-body')) said.remove();
            return document.body.innerText;
        });
        assert.doesNotMatch(squeeze(text), /\b(re-?run|resume|restart|pause|kill|connect to|attach to|ssh)\b (it|this|the|a) (sandbox|process|command|job)\b/i);
        assert.doesNotMatch(squeeze(text), /\b(click|press|use|here) (to|and) (run|resume|restart|pause|kill|connect|open a shell)\b/i);
        assert.doesNotMatch(squeeze(text), /open (a )?(shell|terminal|console)/i);
    });
}

test('no such route: whatever is asked for, nothing but GET reaches E2B', async () => {
    const { stack } = desk;
    const sid = 'ik2c9t6v0n4e7w1q8r5mb';
    await maya.open(`/tickets/48213/sandboxes/${sid}`);
    const csrf = await maya.page.locator('form[action$="/investigations"] input[name=csrf]').inputValue();
    const since = (await stack.control('GET', 'calls')).at(-1)?.n ?? 0;
    for (const base of [`/sandboxes/${sid}`, `/tickets/48213/sandboxes/${sid}`]) {
        for (const verb of ['resume', 'pause', 'kill', 'connect', 'timeout', 'refreshes', 'run', 'exec', 'shell', 'commands', 'snapshots', 'fork', 'delete', 'envd']) {
            for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
                const answer = await stack.request(method, `${base}/${verb}`, {
                    user: 'maya',
                    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
                    body: method === 'GET' ? undefined : `csrf=${encodeURIComponent(csrf)}`,
                });
                assert.ok([404, 405].includes(answer.status), `${method} ${base}/${verb}: ${answer.status}`);
            }
        }
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
            const answer = await stack.request(method, base, { user: 'maya', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: `csrf=${encodeURIComponent(csrf)}` });
            assert.ok([404, 405].includes(answer.status), `${method} ${base}: ${answer.status}`);
        }
    }
    assert.deepEqual(await stack.control('GET', `calls?since=${since}`), [], 'no service was asked for anything');
    const all = await stack.control('GET', 'calls?since=0');
    assert.deepEqual([...new Set(all.filter((c) => c.service === 'e2b').map((c) => c.method))], ['GET']);
});
