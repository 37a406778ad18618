/*
 * What the pages say when something is missing: nothing found, each upstream down or
 * talking nonsense, each panel failing alone, no database, wrong keys.
 */
import assert from 'node:assert/strict';
import test, { after, afterEach, before } from 'node:test';
import { openDesk, squeeze } from './desk.mjs';

const NOTHING_FOUND = 'No sandbox found for this customer in the retained window';
const SID = 'ip3k7d0m9xb2s8f4ua6lw';

let desk;
let maya;
let stack;
before(async () => {
    desk = await openDesk({ config: { 'Web.RequestDeadline': 3 } });
    stack = desk.stack;
    maya = await desk.engineer('maya');
});
after(() => desk?.close());
afterEach(async () => {
    if (stack.sim.isRunning) await stack.control('DELETE', 'faults');
});

const fault = (order) => stack.control('POST', 'faults', { times: -1, ...order });
const told = (where, status, ...words) => maya.told(where, status, ...words);

/* ---- nothing found ------------------------------------------------------ */

test('nothing found: the sentence, what was searched, the retained window, what to try next', async () => {
    await told('/tickets/48233/sandboxes', 200, NOTHING_FOUND,
        'Searched for hana@northwell.example', 'userId, requestedBy, org',
        /watched every sandbox since \d+ \w{3} \d\d:\d\d UTC/, 'keeps an ended one for 90 days');
    assert.equal(await maya.page.locator('h1').innerText(), NOTHING_FOUND);
    assert.equal(await maya.page.locator('table.sbx').count(), 0, 'no table of sandboxes without rows');
    const next = await maya.page.locator('.next a').allInnerTexts();
    assert.ok(next.some((t) => t.includes('Northwell Robotics')), next.join('; '));

    await maya.click(maya.page.locator('.next a').first());
    assert.match(maya.page.url(), /\/tickets\/48233\/sandboxes\?/);
    assert.match(await maya.text(), new RegExp(NOTHING_FOUND));
});

test('nothing found for one tag: the other tags are links', async () => {
    await told('/sandboxes?value=priya%40brightwater.example&key=org', 200, NOTHING_FOUND, 'in the tag org');
    await maya.click(maya.page.locator('.next a', { hasText: 'userId' }));
    assert.ok(await maya.page.locator('table.sbx tbody tr').count() >= 5);
});

test('filters narrow a search, and say so when nothing is left', async () => {
    await maya.open('/tickets/48213/sandboxes?state=paused');
    assert.deepEqual(await maya.page.locator('table.sbx tbody td.id').allInnerTexts(), ['ik2c9t6v0n4e7w1q8r5mb']);
    await told('/tickets/48213/sandboxes?started_from=2099-01-01T00:00:00Z', 200, NOTHING_FOUND, 'started from 2099-01-01');
});

/* ---- E2B fails: never "nothing found" ----------------------------------- */

const E2B_FAULTS = {
    'status 500': { status: 500, body: { code: 500, message: 'Error listing sandboxes' } },
    'status 503': { status: 503, body: 'html' },
    'status 401': { status: 401, body: { code: 401, message: 'Invalid API key' } },
    'status 403': { status: 403, body: { code: 403, message: 'team is blocked' } },
    'status 429': { status: 429, headers: { 'Retry-After': '60' }, body: { code: 429, message: 'slow down' } },
    'HTML with status 200': { body: 'html' },
    'garbage with status 200': { body: 'garbage' },
    'an empty object with status 200': { body: {} },
    'an error object with status 200': { body: { code: 500, message: 'boom' } },
    'a cut connection': { cut: 'before' },
    'a cut body': { cut: 'mid' },
    'no answer in time': { latency_ms: 60_000 },
};

for (const [name, order] of Object.entries(E2B_FAULTS)) {
    test(`the list of E2B fails (${name}): said, and what is on record is shown`, async () => {
        await fault({ service: 'e2b', ...order });

        const nothing = await told('/tickets/48233/sandboxes', 502,
            'The search could not be made', 'This does not mean that there are none', 'hana@northwell.example');
        assert.ok(!nothing.includes(NOTHING_FOUND), nothing);
        assert.equal(await maya.link('Try again').count(), 1);

        const some = await told('/tickets/48213/sandboxes', 200, 'Part of the search failed', 'E2B');
        assert.ok(!some.includes(NOTHING_FOUND));
        const rows = await maya.page.locator('table.sbx tbody td.id').allInnerTexts();
        assert.ok(rows.includes('i7q2m0xk4v9d1c8b3zt5e'), rows.join(' '));

        const alone = await told('/sandboxes?value=nobody%40nowhere.example', 502, 'The search could not be made');
        assert.ok(!alone.includes(NOTHING_FOUND));
    });
}

test('one of three tags fails: its part is missing, and that is said', async () => {
    await fault({ service: 'e2b', path: '/v2/sandboxes', skip: 1, times: 1, status: 500, body: 'text' });
    const all = await told('/tickets/48213/sandboxes', 200, 'Part of the search failed');
    assert.ok(!all.includes(NOTHING_FOUND));
});

/* ---- Zendesk fails ------------------------------------------------------ */

const ZENDESK_FAULTS = {
    'status 503': { status: 503, body: 'html' },
    'status 500': { status: 500, body: 'text' },
    'status 401': { status: 401, body: { error: "Couldn't authenticate you" } },
    'HTML with status 200': { body: 'html' },
    'a cut connection': { cut: 'before' },
    'no answer in time': { latency_ms: 60_000 },
};

for (const [name, order] of Object.entries(ZENDESK_FAULTS)) {
    test(`Zendesk fails (${name}): each page says so`, async () => {
        await fault({ service: 'zendesk', ...order });

        const lookup = await told('/?q=48213', 200, 'The ticket could not be read', 'This does not mean it does not exist', /Zendesk/);
        assert.doesNotMatch(lookup, /No ticket has this number|No ticket matches/);
        assert.ok(await maya.link('Try again').count() >= 1);
        const words = await told('/?q=report', 200, 'The tickets could not be searched', 'This does not mean that there are none');
        assert.doesNotMatch(words, /No ticket matches/);

        await told('/tickets/48213/sandboxes', 200, '#48213');
        assert.match(await maya.text('[aria-label="Ticket in hand"]'), /Subject Zendesk('s answer cannot be used| did not answer| refused| gave no complete answer)/);
        await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200, 'i7q2m0xk4v9d1c8b3zt5e', 'Terminated', 'peak');
        assert.match(await maya.text('[aria-label="Ticket in hand"]'), /Subject Zendesk('s answer cannot be used| did not answer| refused| gave no complete answer)/);

        const ticket = await told('/tickets/48213', 502, 'The ticket could not be read', '#48213');
        assert.doesNotMatch(ticket, /There is no ticket/);
    });
}

test('the login to Zendesk hangs: that costs the strip, and nothing of E2B', async () => {
    await stack.web.restart();
    await fault({ service: 'zendesk', latency_ms: 60_000 });
    await told('/tickets/48213/sandboxes/ip3k7d0m9xb2s8f4ua6lw', 200, /Memory \d+ MiB peak/, 'Session started', /vCPU 2/);
    assert.equal(await maya.page.locator('main .msg-bad').count(), 0);
    const found = await told('/tickets/48213/sandboxes', 200, /\d sandboxes/);
    assert.doesNotMatch(found, /search failed|could not be made/);
});

test('only the conversation fails: the ticket is there, and the window can be set', async () => {
    await fault({ service: 'zendesk', path: '/api/v2/tickets/48213/comments', status: 503, body: 'html' });
    await told('/tickets/48213', 200, 'The conversation could not be read', 'Report job dies halfway', 'Brightwater Analytics');
    assert.equal(await maya.button('Find sandboxes').count(), 1);
});

test('no ticket matches: what that means', async () => {
    await told('/?q=xyzzyplugh', 200, 'No ticket matches “xyzzyplugh”', 'A number is looked up as a ticket first', 'a few minutes behind');
    await told('/?q=99999999', 200, 'No ticket has this number');
});

/* ---- each panel of the sandbox page alone ------------------------------- */

const PANELS = {
    get: { id: 'facts', fails: /could not be read from E2B/, orders: [[`/sandboxes/${SID}/`, false], [`/sandboxes/${SID}`, true]] },
    events: { id: 'timeline', fails: /The events could not be loaded/, orders: [[`/events/sandboxes/${SID}`, true]] },
    metrics: { id: 'charts', fails: /The charts could not be loaded/, orders: [[`/sandboxes/${SID}/metrics`, true]] },
    logs: { id: 'raw', fails: /could not be read|could not be loaded/, orders: [[`/v2/sandboxes/${SID}/logs`, true], [`/sandboxes/${SID}/logs`, true]] },
};
const WHOLE = {
    facts: /vCPU.* 2 .*1,024 MiB/,
    timeline: /Session started/,
    charts: /Memory \d+ MiB peak/,
    processes: /build_report\.py/,
    raw: /\d+ lines/,
};

for (const [name, panel] of Object.entries(PANELS)) {
    for (const [how, order] of Object.entries({
        'status 500': { status: 500, body: { code: 500, message: 'x' } }, 'status 503': { status: 503, body: 'html' },
        garbage: { body: 'garbage' }, 'a cut body': { cut: 'mid' }, 'no answer in time': { latency_ms: 60_000 },
    })) {
        test(`sandbox page: only ${name} fails (${how}), the rest renders`, async () => {
            for (const [path, fails] of panel.orders) await fault({ service: 'e2b', path, ...(fails ? order : {}) });
            await told(`/tickets/48213/sandboxes/${SID}`, 200, SID, '#48213');
            const failed = await maya.text(`#${panel.id}`);
            assert.match(failed, panel.fails);
            const message = maya.page.locator(`.msg-bad`).first();
            assert.match(squeeze(await message.innerText()), /E2B (answered|did not answer|gave no complete answer|gave an answer)/);
            assert.equal(await message.getByRole('link', { name: 'Try again' }).count(), 1, 'a retry');
            for (const [id, words] of Object.entries(WHOLE)) {
                const costs = id === panel.id || (id === 'processes' && name === 'logs') || (id === 'facts' && name === 'get');
                if (!costs) assert.match(await maya.text(`#${id}`), words, `${id} is whole while ${name} fails`);
            }
            assert.equal(await maya.button('Investigate this sandbox').count(), 1);

            await stack.control('DELETE', 'faults');
            await maya.click(message.getByRole('link', { name: 'Try again' }));
            assert.equal(await maya.page.locator('.msg-bad').count(), 0, 'the retry heals it');
        });
    }
}

test('sandbox page: all four fail, and it still is a page that says so', async () => {
    await fault({ service: 'e2b', status: 502, body: 'html' });
    await told(`/tickets/48213/sandboxes/${SID}`, 200, SID, 'could not be read from E2B', 'The charts could not be loaded');
});

test('what Casebook keeps of the events tells the same as E2B did', async () => {
    const at = '/sandboxes/i7q2m0xk4v9d1c8b3zt5e';
    const timeline = async () => (await maya.page.locator('.tl .tl-row[id^=event-]').allInnerTexts()).map(squeeze);
    await maya.open(at);
    const told1 = await timeline();
    assert.equal(told1.length, 5);
    await fault({ service: 'e2b', path: '/events/', status: 500, body: 'text' });
    await maya.open(at);
    assert.deepEqual(await timeline(), told1);
    assert.match(await maya.text('#facts'), /Disk .*9\.6 GiB.*Timeout setting .*10 min/);
});

test('E2B without event history: the timeline says so, nothing fails', async () => {
    /* a process that has seen the route takes a 404 for "no such sandbox": this one never has */
    await stack.control('POST', 'settings', { events: false });
    await stack.web.restart();
    try {
        await told('/sandboxes/ik2c9t6v0n4e7w1q8r5mb', 200, 'no event history');
        assert.equal(await maya.page.locator('.msg-bad').count(), 0);
    } finally {
        await stack.control('POST', 'settings', { events: true });
        await stack.web.restart();
    }
});

/* ---- no database -------------------------------------------------------- */

test('MariaDB stopped: every page says so, what does not need it works, and it comes back by itself', async () => {
    await maya.investigated(48213, 'i7q2m0xk4v9d1c8b3zt5e');
    await maya.open(`/tickets/48213/sandboxes/${SID}`);
    const form = await maya.page.locator('form[action$="/investigations"] input[name=csrf]').inputValue();
    await stack.mariadb.stop();
    try {
        const down = "Casebook's own database does not answer";
        await told('/', 200, down, 'Finding a ticket works');
        await told('/?q=48213', 200, 'Report job dies halfway');
        await told('/tickets/48213', 200, down, 'What was investigated before cannot be shown', 'The board meets tomorrow');
        const found = await told('/tickets/48213/sandboxes', 200, "Casebook's own record could not be read", SID);
        assert.ok(!found.includes(NOTHING_FOUND));
        const none = await told('/tickets/48233/sandboxes', 502, 'record could not be read');
        assert.ok(!none.includes(NOTHING_FOUND), 'without the record nothing is proven');
        await told(`/tickets/48213/sandboxes/${SID}`, 200, down, 'Session started', 'peak');
        await told('/investigations', 503, 'database does not answer');
        await told('/investigations/1', 503, 'database does not answer');
        const post = await stack.postForm(`/tickets/48213/sandboxes/${SID}/investigations`, { csrf: form }, { user: 'maya' });
        assert.equal(post.status, 503);
        assert.match(post.text, /database does not answer.*Nothing was done/s);
    } finally {
        await stack.mariadb.start();
    }
    await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200, 'Out of memory');
    assert.equal(await maya.page.locator('#headline').count(), 1);
});

/* ---- wrong keys --------------------------------------------------------- */

async function withKey(change, right, check) {
    stack.setConfig(change);
    await stack.web.restart();
    try {
        await check();
    } finally {
        stack.setConfig(right);
        await stack.web.restart();
    }
}

test('a wrong key of E2B: who refused, and that an administrator is needed', () => withKey(
    { 'E2B.ApiKey': 'e2b_wrong000000000000000000000000000000000' },
    { 'E2B.ApiKey': 'e2b_demo0000000000000000000000000000000000' },
    async () => {
        const none = await told('/tickets/48233/sandboxes', 502, 'The search could not be made',
            "E2B refused Casebook's credentials (401)", 'administrator');
        assert.ok(!none.includes(NOTHING_FOUND));
        await told(`/sandboxes/${SID}`, 200, "E2B refused Casebook's credentials (401)");
    }));

test('a wrong secret for Zendesk: the same', () => withKey(
    { 'Zendesk.ClientSecret': 'wrong-secret' }, { 'Zendesk.ClientSecret': 'demo-secret' }, async () => {
        await told('/?q=48213', 200, "Zendesk refused Casebook's credentials", 'administrator');
        await told('/tickets/48213/sandboxes', 200, '#48213');
        assert.doesNotMatch(await maya.text('[aria-label="Ticket in hand"]'), /did not answer/, 'it answered: it refused');
        await told('/tickets/48213', 502, "Zendesk refused Casebook's credentials");
    }));

test('a wrong key of Linear: the finding stands, and its issue is told as it was', () => withKey(
    { 'Linear.ApiKey': 'lin_api_wrong' }, { 'Linear.ApiKey': 'lin_api_demo' }, async () => {
        stack.sql('DELETE FROM linear_issue'); /* what was read is shown for half a minute */
        await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200, 'SUP-412', "Linear refused Casebook's credentials");
    }));

/* ---- the three services gone: last, since a new simulator begins a new world ---- */

test('all services gone: every page says what is wrong', async () => {
    await stack.sim.stop();
    try {
        await told('/', 200, 'Your recent tickets');
        await told('/?q=48213', 200, 'The ticket could not be read', 'could not be reached');
        const none = await told('/tickets/48233/sandboxes', 502, 'The search could not be made');
        assert.ok(!none.includes(NOTHING_FOUND));
        await told('/tickets/48213/sandboxes', 200, 'Part of the search failed', 'i7q2m0xk4v9d1c8b3zt5e');
        await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200, 'Out of memory', 'could not be read from E2B');
        await told('/sandboxes/inobody00000000000000', 200, 'could not be read from E2B');
        await told('/investigations', 200, 'Out of memory');
        const [[id]] = stack.sql("SELECT id FROM investigation WHERE sandbox_id = 'i7q2m0xk4v9d1c8b3zt5e'");
        await told(`/investigations/${id}`, 200, 'Out of memory', 'peak');
        await told('/tickets/48213', 502, 'The ticket could not be read');
    } finally {
        await stack.sim.start();
    }
});

test('the browser had nothing to complain of but the answers that were meant to fail', () => {
    assert.deepEqual(maya.page.problems.filter((p) => !/status of [45]\d\d/.test(p)), []);
});
