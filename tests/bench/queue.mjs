/*
 * A queue of investigations with 100 ms a call: the time until all are done, against the ideal, in which each worker
 * takes one after the other as fast as one goes that is alone. Both are measured in the same run, from when the
 * first was taken up to when the last was done. Prints one line; ends badly when the ratio is over 1.2.
 *
 *     tests/bench/queue [COUNT [WORKERS]]        CASEBOOK_BUILD: the build to measure
 */
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { until } from '../lib/stack.mjs';
import { place, writeWorld } from '../matrix/world.mjs';
import { Pipeline } from '../pipeline/harness.mjs';

export const LIMIT = 1.2;
const CALL_MS = 100;
const ALONE = 9;     /* so many go alone; the fastest counts */
const FAILURES = 40; /* different ones in the queue: most are known when their turn comes */
const DRAIN_MS = 1_800_000;

/* Until all these are done, by so many workers: their rows as [started, done] in us. */
async function drain(p, places, workers) {
    p.setConfig({ 'Agent.Workers': workers });
    const [[before]] = p.sql('SELECT COALESCE(MAX(id), 0) FROM investigation');
    const values = places.map(({ sandbox, ticket }) => `('${sandbox}', ${ticket}, 'ann', 1, 0)`);
    while (values.length) {
        p.sql(`INSERT INTO investigation (sandbox_id, ticket_id, requested_by, created_us, run_after_us)
            VALUES ${values.splice(0, 500).join()}`);
    }
    const agent = await p.agentStart({ args: ['--run-for', String(DRAIN_MS / 1000)], name: `agent-${workers}` });
    await until('the queue to be empty', () => p.sql('SELECT 1 FROM investigation WHERE due_us IS NOT NULL LIMIT 1').length === 0,
        { timeoutMs: DRAIN_MS });
    await agent.stop();
    const rows = p.sql(`SELECT started_us, COALESCE(done_us, 0) FROM investigation WHERE id > ${before} ORDER BY id`);
    if (rows.some(([, done]) => done === '0')) throw new Error('not all are done');
    return rows.map((row) => row.map(Number));
}

/* Calls that wait at the same time are one round. */
function rounds(calls) {
    let count = 0;
    let end = 0;
    for (const call of calls) {
        if (call.t_us < end) continue;
        count++;
        end = call.t_us + CALL_MS * 1000;
    }
    return count;
}

const isOf = (p) => (call) => call.path.includes(p.sandbox) || call.path.includes(String(p.ticket)) ||
    call.body.includes(p.template) || call.service === 'linear';

/* { ratio, ... } */
export async function measure({ count, workers }) {
    const places = Array.from({ length: count + ALONE }, (_, i) => place(i, i % FAILURES));
    const world = writeWorld(places);
    const p = new Pipeline({ parts: ['mariadb', 'sim'], world });
    try {
        await p.startAll();
        await p.control('POST', 'settings', { linear_searches: 0, linear_requests: 0, ticket_updates: 0 });
        for (const service of ['e2b', 'zendesk', 'linear']) await p.fault({ service, latency_ms: CALL_MS, times: -1 });
        const alone = await drain(p, places.slice(count), 1);
        const last = alone.at(-1);
        const calls = await p.calls((c) => c.t_us >= last[0] && c.t_us <= last[1]);
        const one_us = Math.min(...alone.map(([started, done]) => done - started));
        const all = await drain(p, places.slice(0, count), workers);
        const took_us = Math.max(...all.map((row) => row[1])) - Math.min(...all.map((row) => row[0]));
        const ideal_us = (one_us * count) / workers;
        return { count, workers, calls: calls.filter(isOf(places.at(-1))).length,
            rounds: rounds(calls.filter(isOf(places.at(-1)))), one_us, took_us, ideal_us, ratio: took_us / ideal_us };
    } finally {
        await p.stop();
        fs.rmSync(world, { recursive: true, force: true });
    }
}

export const told = (m) => `${m.count} investigations, ${m.workers} workers, ${CALL_MS} ms a call: ` +
    `one alone ${(m.one_us / 1e6).toFixed(2)} s (${m.calls} calls in ${m.rounds} rounds, ` +
    `which wait ${(m.rounds * CALL_MS / 1000).toFixed(2)} s), ` +
    `ideal ${(m.ideal_us / 1e6).toFixed(1)} s, took ${(m.took_us / 1e6).toFixed(1)} s, ratio ${m.ratio.toFixed(2)}`;

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
    const m = await measure({ count: Number(process.argv[2] ?? 1000), workers: Number(process.argv[3] ?? 8) });
    console.log(told(m));
    process.exitCode = m.ratio <= LIMIT ? 0 : 1;
}
