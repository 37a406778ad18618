/*
 * `./bootstrap run` in a copy of the tree: it comes up, stops wholly, refuses a second
 * one and a used port in words, takes a configuration, and recovers from a crash.
 * One test after the other on one copy, which is built once.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT, freePort, until } from '../lib/stack.mjs';

const TREE = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'casebook-tree-')));
const BUILT = ['var', '.git', 'node_modules', 'configure', 'Makefile.in', 'aclocal.m4', 'autom4te.cache', 'build-aux'];
const runs = [];

before(() => {
    // Entry by entry: the copy may lie in the tree's own var/.
    for (const entry of fs.readdirSync(ROOT)) {
        if (BUILT.includes(entry)) continue;
        fs.cpSync(path.join(ROOT, entry), path.join(TREE, entry), {
            recursive: true,
            filter: (from) => !BUILT.includes(path.basename(from)) && !from.endsWith('~'),
        });
    }
});

after(async () => {
    for (const run of runs) {
        if (run.child.exitCode === null && run.child.signalCode === null) run.child.kill('SIGTERM');
        await run.ended;
    }
    fs.rmSync(TREE, { recursive: true, force: true });
});

/* Starts it; env.PORT is the port. `text` grows with what it says. */
function bootstrap(env) {
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', '--', path.join(TREE, 'bootstrap'), 'run'], {
        cwd: os.tmpdir(),
        env: { ...process.env, CASEBOOK_CONFIG: '', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
    });
    const run = { child, text: '' };
    for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8');
        stream.on('data', (text) => (run.text += text));
    }
    run.ended = new Promise((done) => child.once('close', (status, signal) => done({ status, signal })));
    /* the process alone: what it started may still hold its output open */
    run.exited = new Promise((done) => child.once('exit', done));
    run.child.once('close', () => (run.isOver = true));
    runs.push(run);
    return run;
}

async function up(run) {
    await until('bootstrap run to be up', () => {
        if (run.isOver) throw new Error(`it ended:\n${run.text}`);
        return /^Casebook is at (\S+)$/m.exec(run.text);
    }, { timeoutMs: 600_000 });
    return /^Casebook is at (\S+)$/m.exec(run.text)[1];
}

/* Processes of the copy: by command line, or by an open file in it. */
function processes() {
    return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
        try {
            if (/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))) return false;
            if (fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${TREE}/var/`)) return true;
            return fs.readdirSync(`/proc/${pid}/fd`).some((fd) => fs.readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith(`${TREE}/var/run`));
        } catch {
            return false;
        }
    });
}

async function status(url, headers = {}) {
    const answer = await fetch(url, { headers, redirect: 'manual' });
    await answer.arrayBuffer();
    return answer.status;
}

test('it comes up, and Ctrl-C stops all of it', async () => {
    const run = bootstrap({ PORT: String(await freePort()) });
    const url = await up(run);
    assert.equal(await status(url), 200);
    for (const step of ['build', 'start the simulator', 'start MariaDB', 'start casebook-web', 'start nginx'])
        assert.match(run.text, new RegExp(`^  ${step} +ok +\\d+ s$`, 'm'));
    assert.ok(processes().length >= 5);
    run.child.kill('SIGINT');
    assert.equal((await run.ended).status, 0);
    assert.deepEqual(processes(), []);
});

test('a second one in the same folder is refused, and the first goes on', async () => {
    const first = bootstrap({ PORT: String(await freePort()) });
    const url = await up(first);
    const second = bootstrap({ PORT: String(await freePort()) });
    assert.notEqual((await second.ended).status, 0);
    assert.match(second.text, /runs already in this folder/);
    assert.equal(await status(url), 200);
    first.child.kill('SIGTERM');
    assert.equal((await first.ended).status, 0);
});

test('after a crash of everything the next one comes up', async () => {
    const port = String(await freePort());
    const first = bootstrap({ PORT: port });
    await up(first);
    const pids = fs.readdirSync(path.join(TREE, 'var/run')).filter((name) => /^[a-z]+\.pid$/.test(name))
        .map((name) => Number(fs.readFileSync(path.join(TREE, 'var/run', name), 'utf8')));
    assert.ok(pids.length >= 5, String(pids));
    for (const pid of [first.child.pid, ...pids]) process.kill(pid, 'SIGKILL');
    await first.exited;
    const second = bootstrap({ PORT: port });
    const url = await up(second);
    assert.equal(await status(url), 200);
    second.child.kill('SIGTERM');
    await second.ended;
    assert.deepEqual(processes(), []);
});

test('a used port is named, and nothing is left running', async () => {
    const other = http.createServer((request, response) => response.end());
    await new Promise((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address();
    const run = bootstrap({ PORT: String(port) });
    const { status: code } = await run.ended;
    other.close();
    assert.notEqual(code, 0);
    assert.match(run.text, new RegExp(`port ${port} is in use`));
    assert.deepEqual(processes(), []);
});

test('a part that dies ends it, and it says which', async () => {
    const run = bootstrap({ PORT: String(await freePort()) });
    await up(run);
    process.kill(Number(fs.readFileSync(path.join(TREE, 'var/run/mariadb.pid'), 'utf8')), 'SIGKILL');
    assert.notEqual((await run.ended).status, 0);
    assert.match(run.text, /mariadb ended by itself/);
    assert.deepEqual(processes(), []);
});

test('a configuration of its own: no simulator, the path is kept, the rest is private', async () => {
    const file = path.join(TREE, 'mine.hdf');
    fs.writeFileSync(file, [
        'BasePath =', 'E2B {', '  ApiKey = e2b_0000000000', '  BaseUrl = http://127.0.0.1:9/e2b', '}',
        'Zendesk.BaseUrl = http://127.0.0.1:9', 'Zendesk.OAuthToken = none', 'Linear.ApiKey = lin_api_none',
        'Linear.BaseUrl = http://127.0.0.1:9/graphql', 'Linear.Team = SUP',
    ].join('\n'));
    const port = await freePort();
    const run = bootstrap({ PORT: String(port), CASEBOOK_CONFIG: file });
    const url = await up(run);
    assert.equal(url, `http://127.0.0.1:${port}/`);
    assert.doesNotMatch(run.text, /start the simulator/);
    assert.equal(await status(url), 200);
    assert.equal(await status(`http://127.0.0.1:${port}/static/absent.css`), 404);
    run.child.kill('SIGTERM');
    await run.ended;
    assert.deepEqual(processes(), []);
});

test('a faulty configuration is refused with the line of the given file', async () => {
    const file = path.join(TREE, 'faulty.hdf');
    fs.writeFileSync(file, 'Linear.Team = SUP\nNo.Such.Setting = 1\n');
    const run = bootstrap({ PORT: String(await freePort()), CASEBOOK_CONFIG: file });
    assert.notEqual((await run.ended).status, 0);
    assert.match(run.text, /FAILED/);
    assert.match(run.text, /No\.Such\.Setting/);
    assert.deepEqual(processes(), []);
});
