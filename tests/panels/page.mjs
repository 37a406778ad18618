/*
 * What the tests of the sandbox page's panels share: a page taken apart into its panels, as a reader sees
 * them, and the upstream calls that it is made from.
 */
export const TICKET = 48213;
export const SANDBOX = 'i7q2m0xk4v9d1c8b3zt5e'; // ended; 1,100 lines; its finding has a Linear issue
export const PANELS = ['finding', 'facts', 'timeline', 'charts', 'processes', 'raw'];

export const sandboxPath = (id = SANDBOX) => `/tickets/${TICKET}/sandboxes/${id}`;

const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&dagger;': '†', '&middot;': '·' };

/* What is read aloud of a piece of the page: no tags, single blanks. Texts of charts stay. */
export function textOf(html) {
    return html
        .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
        .replace(/<[^>]+>/g, ' ')
        .replace(/&(amp|lt|gt|quot|#39|dagger|middot);/g, (e) => ENTITIES[e])
        .replace(/\s+/g, ' ')
        .trim();
}

/* What changes from one reading to the next by itself. */
function steady(html) {
    return html
        .replace(/name="csrf" value="[^"]*"/g, '')
        .replace(/from E2B, \d\d:\d\d:\d\d/g, 'from E2B')
        .replace(/\b\d+ (s|min|h)( \d+ (s|min))? ago/g, 'some time ago');
}

/* { head, strip, finding, facts, ... } as html; a panel that is not there is ''. */
export function panelsOf(html) {
    const part = (re) => steady(html.match(re)?.[0] ?? '');
    const all = {
        head: part(/<div class="head">[\s\S]*?(?=<section class="sec")/),
        strip: part(/<section[^>]*aria-label="Ticket in hand"[\s\S]*?<\/section>/),
    };
    for (const id of PANELS) all[id] = part(new RegExp(`<section class="sec" id="${id}">[\\s\\S]*?\\n(?=<section class="sec"|</main|<footer|$)`));
    return all;
}

/* The reads of the page. `under` are longer paths that begin alike and stay untouched. */
export function callsOf(id = SANDBOX) {
    return {
        get: { service: 'e2b', path: `/sandboxes/${id}`, under: [`/sandboxes/${id}/`] },
        events: { service: 'e2b', path: `/events/sandboxes/${id}`, under: [] },
        metrics: { service: 'e2b', path: `/sandboxes/${id}/metrics`, under: [] },
        logs: { service: 'e2b', path: `/v2/sandboxes/${id}/logs`, under: [] },
        rawLogs: { service: 'e2b', path: `/sandboxes/${id}/logs`, under: [] },
        ticket: { service: 'zendesk', path: `/api/v2/tickets/${TICKET}`, under: [] },
        linear: { service: 'linear', operation: 'CasebookIssueStates', under: [] },
    };
}

/* Order one misbehaviour for every call of this kind, and nothing else. */
export async function order(stack, call, fault) {
    const { service, path, operation, under } = call;
    for (const spared of under) await stack.control('POST', 'faults', { service, path: spared, times: -1 });
    await stack.control('POST', 'faults', {
        service, ...(path && { path }), ...(operation && { operation }), times: -1, ...fault,
    });
}
