/*
 * A private Casebook for a test: MariaDB (socket only), the simulator, casebook-web
 * and nginx, in a folder of its own, on ports of its own. Several may run at once.
 *
 *     const stack = await Stack.start({ world: 'tests/sim/world/demo' });
 *     const page = await stack.get('/tickets/1001', { user: 'ann' });
 *     await stack.agentOnce();
 *     await stack.stop();
 *
 * Each part can be stopped and started again by itself (stack.mariadb, stack.sim,
 * stack.web, stack.nginx). Everything is ended by process number; a part also ends
 * when the test's own process dies. Needs node 18 and no package.
 *
 * CASEBOOK_ROOT   top of the source tree (default: above this file)
 * CASEBOOK_BUILD  the build to test (default: CASEBOOK_ROOT/var/build-check)
 */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT =
    process.env.CASEBOOK_ROOT ?? path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const BUILD = process.env.CASEBOOK_BUILD ?? path.join(ROOT, 'var/build-check');

export const PROGRAMS = {
    web: path.join(BUILD, 'src/web/casebook-web'),
    agent: path.join(BUILD, 'src/agent/casebook-agent'),
    tool: path.join(BUILD, 'src/tool/casebook'),
    sim: path.join(BUILD, 'tests/sim/casebook-sim'),
};

/* What a slow machine may need for one thing to become true. */
const PATIENCE_MS = 30_000;

const delay = (ms) => new Promise((done) => setTimeout(done, ms));

/* Asks `condition` (may be async) until it gives something true; that is the result. */
export async function until(what, condition, { timeoutMs = PATIENCE_MS } = {}) {
    const end = performance.now() + timeoutMs;
    for (;;) {
        const value = await condition();
        if (value) return value;
        if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms for: ${what}`);
        await delay(20);
    }
}

/* A port that was free a moment ago. */
export function freePort() {
    return new Promise((done, failed) => {
        const server = net.createServer();
        server.once('error', failed);
        server.listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => done(port));
        });
    });
}

/* Does somebody listen on a port number or a socket path? */
export function listens(where) {
    return new Promise((done) => {
        const socket = net.connect(typeof where === 'number' ? { port: where, host: '127.0.0.1' } : where);
        socket.once('connect', () => {
            socket.destroy();
            done(true);
        });
        socket.once('error', () => done(false));
    });
}

/* Calls a function of the shell library; its standard output. */
function shell(call, ...args) {
    const libs = ['proc', 'mariadb', 'nginx'].map((n) => `. "${ROOT}/tests/lib/${n}.sh"`).join('; ');
    return execFileSync('bash', ['-c', `ROOT=$0; ${libs}; ${call} "$@"`, ROOT, ...args.map(String)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
    });
}

const lines = (text) => text.split('\n').filter(Boolean);

const living = new Set();
process.on('exit', () => {
    for (const part of living) part.killNow();
});

/* One program of the stack: start, stop, kill, restart. */
class Part {
    /*
     * command() gives [program, ...args] at each start; ready() is asked until it is
     * true. `stopSignal` is how it is asked to end.
     */
    constructor(name, dir, { command, ready, before, stopSignal = 'SIGTERM', env = {} }) {
        Object.assign(this, { name, command, ready, before, stopSignal, env });
        this.logFile = path.join(dir, `${name}.log`);
        this.child = null;
    }

    get pid() {
        return this.child?.pid;
    }

    get isRunning() {
        return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
    }

    async start() {
        if (this.isRunning) throw new Error(`${this.name} runs already`);
        await this.before?.();
        const log = fs.openSync(this.logFile, 'a');
        const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', ...this.command()], {
            stdio: ['ignore', log, log],
            detached: true,
            env: { ...process.env, ...this.env },
        });
        fs.closeSync(log);
        this.child = child;
        this.ended = new Promise((done) => {
            child.once('error', done);
            child.once('exit', done);
        });
        living.add(this);
        try {
            await until(`${this.name} to be ready`, async () => {
                if (!this.isRunning) throw new Error(`${this.name} ended at its start`);
                return this.ready();
            });
        } catch (error) {
            const log = this.log().slice(-2000);
            await this.kill();
            throw new Error(`${error.message}\n${log}`);
        }
        return this;
    }

    /* Ask it to end, wait until it has, end what it left behind. */
    async stop() {
        if (!this.child) return;
        if (this.isRunning) this.child.kill(this.stopSignal);
        const timer = setTimeout(() => this.killNow(), PATIENCE_MS);
        await this.ended;
        clearTimeout(timer);
        this.killNow();
        living.delete(this);
        this.child = null;
    }

    /* As a crash would: at once, with all its children. */
    async kill() {
        if (!this.child) return;
        this.killNow();
        await this.ended;
        living.delete(this);
        this.child = null;
    }

    killNow() {
        try {
            if (this.child?.pid) process.kill(-this.child.pid, 'SIGKILL');
        } catch {
            /* the group has ended */
        }
    }

    signal(name) {
        this.child.kill(name);
    }

    async restart() {
        await this.stop();
        await this.start();
    }

    log() {
        return fs.existsSync(this.logFile) ? fs.readFileSync(this.logFile, 'utf8') : '';
    }
}

/* Runs one program to its end: { status, signal, stdout, stderr }. Never throws for a status. */
export function runProgram(program, args, { timeoutMs = 120_000, env = {}, input } = {}) {
    return new Promise((done, failed) => {
        const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', program, ...args], {
            stdio: ['pipe', 'pipe', 'pipe'],
            detached: true,
            env: { ...process.env, ...env },
        });
        const out = { stdout: '', stderr: '' };
        const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), timeoutMs);
        for (const name of ['stdout', 'stderr']) {
            child[name].setEncoding('utf8');
            child[name].on('data', (text) => (out[name] += text));
        }
        child.once('error', failed);
        child.once('close', (status, signal) => {
            clearTimeout(timer);
            done({ status, signal, ...out });
        });
        child.stdin.on('error', () => {});
        child.stdin.end(input);
    });
}

export class Stack {
    /*
     * world     folder of the simulator's world, from the top of the tree
     * basePath  where nginx mounts it ('' for the root)
     * config    settings by full name; null takes one out
     * parts     what to start: any of mariadb, sim, web, nginx (in this order)
     * migrate   bring the database up to date first
     */
    constructor({
        world = 'tests/sim/world/demo',
        basePath = '/casebook',
        config = {},
        parts = ['mariadb', 'sim', 'web', 'nginx'],
        migrate = true,
    } = {}) {
        Object.assign(this, { world, basePath, parts, migrate });
        this.dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'casebook-')));
        this.short = lines(shell('short_dir', this.dir))[0];
        this.changes = config;
        this.configFile = path.join(this.dir, 'casebook.hdf');
        this.webSocket = path.join(this.short, 'web.sock');
        this.makeParts();
    }

    static async start(options) {
        const stack = new Stack(options);
        try {
            await stack.startAll();
        } catch (error) {
            await stack.stop();
            throw error;
        }
        return stack;
    }

    makeParts() {
        const { dir } = this;
        const portFile = path.join(dir, 'sim.port');
        this.mariadb = new Part('mariadb', dir, {
            before: () => shell('mariadb_init', dir),
            command: () => ['mariadbd', '--no-defaults', ...lines(shell('mariadb_args', dir))],
            ready: () => listens(this.databaseSocket),
        });
        this.sim = new Part('sim', dir, {
            before: () => fs.rmSync(portFile, { force: true }),
            command: () => [
                PROGRAMS.sim, '--world', path.resolve(ROOT, this.world),
                '--port', String(this.simPort ?? 0), '--port-file', portFile,
            ],
            ready: () => {
                const port = fs.existsSync(portFile) && Number(fs.readFileSync(portFile, 'utf8'));
                if (port) this.simPort = port;
                return port && listens(port);
            },
        });
        this.web = new Part('web', dir, {
            before: () => this.writeConfig(),
            command: () => [PROGRAMS.web, '--config', this.configFile],
            ready: () => listens(this.webSocket),
        });
        this.nginx = new Part('nginx', dir, {
            command: () => ['nginx', ...lines(shell('nginx_args', dir))],
            ready: () => listens(this.port),
        });
    }

    get databaseSocket() {
        return path.join(this.short, 'mariadb.sock');
    }

    /* The address of the pages, without the last slash. */
    get url() {
        return `http://127.0.0.1:${this.port}${this.basePath}`;
    }

    /* The address under which healthz, readyz and metrics are served. */
    get adminUrl() {
        return `http://127.0.0.1:${this.adminPort}${this.basePath}`;
    }

    get simUrl() {
        return `http://127.0.0.1:${this.simPort ?? 1}`;
    }

    async startAll() {
        for (const name of this.parts) {
            if (name === 'nginx') await this.startNginx();
            else await this[name].start();
            if (name === 'mariadb') shell('mariadb_database', this.dir);
            if (this.migrate && name === this.lastBeforeWeb()) await this.migrateNow();
        }
    }

    lastBeforeWeb() {
        if (!this.parts.includes('mariadb')) return null;
        return this.parts.filter((name) => name === 'mariadb' || name === 'sim').pop();
    }

    /* A port that was free may be gone when nginx wants it: then another one. */
    async startNginx() {
        for (let tries = 5; ; tries--) {
            this.port = await freePort();
            this.adminPort = await freePort();
            shell('nginx_conf', this.dir, this.port, this.basePath, this.webSocket,
                path.join(ROOT, 'cs-templates/static'), this.adminPort);
            try {
                return await this.nginx.start();
            } catch (error) {
                if (tries === 1 || !/Address already in use/.test(error.message)) throw error;
            }
        }
    }

    async migrateNow() {
        this.writeConfig();
        const run = await this.tool('migrate', '--sql', path.join(ROOT, 'sql'));
        if (run.status !== 0) throw new Error(`casebook migrate: ${run.stderr || run.stdout}`);
    }

    /* All settings, by full name, before `config` changed them. */
    defaults() {
        return {
            BasePath: this.basePath,
            ...Object.fromEntries(lines(shell('mariadb_config', this.dir)).map((l) => l.split(' = '))),
            'E2B.BaseUrl': `${this.simUrl}/e2b`,
            'E2B.ApiKey': 'e2b_demo0000000000000000000000000000000000',
            'E2B.MetadataKeys.0': 'userId',
            'E2B.MetadataKeys.1': 'requestedBy',
            'E2B.MetadataKeys.2': 'org',
            'Zendesk.BaseUrl': `${this.simUrl}/zendesk`,
            'Zendesk.ClientId': 'casebook',
            'Zendesk.ClientSecret': 'demo-secret',
            'Linear.BaseUrl': `${this.simUrl}/linear/graphql`,
            'Linear.ApiKey': 'lin_api_demo',
            'Linear.Team': 'SUP',
            'Web.Socket': this.webSocket,
            'Web.Templates': path.join(ROOT, 'cs-templates'),
            'Web.Responders': 3,
            'Agent.Lock': path.join(this.dir, 'agent.lock'),
        };
    }

    /* Change settings; they count from the next start of a program (or HUP). */
    setConfig(changes) {
        this.changes = { ...this.changes, ...changes };
        this.writeConfig();
    }

    writeConfig() {
        const all = { ...this.defaults(), ...this.changes };
        const text = Object.entries(all)
            .filter(([, value]) => value !== null && value !== undefined)
            .map(([name, value]) => `${name} = ${value}\n`)
            .join('');
        fs.writeFileSync(this.configFile, text, { mode: 0o600 });
    }

    /* `casebook COMMAND ARGS...` on this stack's configuration. */
    tool(command, ...args) {
        return runProgram(PROGRAMS.tool, [command, '--config', this.configFile, ...args]);
    }

    /* One pass of the agent over all that is queued; throws when it ends badly. */
    async agentOnce({ env, timeoutMs } = {}) {
        const run = await runProgram(PROGRAMS.agent, ['--once', '--config', this.configFile], {
            env,
            timeoutMs,
        });
        fs.appendFileSync(path.join(this.dir, 'agent.log'), run.stderr);
        if (run.status !== 0) {
            const how = run.signal ?? `status ${run.status}`;
            throw new Error(`casebook-agent --once: ${how}\n${run.stderr.slice(-2000)}`);
        }
        return run;
    }

    /* An agent that goes on in the background: a Part, already started. `config`: of another host. */
    async agentStart({ env = {}, args = ['--run-for', '59'], name = 'agent', config } = {}) {
        const agent = new Part(name, this.dir, {
            env,
            command: () => [PROGRAMS.agent, ...args, '--config', config ?? this.configFile],
            ready: () => true,
        });
        this.extra = [...(this.extra ?? []), agent];
        return agent.start();
    }

    /* An HTTP request as a browser sends it, as `user`; redirects are not followed. */
    async request(method, where, { user = 'demo', headers = {}, body } = {}) {
        const all = { ...headers };
        if (user !== null) all.Authorization = `Basic ${Buffer.from(`${user}:x`).toString('base64')}`;
        const url = /^https?:/.test(where) ? where : this.url + where;
        const answer = await fetch(url, { method, headers: all, body, redirect: 'manual' });
        return {
            status: answer.status,
            headers: answer.headers,
            text: await answer.text(),
            location: answer.headers.get('location'),
        };
    }

    get(where, options) {
        return this.request('GET', where, options);
    }

    /* A form as a browser sends it: `form` is an object of fields. */
    postForm(where, form, options = {}) {
        return this.request('POST', where, {
            ...options,
            headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...options.headers },
            body: new URLSearchParams(form).toString(),
        });
    }

    /* The simulator's control interface: path below /_sim/, JSON both ways. */
    async control(method, where, body) {
        const answer = await fetch(`${this.simUrl}/_sim/${where.replace(/^\//, '')}`, {
            method,
            headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
            body: body === undefined ? undefined : JSON.stringify(body),
        });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`simulator: ${method} ${where}: ${answer.status} ${text}`);
        return text === '' ? null : JSON.parse(text);
    }

    /* One statement, as the server's administrator: rows as arrays of strings (NULL: null). */
    sql(statement) {
        const text = execFileSync('mariadb', [
            '--no-defaults', `--socket=${this.databaseSocket}`, '--user=root', '--batch',
            '--skip-column-names', '--default-character-set=utf8mb4', 'casebook',
            '-e', statement,
        ], { encoding: 'utf8', maxBuffer: 256 << 20 });
        const plain = { n: '\n', t: '\t', 0: '\0', '\\': '\\' };
        return lines(text).map((line) =>
            line.split('\t').map((cell) =>
                cell === 'NULL' ? null : cell.replace(/\\([nt0\\])/g, (_, c) => plain[c])));
    }

    /* End everything, newest first; the folder goes, unless CASEBOOK_KEEP is set. */
    async stop() {
        for (const part of [...(this.extra ?? []), this.nginx, this.web, this.sim, this.mariadb]) {
            await part.stop();
        }
        if (process.env.CASEBOOK_KEEP) return;
        for (const dir of new Set([this.dir, this.short])) {
            fs.rmSync(dir, { recursive: true, force: true });
        }
    }
}
