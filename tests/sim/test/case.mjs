// One sandbox of a running simulator as a case file: what `casebook diagnose FILE` reads.
// Exit codes, which only the raw line has, are put into the fields as some log stores do; program
// output that stands in the log becomes output lines.
//
//   node tests/sim/test/case.mjs http://127.0.0.1:PORT SANDBOX > case.json
import { pathToFileURL } from 'node:url';

const KEY = { 'X-API-Key': 'e2b_demo0000000000000000000000000000000000' };

export async function caseOf(url, id) {
  const get = async (path) => {
    const answer = await fetch(`${url}/e2b${path}`, { headers: KEY });
    return { status: answer.status, body: await answer.json() };
  };
  const sandbox = await get(`/sandboxes/${id}`);
  const events = [];
  for (let page = []; events.length === 0 || page.length === 100; ) {
    page = (await get(`/events/sandboxes/${id}?limit=100&orderAsc=true&offset=${events.length}`)).body;
    events.push(...page);
    if (page.length === 0) break;
  }
  const metrics = (await get(`/sandboxes/${id}/metrics`)).body;
  const logs = [];
  let start = Date.now() - 7 * 86400000 + 60000;
  const held = new Set();
  for (let fresh = 1; fresh > 0; ) {
    const both = (await get(`/sandboxes/${id}/logs?start=${start}&limit=5000`)).body;
    const page = both.logEntries;
    fresh = 0;
    for (const [i, l] of page.entries()) {
      const key = JSON.stringify(l);
      if (held.has(key)) continue;
      const result = /"process_result":(\{[^}]*\})/.exec(both.logs[i].line);
      if (result) l.fields.process_result = result[1];
      held.add(key);
      logs.push(l);
      fresh++;
    }
    if (page.length) start = Math.floor(Date.parse(page.at(-1).timestamp));
  }
  // What a program printed stands in the log with agents before 0.5.27 only (e2b.md 5.4).
  const isOutput = (l) => /^std(out|err)$/.test(l.fields?.event_type ?? '');
  const output = logs
    .filter(isOutput)
    .map((l) => ({ timestamp: l.timestamp, stream: l.fields.event_type, line: l.fields.data.replace(/\n$/, '') }));
  delete sandbox.body.envdAccessToken;
  delete sandbox.body.network;
  return {
    id: `demo-${id}`,
    sandbox: sandbox.status === 200 ? sandbox.body : null,
    sandbox_status: sandbox.status,
    events,
    metrics,
    logs: logs.filter((l) => !isOutput(l)),
    output,
    now: new Date().toISOString(),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [url, id] = process.argv.slice(2);
  process.stdout.write(JSON.stringify(await caseOf(url, id), null, 1));
}
