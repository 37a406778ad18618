/*
 * What a sandbox page costs, in upstream time: with every call of every service delayed
 * alike, how long is the page compared with one such call? A ratio within one run, so that
 * it says the same on any machine. Prints it when run by itself:
 *
 *     CASEBOOK_BUILD=... node tests/bench/page_latency.mjs
 */
import { pathToFileURL } from 'node:url';
import { Stack } from '../lib/stack.mjs';

/* Four reads that fit in a page each: fewer than 100 events and 1,000 lines. */
const SANDBOX = 'ip3k7d0m9xb2s8f4ua6lw';
const PAGES = {
    'sandbox page': `/sandboxes/${SANDBOX}`,
    'sandbox page under a ticket': `/tickets/48213/sandboxes/${SANDBOX}`,
    'sandbox page with a finding and its Linear issue': '/tickets/48090/sandboxes/iz81m4b7u2g9a6x3c0ojq',
};
const INVESTIGATED = '/tickets/48090/sandboxes/iz81m4b7u2g9a6x3c0ojq';

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function took(act) {
    const begin = performance.now();
    await act();
    return performance.now() - begin;
}

async function page(stack, where) {
    const { status, text } = await stack.get(where, { user: 'maya' });
    if (status !== 200) throw new Error(`${where}: ${status}`);
    if (/class="msg msg-bad"/.test(text)) throw new Error(`${where}: not whole`);
    return text;
}

async function investigate(stack) {
    const csrf = (await page(stack, INVESTIGATED)).match(/name="csrf" value="([^"]+)"/)[1];
    await stack.postForm(`${INVESTIGATED}/investigations`, { csrf }, { user: 'maya' });
    await stack.agentOnce();
    if (!/id="headline"/.test(await page(stack, INVESTIGATED))) throw new Error('no finding to show');
}

/* One call as the page makes it, to the simulator itself. */
async function call(stack) {
    const answer = await fetch(`${stack.simUrl}/e2b/sandboxes/${SANDBOX}`, {
        headers: { 'X-API-Key': 'e2b_demo0000000000000000000000000000000000' },
    });
    await answer.text();
    if (answer.status !== 200) throw new Error(`the simulator: ${answer.status}`);
}

/*
 * { delayMs, call, pages: {name: {ms, ratio, calls}} }, medians of `times` measurements,
 * taken in turns. One responder, which is warm: it has its connections and its token.
 */
export async function measure({ delayMs = 200, times = 9 } = {}) {
    const stack = await Stack.start({ world: 'tests/sim/world/demo', config: { 'Web.Responders': 1 } });
    try {
        await stack.agentOnce();
        await investigate(stack);
        for (const service of ['e2b', 'zendesk', 'linear']) {
            await stack.control('POST', 'faults', { service, latency_ms: delayMs, times: -1 });
        }
        const all = Object.fromEntries(['call', ...Object.keys(PAGES)].map((name) => [name, []]));
        const calls = {};
        for (const where of Object.values(PAGES)) await page(stack, where);
        for (let i = 0; i < times; i++) {
            all.call.push(await took(() => call(stack)));
            for (const [name, where] of Object.entries(PAGES)) {
                await stack.control('DELETE', 'calls');
                all[name].push(await took(() => page(stack, where)));
                calls[name] = (await stack.control('GET', 'calls')).length;
            }
        }
        const one = median(all.call);
        return {
            delayMs,
            call: one,
            pages: Object.fromEntries(Object.keys(PAGES).map((name) =>
                [name, { ms: median(all[name]), ratio: median(all[name]) / one, calls: calls[name] }])),
        };
    } finally {
        await stack.stop();
    }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
    const { delayMs, call: one, pages } = await measure();
    console.log(`one call, delayed by ${delayMs} ms: ${one.toFixed(1)} ms`);
    for (const [name, { ms, ratio, calls }] of Object.entries(pages)) {
        console.log(`${name}: ${ms.toFixed(1)} ms for ${calls} calls, ${ratio.toFixed(3)} of one call`);
    }
}
