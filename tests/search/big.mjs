/*
 * A customer with many sandboxes: running and paused ones at the simulated E2B, ended ones in Casebook's record,
 * and any number of other customers' rows beside them. For the tests and for tests/bench/search.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT, Stack } from '../lib/stack.mjs';

export const CUSTOMER = 'kim+ci@bigco.example';
export const TICKET = 51000;
export const KEYS = ['userId', 'requestedBy', 'org'];

/* 1 hour between starts in the record: the newest ended one started 2 days ago. */
const RECORD_STEP_US = 300_000_000;
const DAY_US = 86_400_000_000;

/* The ids, newest start first: those that live, i from 0; those that ended, i from 1. */
export const liveId = (i) => `ib${String(i).padStart(6, '0')}live0000000x`;
export const endedId = (i) => `i${createHash('md5').update(`own${i}`).digest('hex').slice(0, 20)}`;

/* A world of its own in a temporary folder: `running` and `paused` sandboxes of the customer. */
export function writeWorld(running, paused) {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'casebook-world-'));
    const sandboxes = Array.from({ length: running + paused }, (_, i) => ({
        id: liveId(i),
        template: 'report-py',
        start: `-${60 + i * 20}s`,
        timeout: '24h',
        metadata: { userId: CUSTOMER, org: 'bigco' },
        ...(i < running ? {} : { steps: [{ at: '30s', do: 'pause' }] }),
    }));
    const world = {
        organizations: [{ name: 'Bigco', domain_names: ['bigco.example'] }],
        users: [{ name: 'Kim Sato', email: CUSTOMER, org: 'Bigco' }],
        tickets: [{ id: TICKET, subject: 'Jobs vanish', status: 'open', requester: CUSTOMER, created: '-1h',
            comments: [{ by: CUSTOMER, text: 'Our jobs vanish.' }] }],
        sandboxes,
    };
    fs.copyFileSync(path.join(ROOT, 'tests/sim/world/demo/00-base.json'), path.join(dir, '00-base.json'));
    fs.writeFileSync(path.join(dir, '10-big.json'), JSON.stringify(world));
    return dir;
}

export async function startBig({ running, paused, config = {} }) {
    const world = writeWorld(running, paused);
    const stack = await Stack.start({ world, config });
    stack.worldDir = world;
    return stack;
}

export async function stopBig(stack) {
    await stack?.stop();
    if (stack) fs.rmSync(stack.worldDir, { recursive: true, force: true });
}

/* One row of the record as JSON: a single execution of 10 min that hit its timeout. */
const RECORD = `CONCAT('{"runs":[{"start":', s.start_us, ',"known":true,"end":', s.start_us + 600000000,
    ',"how":"killed","reason":"timeout","deadline":', s.start_us + 600000000, ',"sign":', s.start_us, '}],"facts":{}}')`;

/*
 * `n` ended sandboxes straight into the record: ids spread over the alphabet, from `prefix`; each has a userId
 * out of `userOf` (SQL over seq), the first start at `startOf`.
 */
function fill(stack, n, { prefix, userOf, startOf, templateOf }) {
    stack.sql(`SET foreign_key_checks = 0, unique_checks = 0;
        CREATE TEMPORARY TABLE s (sandbox_id VARCHAR(64), start_us BIGINT, user VARCHAR(100), template VARCHAR(40))
            CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
            AS SELECT CONCAT('i', LEFT(MD5(CONCAT('${prefix}', seq)), 20)) AS sandbox_id, ${startOf} AS start_us,
                ${userOf} AS user, ${templateOf} AS template FROM seq_1_to_${n} ORDER BY 1;
        INSERT INTO ledger_sandbox (sandbox_id, state, template_id, template_alias, first_start_us, last_start_us, end_us,
            deadline_us, ran_us, kill_reason, cpu_count, memory_mib, disk_mib, tags, event_count, seen_us, record)
            SELECT sandbox_id, 'ended', template, '', start_us, start_us, start_us + 600000000, start_us + 600000000,
                600000000, 'timeout', 2, 1024, 10240, CONCAT('{"userId":"', user, '","org":"x"}'), 2,
                start_us + 600000000, ${RECORD} FROM s;
        INSERT INTO ledger_tag (sandbox_id, tag_key, tag_value, last_start_us, first_start_us, end_us, state, template_id)
            SELECT sandbox_id, 'userId', user, start_us, start_us, start_us + 600000000, 'ended', template FROM s;
        DROP TEMPORARY TABLE s`);
}

/* The customer's own ended sandboxes: the i-th started 2 days and i times 5 min ago. */
export function fillCustomer(stack, n) {
    const newest = Date.now() * 1000 - 2 * DAY_US;
    fill(stack, n, { prefix: 'own', userOf: `'${CUSTOMER}'`, startOf: `${newest} - seq * ${RECORD_STEP_US}`,
        templateOf: `CONCAT('template', seq % 3)` });
    stack.sql(`INSERT INTO ledger_template (template_id, alias, listed_us) VALUES ('template1', 'import-node', 1)
        ON DUPLICATE KEY UPDATE alias = VALUES(alias)`);
    return newest;
}

let batches = 0;

/* Rows of others, `perUser` each; they fill the same days. */
export function fillOthers(stack, n, { perUser = 200 } = {}) {
    const newest = Date.now() * 1000;
    const step = Math.max(1, Math.floor((80 * DAY_US) / n));
    stack.sql('SET GLOBAL innodb_buffer_pool_size = 536870912'); /* only to load quickly */
    for (let from = 0; from < n; from += 250_000) {
        const some = Math.min(250_000, n - from);
        fill(stack, some, { prefix: `other${++batches}-`, userOf: `CONCAT('user${batches}-', (seq + ${from}) DIV ${perUser}, '@other.example')`,
            startOf: `${newest} - (seq + ${from}) * ${step}`, templateOf: `CONCAT('template', seq % 500)` });
    }
    stack.sql(`INSERT IGNORE INTO ledger_template (template_id, alias, listed_us)
        SELECT CONCAT('template', seq), CONCAT('name', seq), 1 FROM seq_2_to_499`);
    stack.sql('ANALYZE TABLE ledger_tag, ledger_sandbox, ledger_template');
    stack.sql('SET GLOBAL innodb_buffer_pool_size = 67108864'); /* as tests/lib/mariadb.sh starts it */
}

/* Finished investigations of other tickets and sandboxes: small tables are read without their indexes. */
export function fillInvestigations(stack, n) {
    stack.sql(`INSERT INTO investigation (sandbox_id, ticket_id, requested_by, created_us, finished_us, run_after_us, state, reached, class)
        SELECT CONCAT('i', LEFT(MD5(CONCAT('inv', seq)), 20)), 60000 + seq, CONCAT('user', seq % 50), seq, seq, seq, 'done', 'done',
            ELT(1 + seq % 5, 'out_of_memory', 'timeout', 'killed_early', 'crashed', 'undetermined') FROM seq_1_to_${n};
        ANALYZE TABLE investigation`);
}

/* The record counts as up to date, however long loading took. */
export function freshRecord(stack) {
    stack.sql(`INSERT INTO ledger_span (id, since_us, last_us) VALUES (1, ${Date.now() * 1000 - 90 * DAY_US}, ${Date.now() * 1000})
        ON DUPLICATE KEY UPDATE last_us = VALUES(last_us)`);
}

/* What a page of results says: ids in order, the heading, the links by their words. */
export function readPage(html) {
    const text = (part) => part.replace(/<[^>]+>/g, '').replace(/&#39;/g, "'").replace(/&quot;/g, '"').replace(/&amp;/g, '&')
        .replace(/\s+/g, ' ').trim();
    const main = html.replace(/^.*<main/s, '<main');
    return {
        ids: [...main.matchAll(/<td role="cell" class="id"[^>]*><a[^>]*>([^<]*)</g)].map((m) => m[1]),
        rows: [...main.matchAll(/<tr role="row"( class="over")?>\s*(<td.*?)<\/tr>/gs)].map((m) => ({ marked: Boolean(m[1]), text: text(m[2].replace(/<\/td>/g, ' | ')) })),
        starts: [...main.matchAll(/data-l="Started">.*?datetime="([^"]*)"/gs)].map((m) => m[1]),
        heading: text(main.match(/<h1[^>]*>.*?<\/h1>/s)?.[0] ?? ''),
        text: text(main),
        links: Object.fromEntries([...main.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map((m) => [text(m[2]), m[1].replace(/&amp;/g, '&')])),
    };
}

/* A link of a page, as stack.get() takes it. */
export const below = (stack, href) => href.slice(stack.basePath.length);
