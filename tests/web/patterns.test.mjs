/*
 * Patterns and the list of investigations on a large record: what they count, the message when one failure hits
 * several customers, and that every statement finds its rows by an index.
 */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack } from '../lib/stack.mjs';
import { planOf, scans, statementsOf } from '../search/plans.mjs';

const MANY = 20_000;
const DAY_US = 86_400_000_000;

let stack;
let now;
before(async () => {
    stack = await Stack.start({ parts: ['mariadb', 'sim', 'web', 'nginx'] });
    now = Date.now() * 1000;
    /* old ones, each its own failure */
    stack.sql(`INSERT INTO investigation (sandbox_id, requested_by, created_us, run_after_us, state, reached, finished_us,
            class, signature_hash, template_id, organization)
        SELECT CONCAT('many', seq), CONCAT('user', seq % 50), ${now} - 100 * ${DAY_US} - seq, 0, 'done', 'done', ${now} - 100 * ${DAY_US},
            ELT(1 + seq % 5, 'out_of_memory', 'timeout', 'killed_early', 'crashed', 'undetermined'),
            SHA2(CONCAT('s', seq), 256), CONCAT('tpl', seq % 40), CONCAT('org', seq % 300) FROM seq_1_to_${MANY}`);
});
after(() => stack?.stop());

/* A finding of `days` days ago. */
function found(sandbox, days, { cls = 'crashed', hash, org = '', template = 'tpl', headline = 'The script stopped', issue = '' }) {
    const at = now - days * DAY_US;
    stack.sql(`INSERT INTO investigation (sandbox_id, requested_by, created_us, run_after_us, state, reached, finished_us, class,
            signature_hash, template_id, organization)
        VALUES ('${sandbox}', 'ada', ${at}, 0, 'done', 'done', ${at}, '${cls}', '${hash}', '${template}', '${org}');
        SET @id = LAST_INSERT_ID();
        INSERT INTO finding VALUES (@id, '${cls}', '', 'high', '${headline}', 'signature of ${hash}', '${hash}', '${template}', '',
            NULL, 1, ${at}, '{}');
        INSERT INTO linear_decision VALUES (@id, '${issue ? 'matched' : 'not_filed'}', '', '${issue}',
            '${issue ? `https://linear.app/x/issue/${issue}` : ''}', ${at}, '{}')`);
}

const page = async (where) => {
    const answer = await stack.get(where, { user: 'ada' });
    return { status: answer.status, text: answer.text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '), html: answer.text };
};

test('nothing in these days: said, and no empty table', async () => {
    const { status, text, html } = await page('/investigations/patterns');
    assert.equal(status, 200);
    assert.match(text, /Nothing was found in the last 30 days\./);
    assert.doesNotMatch(html, /<table/);
});

test('the same failure across customers and templates, most first', async () => {
    found('p3', 60, { hash: 'aa', org: 'Cy' });
    found('p1', 1, { hash: 'aa', org: 'Ana', headline: 'The old words' });
    found('p2', 2, { hash: 'aa', org: 'Bo', template: 'tpl2' });
    found('p2', 0.1, { hash: 'aa', org: 'Bo', template: 'tpl2', headline: 'The newest words', issue: 'SUP-9' });
    found('p4', 3, { hash: 'bb', cls: 'timeout' });
    found('p5', 3, { hash: 'bb', cls: 'timeout' });
    found('p6', 3, { hash: 'cc' });
    found('p7', 3, { hash: 'dd', cls: 'undetermined' });
    found('p8', 3, { hash: 'dd', cls: 'undetermined' });
    const { text, html } = await page('/investigations/patterns');
    const rows = [...html.matchAll(/<tr role="row">\n<td.*?<\/tr>/gs)].map(([row]) => row.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '));
    assert.equal(rows.length, 2, 'one finding is no pattern, and undetermined ones have none');
    assert.match(rows[0], /The newest words Signature signature of aa Crashed 3 findings 2 sandboxes 2 customers 2 templates .* SUP-9 known issue/);
    assert.match(rows[1], /signature of bb Hit its timeout 2 findings 2 sandboxes no customer known 1 template/);
    assert.match(rows[0], /2 months ago|60 days ago/, 'first seen before these days');
    assert.match(text, /All 2 shown\./);
    assert.match(html, /aria-label="Crashed: 4 in 30 days, most on /);
    assert.match(html, /aria-label="Undetermined: 2 in 30 days/);

    assert.match((await page('/investigations/patterns?days=90')).text, /4 findings 3 sandboxes 3 customers/);
    assert.match((await page('/investigations/patterns?days=7')).text, /3 findings 2 sandboxes 2 customers/);
    assert.match((await page('/investigations/patterns?days=8')).text, /3 findings 2 sandboxes/, 'another span is the usual one');
});

test('three findings of two customers: the list says so, and leads to them', async () => {
    const { text, html } = await page('/investigations');
    assert.match(text, /Same failure at several customers: The newest words 3 findings for 2 customers since \d+ \w{3}( \d{4})?\. The newest is linked to SUP-9/);
    const [, href] = /href="[^"]*(\/investigations\?signature=aa)"[^>]*>Show the 3</.exec(html);
    assert.equal((await page(href)).html.match(/<tr role="row">\n/g).length, 4);
    stack.sql("UPDATE investigation SET organization = 'Ana' WHERE signature_hash = 'aa'");
    assert.doesNotMatch((await page('/investigations')).text, /Same failure at several customers/, 'one customer alone is no such message');
});

test('the list tells the present state of each issue: asked once for all, and not again within half a minute', async () => {
    const { linear } = await stack.control('GET', 'state');
    const [one, two] = linear.issues;
    const word = (issue) => linear.states.find((s) => s.id === issue.stateId).name;
    const asked = async () => (await stack.control('GET', 'calls?since=0')).filter((c) => c.operation === 'CasebookIssueStates');
    const list = '/investigations?template=live';
    for (const [i, issue] of [[0, one], [1, two], [2, one], [3, null]]) {
        found(`live${i}`, 0.01 * (4 - i), { hash: `live${i}`, template: 'live', issue: issue?.identifier });
        if (issue) stack.sql(`UPDATE linear_decision SET issue_id = '${issue.id}' WHERE investigation_id = (SELECT MAX(id) FROM investigation)`);
    }
    const before = (await asked()).length;
    const rows = ({ html }) => html.match(/<tr role="row">\s*<td[\s\S]*?<\/tr>/g).map((r) => r.match(/data-l="Linear">([\s\S]*?)<\/td>/)[1].replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ').trim());
    const WITH = ['Nothing filed', `${one.identifier} ${word(one)} known issue`, `${two.identifier} ${word(two)} known issue`, `${one.identifier} ${word(one)} known issue`];
    const first = await page(list);
    assert.deepEqual(rows(first), WITH);
    await page(list);
    assert.equal((await asked()).length - before, 1, 'one request for all of that');
    await page('/investigations?template=tpl7');
    await page('/investigations?template=nobody');
    assert.equal((await asked()).length - before, 1, 'none where no row has an issue');

    await stack.control('POST', 'faults', { service: 'linear', operation: 'CasebookIssueStates', status: 503, times: -1 });
    stack.sql('UPDATE linear_issue SET read_us = 1');
    const old = await page(list);
    assert.deepEqual(rows(old), WITH, 'what was last known is shown');
    assert.equal(old.text.match(/The present states of the issues could not be read\. Linear answered/g)?.length, 1, 'and said, once');
    stack.sql('DELETE FROM linear_issue');
    const without = await page(list);
    assert.equal(without.status, 200);
    assert.deepEqual(rows(without), WITH.map((s) => s.replace(` ${word(one)}`, '').replace(` ${word(two)}`, '')));
    await stack.control('DELETE', 'faults');
    const again = await page(list);
    assert.deepEqual(rows(again), WITH);
    assert.doesNotMatch(again.text, /could not be read/);
});

test('every statement of both pages has an index', async () => {
    stack.sql('ANALYZE TABLE investigation, finding, linear_decision');
    for (const where of ['/investigations/patterns', '/investigations/patterns?days=90', '/investigations', '/investigations?class=crashed',
        '/investigations?template=tpl7', '/investigations?template=live', '/investigations?signature=aa', '/investigations?by=user3']) {
        const statements = await statementsOf(stack, () => page(where));
        assert.ok(statements.length >= 2, where);
        for (const statement of statements) assert.equal(scans(planOf(stack, statement)), '', `${where}: ${statement}`);
        if (!where.includes('patterns')) continue;
        const grouped = statements.filter((s) => /GROUP BY/.test(s)).flatMap((s) => planOf(stack, s)).filter(({ key }) => key === 'by_created');
        assert.equal(grouped.length, 2, 'patterns and days are counted in the index alone');
        for (const { type, rows, extra } of grouped) {
            assert.equal(type, 'range');
            assert.match(extra, /Using index/);
            assert.ok(rows < MANY / 10, `${rows} rows are looked at`);
        }
    }
});

test('without the database both pages say so', async () => {
    await stack.mariadb.stop();
    for (const where of ['/investigations/patterns', '/investigations']) assert.equal((await page(where)).status, 503);
    assert.equal((await page('/help')).status, 200, 'the help needs nothing');
    await stack.mariadb.start();
});
