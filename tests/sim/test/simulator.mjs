// Starts one simulator for a test file and speaks to it.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const program =
  process.env.CASEBOOK_SIM ??
  (process.env.CASEBOOK_BUILD && join(process.env.CASEBOOK_BUILD, 'tests/sim/casebook-sim'));

export const DEMO = join(here, '../world/demo');
export const VECTORS = join(here, 'world');
export const E2B_KEY = 'e2b_demo0000000000000000000000000000000000';

export const MAIN = 'i7q2m0xk4v9d1c8b3zt5e';
export const SHORT = 'if5d2s9e8h1w7n4k6v0ty';
export const LONG_LOG = 'iw5e8r2t6y0u4o9a1s3dg';
export const HOSTILE = 'ihs0a1b2c3d4e5f6g7h8i';

export class Simulator {
  static async start(world = DEMO, ...options) {
    if (!program) throw new Error('CASEBOOK_SIM or CASEBOOK_BUILD must name the program');
    const dir = mkdtempSync(join(tmpdir(), 'casebook-sim-'));
    const child = spawn(program, ['--world', world, '--port-file', join(dir, 'port'), ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise((done, failed) => {
      let out = '';
      child.once('error', failed);
      child.once('exit', (code) => failed(new Error(`the simulator ended with ${code}`)));
      child.stdout.on('data', (text) => {
        out += text;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(out);
        if (found && out.includes('\n')) done(found[0]);
      });
    });
    return Object.assign(new Simulator(), { child, dir, url, token: null });
  }

  async stop() {
    const ended = new Promise((done) => this.child.once('exit', (code, signal) => done(code ?? signal)));
    this.child.kill('SIGTERM');
    const status = await ended;
    rmSync(this.dir, { recursive: true });
    return status;
  }

  async control(method, path, body) {
    const answer = await fetch(`${this.url}/_sim${path}`, { method, body: body && JSON.stringify(body) });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  reset() {
    return this.control('POST', '/reset', {});
  }

  settings(changes) {
    return this.control('POST', '/settings', changes);
  }

  fault(order) {
    return this.control('POST', '/faults', order);
  }

  state() {
    return this.control('GET', '/state');
  }

  e2bAnswer(path, headers = { 'X-API-Key': E2B_KEY }) {
    return fetch(`${this.url}/e2b${path}`, { headers });
  }

  async e2b(path) {
    const answer = await this.e2bAnswer(path);
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  }

  async login(scope = 'read tickets:write') {
    const answer = await fetch(`${this.url}/zendesk/oauth/tokens`, {
      method: 'POST',
      body: JSON.stringify({ grant_type: 'client_credentials', client_id: 'casebook', client_secret: 'demo-secret', scope, expires_in: 3600 }),
    });
    const body = await answer.json();
    this.token = body.access_token;
    return { status: answer.status, body };
  }

  async zendesk(path, method = 'GET', body = undefined) {
    if (!this.token) await this.login();
    const answer = await fetch(`${this.url}/zendesk/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}` },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type'));
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null };
  }

  async search(query, more = '') {
    const { body } = await this.zendesk(`/search.json?query=${encodeURIComponent(query)}${more}`);
    return body;
  }

  async linear(query, variables = {}, authorization = 'lin_api_demo') {
    const answer = await fetch(`${this.url}/linear/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return { status: answer.status, headers: answer.headers, ...(await answer.json()) };
  }
}

// All pages of the v2 list.
export async function listAll(sim, query = 'limit=7') {
  const rows = [];
  for (let token = '', page = 0; page < 20; page++) {
    const { body, headers } = await sim.e2b(`/v2/sandboxes?${query}${token && `&nextToken=${token}`}`);
    rows.push(...body);
    token = headers.get('x-next-token');
    if (!token) return rows;
  }
  throw new Error('the list has no end');
}
