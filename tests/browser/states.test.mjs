/*
 * Every state of the pages: nothing found, each upstream down or talking nonsense, each
 * panel failing alone, no database, what is unknown, garbage in every field, two at once,
 * and the odd sandboxes of the demo's world.
 */
import assert from 'node:assert/strict';
import test, { after, afterEach, before } from 'node:test';
import { until } from '../lib/stack.mjs';
import { openDesk, squeeze } from './desk.mjs';

const NOTHING_FOUND = 'No sandbox found for this customer in the retained window';

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
const text = () => maya.text();

/* Opens a page that has to tell something: the words, nothing empty, its request in the log. */
async function told(where, status, ...words) {
    await maya.open(where);
    const all = squeeze(await maya.page.locator('body').innerText());
    for (const word of words) {
        assert.ok(word instanceof RegExp ? word.test(all) : all.includes(word), `${where} says ${word}: ${all.slice(0, 3000)}`);
    }
    assert.equal(maya.status, status, where);
    await maya.assertNothingEmpty();
    await maya.assertLogged();
    return all;
}

/* ---- nothing found ------------------------------------------------------ */

test('nothing found: the sentence, what was searched, the retained window, what to try next', async () => {
    await told('/tickets/48233/sandboxes', 200, NOTHING_FOUND,
        'Searched for hana@northwell.example', 'userId, requestedBy, org',
        /watched every sandbox since \d+ \w{3} \d\d:\d\d UTC/, 'keeps an ended one for 90 days');
    assert.equal(await maya.page.locator('h1').innerText(), NOTHING_FOUND);
    assert.equal(await maya.page.locator('table').count(), 0, 'no table without rows');
    const next = await maya.page.locator('.next a').allInnerTexts();
    assert.ok(next.some((t) => t.includes('Northwell Robotics')), next.join('; '));

    await maya.click(maya.page.locator('.next a').first());
    assert.match(maya.page.url(), /\/tickets\/48233\/sandboxes\?/);
    assert.match(await text(), new RegExp(NOTHING_FOUND));
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
        assert.match(await maya.text('[aria-label="Ticket in hand"]'), /Subject Zendesk('s answer cannot be used| did not answer| refused| could not be reached)/);
        await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200, 'i7q2m0xk4v9d1c8b3zt5e', 'Terminated', 'peak');
        assert.match(await maya.text('[aria-label="Ticket in hand"]'), /Subject Zendesk('s answer cannot be used| did not answer| refused| could not be reached)/);

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

const SID = 'ip3k7d0m9xb2s8f4ua6lw';
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
            assert.match(squeeze(await message.innerText()), /E2B (answered|did not answer|could not be reached|gave an answer)/);
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
        await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200, 'SUP-412', "Linear refused Casebook's credentials");
    }));

/* ---- unknown things, garbage -------------------------------------------- */

test('what does not exist: a page that says so', async () => {
    await told('/tickets/99999999', 404, 'There is no ticket #99999999', 'Zendesk knows no ticket with this number');
    await told('/sandboxes/izzzzzzzzzzzzzzzzzzzz', 404, 'No sandbox with this id is known', 'Check it letter by letter');
    await told('/tickets/48213/sandboxes/izzzzzzzzzzzzzzzzzzzz', 404, 'No sandbox with this id is known', '#48213');
    await told('/investigations/987654', 404, 'There is no such investigation');
    for (const where of ['/nowhere', '/tickets/abc', '/tickets/0', '/tickets/-1', '/tickets/99999999999999999999', '/investigations/x',
        '/tickets', '/tickets/48213/', '/sandboxes/', '/investigations/1/cancel']) {
        await maya.open(where);
        assert.ok([400, 404, 405].includes(maya.status), `${where}: ${maya.status}`);
        assert.ok((await text()).length > 60, `${where} has words`);
        await maya.assertLogged();
    }
});

const GARBAGE = [
    '\'"><script>alert(1)</script>', '%00', '%ff%fe%80', 'a'.repeat(6000), '-1', '0', '99999999999999999999999', '1e309', 'NaN',
    '../../../etc/passwd', '%0d%0aSet-Cookie:x=1', '{{7*7}}<?cs var:Page.Csrf ?>${x}', '\u202egnirts\u202c', '🦊'.repeat(50), "' or 1=1 --", '%', '+', '&&&===',
    '2026-13-45T99:99:99Z', '2026-11-24T13:55:00+99:99',
];
const FIELDS = {
    '/': ['q', 'page'],
    '/tickets/48213': ['from', 'to'],
    '/tickets/48213/sandboxes': ['key', 'value', 'from', 'to', 'state', 'page', 'started_from', 'started_to'],
    '/sandboxes': ['key', 'value', 'from', 'to', 'state', 'page', 'started_from', 'started_to'],
    [`/tickets/48213/sandboxes/${SID}`]: ['from', 'to', 'logs', 'n', 'q', 'level', 'events', 'life', 'already'],
    [`/sandboxes/${SID}`]: ['from', 'to', 'logs', 'n', 'q', 'level', 'events', 'life', 'already'],
    [`/sandboxes/${SID}/logs`]: ['from', 'n', 'q', 'level'],
    [`/sandboxes/${SID}/investigation`]: ['from', 'to'],
    '/investigations': ['class', 'template', 'signature', 'by', 'before'],
};

/* What every answer has to be: words, no empty table, its request in the log. */
function assertAnswer(answer, where) {
    const plain = squeeze(answer.text.replace(/<(script|style)\b.*?<\/\1>/gs, ' ').replace(/<[^>]+>/g, ' '));
    assert.ok(answer.status < 500, `${where}: ${answer.status} ${plain.slice(0, 300)}`);
    if (answer.status === 303) return;
    assert.ok(plain.length > 15, `${where} has words: ${plain}`);
    const isPage = /<!doctype/i.test(answer.text);
    if (isPage) assert.doesNotMatch(answer.text, /<tbody[^>]*>\s*<\/tbody>/, `${where} has no empty table`);
    assert.doesNotMatch(answer.text, /<script>alert/i, where);
    assert.equal(answer.headers.get('set-cookie'), null, where);
    const id = answer.text.match(/[Rr]equest <code>([0-9a-f]+)<\/code>/)?.[1];
    if (id) assert.ok(stack.web.log().includes(id), `${where}: request ${id} is in the log`);
    else assert.ok(!isPage, `${where}: a whole page names its request`);
}

for (const [where, fields] of Object.entries(FIELDS)) {
    test(`garbage in every field of ${where}`, async () => {
        for (const field of fields) {
            for (const value of GARBAGE) {
                const raw = /^%/.test(value) || value === '+' || value === '&&&===' ? value : encodeURIComponent(value);
                const more = where.startsWith('/sandboxes') && where.length < 12 && field !== 'value' ? '&value=priya%40brightwater.example' : '';
                const at = `${where}?${field}=${raw}${more}`;
                assertAnswer(await stack.get(at, { user: 'maya' }), at.slice(0, 200));
            }
        }
        assert.equal(stack.web.isRunning, true);
    });
}

test('garbage in every part of every path', async () => {
    const paths = ['/tickets/X', '/tickets/X/sandboxes', '/tickets/48213/sandboxes/X', '/sandboxes/X', '/sandboxes/X/logs',
        '/sandboxes/X/investigation', '/tickets/X/sandboxes/X/investigation', '/investigations/X'];
    for (const pattern of paths) {
        for (const value of GARBAGE) {
            const raw = /^%/.test(value) ? value : encodeURIComponent(value);
            const answer = await stack.get(pattern.replaceAll('X', raw), { user: 'maya' });
            /* nginx itself refuses some: then with its own words */
            if (/<center>nginx<\/center>|<hr><center>/.test(answer.text)) assert.ok(answer.status >= 400 && answer.status < 500);
            else assertAnswer(answer, pattern + value.slice(0, 60));
        }
    }
});

test('garbage in forms: words, and nothing is done', async () => {
    await maya.open(`/tickets/48213/sandboxes/${SID}`);
    const csrf = await maya.page.locator('form[action$="/investigations"] input[name=csrf]').inputValue();
    const count = () => stack.sql('SELECT COUNT(*) FROM investigation')[0][0];
    const before = count();
    const actions = ['cancel', 'feedback', 'retry-note', 'link'];

    for (const token of ['', 'x', csrf.slice(0, -1), `${csrf}0`, 'a'.repeat(5000)]) {
        const answer = await stack.postForm(`/tickets/48213/sandboxes/${SID}/investigations`, { csrf: token }, { user: 'maya' });
        assert.equal(answer.status, 403);
        assert.match(answer.text, /This page was open too long. Nothing was done/);
        assertAnswer(answer, 'a bad token');
    }
    const other = await stack.postForm(`/tickets/48213/sandboxes/${SID}/investigations`, { csrf }, { user: 'tom' });
    assert.equal(other.status, 403, 'the token is bound to its user');
    for (const action of actions) {
        for (const id of ['999999', 'x', '-1']) {
            const answer = await stack.postForm(`/investigations/${id}/${action}`, { csrf, verdict: 'wrong', class: '?', issue: '!' }, { user: 'maya' });
            assert.ok(answer.status >= 400, `${action} ${id}: ${answer.status}`);
            assertAnswer(answer, `${action} ${id}`);
        }
    }
    for (const form of [{ verdict: 'maybe' }, { verdict: 'wrong', class: 'nonsense' }]) {
        const [[id]] = stack.sql("SELECT id FROM investigation WHERE state = 'done' LIMIT 1");
        const answer = await stack.postForm(`/investigations/${id}/feedback`, { csrf, ...form }, { user: 'maya' });
        assert.equal(answer.status, 400);
        assertAnswer(answer, JSON.stringify(form));
    }
    const odd = await stack.request('POST', `/sandboxes/${SID}/investigations`, { user: 'maya', headers: { 'Content-Type': 'text/plain' }, body: `csrf=${csrf}` });
    assert.equal(odd.status, 415);
    assert.equal(count(), before);
});

test('bad times: the form says how to write one, and keeps what was written', async () => {
    await told('/tickets/48213?from=yesterday&to=2026-11-24', 200, 'Write a time like 2026-11-24 13:55');
    assert.equal(await maya.page.inputValue('#from'), 'yesterday');
    assert.equal(await maya.page.getAttribute('#from', 'aria-invalid'), 'true');
    await told('/tickets/48213?from=2026-11-24+15:00&to=2026-11-24+14:00', 200, 'The end is before the start');
    await told('/tickets/48213/sandboxes?from=2026-11-24+15:00&to=2026-11-24+14:00', 200, 'The end is before the start', SID);
    await told('/tickets/48213/sandboxes?started_from=soon', 200, 'Write a time like');
});

/* ---- two at once -------------------------------------------------------- */

test('two engineers press Investigate at once: one investigation, the second sees who and when', async () => {
    const tom = await desk.engineer('tom');
    const both = [maya, tom];
    await Promise.all(both.map((e) => e.open(`/tickets/48213/sandboxes/${SID}`)));
    await Promise.all(both.map((e) => e.investigate()));

    const rows = stack.sql(`SELECT requested_by FROM investigation WHERE sandbox_id = '${SID}'`);
    assert.equal(rows.length, 1, 'one investigation');
    const [[winner]] = rows;
    const second = both.find((e) => e.user !== winner);
    const first = both.find((e) => e.user === winner);
    assert.match(await second.text('#finding'), new RegExp(`${winner} started (this|it) \\d+ s ago`));
    assert.match(await second.text('#finding'), /Yours was not started a second time. The steps below are from that run/);
    assert.doesNotMatch(await first.text('#finding'), /not started a second time/);
    for (const e of both) assert.match(await e.text('#finding'), new RegExp(`Started by (you|${winner})`));

    await Promise.all([stack.agentOnce(), ...both.map((e) => e.awaitFinding())]);
    for (const e of both) assert.match(await e.text('#finding'), new RegExp(`${winner}, \\d+ \\w{3}`));
    assert.equal(stack.sql(`SELECT COUNT(*) FROM investigation WHERE sandbox_id = '${SID}'`)[0][0], '1');
    await tom.page.context().close();
});

test('waiting for more than two minutes: what that may mean', async () => {
    await maya.open('/tickets/48160/sandboxes/iu2m7q4x9c1v6b0n5l8ks');
    await maya.investigate();
    assert.match(await maya.text('#panel'), /Waiting for the agent. .*It looks for work every few seconds/);
    assert.doesNotMatch(await maya.text('#panel'), /tell your administrator/);
    stack.sql("UPDATE investigation SET created_us = created_us - 150000000 WHERE sandbox_id = 'iu2m7q4x9c1v6b0n5l8ks'");
    await maya.open('/tickets/48160/sandboxes/iu2m7q4x9c1v6b0n5l8ks');
    assert.match(await maya.text('#panel'), /If nothing happens, tell your administrator: the agent may be stopped/);
    await maya.click(maya.button('Cancel'));
});

test('cancelled while it waits: by whom, that nothing was done, and it can be started anew', async () => {
    await maya.open('/tickets/48213/sandboxes/ib0r7x3q6l2j9m5c8e4pu');
    await maya.investigate();
    await maya.click(maya.button('Cancel'));
    assert.match(await maya.text('#panel'), /Cancelled by (you|maya).*Nothing was filed or posted/);
    assert.equal(await maya.button('Investigate this sandbox').count(), 1);
    await stack.agentOnce();
    await maya.open('/tickets/48213/sandboxes/ib0r7x3q6l2j9m5c8e4pu');
    assert.equal(await maya.page.locator('#headline').count(), 0);
});

test('with a script the panel renews itself: the page is not loaded anew while it runs', async () => {
    await maya.open('/tickets/48213/sandboxes/ik2c9t6v0n4e7w1q8r5mb');
    await maya.investigate();
    await maya.page.evaluate(() => {
        globalThis.isSamePage = true;
    });
    const begin = maya.page.asked.length;
    const polls = () => maya.page.asked.slice(begin).filter((url) => /\/investigation$/.test(url)).length;
    await until('the panel to be polled four times', () => polls() >= 4);
    assert.equal(await maya.page.evaluate(() => globalThis.isSamePage), true);
    assert.match(await maya.text('#panel [role=status]'), /Waiting for the agent|Investigating/);
    await Promise.all([stack.agentOnce(), maya.awaitFinding()]);
    assert.match(await maya.text('#finding'), /Undetermined/);
    assert.match(await maya.page.locator('[role=status]').allInnerTexts().then((t) => t.join(' ')), /Finding ready: Undetermined/);
});

/* ---- notes -------------------------------------------------------------- */

test('a closed ticket: told before and after, and the finding is kept', async () => {
    const sid = 'it1m6z9c3v8f0j5b2q7ke';
    await told('/tickets/47988', 200, /ticket (#47988 )?is closed/i, 'takes no note on a closed ticket');
    await told(`/tickets/47988/sandboxes/${sid}`, 200, 'Ticket #47988 is closed', 'takes no note on a closed ticket');
    await maya.investigate();
    await Promise.all([stack.agentOnce(), maya.awaitFinding()]);
    await told(`/tickets/47988/sandboxes/${sid}`, 200, 'No note: the ticket is closed', 'Killed early', 'Low confidence');
    assert.equal(await maya.button('Post the note').count(), 0);
    await told('/tickets/47988', 200, 'No note: the ticket is closed', 'Killed early');
});

test('a note that Zendesk does not take: the finding is safe, and it can be posted again', async () => {
    const sid = 'ia7u4p1s8g0x5l2d9r6yo';
    await maya.open(`/tickets/48055/sandboxes/${sid}`);
    await maya.investigate();
    await fault({ service: 'zendesk', method: 'PUT', status: 422, body: { error: 'RecordInvalid', description: 'Record validation errors' } });
    await stack.agentOnce();
    await told(`/tickets/48055/sandboxes/${sid}`, 200, 'The internal note was not posted', 'The finding is safe. Nothing was posted twice');
    await stack.control('DELETE', 'faults');
    await maya.click(maya.button('Post the note'));
    await stack.agentOnce();
    await told(`/tickets/48055/sandboxes/${sid}`, 200, 'Internal note posted', '#48055');
});

test('not known if the note arrived: said, looked for, and never posted twice', async () => {
    const sid = 'is9k5j1h7g3f0d6s2a8pq';
    const notes = async () => (await stack.control('GET', 'state')).zendesk.find((t) => t.id === 48145)
        .comments.filter((c) => c.public === false && c.body.includes(sid)).length;
    await maya.open(`/tickets/48145/sandboxes/${sid}`);
    await maya.investigate();
    await fault({ service: 'zendesk', method: 'PUT', cut: 'after' });
    await fault({ service: 'zendesk', path: '/api/v2/tickets/48145/', status: 503, body: 'html' });
    stack.setConfig({ 'Agent.MaxAttempts': 1 });
    try {
        await stack.agentOnce();
    } finally {
        stack.setConfig({ 'Agent.MaxAttempts': null });
    }
    assert.equal(await notes(), 1, 'it did arrive');
    await told(`/tickets/48145/sandboxes/${sid}`, 200, 'It is not known if the note arrived',
        'Casebook looks before it posts again', 'Killed early');
    await stack.control('DELETE', 'faults');
    await maya.click(maya.button('Post the note'));
    await stack.agentOnce();
    await told(`/tickets/48145/sandboxes/${sid}`, 200, 'Internal note posted', '#48145');
    assert.equal(await notes(), 1);
});

test('the matching issue is closed: its state as it is now, and what that means', async () => {
    const { linear } = await stack.control('GET', 'state');
    const issue = linear.issues.find((i) => i.identifier === 'SUP-412');
    const done = linear.states.find((s) => s.type === 'completed' && s.teamId === issue.teamId);
    await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200, 'SUP-412', 'In Progress');
    await stack.control('POST', 'patch', { service: 'linear', table: 'issues', match: { identifier: 'SUP-412' }, set: { stateId: done.id } });
    await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200, 'SUP-412', 'Done', 'The issue is closed');
    await stack.control('POST', 'patch', { service: 'linear', table: 'issues', match: { identifier: 'SUP-412' }, set: { stateId: issue.stateId } });
});

test('Linear cannot be searched: nothing filed, the finding stands', async () => {
    const sid = 'id4v9s3c7x1z6q0w5e8rt';
    await maya.open(`/tickets/48101/sandboxes/${sid}`);
    await maya.investigate();
    await fault({ service: 'linear', status: 400, body: { errors: [{ message: 'Argument Validation Error', extensions: { code: 'INVALID_INPUT', type: 'invalid input', userError: true } }] } });
    await stack.agentOnce();
    await told(`/tickets/48101/sandboxes/${sid}`, 200, 'Linear could not be searched', /nothing was filed/i, 'Hit its timeout');
    const { linear } = await stack.control('GET', 'state');
    assert.ok(!linear.issues.some((i) => (i.description ?? '').includes(sid)));
});

test('an investigation that fails: at which step, why, and a way to try again', async () => {
    const sid = 'ix8d5r2o7n4a1w6h9e3gp';
    await maya.open(`/tickets/47951/sandboxes/${sid}`);
    await maya.investigate();
    await fault({ service: 'e2b', status: 401, body: { code: 401, message: 'Invalid API key' } });
    await assert.rejects(stack.agentOnce(), /Invalid API key/, 'the agent says that it could not read the ledger');
    await stack.control('DELETE', 'faults');
    await told(`/tickets/47951/sandboxes/${sid}`, 200, /failed at “Read E2B”/, /E2B.*(refused|401|Invalid API key)/, 'Nothing was filed or posted');
    assert.equal(await maya.page.locator('#headline').count(), 0);
    await maya.click(maya.button('Try again'));
    await Promise.all([stack.agentOnce(), maya.awaitFinding()]);
    assert.match(await maya.text('#panel'), /Crashed/);
});

/* ---- odd sandboxes ------------------------------------------------------ */

test('a session of 7 seconds: two samples, told in words', async () => {
    await told('/sandboxes/if5d2s9e8h1w7n4k6v0ty', 200, '2 samples only: the session lasted 7 s', 'ran 7 s', '2 samples');
    assert.equal(await maya.page.locator('#chart-memory circle.c-dot').count(), 2);
    assert.equal(await maya.page.locator('.c-limit').count(), 2, 'memory and disk keep their limits');
});

test('no samples at all: one empty plot that says so', async () => {
    await told('/sandboxes/i4hn8w2c6rj0y5t1vq9ze', 200, 'E2B holds no samples for this sandbox, though it ran for 5 min');
    assert.equal(await maya.page.locator('.c-plot').count(), 0);
});

test('memory has its limit from E2B and a second line where processes are killed', async () => {
    await told(`/sandboxes/${SID}`, 200);
    const memory = squeeze(await maya.page.locator('#chart-memory svg.c-plot').textContent());
    assert.match(memory, /limit 1,024 MiB/);
    assert.match(memory, /processes are killed from about \d+ MiB/);
    assert.equal(await maya.page.locator('#chart-memory .c-limit').count(), 1);
    const dashed = await maya.page.$eval('#chart-memory .c-kill', (line) => getComputedStyle(line).strokeDasharray);
    assert.notEqual(dashed, 'none');
});

test('paused and resumed three times: one row and one page', async () => {
    const sid = 'ie8n4a1y7d3g6r0w9p5vf';
    await maya.open('/tickets/48122/sandboxes');
    assert.equal(await maya.page.locator('table.sbx tbody td.id', { hasText: sid }).count(), 1);
    assert.match(await maya.page.locator('table.sbx tbody tr', { hasText: sid }).innerText(), /paused/);
    await maya.openSandbox(sid);
    const timeline = await maya.text('#timeline');
    assert.equal(timeline.match(/Paused/g).length, 3, timeline);
    assert.equal(timeline.match(/Resumed/g).length, 3, timeline);
    assert.equal(timeline.match(/Session started/g).length, 1);
    assert.equal(await maya.page.locator('.c-pause').count() % 3, 0);
    assert.ok(await maya.page.locator('.c-pause').count() > 0, 'pauses are drawn');
});

test('a log of more than a page: the process table has all processes with their ends', async () => {
    await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200);
    assert.match(squeeze(await maya.page.locator('#pid-685').innerText()), /exit code 137/);
    assert.match(squeeze(await maya.page.locator('#pid-512').innerText()), /exit code 0/);
});

test('says running, silent: with the last sign of life, and what it means', async () => {
    await told('/sandboxes/im0n2b4v6c8x1z3l5k7jh', 200, 'says running, silent', /has been silent for \d+ /,
        /Its last (log line|sign of life) is from \d\d:\d\d:\d\d/, 'until the timeout when a machine has died');
});

test('more than 100 events: all are counted', async () => {
    await maya.open('/sandboxes/il8b1n7m4q0w6e3r9t2yu?events=all');
    const all = (await maya.page.locator('.tl-row .letter').allInnerTexts()).filter((mark) => mark !== '?').length;
    assert.ok(all > 100, `${all} events`);
    assert.match(await maya.text('#timeline'), new RegExp(`${all} events`));
});

test('an expected end on another day is told with its day', async () => {
    await maya.open('/sandboxes/im0n2b4v6c8x1z3l5k7jh');
    const end = squeeze(await maya.page.locator('.tl-row').first().locator('.tl-end').innerText());
    assert.match(end, /\d+ \w{3}/, end);
});

test('ended and forgotten by E2B (404): the facts are rebuilt, and which ones is said', async () => {
    await told('/tickets/48213/sandboxes/i7q2m0xk4v9d1c8b3zt5e', 200, /†/, 'rebuilt from its lifecycle events', /vCPU † 2/, /Memory † 1,024 MiB/, 'Terminated by its timeout');
    assert.ok(await maya.page.locator('.facts abbr').count() >= 4);
});

test('ended, though E2B still lists an old snapshot of it as paused', async () => {
    await told('/sandboxes/il9p5o2i8u1y7t4r0e6wq', 200, 'It has ended', 'E2B still lists an older snapshot of it as paused');
    assert.match(squeeze(await maya.page.locator('.head .st').innerText()), /^ended$/);
});

test('no log lines: that is no proof of silence', async () => {
    await fault({ service: 'e2b', path: `/v2/sandboxes/${SID}/logs`, body: { logs: [] } });
    await fault({ service: 'e2b', path: `/sandboxes/${SID}/logs`, body: { logs: [], logEntries: [] } });
    await told(`/sandboxes/${SID}?logs=1`, 200, 'No lines. E2B sometimes answers an error with an empty list, so this is no proof of silence',
        'No process was started through E2B, as far as the log tells');
});

test('what programs printed is counted, not kept: said beside the processes', async () => {
    await told('/sandboxes/if5d2s9e8h1w7n4k6v0ty', 200, 'E2B counts what a program prints but does not keep the text', 'ask the customer');
});

test('the template is told by name and id, also of a sandbox that E2B has forgotten', async () => {
    await maya.open('/tickets/48213/sandboxes');
    for (const row of await maya.page.locator('table.sbx tbody tr td[data-l=Template]').allInnerTexts()) {
        assert.match(squeeze(row), /^(report-py|import-node) [a-z0-9]{20}$/, row);
    }
});

/* ---- search keys -------------------------------------------------------- */

const rowsFor = async (where) => {
    await maya.open(where);
    return (await maya.page.locator('table.sbx tbody td.id').allInnerTexts()).sort();
};

test('an organisation with & in its name finds its sandboxes', async () => {
    const rows = ['ibs1x7c3v9b5n0m4l8k2j', 'ibs2h6g0f4d8s1a5p9o3i', 'ibs3q8w2e6r0t4y9u1i5o'];
    await maya.open('/tickets/48230/sandboxes');
    await maya.click(maya.page.locator('.chips a, .next a', { hasText: 'Brandt & Söhne GmbH' }));
    assert.deepEqual((await maya.page.locator('table.sbx tbody td.id').allInnerTexts()).sort(), rows);
    assert.match(await maya.text('table.sbx'), /org/, 'which tag matched');
    assert.deepEqual(await rowsFor(`/sandboxes?value=${encodeURIComponent('Brandt & Söhne GmbH')}`), rows);
    assert.ok((await rowsFor(`/sandboxes?value=${encodeURIComponent('Lumen & Moor')}`)).includes('im0n2b4v6c8x1z3l5k7jh'));
});

test('an address with + finds its own sandboxes, and not those of the look-alike', async () => {
    assert.deepEqual(await rowsFor('/tickets/48226/sandboxes'), ['il6q2w9e5r1t8y4u0o7ps', 'il7f3g8h0j5k2l9z4x6cv']);
    assert.deepEqual(await rowsFor('/tickets/48227/sandboxes'), ['il8b1n7m4q0w6e3r9t2yu', 'il9p5o2i8u1y7t4r0e6wq']);
    await maya.lookUp('lena.orlov+qa@kestrel.example');
    assert.deepEqual(await maya.page.locator('table.rows td.id').allInnerTexts(), ['#48226']);
});

test('an identifier under another tag is found, and the row says which', async () => {
    await maya.open('/tickets/48213/sandboxes');
    const matched = squeeze(await maya.page.locator('table.sbx tbody tr', { hasText: 'ik2c9t6v0n4e7w1q8r5mb' }).locator('td[data-l="Matched on"]').innerText());
    assert.equal(matched, 'requestedBy');
});

/* ---- the long log ------------------------------------------------------- */

const LONG = '/tickets/48229/sandboxes/iw5e8r2t6y0u4o9a1s3dg';
const numbers = () => maya.page.$$eval('#l-body .l-no', (cells) => cells.map((c) => Number(c.textContent.replaceAll(',', ''))));

test('100,000 lines: closed at first, loaded a thousand at a time, in order and without repeats', async () => {
    await maya.open(LONG);
    assert.equal(await maya.page.locator('table.logs').count(), 0);
    assert.match(await maya.text('#raw'), /More than 1,000 lines/);
    await maya.click(maya.page.locator('#l-show'));
    assert.match(await maya.text('#l-foot'), /Showing 1 . 1,000/);
    for (let page = 2; page <= 3; page++) {
        await maya.page.locator('#l-foot [data-more]').click();
        await maya.page.locator('#l-foot', { hasText: `${page},000` }).waitFor();
    }
    const shown = await numbers();
    assert.deepEqual(shown, Array.from({ length: 3000 }, (_, i) => i + 1));
    const words = await maya.page.$$eval('#l-body .l-msg', (cells) => cells.map((c) => c.textContent).filter((t) => /ledger row/.test(t)));
    assert.equal(new Set(words).size, words.length, 'no line twice');
});

test('100,000 lines: followed to the end, each comes once, and the end is said', async () => {
    const rows = new Set();
    const bursts = new Set();
    let where = `${LONG}/logs`;
    let last = 0;
    let end = '';
    let isSkipSaid = false;
    for (let pages = 0; where && pages < 200; pages++) {
        const { text: html, status } = await stack.get(where, { user: 'maya' });
        assert.equal(status, 200, where);
        for (const [, n] of html.matchAll(/class="l-no"><a[^>]*>([\d,]+)</g)) {
            assert.equal(Number(n.replaceAll(',', '')), ++last, 'line numbers go on');
        }
        for (const [, n] of html.matchAll(/ledger row (\d+) of/g)) {
            assert.ok(!rows.has(n), `ledger row ${n} comes once`);
            rows.add(n);
        }
        for (const [, n] of html.matchAll(/burst (\d+): /g)) {
            assert.ok(!bursts.has(n), `burst ${n} comes once`);
            bursts.add(n);
        }
        isSkipSaid ||= /were skipped/.test(html);
        const position = html.match(/data-more="([^"]*)"/)?.[1];
        end = squeeze(html.slice(html.lastIndexOf('</table>')).replace(/<[^>]+>/g, ''));
        where = position && `${LONG}/logs?from=${encodeURIComponent(position)}&n=${last}`;
    }
    assert.equal(rows.size, 99_000);
    assert.ok(bursts.size >= 1000, `${bursts.size} of 1,200 lines of one millisecond`);
    assert.equal(isSkipSaid, bursts.size < 1200, 'lines that E2B cannot give out are said to be missing');
    assert.match(end, new RegExp(`End of the log: ${last.toLocaleString('en-US')} lines`));
});

test('the log can be searched', async () => {
    await maya.open(`${LONG}?logs=1`);
    await maya.page.fill('#l-q', 'Process with pid 580');
    await maya.click(maya.page.locator('.l-form button'));
    assert.match(await maya.text('#l-body'), /Process with pid 580/);
    assert.match(await maya.text('#l-foot'), /End of the log: \d+ matching lines/);
    await maya.page.fill('#l-q', 'no such words anywhere');
    await maya.click(maya.page.locator('.l-form button'));
    assert.match(await maya.text('#raw'), /No line fits this filter/);
    assert.equal(await maya.page.locator('table.logs').count(), 0);
    assert.equal(await maya.page.inputValue('#l-q'), 'no such words anywhere');
});

test('the log is searched for what a program printed, or the page says that E2B cannot', async () => {
    await maya.open(`${LONG}?logs=1&q=${encodeURIComponent('ledger row 17 of')}`);
    assert.match(await maya.text('#raw'), /ledger row 17 of 99000: stored|not (in )?what (a )?programs? print/);
});

test('the level of a line can be asked for', async () => {
    await maya.open('/sandboxes/ihs0a1b2c3d4e5f6g7h8i?logs=1&level=warn');
    const levels = await maya.page.locator('#l-body .l-lvl').allInnerTexts();
    assert.ok(levels.length > 0);
    assert.deepEqual(levels.filter((level) => !/warn|error/.test(level)), []);
});

test('the browser had nothing to complain of but the answers that were meant to fail', () => {
    assert.deepEqual(maya.page.problems.filter((p) => !/status of [45]\d\d/.test(p)), []);
});
