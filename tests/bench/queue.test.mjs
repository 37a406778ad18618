/* The small form of tests/bench/queue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMIT, measure, told } from './queue.mjs';

/* Others on the machine may slow one half of a measurement and not the other. */
const TRIES = 3;

test('a queue drains as fast as the services answer', async () => {
    let m;
    for (let i = 0; i < TRIES && !(m?.ratio <= LIMIT); i++) {
        m = await measure({ count: 60, workers: 4 });
        console.log(`# ${told(m)}`);
    }
    assert.ok(m.ratio <= LIMIT, told(m));
});
