/* The small form of tests/bench/queue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMIT, measure, told } from './queue.mjs';

test('a queue drains as fast as the services answer', async () => {
    const m = await measure({ count: 60, workers: 4 });
    console.log(`# ${told(m)}`);
    assert.ok(m.ratio <= LIMIT, told(m));
});
