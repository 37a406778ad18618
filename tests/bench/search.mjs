/*
 * The search of a customer with 2,500 running and paused sandboxes and 20,000 ended ones, beside 1,000,000 rows
 * of others in the record and beside none: two stacks, asked in turns, so that whatever else the machine does
 * slows both. Prints one line a screen. Ends badly when a ratio is over 1.3, or when a first screen took more
 * than one round of upstream calls.
 *
 *     tests/bench/search [OTHERS]        CASEBOOK_BUILD: the build to measure
 */
import { CUSTOMER, KEYS, TICKET, fillCustomer, fillOthers, freshRecord, readPage, startBig, stopBig } from '../search/big.mjs';

const OTHERS = Number(process.argv[2] ?? 1_000_000);
const LIVE = { running: 2000, paused: 500 };
const ENDED = 20_000;
const ROUNDS = 21;
const WARM = 4;
const LIMIT = 1.3;

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const iso = (us) => new Date(us / 1000).toISOString().slice(0, 19) + 'Z';

async function timed(stack, where) {
    const began = performance.now();
    const answer = await stack.get(where);
    const took = performance.now() - began;
    if (answer.status !== 200) throw new Error(`${where}: ${answer.status}`);
    return { took, page: readPage(answer.text) };
}

/* How long each stack takes for a page, in turns. */
async function compare(stacks, where) {
    const times = stacks.map(() => []);
    for (let i = -WARM; i < ROUNDS; i++) {
        for (const [k, stack] of stacks.entries()) {
            const { took } = await timed(stack, where);
            if (i >= 0) times[k].push(took);
        }
    }
    return times.map(median);
}

/* The calls of E2B that one page made, and those for a further page of a list. */
async function callsFor(stack, where) {
    await stack.control('DELETE', 'calls');
    const { page } = await timed(stack, where);
    const lists = (await stack.control('GET', 'calls?since=0')).filter((c) => c.service === 'e2b');
    return { lists: lists.length, later: lists.filter((c) => /nextToken/.test(c.query)).length, heading: page.heading };
}

const stacks = [];
let worst = 0;
try {
    for (let i = 0; i < 2; i++) {
        const stack = await startBig(LIVE);
        stacks.push(stack);
        await stack.agentOnce();
    }
    const newest = stacks.map((stack) => fillCustomer(stack, ENDED))[0];
    fillOthers(stacks[1], OTHERS);
    for (const stack of stacks) {
        stack.sql('ANALYZE TABLE ledger_tag, ledger_sandbox');
        freshRecord(stack);
        await stack.get('/').catch(() => {}); /* a kept connection may have died meanwhile */
    }
    const value = `value=${encodeURIComponent(CUSTOMER)}`;
    const middle = newest - (ENDED / 2) * 300_000_000;
    const window = `from=${iso(middle)}&to=${iso(middle + 3_600_000_000)}`;
    const screens = {
        'first screen': `/sandboxes?${value}`,
        'first screen, old window': `/tickets/${TICKET}/sandboxes?${value}&${window}`,
        'only those that overlap': `/sandboxes?${value}&overlap=1&${window}`,
        'ended, of one template': `/sandboxes?${value}&state=ended&template=import-node`,
        'last screen': `/sandboxes?${value}&page=100000`,
    };
    const first = await callsFor(stacks[1], screens['first screen']);
    console.log(`${first.heading}: ${first.lists} calls of E2B in the first round (${KEYS.length} tags), ${first.later} later`);
    if (first.later || !first.lists) worst = Infinity;
    const print = (name, [without, beside]) => {
        worst = Math.max(worst, beside / without);
        console.log(`${name.padEnd(26)} ${without.toFixed(0).padStart(5)} ms   beside ${OTHERS.toLocaleString('en')} other rows `
            + `${beside.toFixed(0).padStart(5)} ms   ratio ${(beside / without).toFixed(2)}`);
    };
    for (const [name, where] of Object.entries(screens)) print(name, await compare(stacks, where));
    /* E2B refuses at once: what is left is the record's part. */
    for (const stack of stacks) await stack.control('POST', 'faults', { service: 'e2b', status: 400, times: -1 });
    print('record alone', await compare(stacks, screens['first screen, old window']));
} finally {
    for (const stack of stacks) await stopBig(stack);
}
console.log(worst <= LIMIT ? `no slower: the worst ratio is ${worst.toFixed(2)}` : `SLOWER: ${worst.toFixed(2)} is over ${LIMIT}`);
process.exitCode = worst <= LIMIT ? 0 : 1;
