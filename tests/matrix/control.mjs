/* Brings runs through the pipeline of agents on several hosts, and does to their workers what the plan says. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { Session } from './session.mjs';
import { Stops } from './stops.mjs';

const OVER = ['done', 'failed', 'canceled'];
/* So many calls of the last look are looked at again: a call is recorded a moment before the order that it met. */
const AGAIN = 100;
const LOOK_EVERY_MS = 25;
const REPLACED_AT_ONCE = 8;
const FAR_US = '4000000000000000';

const delay = (ms) => new Promise((done) => setTimeout(done, ms));

/* As the product makes it of what is stored (model/finding.h). */
export const tokenOf = (hash, templateId) =>
    `cbk${createHash('sha256').update(`${hash}\n${templateId}`).digest('hex').slice(0, 24)}`;

export class Control {
    constructor(pipeline) {
        this.p = pipeline;
        this.hosts = [];
        this.killed = 0;
        this.runs = new Map(); /* by the number of the investigation */
        this.dead = new Map(); /* the fence of those whose lease is over */
    }

    async begin(options) {
        this.stops = new Stops(this.p.databaseSocket);
        await this.stops.begin(options);
        this.mender = new Session(this.p.databaseSocket);
        await this.mender.query('SET SESSION tx_isolation = \'READ-COMMITTED\', SESSION innodb_lock_wait_timeout = 0');
    }

    async end() {
        await this.stops?.end();
        await this.mender?.end();
    }

    /* ---- hosts ---- */

    async startHosts(count, workers) {
        for (let i = 0; i < count; i++) {
            const name = `host-${this.hosts.length}-${workers}`;
            const file = this.p.otherHost(name);
            fs.appendFileSync(file, `Agent.Workers = ${workers}\n`);
            this.hosts.push(await this.p.agentStart({ args: ['--run-for', '1800'], name, config: file }));
        }
    }

    /* Workers that died are not replaced before the minute of their agent is over: further hosts take their place. */
    async replace() {
        if (this.killed < REPLACED_AT_ONCE) return;
        this.killed -= REPLACED_AT_ONCE;
        await this.startHosts(1, REPLACED_AT_ONCE);
    }

    async stopHosts() {
        for (const host of this.hosts) await host.kill();
        this.hosts = [];
    }

    /* The process number of a worker of ours; undefined when it has ended. */
    processOf(worker) {
        const pid = Number(worker.split(':').pop());
        try {
            const parent = Number(fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);
            return this.hosts.some((host) => host.pid === parent) ? pid : undefined;
        } catch {
            return undefined;
        }
    }

    /* ---- runs ---- */

    /* Into the queue, each with its faults in place. */
    async queue(runs) {
        const all = runs.flatMap((run) => (run.twin ? [run, run.twin] : [run]));
        for (const run of all) {
            const [[id]] = await this.stops.look.query(
                `INSERT INTO investigation (sandbox_id, ticket_id, requested_by, created_us, run_after_us)
                 VALUES ('${run.p.sandbox}', ${run.p.ticket}, 'ann', UNIX_TIMESTAMP(NOW(6)) * 1000000, ${FAR_US});
                 SELECT LAST_INSERT_ID()`);
            run.id = Number(id);
            this.runs.set(run.id, run);
            for (const [i, order] of run.orders.entries()) if (!order.late) await this.order(run, i);
            if (run.orders.some((order) => order.late)) this.orderWhenKnown(run);
            for (const stop of run.stops) await this.stops.set(run.id, stop.place, stop);
        }
        await this.stops.look.query(`UPDATE investigation SET run_after_us = id
            WHERE id IN (${all.map((run) => run.id).join()})`);
        return all;
    }

    async order(run, i, more = {}) {
        const { late, isBeside, ...order } = run.orders[i];
        run.orderIds[i] = (await this.p.fault({ ...order, ...more })).id;
    }

    /* Once the finding is stored, it is known what Linear is asked with. */
    orderWhenKnown(run) {
        const there = run.stops.find((stop) => stop.place === 'in diagnosed');
        const goOn = there?.act ?? ((control, r) => control.stops.release(r.id));
        const act = async (control, r, arrival) => {
            await control.orderLate(r);
            await goOn(control, r, arrival);
        };
        if (there) there.act = act;
        else run.stops.push({ place: 'in diagnosed', isQuiet: true, act });
    }

    async orderLate(run) {
        const [[hash]] = await this.stops.look.query(`SELECT signature_hash FROM finding WHERE investigation_id = ${run.id}`);
        for (const [i, order] of run.orders.entries()) {
            if (order.late) await this.order(run, i, { has: tokenOf(hash, run.p.template) });
        }
    }

    /* Until all are over, or the time is up: those that are not are lost. */
    async drive(all, { withinMs, whenWaiting = () => {} }) {
        const open = new Map(all.map((run) => [run.id, run]));
        const end = performance.now() + withinMs;
        const isOn = () => open.size > 0 && performance.now() < end;
        const watching = this.watchOn(open, isOn);
        while (isOn()) {
            for (const arrival of await this.stops.arrivals()) await this.arrived(arrival);
            await whenWaiting([...open.values()]);
            await this.mend();
            await this.replace();
            const rows = await this.stops.look.query(`SELECT id, state FROM investigation WHERE id IN (${[...open.keys()].join()})`);
            for (const [id, state] of rows.filter((row) => OVER.includes(row[1]))) {
                const run = open.get(Number(id));
                run.state = state;
                open.delete(run.id);
                if (run.atEnd) run.struck++;
                await run.atEnd?.(this, run, run.last);
            }
            await delay(LOOK_EVERY_MS);
        }
        await watching;
    }

    /* Beside the rest: a call waits only so long. */
    async watchOn(open, isOn) {
        while (isOn()) {
            await this.watch([...open.values()].filter((run) => run.watches.some((w) => !w.isOver)));
            await delay(LOOK_EVERY_MS);
        }
    }

    async arrived({ inv, place, conn }) {
        const run = this.runs.get(inv);
        const stop = run?.stops.find((s) => s.place === place);
        if (!stop || stop.times === 0) return;
        stop.times = (stop.times ?? 1) - 1;
        if (stop.times === 0) await this.stops.lift(inv, place);
        if (!stop.isQuiet) run.struck++;
        await stop.act(this, run, { conn, place });
        /* the lock may be wanted for a further one */
        if (stop.times > 0) await this.stops.holder.query(`DO GET_LOCK('stop${inv}', 0)`);
    }

    async watch(runs) {
        if (!runs.length) return;
        const calls = await this.p.control('GET', `calls?since=${Math.max(0, (this.newest ?? 0) - AGAIN)}`);
        this.newest = calls.at(-1)?.n ?? this.newest;
        for (const run of runs) {
            for (const watch of run.watches) {
                if (!watch.isOver && calls.some((c) => c.fault === run.orderIds[watch.order] && c.status === 0)) {
                    watch.isOver = true;
                    run.struck++;
                    await watch.act(this, run);
                }
            }
        }
    }

    /* ---- what is done to a worker ---- */

    async heldBy(run) {
        const [[worker, fence]] = await this.stops.look.query(`SELECT worker, fence FROM investigation WHERE id = ${run.id}`);
        return { worker, fence };
    }

    async remember(run, arrival) {
        run.last = { ...arrival, ...(await this.heldBy(run)) };
        await this.stops.release(run.id);
    }

    /* As kill -9 of the process: the server notices, the lease ends. */
    async kill(run, conn) {
        const held = run.last ?? (await this.heldBy(run));
        const pid = held.worker ? this.processOf(held.worker) : undefined;
        if (pid) {
            process.kill(pid, 'SIGKILL');
            this.killed++;
        } else {
            run.struck = 0;
        }
        if (conn) await this.stops.cut(conn);
        this.lapse(run, held.fence);
        await this.stops.release(run.id);
    }

    async cut(run, arrival) {
        const held = run.last ?? (await this.heldBy(run));
        const at = run.last ?? arrival;
        if (at) await this.stops.cut(at.conn);
        else run.struck = 0;
        this.lapse(run, held.fence);
        await this.stops.release(run.id);
    }

    deadlock(run) {
        return this.stops.deadlock(run.id);
    }

    waitInVain(run) {
        return this.stops.waitInVain(run.id);
    }

    /* The two go on together. */
    async meet(run) {
        run.isThere = true;
        if (!run.twin.isThere) return;
        const [a, b] = await Promise.all([run, run.twin].map((r) => this.heldBy(r)));
        if (a.worker === b.worker) run.struck = run.twin.struck = 0;
        await this.stops.release(run.id);
        await this.stops.release(run.twin.id);
    }

    awaitRestart(run) {
        run.isWaiting = true;
    }

    /* With all connections, stops and locks. */
    async restartMariadb(runs, isCrash) {
        const held = await Promise.all(runs.map((run) => this.heldBy(run)));
        const ended = this.end();
        if (isCrash) await this.p.mariadb.kill();
        else await this.p.mariadb.stop();
        await ended;
        await this.p.mariadb.start();
        await this.begin({ fresh: false });
        for (const [i, run] of runs.entries()) {
            run.isWaiting = false;
            this.lapse(run, held[i].fence);
        }
    }

    /* Its lease is over, as if the time had passed; nobody renews it. */
    lapse(run, fence) {
        this.dead.set(run.id, Number(fence));
    }

    /* Row by row, and without waiting: what the server still undoes comes next time. */
    async mend() {
        for (const [id, fence] of this.dead) {
            const [[now]] = await this.mender.query(`UPDATE investigation SET lease_until_us = 1
                WHERE id = ${id} AND fence = ${fence} AND worker <> '' AND lease_until_us > 1;
                SELECT fence FROM investigation WHERE id = ${id}`);
            if (Number(now) > fence) this.dead.delete(id);
        }
    }
}
