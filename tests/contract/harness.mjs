// A small HTTP server that answers by a script and keeps each request as it came, and the program that
// runs the real clients against it.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';

const build = process.env.CASEBOOK_BUILD;
if (!build) throw new Error('CASEBOOK_BUILD names no build: run tests/run contract');

export const program = (name) => join(build, 'tests/contract', name);

export const json = (status, body, headers = {}) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

export const text = (status, body, headers = {}) => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body,
});

// The connection is cut: the request arrived, the answer does not.
export const cut = { cut: true };

// answer(request, number) gives the reply; number counts from 0.
export async function serve(t, answer) {
  const requests = [];
  const server = createServer((req, res) => {
    const chunks = [];
    req.on('data', (c) => chunks.push(c));
    req.on('end', () => {
      const request = {
        method: req.method,
        url: req.url,
        headers: req.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      requests.push(request);
      const reply = answer(request, requests.length - 1);
      if (!reply) {
        res.writeHead(599).end('the test has no answer for this request');
        return;
      }
      if (reply.cut) {
        req.socket.destroy();
        return;
      }
      res.writeHead(reply.status, reply.headers);
      res.end(reply.body);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, url: `http://127.0.0.1:${server.address().port}` };
}

// One after the other; asking for more is an error of the client.
export const script = (...replies) => (_, n) => replies[n];

function run(file, args) {
  return new Promise((done, fail) => {
    execFile(file, args, { maxBuffer: 64 << 20, timeout: 60000 }, (error, stdout, stderr) => {
      if (error) fail(new Error(`${file}: ${error.message}\n${stderr}`));
      else done({ stdout, stderr });
    });
  });
}

// probe(settings, 'ticket', 5, '+', 'comments', 5) gives an array of results. What the clients logged
// is in its property `log`.
export async function probe(settings, ...command) {
  const { stdout, stderr } = await run(program('upstream_probe'), [
    JSON.stringify(settings),
    ...command.map(String),
  ]);
  return Object.assign(JSON.parse(stdout), { log: stderr });
}

export async function documents() {
  return JSON.parse((await run(program('dump_documents'), [])).stdout);
}

// The header names of a request that our code sets, in the order of the alphabet.
export const ownHeaders = (request) =>
  Object.keys(request.headers)
    .filter((h) => !['host', 'connection', 'content-length', 'accept-encoding'].includes(h))
    .sort();
