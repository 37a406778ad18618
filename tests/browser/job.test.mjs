/*
 * The main job in a browser, once for each class of finding: from a ticket's number to
 * what broke, which Linear issue covers it, and the internal note. Then what stays of it:
 * for the ticket, for the next engineer, and after a restart of everything.
 */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { newestNote, openDesk, squeeze } from './desk.mjs';

const JOBS = [
    {
        cls: 'out_of_memory', word: 'Out of memory', ticket: 48213, sandbox: 'i7q2m0xk4v9d1c8b3zt5e',
        headline: /ran out of memory/, linear: 'Linear: known issue, nothing filed', issue: 'SUP-412',
        email: 'priya@brightwater.example', organisation: 'Brightwater Analytics',
    },
    {
        cls: 'timeout', word: 'Hit its timeout', ticket: 48090, sandbox: 'iz81m4b7u2g9a6x3c0ojq',
        headline: /30 min timeout ended the sandbox/, linear: 'Linear: new issue filed', issue: /^SUP-\d+$/,
        email: 'priya@brightwater.example', organisation: 'Brightwater Analytics',
    },
    {
        cls: 'killed_early', word: 'Killed early', ticket: 48122, sandbox: 'io2b8f5t1z6k9w3n0q7hd',
        headline: /^A request ended the sandbox/, linear: 'Linear: new issue filed', issue: /^SUP-\d+$/,
        email: 'k.mori@tanegashi.example', organisation: 'Tanegashi',
    },
    {
        cls: 'crashed', word: 'Crashed', ticket: 48197, sandbox: 'ij5y0c8m2r7d4x1v6t9sb',
        headline: /stopped with an error/, linear: 'Linear: new issue filed', issue: /^SUP-\d+$/,
        email: 'oskar.lund@fjordpay.example', organisation: 'Fjordpay',
    },
    {
        cls: 'undetermined', word: 'Undetermined', ticket: 48213, sandbox: 'i4hn8w2c6rj0y5t1vq9ze',
        headline: /A process was killed, but what killed it cannot be proven/,
        linear: 'Linear: nothing filed', issue: null, reason: 'Reason: not enough evidence',
        email: 'priya@brightwater.example', organisation: 'Brightwater Analytics',
    },
];

let desk;
before(async () => {
    desk = await openDesk();
});
after(() => desk?.close());

/* Number, requester and organisation stay in view from the ticket on. */
async function assertStrip(engineer, job) {
    const strip = await engineer.text('[aria-label="Ticket in hand"]');
    for (const fact of [`#${job.ticket}`, job.email, job.organisation]) {
        assert.ok(strip.includes(fact), `the strip of ${engineer.page.url()} says ${fact}: ${strip}`);
    }
}

/* Rows that overlap the window: another ground than the other rows, and words. */
async function assertOverlapMarked(page, sandbox) {
    await page.mouse.move(1, 1); /* off the rows: hovering has a ground of its own */
    const rows = await page.$$eval('table.sbx tbody tr', (all) => all.map((row) => ({
        id: row.querySelector('a').textContent,
        ground: getComputedStyle(row.querySelector('td')).backgroundColor
            + getComputedStyle(row).backgroundColor,
        words: row.querySelector('.against')?.textContent ?? '',
    })));
    const overlaps = rows.filter((row) => /overlap/.test(row.words));
    const others = rows.filter((row) => !/overlap/.test(row.words));
    assert.ok(overlaps.some((row) => row.id === sandbox), `${sandbox} overlaps: ${JSON.stringify(rows)}`);
    for (const row of rows) assert.notEqual(row.words.trim(), '', `${row.id} is set against the window in words`);
    const grounds = new Set(overlaps.map((row) => row.ground));
    assert.equal(grounds.size, 1, 'all overlapping rows look alike');
    for (const row of others) assert.ok(!grounds.has(row.ground), `${row.id} does not look like one that overlaps`);
    const head = await page.locator('h1').innerText();
    assert.match(squeeze(head), new RegExp(`, ${overlaps.length} overlaps? the complaint window`));
}

/* Plain words: for somebody who is no E2B expert. */
function assertPlain(headline) {
    assert.ok(headline.length > 10 && headline.length <= 90, headline);
    assert.doesNotMatch(headline, /SIG[A-Z]+|exit code|Exception|Error:|\bi[a-z0-9]{20}\b|_|\bOOM\b|envd|lease/, headline);
    assert.match(headline, /^[A-Z]/, headline);
}

async function assertFinding({ page }, job) {
    const finding = page.locator('#finding');
    const text = squeeze(await finding.innerText());
    const headline = await page.locator('#headline').innerText();

    assertPlain(headline);
    assert.match(headline, job.headline);
    assert.equal(squeeze(await finding.locator('.f-class .cl').innerText()), job.word);
    assert.equal(await finding.locator(`.cl-${job.cls} svg`).count(), 1, 'the class has its glyph');
    if (job.reason) assert.ok(text.includes(job.reason), text);
    else assert.match(text, /(High|Medium|Low) confidence/);
    assert.doesNotMatch(text, /\d\s?%\s*(confidence|sure)/);
    assert.ok((await finding.locator('.lead').innerText()).length > 60, 'what happened is told');
    assert.ok(await finding.locator('.proof li').count() >= 2, 'there is evidence');
    assert.equal(await finding.locator('.proof li time').first().count(), 1, 'evidence has its time');
    assert.match(await finding.locator('#reply-text').innerText(), /^Hello,/);
    if (job.cls !== 'undetermined') assert.ok(await finding.locator('.ruled dt').count() >= 2, 'what was ruled out');
}

/* Each piece of evidence that names a place leads to it. */
async function assertEvidenceLinks({ page }) {
    const dead = await page.$$eval('.proof a', (links) =>
        links.map((a) => a.getAttribute('href')).filter((h) => !/[?&]logs=1&at=[^#]+#at$/.test(h) /* opens the log there */
            && (!h.startsWith('#') || !document.getElementById(h.slice(1)))));
    assert.deepEqual(dead, [], 'evidence leads to places on this page, or opens the log');
}

async function assertLinear({ page }, job) {
    const aside = page.locator('.f-right > section').first();
    assert.equal(squeeze(await aside.locator('h3').innerText()), job.linear);
    const issue = aside.locator('.issue a');
    if (!job.issue) {
        assert.equal(await issue.count(), 0);
        return;
    }
    assert.match(await issue.innerText(), job.issue instanceof RegExp ? job.issue : new RegExp(`^${job.issue}$`));
    assert.match(await issue.getAttribute('href'), /^https:\/\/linear\.app\//);
    assert.equal(await aside.locator('.lst').count(), 1, 'the issue with its state');
    assert.match(await aside.innerText(), /Nothing about the customer or the sandbox was sent|What was searched/);
}

async function assertNote({ page, stack }, job) {
    const aside = squeeze(await page.locator('.f-right > section').nth(1).innerText());
    assert.match(aside, /^Internal note posted/);
    assert.match(aside, new RegExp(`To #${job.ticket} at .* UTC`));
    const note = await newestNote(stack, job.ticket);
    assert.ok(note, 'Zendesk has the note');
    assert.ok(note.body.includes(job.sandbox), note.body);
    assert.ok(note.body.includes(job.word), note.body);
}

/* Stack traces are below the toggle of the raw logs, and those are closed. */
async function assertNothingRaw({ page }) {
    assert.equal(await page.locator('table.logs').count(), 0, 'raw logs are closed');
    const text = await page.locator('main').innerText();
    assert.doesNotMatch(text, /Traceback|File ".*", line \d+|^\s+at .+:\d+:\d+/m);
    const order = await page.$$eval('main h2', (heads) => heads.map((h) => h.textContent.trim()));
    assert.deepEqual(order.filter((h) => h !== order[1]),
        ['Finding', 'Facts', 'Timeline', 'Charts', 'Processes', 'Raw logs'], 'the order of the page');
}

for (const job of JOBS) {
    test(`the main job: ${job.cls}`, async (t) => {
        const maya = await desk.engineer('maya');
        const { page, stack } = maya;

        await t.test('from the number to the sandbox', async () => {
            await maya.lookUp(job.ticket);
            await maya.openTicket(job.ticket);
            await assertStrip(maya, job);
            await maya.chooseWindow();
            assert.match(await page.inputValue('#from'), /^\d{4}-\d\d-\d\d \d\d:\d\d/);
            await maya.findSandboxes();
            await assertStrip(maya, job);
            await assertOverlapMarked(page, job.sandbox);
            await maya.openSandbox(job.sandbox);
            await assertStrip(maya, job);
            assert.match(await maya.text('[aria-label="Ticket in hand"]'), /Complaint window \d+ \w{3} \d\d:\d\d . \d\d:\d\d UTC/);
            assert.equal(await page.locator('h1').innerText(), job.sandbox);
        });

        await t.test('from Investigate to the finding, by itself', async () => {
            if (!page.url().includes(job.sandbox)) await maya.open(maya.sandboxPath(job.ticket, job.sandbox));
            await maya.investigate();
            assert.match(await maya.text('#panel'), /Waiting for the agent/);
            assert.match(await maya.text('#panel'), /Started by (you|maya)/);
            await Promise.all([stack.agentOnce(), maya.awaitFinding()]);
            await assertFinding(maya, job);
            await assertEvidenceLinks(maya);
            await assertLinear(maya, job);
            await assertNote(maya, job);
            await assertNothingRaw(maya);
            await maya.assertNothingEmpty();
            await maya.assertLogged();
        });

        await t.test('at most four clicks from the number to the finding', () => {
            assert.ok(maya.clicks <= 4, `${maya.clicks} clicks`);
        });

        await t.test('the browser has nothing to complain of', () => {
            assert.deepEqual(page.problems, []);
        });
        await page.context().close();
    });
}

test('the ticket tells its history', async () => {
    const tom = await desk.engineer('tom');
    for (const job of JOBS) {
        await tom.open(`/tickets/${job.ticket}`);
        const entry = tom.page.locator('.history li').filter({ has: tom.page.locator(`a[href*="${job.sandbox}"]`) });
        assert.equal(await entry.count(), 1, job.sandbox);
        const text = squeeze(await entry.innerText());
        assert.ok(text.includes(job.word), text);
        assert.match(await entry.locator('a[href*="/investigations/"]').innerText(), job.headline);
        assert.match(text, /Note posted/);
        assert.match(text, /maya, \d+ \w{3} \d\d:\d\d UTC/);
        if (job.issue) assert.match(text, /SUP-\d+ \S.* (known|new) issue/);
        else assert.match(text, /Nothing filed/);
    }
    await tom.lookUp(48122);
    assert.match(await tom.text('table.rows'), /Killed early maya/, 'the lookup says so too');
    await tom.page.context().close();
});

test('the next engineer sees the finding instead of a new run; again is explicit and keeps the old one', async () => {
    const [job] = JOBS;
    const tom = await desk.engineer('tom');
    const runs = () => desk.stack.sql(`SELECT id, requested_by FROM investigation WHERE sandbox_id = '${job.sandbox}' ORDER BY id`);

    await tom.open(tom.sandboxPath(job.ticket, job.sandbox));
    await assertFinding(tom, job);
    assert.match(await tom.text('#finding'), /maya, \d+ \w{3} \d\d:\d\d:\d\d UTC/);
    assert.equal(await tom.button('Investigate this sandbox').count(), 0);
    assert.equal(runs().length, 1, 'opening the page starts nothing');

    await tom.click(tom.button('Investigate again'));
    assert.match(await tom.text('#panel'), /Waiting for the agent/);
    await desk.stack.agentOnce();
    await tom.open(tom.sandboxPath(job.ticket, job.sandbox));
    await assertFinding(tom, job);
    assert.match(await tom.text('#finding'), /tom, \d+ \w{3}/);
    assert.deepEqual(runs().map(([, by]) => by), ['maya', 'tom']);

    await tom.open(`/investigations/${runs()[0][0]}`);
    await assertFinding(tom, job);
    assert.match(await tom.text('#finding'), /maya, \d+ \w{3}/);
    await assertEvidenceLinks(tom);
    await tom.open('/investigations');
    assert.equal(await tom.page.locator(`table.rows a[href*="${job.sandbox}"]`).count(), 2);
    await tom.page.context().close();
});

test('everything survives a restart of everything', async () => {
    const { stack } = desk;
    const tom = await desk.engineer('tom');
    const read = async () => {
        const all = {};
        for (const job of JOBS) {
            await tom.open(tom.sandboxPath(job.ticket, job.sandbox));
            all[job.cls] = await tom.text('#panel');
            await tom.open(`/tickets/${job.ticket}`);
            all[`${job.cls} on the ticket`] = await tom.text('.side');
        }
        return all;
    };
    const first = await read();

    await stack.nginx.stop();
    await stack.web.stop();
    await stack.mariadb.restart();
    await stack.web.start();
    await stack.nginx.start();
    assert.deepEqual(await read(), first);
    await tom.page.context().close();
});

test('for all this E2B was only read, and Linear was searched before anything was filed', async () => {
    const calls = await desk.stack.control('GET', 'calls');
    const e2b = calls.filter((c) => c.service === 'e2b');
    assert.ok(e2b.length > 50);
    assert.deepEqual([...new Set(e2b.map((c) => c.method))], ['GET']);

    const linear = calls.filter((c) => c.service === 'linear').map((c) => c.body ?? '');
    const firstCreate = linear.findIndex((body) => /issueCreate/.test(body));
    const firstSearch = linear.findIndex((body) => /searchIssues/.test(body));
    assert.ok(firstSearch >= 0 && firstCreate > firstSearch, `search ${firstSearch}, create ${firstCreate}`);
    const creates = linear.filter((body) => /issueCreate/.test(body)).length;
    assert.equal(creates, JOBS.filter((job) => job.linear === 'Linear: new issue filed').length);
});
