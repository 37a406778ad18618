/* A page costs one round of upstream time: its reads go out at once, on warm connections. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { measure } from './page_latency.mjs';

/* What the page may take, in times of one call. */
const MOST = 1.25;

test('with every upstream call delayed by 200 ms', async (t) => {
    const { call, pages } = await measure();
    assert.ok(call >= 200, 'the delay counts');
    for (const [name, { ratio, calls }] of Object.entries(pages)) {
        await t.test(`${name}: at most ${MOST} times one call`, () => {
            assert.ok(calls >= 4, `${calls} calls were made`);
            assert.ok(ratio >= 0.9, `the page waits for its reads (${ratio.toFixed(3)})`);
            assert.ok(ratio <= MOST, `${ratio.toFixed(3)} for ${calls} calls`);
        });
    }
});
