/*
 * Every page and main state of Casebook on the demo's world, for what looks at all of them: accessibility, layout,
 * screenshots.
 */
export const OOM = '/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e';
export const WINDOW = 'from=2026-11-24T13%3A55%3A00Z&to=2026-11-24T14%3A10%3A00Z';

/* Every page and main state. `fault`: what is ordered of the simulator first. */
export const STATES = {
    'lookup, recent tickets': { at: '/' },
    'lookup, a number': { at: '/?q=48213' },
    'lookup, words': { at: '/?q=report' },
    'lookup, nothing': { at: '/?q=nosuchword' },
    'lookup, no such number': { at: '/?q=99999999' },
    'lookup, Zendesk down': { at: '/?q=48213', fault: { service: 'zendesk', status: 500, body: 'text' } },
    'ticket': { at: '/tickets/48213' },
    'ticket with a window': { at: `/tickets/48213?${WINDOW}` },
    'ticket with a bad window': { at: '/tickets/48213?from=soon&to=later' },
    'ticket, closed': { at: '/tickets/47988' },
    'ticket, suspended requester': { at: '/tickets/48171' },
    'ticket, no subject': { at: '/tickets/48190' },
    'ticket, 125 comments': { at: '/tickets/48101' },
    'ticket, hostile': { at: '/tickets/48240' },
    'ticket, Zendesk down': { at: '/tickets/48213', fault: { service: 'zendesk', status: 500, body: 'text' } },
    'ticket, unknown': { at: '/tickets/99999999' },
    'search': { at: '/tickets/48213/sandboxes' },
    'search with a window': { at: null, name: 'windowed' },
    'search, nothing found': { at: '/tickets/48233/sandboxes' },
    'search, failed': { at: '/tickets/48233/sandboxes', fault: { service: 'e2b', status: 500, body: 'text' } },
    'search, half failed': { at: '/tickets/48213/sandboxes', fault: { service: 'e2b', status: 500, body: 'text' } },
    'search without a ticket': { at: '/sandboxes' },
    'search without a ticket, found': { at: '/sandboxes?value=tanegashi' },
    'sandbox, ended, with a finding that matched': { at: OOM },
    'sandbox with a window': { at: null, name: 'windowed sandbox' },
    'sandbox, raw logs open': { at: `${OOM}?logs=1` },
    'sandbox, undetermined, no samples': { at: '/tickets/48213/sandboxes/i4hn8w2c6rj0y5t1vq9ze' },
    'sandbox, running': { at: '/tickets/48213/sandboxes/ip3k7d0m9xb2s8f4ua6lw' },
    'sandbox, paused': { at: '/tickets/48213/sandboxes/ik2c9t6v0n4e7w1q8r5mb' },
    'sandbox, paused three times': { at: '/sandboxes/ie8n4a1y7d3g6r0w9p5vf' },
    'sandbox, silent': { at: '/sandboxes/im0n2b4v6c8x1z3l5k7jh' },
    'sandbox, two samples': { at: '/sandboxes/if5d2s9e8h1w7n4k6v0ty' },
    'sandbox, more than 100 events': { at: '/sandboxes/il8b1n7m4q0w6e3r9t2yu?events=all' },
    'sandbox, 100,000 lines': { at: '/sandboxes/iw5e8r2t6y0u4o9a1s3dg?logs=1' },
    'sandbox, hostile, raw logs open': { at: '/tickets/48240/sandboxes/ihs0a1b2c3d4e5f6g7h8i?logs=1' },
    'sandbox, charts failed': { at: '/sandboxes/ip3k7d0m9xb2s8f4ua6lw', fault: { service: 'e2b', path: '/sandboxes/ip3k7d0m9xb2s8f4ua6lw/metrics', status: 500, body: 'text' } },
    'sandbox, all failed': { at: '/sandboxes/ip3k7d0m9xb2s8f4ua6lw', fault: { service: 'e2b', status: 500, body: 'text' } },
    'sandbox, closed ticket': { at: '/tickets/47988/sandboxes/it1m6z9c3v8f0j5b2q7ke' },
    'sandbox, waiting for the agent': { at: '/tickets/48122/sandboxes/io2b8f5t1z6k9w3n0q7hd' },
    'sandbox, cancelled': { at: '/tickets/48122/sandboxes/iy7t5r3e1w9q8a6s4d2fg' },
    'sandbox, investigation failed': { at: '/tickets/47951/sandboxes/ix8d5r2o7n4a1w6h9e3gp' },
    'sandbox, unknown': { at: '/sandboxes/izzzzzzzzzzzzzzzzzzzz' },
    'finding': { at: null, name: 'finding' },
    'investigations': { at: '/investigations' },
    'investigations of a class': { at: '/investigations?class=out_of_memory' },
    'investigations, nothing fits': { at: '/investigations?by=nobody' },
    'patterns': { at: '/investigations/patterns' },
    'patterns, Linear down': { at: '/investigations/patterns?days=7', fault: { service: 'linear', status: 500, body: 'text' } },
    'help': { at: '/help' },
    'no such page': { at: '/nowhere' },
};

/* Makes what the states need: findings, a pattern, one cancelled, one failed, one waiting. `at` of all is filled. */
export async function hangGallery(desk) {
    const { stack } = desk;
    const maya = await desk.engineer('maya');

    for (const [ticket, id] of [[48213, 'i7q2m0xk4v9d1c8b3zt5e'], [48213, 'i4hn8w2c6rj0y5t1vq9ze'], [48240, 'ihs0a1b2c3d4e5f6g7h8i']]) {
        await maya.investigated(ticket, id);
    }
    /* the same failure at another customer, and once more: a pattern */
    await maya.investigated(48160, 'iq9e3w6n1h8b5k2z7f4cu');
    await maya.click(maya.button('Investigate again'));
    await stack.agentOnce();
    await maya.open(OOM);
    STATES.finding.at = new URL(await maya.page.locator('a[href*="/investigations/"]').first().getAttribute('href'), stack.url).href;
    await maya.open('/tickets/48213');
    await maya.chooseWindow();
    await maya.findSandboxes();
    STATES['search with a window'].at = maya.page.url();
    await maya.openSandbox('i7q2m0xk4v9d1c8b3zt5e');
    STATES['sandbox with a window'].at = maya.page.url();

    await maya.open('/tickets/48122/sandboxes/iy7t5r3e1w9q8a6s4d2fg');
    await maya.investigate();
    await maya.click(maya.button('Cancel'));
    await maya.open('/tickets/47951/sandboxes/ix8d5r2o7n4a1w6h9e3gp');
    await maya.investigate();
    await stack.control('POST', 'faults', { service: 'e2b', times: -1, status: 401, body: { code: 401, message: 'Invalid API key' } });
    await stack.agentOnce().catch(() => {});
    await stack.control('DELETE', 'faults');
    await maya.open('/tickets/48122/sandboxes/io2b8f5t1z6k9w3n0q7hd');
    await maya.investigate();
    return maya;
}

/* Opens a state in all given pages, one after another. */
export async function inState(stack, { at, fault }, engineers, check) {
    if (fault) await stack.control('POST', 'faults', { times: -1, ...fault });
    try {
        for (const engineer of engineers) {
            await engineer.open(at);
            await check(engineer);
        }
    } finally {
        if (fault) await stack.control('DELETE', 'faults');
    }
}

/* Opens every fold of a page. */
export const unfold = (page) => page.$$eval('main details', (all) => all.forEach((d) => {
    d.open = true;
}));
