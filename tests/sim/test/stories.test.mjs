// The demo's stories through the product's own diagnosis: each must come out as its description
// expects, and the issue that "stands in Linear already" must carry the mark of its failure.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { caseOf } from './case.mjs';
import { LONG_LOG, MAIN, Simulator } from './simulator.mjs';

const tool = process.env.CASEBOOK_BUILD && join(process.env.CASEBOOK_BUILD, 'src/tool/casebook');
const skip = !(tool && existsSync(tool)) && 'CASEBOOK_BUILD holds no src/tool/casebook';
const SECOND = 'iq9e3w6n1h8b5k2z7f4cu';

let sim;
let dir;
before(async () => {
  sim = await Simulator.start();
  dir = mkdtempSync(join(tmpdir(), 'casebook-stories-'));
});
after(async () => {
  rmSync(dir, { recursive: true });
  await sim.stop();
});

async function diagnose(id) {
  const file = join(dir, `${id}.json`);
  writeFileSync(file, JSON.stringify(await caseOf(sim.url, id)));
  const { stdout } = await promisify(execFile)(tool, ['diagnose', file]);
  return JSON.parse(stdout);
}

test('each story has its class, reason and factors', { skip }, async () => {
  const { sandboxes } = await sim.state();
  for (const { id, expect } of sandboxes) {
    if (id === LONG_LOG) continue;
    const found = await diagnose(id);
    assert.equal(found.class, expect.class, `${id}: ${found.headline}`);
    if (expect.reason) assert.equal(found.reason, expect.reason, id);
    for (const factor of expect.factors ?? []) assert.ok(found.factors.includes(factor), `${id}: ${factor}`);
  }
});

test('two customers, one failure, one issue', { skip }, async () => {
  const [first, second] = [await diagnose(MAIN), await diagnose(SECOND)];
  assert.equal(first.signature_hash, second.signature_hash);
  const { sandboxes, linear } = await sim.state();
  const template = async (id) =>
    (await sim.e2b(`/events/sandboxes/${id}?limit=1`)).body[0].sandboxTemplateId;
  assert.equal(await template(MAIN), await template(SECOND));
  assert.notEqual(
    sandboxes.find((s) => s.id === MAIN).metadata.userId,
    sandboxes.find((s) => s.id === SECOND).metadata.userId,
  );
  const digest = createHash('sha256').update(`${first.signature_hash}\n${await template(MAIN)}`).digest('hex');
  const mark = `cbk${digest.slice(0, 24)}`;
  const holders = linear.issues.filter((i) => i.description.includes(`\`${mark}\``));
  assert.deepEqual(holders.map((i) => i.identifier), ['SUP-412'], `tokens.known_oom should be ${mark}`);
});
