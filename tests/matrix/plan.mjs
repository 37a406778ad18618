/*
 * The cells of the matrix: what goes wrong in which stage. A run has
 *
 *     orders   for the simulator; `late`: its text is known only when the finding is stored
 *     stops    of its worker (stops.mjs), with what is done to it there
 *     watches  what is done while the call that met an order waits for its answer
 *     atEnd    what is done when it is over
 *
 * Stages are named by the state they start from.
 */
import { chance } from './random.mjs';
import { place } from './world.mjs';

export const STAGES = ['queued', 'collected', 'diagnosed', 'deduped', 'filed', 'noted'];
export const NEXT = { queued: 'collected', collected: 'diagnosed', diagnosed: 'deduped', deduped: 'filed',
    filed: 'noted', noted: 'done' };
export const FAULTS = ['kill before', 'kill after', 'kill committed', 'cut before', 'cut after', '429', '429 wait',
    '500', 'html', 'garbage', 'timeout', 'mariadb', 'deadlock', 'two hosts'];

/* These two ask nobody but MariaDB. */
const isAlone = (stage) => stage === 'collected' || stage === 'noted';
const ANSWERS = ['429', '429 wait', '500', 'html', 'garbage'];
export const isCell = (stage, fault) => !(isAlone(stage) && ANSWERS.includes(fault));

/* Longer than the product waits for an answer (30 s), and for a call in a stage (40 s). */
const OVERLONG_MS = [31_000, 34_000];
/* Longer than it takes to notice a call and to kill the one that waits for it; less than the product waits. */
const HELD_MS = 25_000;
const LATE_MS = 12_000;

/* ---- the calls of a stage ---- */

const e2b = (path) => ({ service: 'e2b', path });
const linear = (operation, has) => ({ service: 'linear', operation, has });
const zendesk = (method, p) => ({ service: 'zendesk', method, path: `/api/v2/tickets/${p.ticket}` });

/* The words of the search and the text of the issue name the template. */
const CALLS = {
    queued: (p) => ['/sandboxes/ID', '/sandboxes/ID/metrics', '/v2/sandboxes/ID/logs', '/events/sandboxes/ID']
        .map((path) => e2b(path.replace('ID', p.sandbox))),
    diagnosed: (p) => [linear('CasebookSearch', p.template), { ...linear('CasebookFindToken'), late: true }],
    deduped: (p) => [linear('CasebookCreateIssue', p.template), linear('CasebookCreateIssue', p.template),
        linear('CasebookLinkZendesk', String(p.ticket))],
    filed: (p) => [zendesk('PUT', p), zendesk('PUT', p), zendesk('GET', p)],
};
const create = (p) => linear('CasebookCreateIssue', p.template);

/* The one call of the stage that does something; reading has no such. */
function effect(stage, p, random) {
    if (stage === 'filed') return zendesk('PUT', p);
    return random.pick(CALLS[stage](p));
}

/* ---- what goes wrong ---- */

const kill = (control, run, arrival) => control.kill(run, arrival?.conn);

function stop(run, where, act, more = {}) {
    run.stops.push({ place: where, act, ...more });
}

function held(run, order, act = kill) {
    run.watches.push({ order: run.orders.push({ latency_ms: HELD_MS, times: 1, ...order }) - 1, act });
}

function killBefore(run, { stage, p, random }) {
    const call = {
        queued: () => random.pick(CALLS.queued(p)),
        diagnosed: () => CALLS.diagnosed(p)[0],
        deduped: () => create(p),
        filed: () => zendesk(random.pick(['PUT', 'GET']), p),
    }[stage];
    if (call && random.is(0.6)) held(run, { ...call(), cut: 'before' });
    else stop(run, stage === 'filed' && random.is(0.5) ? 'note unknown' : `in ${stage}`, kill);
}

function killAfter(run, { stage, p, random }) {
    const way = random.below(3);
    if (stage === 'deduped' && way === 0) held(run, { ...linear('CasebookLinkZendesk', String(p.ticket)), cut: 'before' });
    else if (stage === 'deduped' && way === 1) held(run, { ...create(p), latency_ms: LATE_MS });
    else if (stage === 'filed' && way === 0) stop(run, 'note posted', kill);
    else if (stage === 'filed' && way === 1) held(run, { ...zendesk('PUT', p), latency_ms: LATE_MS });
    else stop(run, `to ${NEXT[stage]}`, kill);
}

/* Whoever does the last stage is known by then; it is at its next work when it is hit. */
function afterCommit(run, stage, act) {
    if (stage !== 'noted') stop(run, `in ${NEXT[stage]}`, act);
    else {
        stop(run, 'in noted', (control, r, arrival) => control.remember(r, arrival), { isQuiet: true });
        run.atEnd = act;
    }
}

/* An answer in place of Linear's, as it words a limit: the status is 400 (linear.md 1.2), accepted is 429 too. */
const limited = (status, headers) => ({ status, headers, body: { data: null, errors: [{ message: 'Rate limit exceeded',
    extensions: { code: 'RATELIMITED', type: 'ratelimited', statusCode: 429 } }] } });

function tooMany(call, wait, random) {
    const headers = wait ? { 'Retry-After': String(wait) } : {};
    if (call.service === 'linear') return limited(random.pick([400, 429]), headers);
    if (call.service === 'zendesk') return { status: 429, headers, body: 'text' };
    return { status: 429, headers, body: { code: 429, message: 'Rate limit exceeded' } };
}

/* A reading of E2B that stays incomplete is taken as it is in the third try: it heals before. */
const often = (stage, random) => random.from(1, stage === 'queued' ? 2 : 3);

const cutConnection = (control, run, arrival) => control.cut(run, arrival);

const MAKE = {
    'kill before': killBefore,
    'kill after': killAfter,
    'kill committed': (run, { stage }) => afterCommit(run, stage, kill),
    'cut before': (run, { stage, p, random }) => {
        if (isAlone(stage)) stop(run, `to ${NEXT[stage]}`, cutConnection);
        else run.orders.push({ ...random.pick(CALLS[stage](p)), cut: 'before', times: often(stage, random) });
    },
    'cut after': (run, { stage, p, random }) => {
        if (isAlone(stage)) afterCommit(run, stage, cutConnection);
        else run.orders.push({ ...effect(stage, p, random), cut: random.pick(['after', 'mid']), times: random.from(1, 2) });
    },
    429: (run, { stage, p, random }) => {
        const call = random.pick(CALLS[stage](p));
        run.orders.push({ ...call, ...tooMany(call, 0, random), times: random.from(1, 2) });
    },
    '429 wait': (run, { stage, p, random }) => {
        const call = random.pick(CALLS[stage](p));
        run.wait = random.pick(call.service === 'e2b' ? [2, 3] : [2, 3, 12]);
        run.orders.push({ ...call, ...tooMany(call, run.wait, random), times: random.from(1, 2) });
    },
    500: (run, { stage, p, random }) => run.orders.push({ ...random.pick(CALLS[stage](p)),
        status: random.pick([500, 500, 502, 503, 504]), body: random.pick(['html', 'text', 'garbage', '{"error":"internal"}']),
        times: often(stage, random) }),
    html: (run, { stage, p, random }) => run.orders.push({ ...random.pick(CALLS[stage](p)), body: 'html',
        times: often(stage, random) }),
    garbage: (run, { stage, p, random }) => run.orders.push({ ...random.pick(CALLS[stage](p)), body: 'garbage',
        times: often(stage, random) }),
    timeout: (run, { stage, p, random }) => {
        if (isAlone(stage)) stop(run, `to ${NEXT[stage]}`, (control, r) => control.waitInVain(r), { narrow: true });
        else run.orders.push({ ...effect(stage, p, random), latency_ms: random.from(...OVERLONG_MS), times: 1,
            ...(random.is(0.5) ? { cut: 'before' } : {}) });
    },
    mariadb: (run, { stage, random }) => {
        const places = [`in ${stage}`, `to ${NEXT[stage]}`, ...(stage === 'filed' ? ['note unknown', 'note posted'] : [])];
        stop(run, random.pick(places), (control, r) => control.awaitRestart(r));
    },
    deadlock: (run, { stage, random }) => stop(run, `to ${NEXT[stage]}`, (control, r) => control.deadlock(r),
        { narrow: true, times: random.is(0.15) ? 6 : random.from(1, 2) }),
    'two hosts': (run, { stage, random }) => {
        const where = random.pick([`in ${stage}`, `to ${NEXT[stage]}`]);
        stop(run, where, (control, r) => control.meet(r));
        stop(run.twin, where, (control, r) => control.meet(r));
    },
};

/* Another one, in another stage, that any service may have at any time. */
function addSmallFault(run, { stage, p, random }) {
    const other = random.pick(Object.keys(CALLS).filter((s) => s !== stage));
    run.orders.push({ ...random.pick(CALLS[other](p)), times: 1, isBeside: true,
        ...random.pick([{ cut: 'before' }, { cut: 'after' }, { status: 503, body: 'text' }, { body: 'html' }]) });
}

const blank = (seed, p) => ({ seed, p, orders: [], stops: [], watches: [], orderIds: [], struck: 0, complaints: [] });

/* Runs number i and i + 1 of the world. */
function makeRun(base, stage, fault, k, i) {
    const seed = [base, stage, fault.replace(' ', '_'), k].join(':');
    const random = chance(seed);
    const run = { ...blank(seed, place(i)), stage, fault };
    if (fault === 'two hosts') {
        run.twin = { ...blank(seed, place(i + 1, i)), stage, fault, isTwin: true };
        run.twin.twin = run;
    }
    MAKE[fault](run, { stage, p: run.p, random });
    if (fault !== 'mariadb' && fault !== 'two hosts' && random.is(0.25)) addSmallFault(run, { stage, p: run.p, random });
    return run;
}

/* The same run in the places i and i + 1. */
export const again = ({ seed, stage, fault }, i) => makeRun(seed.split(':')[0], stage, fault, Number(seed.split(':').at(-1)), i);

/* All runs, `perCell` for each cell, in the order in which they are queued. */
export function plan(base, perCell) {
    const runs = [];
    for (const stage of STAGES) {
        for (const fault of FAULTS.filter((f) => isCell(stage, f))) {
            for (let k = 0; k < perCell; k++) runs.push(makeRun(base, stage, fault, k, 2 * runs.length));
        }
    }
    return chance(base).shuffle(runs);
}
