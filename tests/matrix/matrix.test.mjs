/*
 * Each fault in each stage, many times, at random moments: whatever fails whenever, each investigation ends, each
 * failure has one issue, each ticket one note. Judged by the record of the services.
 *
 *     MATRIX_SEED=NUMBER                  the same runs again
 *     MATRIX_SEED=NUMBER:STAGE:FAULT:N    one of them
 *     MATRIX_RUNS=N                       so many for each cell
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { Pipeline } from '../pipeline/harness.mjs';
import { Control } from './control.mjs';
import { FAULTS, NEXT, STAGES, again, isCell, plan } from './plan.mjs';
import { MISSED, judge, judgeAll, readRecord } from './record.mjs';
import { place, writeWorld } from './world.mjs';

const [BASE, ...ONE] = (process.env.MATRIX_SEED ?? String(Math.floor(Math.random() * 1e9))).split(':');
const PER_CELL = Number(process.env.MATRIX_RUNS ?? 6);
const WORKERS = 20; /* of each of two hosts */
const HOSTS = 12;   /* of one worker each, where two have to meet */
const LEAST = 400;
const ROUND_MS = 240_000;
const AGAIN_MOST = 12; /* runs whose fault was missed, and that are made once more */

const all = plan(BASE, PER_CELL);
const runs = ONE.length ? all.filter((run) => run.seed === [BASE, ...ONE].join(':')) : all;
const both = runs.flatMap((run) => (run.twin ? [run, run.twin] : [run])); /* of the first round */
const spare = Array.from({ length: AGAIN_MOST }, (_, k) => 2 * (all.length + k));
let p, control, world;

before(async () => {
    world = writeWorld([...both.map((run) => run.p), ...spare.flatMap((i) => [place(i), place(i + 1, i)])]);
    p = new Pipeline({ parts: ['mariadb', 'sim'], world,
        config: { 'Agent.LeaseSeconds': 30, 'Agent.MaxAttempts': 20 } });
    await p.startAll();
    await p.control('POST', 'settings', { linear_searches: 0, linear_requests: 0, ticket_updates: 0 });
    control = new Control(p);
    await control.begin();
});
after(async () => {
    await control?.stopHosts();
    await control?.end();
    await p?.stop();
    fs.rmSync(world, { recursive: true, force: true });
});

/* A long wait for an answer begins first, so that it is over with the others. */
const longFirst = (list) => [...list].sort((a, b) => (b.fault === 'timeout') - (a.fault === 'timeout'));

async function roundOf(list) {
    if (!list.length) return;
    await control.drive(await control.queue(longFirst(list)), { withinMs: ROUND_MS });
}

/* All of these stand somewhere in their stage when MariaDB goes, and come when it is back. */
async function roundWithRestart(list, isCrash) {
    if (!list.length) return;
    let isRestarted = false;
    await control.drive(await control.queue(list), {
        withinMs: ROUND_MS,
        whenWaiting: async (open) => {
            if (isRestarted || !open.length || !open.every((run) => run.isWaiting)) return;
            isRestarted = true;
            await control.restartMariadb(open, isCrash);
        },
    });
}

const SHORT = { 'kill before': 'kill bef.', 'kill after': 'kill aft.', 'kill committed': 'kill com.', 'cut before': 'cut bef.',
    'cut after': 'cut aft.' };

function table() {
    const cell = (stage, fault) => {
        const some = runs.filter((run) => run.stage === stage && run.fault === fault);
        if (!isCell(stage, fault)) return '-';
        return `${some.filter((run) => !run.complaints.length && !run.twin?.complaints.length).length}/${some.length}`;
    };
    const row = (name, cells) => `# ${name.padEnd(22)}${cells.map((text) => text.padStart(11)).join('')}`;
    const halves = [FAULTS.slice(0, 7), FAULTS.slice(7)];
    return halves.map((faults) => [row('right/runs', faults.map((f) => SHORT[f] ?? f)),
        ...STAGES.map((stage) => row(`${stage} -> ${NEXT[stage]}`, faults.map((f) => cell(stage, f))))].join('\n')).join('\n#\n');
}

/* All of them, each kind in the way it needs. */
async function runAll(list) {
    const began = performance.now();
    const of = (...faults) => list.filter((run) => faults.includes(run.fault));
    const tell = (what) => console.log(`# ${((performance.now() - began) / 1000).toFixed(0)} s: ${what}`);

    await control.startHosts(2, WORKERS);
    await roundOf(list.filter((run) => !['mariadb', 'two hosts'].includes(run.fault)));
    tell('faults of services and workers');
    const restarts = of('mariadb');
    for (let i = 0; i < restarts.length; i += 18) await roundWithRestart(restarts.slice(i, i + 18), i > 0);
    tell('restarts');
    await control.stopHosts();
    if (of('two hosts').length) await control.startHosts(HOSTS, 1);
    await roundOf(of('two hosts'));
    await control.stopHosts();
    tell('two hosts');
}

const pairOf = (run) => (run.twin ? [run, run.twin] : [run]);
const isMissed = (run) => {
    const complaints = pairOf(run).flatMap((r) => r.complaints);
    return complaints.length > 0 && complaints.every((text) => text === MISSED);
};

/* Those that nothing happened to ended right all the same; they prove nothing, so the same runs are made once more. */
async function repeatMissed() {
    const missed = runs.filter(isMissed);
    if (!missed.length || missed.length > AGAIN_MOST) return;
    console.log(`# once more, since the fault was missed: ${missed.map((run) => run.seed).join(' ')}`);
    const repeated = missed.map((run, k) => again(run, spare[k]));
    await runAll(repeated);
    const record = await readRecord(p);
    for (const run of repeated.flatMap(pairOf)) judge(record, run);
    for (const [k, run] of missed.entries()) runs[runs.indexOf(run)] = repeated[k];
}

test('each fault in each stage: every investigation ends right, with one issue and one note', async () => {
    console.log(`# MATRIX_SEED=${BASE}, ${runs.length} runs`);
    assert.ok(ONE.length ? runs.length === 1 : runs.length >= LEAST, `${runs.length} runs`);
    await runAll(runs);
    const first = await readRecord(p);
    for (const run of both) judge(first, run);
    await repeatMissed();
    console.log(table());
    const wrong = runs.flatMap(pairOf).filter((run) => run.complaints.length);
    for (const run of wrong) {
        console.log(`# wrong: MATRIX_SEED=${run.seed} (investigation ${run.id}, ticket ${run.p.ticket}): ${run.complaints.join('; ')}`);
    }
    assert.deepEqual(judgeAll(await readRecord(p), [...new Set([...both, ...runs.flatMap(pairOf)])]), []);
    assert.equal(wrong.length, 0, 'each run ends right; the seeds of those that did not are above');
});
