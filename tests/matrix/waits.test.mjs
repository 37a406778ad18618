/* A wait that a service asks for is kept, however long it is: in the call, and for the stage. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Pipeline, S } from '../pipeline/harness.mjs';

const WAIT_S = 37;
const [SANDBOX, TICKET] = S.crashed;

let p;
before(async () => (p = await Pipeline.begin()));
after(() => p?.stop());
beforeEach(() => p.fresh());

for (const [name, order, state] of [
    ['a part of E2B', { service: 'e2b', path: `/sandboxes/${SANDBOX}/metrics` }, 'queued'],
    ['a search of Linear', { service: 'linear', operation: 'CasebookFindToken' }, 'diagnosed'],
    ['reading the ticket', { service: 'zendesk', method: 'GET', path: `/api/v2/tickets/${TICKET}` }, 'filed'],
    ['the note', { service: 'zendesk', method: 'PUT', path: `/api/v2/tickets/${TICKET}` }, 'filed'],
]) {
    test(`429 that asks for ${WAIT_S} s, for ${name}: asked once, and the stage waits that long`, async () => {
        await p.fault({ ...order, status: 429, headers: { 'Retry-After': String(WAIT_S) }, body: 'text', times: -1 });
        const id = p.queue(S.crashed);
        await p.pass();
        const limited = await p.calls((c) => c.status === 429);
        assert.equal(limited.length, 1);
        const inv = p.inv(id);
        assert.equal(inv.state, state);
        const waits = (Number(inv.run_after_us) - limited[0].t_us) / 1e6;
        assert.ok(waits >= WAIT_S && waits < WAIT_S + 60, `${waits} s`);
        await p.control('DELETE', 'faults');
        await p.done(id);
        assert.equal(p.decision(id).outcome, 'filed');
        assert.equal((await p.notes(TICKET)).length, 1);
    });
}
