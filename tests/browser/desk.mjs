/*
 * An engineer's desk for the browser tests: the whole Casebook on the demo's world, a
 * first harvest done (so that ended sandboxes are on record), and one Chromium.
 *
 *     const desk = await openDesk();
 *     const maya = await desk.engineer('maya');
 *     await maya.lookUp(48213);
 *     ...
 *     await desk.close();
 */
import assert from 'node:assert/strict';
import { openBrowser } from '../lib/browser.mjs';
import { Stack } from '../lib/stack.mjs';

/* An answer of the agent or a page may take this long on a slow machine. */
const PATIENCE_MS = 30_000;

export async function openDesk(options = {}) {
    const stack = await Stack.start({ world: 'tests/sim/world/demo', ...options });
    let browser;
    try {
        await stack.agentOnce();
        browser = await openBrowser();
    } catch (error) {
        await stack.stop();
        throw error;
    }
    return {
        stack,
        browser,
        engineer: async (user, session) => new Engineer(stack, user, await browser.as(user, session)),
        close: async () => {
            await browser.close();
            await stack.stop();
        },
    };
}

/* Visible text with all white space made one blank. */
export const squeeze = (text) => text.replace(/\s+/g, ' ').trim();

/* One person at one page of the browser. `clicks` counts what the mouse did. */
export class Engineer {
    constructor(stack, user, page) {
        Object.assign(this, { stack, user, page, clicks: 0, status: 0 });
        page.setDefaultTimeout(PATIENCE_MS);
        page.setDefaultNavigationTimeout(PATIENCE_MS);
    }

    async open(where) {
        const answer = await this.page.goto(/^http/.test(where) ? where : this.stack.url + where);
        this.status = answer.status();
        return answer;
    }

    /* Does what leads to another page, and waits until that is loaded. */
    async away(act) {
        const isPage = (r) => r.request().isNavigationRequest() && (r.status() < 300 || r.status() >= 400);
        const [answer] = await Promise.all([
            this.page.waitForResponse(isPage),
            this.page.waitForEvent('load'),
            act(),
        ]);
        this.status = answer.status();
    }

    async click(target) {
        const found = typeof target === 'string' ? this.page.locator(target) : target;
        this.clicks++;
        await this.away(() => found.first().click());
    }

    link(name, within = 'main') {
        return this.page.locator(within).getByRole('link', { name, exact: true });
    }

    button(name, within = 'main') {
        return this.page.locator(within).getByRole('button', { name, exact: true });
    }

    text(selector = 'main') {
        return this.page.locator(selector).first().innerText().then(squeeze);
    }

    /* ---- the main job, step by step ---- */

    async lookUp(number) {
        await this.open('/');
        await this.page.fill('#q', String(number));
        await this.away(() => this.page.press('#q', 'Enter'));
    }

    /* From the lookup's results. */
    async openTicket(number) {
        await this.click(this.link(`#${number}`));
    }

    /* The best proposal is either set already, or is chosen by a click. */
    async chooseWindow() {
        if (await this.page.inputValue('#from')) return;
        await this.click(this.page.locator('.proposals a'));
    }

    async findSandboxes() {
        await this.click(this.button('Find sandboxes'));
    }

    async openSandbox(id) {
        await this.click(this.link(id));
    }

    async investigate() {
        await this.click(this.button('Investigate this sandbox'));
    }

    /* Waits, without doing anything, until the page itself shows the finding. */
    async awaitFinding() {
        await this.page.locator('#headline').waitFor();
    }

    sandboxPath(ticket, id) {
        return ticket ? `/tickets/${ticket}/sandboxes/${id}` : `/sandboxes/${id}`;
    }

    /* A finding by the shortest way, for tests that are about something else. */
    async investigated(ticket, id) {
        await this.open(this.sandboxPath(ticket, id));
        if (await this.page.locator('#headline').count()) return;
        await this.investigate();
        await this.stack.agentOnce();
        await this.open(this.sandboxPath(ticket, id));
        assert.equal(await this.page.locator('#headline').count(), 1, await this.text());
    }

    /* The number under which this page's request is in the log. */
    async requestId() {
        const id = await this.page.locator('.foot code').innerText();
        assert.match(id, /^[0-9a-f]{16,64}$/, 'the page names its request');
        return id;
    }

    async assertLogged() {
        const id = await this.requestId();
        assert.ok(this.stack.web.log().includes(id), `request ${id} is in the log of casebook-web`);
    }

    /*
     * Opens a page that has to tell something: the words (texts or patterns), nothing
     * empty, its request in the log. All of its text.
     */
    async told(where, status, ...words) {
        await this.open(where);
        const all = await this.text('body');
        for (const word of words) {
            const is = word instanceof RegExp ? word.test(all) : all.includes(word);
            assert.ok(is, `${where} says ${word}: ${all.slice(0, 3000)}`);
        }
        assert.equal(this.status, status, where);
        await this.assertNothingEmpty();
        await this.assertLogged();
        return all;
    }

    /* No table without rows, no list without items, and a heading with words. */
    async assertNothingEmpty() {
        const faults = await this.page.evaluate(() => {
            const out = [];
            for (const t of document.querySelectorAll('table'))
                if (!t.querySelector('tbody tr')) out.push(`empty table: ${t.outerHTML.slice(0, 200)}`);
            for (const l of document.querySelectorAll('main ol, main ul, main dl'))
                if (!l.children.length) out.push(`empty list: ${l.outerHTML.slice(0, 200)}`);
            const heads = [...document.querySelectorAll('h1')];
            if (heads.length !== 1) out.push(`${heads.length} h1`);
            if (heads.some((h) => !h.textContent.trim())) out.push('h1 without words');
            return out;
        });
        assert.deepEqual(faults, [], `${this.page.url()}: ${faults.join('; ')}`);
    }
}

/* The newest internal note of a ticket in the simulated Zendesk, or undefined. */
export async function newestNote(stack, ticket) {
    const { zendesk } = await stack.control('GET', 'state');
    return zendesk.find((t) => t.id === ticket)?.comments.filter((c) => c.public === false).at(-1);
}
