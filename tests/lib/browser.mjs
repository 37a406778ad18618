/*
 * Debian's Chromium for a test, driven by playwright-core.
 *
 *     const browser = await openBrowser();
 *     const page = await browser.as('ann', { javaScriptEnabled: false });
 *     ...
 *     await browser.close();
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
    '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--disable-dev-shm-usage',
];

/* The browser has a profile of its own, which goes when it is closed. */
export async function openBrowser() {
    const browser = await chromium.launch({ executablePath: EXECUTABLE, headless: true, args: FLAGS });
    return {
        browser,
        version: browser.version(),

        /*
         * A page of a fresh session that plays `user`. page.problems collects what the
         * browser complained of: script errors, blocked content, failed requests, and
         * dialogs, which Casebook never opens. page.asked collects all addresses that
         * were asked for.
         */
        async as(user, { width = 1280, height = 900, ...options } = {}) {
            const context = await browser.newContext({
                viewport: { width, height },
                extraHTTPHeaders: {
                    Authorization: `Basic ${Buffer.from(`${user}:x`).toString('base64')}`,
                },
                ...options,
            });
            const page = await context.newPage();
            page.problems = [];
            page.asked = [];
            page.on('request', (request) => page.asked.push(request.url()));
            page.on('dialog', (dialog) => {
                page.problems.push(`dialog: ${dialog.message()}`);
                dialog.dismiss().catch(() => {});
            });
            page.on('pageerror', (error) => page.problems.push(`script: ${error.message}`));
            page.on('console', (line) => {
                if (line.type() === 'error') page.problems.push(`console: ${line.text()}`);
            });
            page.on('requestfailed', (request) => {
                const why = request.failure()?.errorText;
                /* aborted: the page was left before the answer came */
                if (why !== 'net::ERR_ABORTED') page.problems.push(`request: ${request.url()} ${why}`);
            });
            return page;
        },

        close: () => browser.close(),
    };
}

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/* What the pages are held to: WCAG 2 A and AA up to 2.2, and axe's best practice. */
const HELD_TO = {
    runOnly: {
        type: 'tag',
        values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    },
    rules: { 'target-size': { enabled: true } },
};

/*
 * Accessibility faults of the page as it is now, one text each: "rule (impact): selector ...".
 * axe is evaluated through the debugger, so that the page's own script policy may stay strict.
 */
export async function accessibilityFaults(page, options = HELD_TO) {
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(
        (given) => globalThis.axe.run(document, { resultTypes: ['violations'], ...given }), options);
    return violations.map((rule) =>
        `${rule.id} (${rule.impact}): ${rule.nodes.map((node) => node.target.join(' ')).join(', ')}`);
}
