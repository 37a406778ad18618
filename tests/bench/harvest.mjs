/*
 * Events a second of a backfill into an empty ledger; then 10,000 new events into a ledger of 20,000 and into one ten
 * times as large, and the ratio of the two; and what a harvest asks for when there is nothing new. The
 * machine does other things too: each time is the best of three.
 */
import { World } from '../ledger/world.mjs';

const NEW = 10_000, SMALL = 20_000;
const MINUTE = 60_000;

const world = await World.start();
const { feed } = world;
process.on('exit', () => world.stack.mariadb.killNow());

async function seconds(...args) {
    const began = performance.now();
    await world.harvested(...args);
    return (performance.now() - began) / 1000;
}

/* New lives, an hour after those before; the time one ordinary harvest takes for them. */
let hour = Date.now() - 20 * 60 * MINUTE;
async function take() {
    hour += 60 * MINUTE;
    feed.events = [];
    feed.fill(NEW, hour, 10);
    return seconds();
}

async function best(measure) {
    const all = [], work = world.work();
    for (let i = 0; i < 3; i++) all.push(await measure());
    return { seconds: Math.min(...all), rows: (world.work() - work) / 3 };
}
const rate = (events, run) => `${Math.round(events / run.seconds)} events/s`;

const backfill = await best(() => {
    world.clear();
    feed.fill(SMALL, hour, 10);
    return seconds('--backfill');
});
console.log(`backfill of ${SMALL} events: ${rate(SMALL, backfill)}`);

world.clear();
feed.fill(SMALL, hour, 10);
await world.harvested();
const small = await best(take);
world.enlarge(9 * SMALL);
const large = await best(take);
console.log(`${NEW} new events into a ledger of ${SMALL}: ${rate(NEW, small)}`);
console.log(`${NEW} new events into one ten times as large: ${rate(NEW, large)}`);
console.log(`ratio in time ${(large.seconds / small.seconds).toFixed(2)}, in rows read and written ${(large.rows / small.rows).toFixed(2)}`);

feed.events = [];
feed.fill(400, Date.now() - MINUTE, 10_000);
await world.harvested();
const idle = await world.harvested();
console.log(`nothing new: ${idle.requests.length} request(s) for events`);
await world.stop();
process.exit(0);
