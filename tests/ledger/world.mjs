/* What the tests of the harvest share: a stack with a feed for its E2B, and a look into the ledger. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { PROGRAMS, Stack } from '../lib/stack.mjs';
import { Feed } from './feed.mjs';

export class World {
    static async start(config = {}) {
        const world = new World();
        world.feed = await new Feed().start();
        world.stack = await Stack.start({ parts: ['mariadb'], config: { 'E2B.BaseUrl': world.feed.url, ...config } });
        return world;
    }

    async stop() {
        await this.feed?.stop();
        await this.stack?.stop();
    }

    /* An empty ledger before an empty feed. */
    clear() {
        const tables = ['ledger_sandbox', 'ledger_feed', 'ledger_gap', 'ledger_span', 'ledger_template'];
        this.stack.sql(tables.map((table) => `DELETE FROM ${table}`).join('; '));
        Object.assign(this.feed, { events: [], requests: [], answer: null, onPage: null, lagging: 0, list: [], listEnd: 'good' });
    }

    sql(text) {
        return this.stack.sql(text);
    }

    number(text) {
        return Number(this.sql(text)[0][0]);
    }

    /* `casebook harvest`, which the caller may kill. `ended` gives { status, signal, stdout, stderr }. */
    harvest(...args) {
        const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', PROGRAMS.tool, 'harvest', '--config',
            this.stack.configFile, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
        const out = { stdout: '', stderr: '' };
        for (const name of ['stdout', 'stderr']) {
            child[name].setEncoding('utf8');
            child[name].on('data', (text) => (out[name] += text));
        }
        child.ended = new Promise((done) => child.once('close', (status, signal) => done({ status, signal, ...out })));
        return child;
    }

    /* The same to its end, which must be a good one; and how many pages it asked for. */
    async harvested(...args) {
        const before = this.feed.requests.length;
        const run = await this.harvest(...args).ended;
        assert.equal(run.status, 0, run.stderr);
        return { ...run, requests: this.feed.requests.slice(before) };
    }

    /* How many rows the server has read and written so far: the work, whatever else the machine does. */
    work() {
        return this.number(`SELECT SUM(VARIABLE_VALUE) FROM information_schema.GLOBAL_STATUS
            WHERE VARIABLE_NAME LIKE 'HANDLER\\_READ%' OR VARIABLE_NAME IN ('HANDLER_WRITE', 'HANDLER_UPDATE')`);
    }

    /* So many events of others, five days ago, as harvests would have left them. */
    enlarge(count) {
        const old = Date.now() * 1000 - 5 * 86_400_000_000;
        this.sql(`INSERT INTO ledger_sandbox (sandbox_id, state, first_start_us, last_start_us, end_us, seen_us, event_count)
            SELECT CONCAT('iold', seq), 'ended', ${old} + seq, ${old} + seq, ${old} + seq, ${old} + seq, 4
            FROM seq_1_to_${count / 4}`);
        this.sql(`INSERT INTO ledger_event (id, sandbox_id, at_us, doc)
            SELECT UUID(), CONCAT('iold', 1 + seq DIV 4), ${old} + seq, REPEAT('x', 400) FROM seq_0_to_${count - 1}`);
        this.sql(`INSERT INTO ledger_tag (sandbox_id, tag_key, tag_value, last_start_us)
            SELECT CONCAT('iold', seq), 'userId', CONCAT('user', seq), ${old} + seq FROM seq_1_to_${count / 4}`);
        this.sql('ANALYZE TABLE ledger_sandbox, ledger_event, ledger_tag');
    }

    /* Every event of the feed is in the ledger, no other one is, and each row agrees with its events. */
    holdsAll() {
        const kept = this.sql('SELECT id FROM ledger_event').map(([id]) => id);
        const wanted = this.feed.events.map((e) => e.id);
        const have = new Set(kept);
        const missing = wanted.filter((id) => !have.has(id));
        assert.deepEqual(missing.slice(0, 5), [], `${missing.length} of ${wanted.length} events are missing`);
        assert.equal(have.size, kept.length);
        assert.equal(kept.length, wanted.length, 'events that were never there');
        assert.equal(this.number('SELECT SUM(event_count) FROM ledger_sandbox'), wanted.length);
        assert.equal(this.number(`SELECT COUNT(*) FROM ledger_sandbox
            WHERE JSON_LENGTH(record, '$.runs') <> 1 OR record = ''`), 0, 'one execution each');
        assert.equal(this.number('SELECT COUNT(*) FROM ledger_gap'), 0, 'nothing is left to read');
    }
}
