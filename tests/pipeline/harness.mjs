/*
 * The agent with a real MariaDB and the simulator, without pages: queue, run, look at what was done.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { ROOT, Stack, until, runProgram, PROGRAMS } from '../lib/stack.mjs';

export { until, runProgram, PROGRAMS };

/* Sandboxes and tickets of the demo's world (tests/sim/README.md). */
export const S = {
    oom: ['i7q2m0xk4v9d1c8b3zt5e', 48213],
    oomElsewhere: ['iq9e3w6n1h8b5k2z7f4cu', 48160],
    timeout: ['iz81m4b7u2g9a6x3c0ojq', 48090],
    killed: ['io2b8f5t1z6k9w3n0q7hd', 48122],
    crashed: ['ij5y0c8m2r7d4x1v6t9sb', 48197],
    running: ['ip3k7d0m9xb2s8f4ua6lw', 48251],
    closed: ['it1m6z9c3v8f0j5b2q7ke', 47988],
    hostile: ['ihs0a1b2c3d4e5f6g7h8i', 48240],
    vmDeath: ['ix8d5r2o7n4a1w6h9e3gp', 47951],
    keyError: ['il6q2w9e5r1t8y4u0o7ps', 48226],
};

const OPEN = ['queued', 'collected', 'diagnosed', 'deduped', 'filed', 'noted'];
const TABLES = ['filing', 'investigation', 'ledger_sandbox'];
const quoted = (text) => `'${String(text).replace(/[\\']/g, '\\$&')}'`;

export class Pipeline extends Stack {
    static async begin(config = {}) {
        const p = new Pipeline({ parts: ['mariadb', 'sim'], config });
        try {
            await p.startAll();
        } catch (error) {
            await p.stop();
            throw error;
        }
        return p;
    }

    /*
     * As at the start: no investigation, no record, the described world, no faults, no calls.
     * known: Linear has the issue of S.oom, with its mark.
     */
    async fresh({ known = true } = {}) {
        for (const table of TABLES) this.sql(`DELETE FROM ${table}`);
        const world = JSON.parse(fs.readFileSync(path.join(ROOT, this.world, '00-base.json'), 'utf8'));
        await this.control('POST', 'settings',
            { tokens: known ? world.tokens : { known_oom: 'another failure' } });
        await this.control('POST', 'reset', {});
        await this.control('DELETE', 'faults');
        await this.control('DELETE', 'calls');
    }

    /* Its number. */
    queue([sandbox, ticket], by = 'ann') {
        const [[id]] = this.sql(
            `INSERT INTO investigation (sandbox_id, ticket_id, requested_by, created_us, run_after_us)
             VALUES (${quoted(sandbox)}, ${ticket ?? 'NULL'}, ${quoted(by)},
                     UNIX_TIMESTAMP(NOW(6)) * 1000000, 0);
             SELECT LAST_INSERT_ID()`);
        return Number(id);
    }

    row(table, columns, where) {
        const [found] = this.sql(`SELECT ${columns.join(', ')} FROM ${table} WHERE ${where}`);
        return found && Object.fromEntries(columns.map((name, i) => [name, found[i]]));
    }

    inv(id) {
        return this.row('investigation', ['state', 'reached', 'attempt', 'failure', 'worker', 'fence',
            'run_after_us', 'lease_until_us', 'created_us', 'started_us', 'collected_us', 'diagnosed_us',
            'deduped_us', 'filed_us', 'noted_us', 'done_us', 'finished_us', 'class'], `id = ${id}`);
    }

    finding(id) {
        return this.row('finding', ['class', 'reason', 'confidence', 'headline', 'signature',
            'signature_hash', 'template_id', 'doc'], `investigation_id = ${id}`);
    }

    decision(id) {
        const row = this.row('linear_decision', ['outcome', 'issue_identifier', 'doc'],
            `investigation_id = ${id}`);
        return row && { ...row, doc: JSON.parse(row.doc) };
    }

    note(id) {
        return this.row('note', ['marker', 'state', 'html', 'audit_id', 'error', 'posted_us'],
            `investigation_id = ${id}`);
    }

    /* What the investigation was decided on. */
    evidence(id) {
        const parts = this.sql(`SELECT HEX(body) FROM evidence_part WHERE investigation_id = ${id} ORDER BY part`);
        return JSON.parse(inflateSync(Buffer.concat(parts.map(([hex]) => Buffer.from(hex, 'hex')))));
    }

    /* No waiting for back-off; a lease is waited for all the same. */
    hurry() {
        this.sql(`UPDATE investigation SET run_after_us = 0 WHERE worker = ''`);
    }

    isOpen(id) {
        return OPEN.includes(this.inv(id).state);
    }

    /* One pass; a ledger that cannot be brought up to date (status 1) is not this test's matter. */
    async pass() {
        const run = await runProgram(PROGRAMS.agent, ['--once', '--config', this.configFile]);
        fs.appendFileSync(path.join(this.dir, 'agent.log'), run.stderr);
        assert.ok(run.status === 0 || run.status === 1, run.stderr);
    }

    /* Runs the agent until they are over, in at most so many passes. */
    async finish(...ids) {
        for (let passes = 0; ids.some((id) => this.isOpen(id)); passes++) {
            assert.ok(passes < 20, `not over: ${JSON.stringify(ids.map((id) => this.inv(id)))}`);
            this.hurry();
            await this.pass();
        }
    }

    async done(...ids) {
        await this.finish(...ids);
        for (const id of ids) {
            const inv = this.inv(id);
            assert.equal(inv.state, 'done', inv.failure);
        }
    }

    fault(order) {
        return this.control('POST', 'faults', order);
    }

    async calls(filter = () => true) {
        const all = await this.control('GET', 'calls');
        return (all.calls ?? all).filter(filter);
    }

    creates() {
        return this.calls((c) => c.operation === 'CasebookCreateIssue');
    }

    puts(ticket) {
        return this.calls((c) => c.service === 'zendesk' && c.method === 'PUT' &&
            (!ticket || c.path.includes(`/tickets/${ticket}`)));
    }

    /* The notes on a ticket that carry our mark, as Zendesk keeps them. */
    async notes(ticket) {
        const { zendesk } = await this.control('GET', 'state');
        const t = zendesk.find((x) => x.id === ticket);
        return t.comments.filter((c) => c.metadata?.custom?.casebook_note);
    }

    /* Issues that were not in the described world. */
    async newIssues() {
        const { linear } = await this.control('GET', 'state');
        return linear.issues.filter((i) => i.number >= 432 && i.identifier?.startsWith('SUP') !== false);
    }

    async restartMariadb() {
        await this.mariadb.restart();
    }

    /*
     * A session that keeps others from inserting into a table, until release() is called:
     * whoever writes there waits, in the middle of its transaction.
     */
    async hold(table) {
        const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', 'mariadb', '--no-defaults',
            `--socket=${this.databaseSocket}`, '--user=root', '--batch', '--skip-column-names',
            '--unbuffered', 'casebook'], { stdio: ['pipe', 'pipe', 'inherit'] });
        let out = '';
        child.stdout.on('data', (text) => (out += text));
        child.stdin.write('SET SESSION tx_isolation = \'REPEATABLE-READ\'; START TRANSACTION; ' +
            `SELECT COUNT(*) FROM (SELECT 1 FROM ${table} FOR UPDATE) AS all_rows; SELECT 'held';\n`);
        await until(`the lock on ${table}`, () => out.includes('held'));
        return {
            release: () => new Promise((ended) => {
                child.once('exit', ended);
                child.stdin.end('ROLLBACK;\n');
            }),
        };
    }

    /* Connections of programs, with what each does at the moment ('' when idle). */
    sessions() {
        return this.sql(`SELECT time_ms, COALESCE(info, '') FROM information_schema.processlist
            WHERE db = 'casebook' AND user <> 'root'`).map(([ms, info]) => ({ ms: Number(ms), info: info ?? '' }));
    }

    /* A second host: the same configuration with another lock. */
    otherHost(name) {
        const file = path.join(this.dir, `${name}.hdf`);
        const text = fs.readFileSync(this.configFile, 'utf8');
        fs.writeFileSync(file, text.replace(/^Agent\.Lock = .*$/m,
            `Agent.Lock = ${path.join(this.dir, `${name}.lock`)}`), { mode: 0o600 });
        return file;
    }

    agentLog() {
        return ['agent.log', 'agent-part.log']
            .map((name) => path.join(this.dir, name))
            .filter((file) => fs.existsSync(file))
            .map((file) => fs.readFileSync(file, 'utf8'))
            .join('');
    }
}
