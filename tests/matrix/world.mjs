/* A world with one customer, one ticket and one sandbox for each run of the matrix; each fails in a template of its own. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from '../lib/stack.mjs';

const pad = (i) => String(i).padStart(4, '0');

/* What belongs to the i-th place of the world. `failure`: places with the same number have one template; it has
   one word as name and id, which stands in all that Linear is sent about it. */
export const place = (i, failure = i) => ({
    sandbox: `im${pad(i)}x7q2k9v4d1c8b3zt5`,
    ticket: 60000 + i,
    template: `job${pad(failure)}w0y5k2c9m4p8`,
    user: `user-${pad(i)}@customer.example`,
});

const template = (p) => ({ name: p.template, id: p.template, buildId: '0a5b8f3d-7c21-4c7e-b1d9-2f6e4a8c0b13',
    cpuCount: 2, memoryMB: 1024, diskSizeMB: 10240, envd: '0.5.18' });

const sandbox = (p) => ({
    id: p.sandbox, template: p.template, start: '-50m', timeout: '20m', metadata: { userId: p.user, org: 'customer' },
    steps: [{ at: '4m', do: 'kill', reason: 'request' }],
    processes: [{ pid: 577, cmd: 'python3 -m jobs.run', from: '7s', to: '1m18s', exit: 1, stdout: 90, stderr: 240 }],
    metrics: { idle: { mem: 130 } },
    lines: [
        'Traceback (most recent call last):',
        '  File "/home/user/jobs/run.py", line 131, in load',
        '    return fixtures[name]',
        'KeyError: \'checkout_eur\'',
    ].map((text, i) => ({ at: `1m17.5${i}s`, pid: 577, stream: 'stderr', text })),
});

const ticket = (p) => ({
    id: p.ticket, subject: 'The job ends with code 1', status: 'open', requester: p.user,
    assignee: 'maya.okafor@demo.example', tags: ['jobs'], created: '-20m',
    comments: [{ by: p.user, text: `Our job failed in sandbox ${p.sandbox}.` }],
});

/* The folder of a world with these places; the caller removes it. */
export function writeWorld(places) {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'casebook-world-'));
    const base = JSON.parse(fs.readFileSync(path.join(ROOT, 'tests/sim/world/demo/00-base.json'), 'utf8'));
    const templates = new Map(places.map((p) => [p.template, template(p)]));

    fs.writeFileSync(path.join(dir, '00-base.json'), JSON.stringify(base));
    fs.writeFileSync(path.join(dir, '10-places.json'), JSON.stringify({
        templates: [...templates.values()],
        organizations: [{ name: 'Customer', domain_names: ['customer.example'] }],
        users: places.map((p) => ({ name: `User ${p.ticket}`, email: p.user, org: 'Customer' })),
        sandboxes: places.map(sandbox),
        tickets: places.map(ticket),
    }));
    return dir;
}
