/*
 * An E2B of nothing but the team's events and the list, for tests of the harvest: as many events as wanted, newest
 * first by offset, growing while it is read. In the test's own process, so that a test knows each
 * request.
 */
import { createHash, randomUUID } from 'node:crypto';
import http from 'node:http';

const TEMPLATE = 'p3v8n1r6t0w5y2k9c4m7';
const TEAM = 'f2c7e6a4-91d3-4a0e-8b57-3d1c0e9f6a25';

/* Numbers that look random and are the same in each run. */
export function random(seed) {
    let state = seed >>> 0;
    return (below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
    };
}

export const sandboxId = (n) => `i${createHash('md5').update(`sandbox ${n}`).digest('hex').slice(0, 20)}`;
const uuid = (text) => createHash('md5').update(text).digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/* What happens in a life, and how many ms after its start. */
const LIFE = [
    ['created', 0],
    ['updated', 60_000],
    ['updated', 120_000],
    ['killed', 300_000],
];
export const LIFE_EVENTS = LIFE.length;
export const LIFE_US = 300_000_000;

export function lifeEvents(n, startMs) {
    return LIFE.map(([what, afterMs], i) => ({
        id: uuid(`event ${n} ${i}`), what, atMs: startMs + afterMs, sandbox: sandboxId(n), startMs,
    }));
}

function body(e) {
    const data = { sandbox_metadata: { userId: `user-${e.sandbox.slice(1, 4)}` } };
    if (e.what === 'updated') data.set_timeout = new Date(e.atMs + 600_000).toISOString();
    if (e.what === 'killed') {
        data.kill_reason = 'request';
        data.execution = {
            started_at: new Date(e.startMs).toISOString(), vcpu_count: 2, memory_mb: 512,
            execution_time: e.atMs - e.startMs,
        };
    }
    return {
        id: e.id, version: 'v2', type: `sandbox.lifecycle.${e.what}`,
        timestamp: new Date(e.atMs).toISOString(), eventData: data, sandboxId: e.sandbox,
        sandboxExecutionId: uuid(`execution of ${e.sandbox}`), sandboxTemplateId: TEMPLATE,
        sandboxBuildId: uuid('build'), sandboxTeamId: TEAM,
    };
}

export class Feed {
    constructor() {
        this.events = []; /* oldest first */
        this.requests = []; /* { offset, limit } of the events route */
        this.answer = null; /* (request) => status, or 0 to answer well */
        this.onPage = null; /* after each page was sent */
        this.lagging = 0; /* every second page comes from a server that lacks so many of the newest */
        this.list = []; /* ids of those that run */
        this.listEnd = 'good'; /* endless: a token without an end; v1: only the old route */
        this.lives = 0;
    }

    async start() {
        this.server = http.createServer((rq, rs) => this.serve(rq, rs));
        await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
        this.url = `http://127.0.0.1:${this.server.address().port}`;
        return this;
    }

    async stop() {
        clearInterval(this.timer);
        this.server.closeAllConnections?.();
        await new Promise((done) => this.server.close(done));
    }

    /* So many events, the last of them at untilMs; all of them of whole lives. */
    fill(count, untilMs, spacingMs = 100) {
        const lives = Math.ceil(count / LIFE_EVENTS);
        const all = [];
        for (let i = 0; i < lives; i++) {
            const startMs = untilMs - LIFE.at(-1)[1] - (lives - 1 - i) * spacingMs * LIFE_EVENTS;
            all.push(...lifeEvents(this.lives++, startMs));
        }
        this.events.push(...all);
        this.events.sort((a, b) => a.atMs - b.atMs);
        return lives;
    }

    /* One event into its place by time: a late one lands behind newer ones. */
    add(event) {
        let at = this.events.length;
        while (at > 0 && this.events[at - 1].atMs > event.atMs) at--;
        this.events.splice(at, 0, event);
    }

    one(atMs) {
        const event = { id: randomUUID(), what: 'created', atMs, sandbox: sandboxId(`late ${this.lives++}`), startMs: atMs };
        this.add(event);
        return event;
    }

    /* From now on so many events a second arrive. */
    grow(perSecond) {
        const beganMs = Date.now();
        let made = 0;
        this.timer = setInterval(() => {
            for (; made < ((Date.now() - beganMs) / 1000) * perSecond; made++) this.one(Date.now());
        }, 20);
    }

    /* No more of them. Gives how many there were. */
    quiet() {
        clearInterval(this.timer);
        return this.events.length;
    }

    serve(rq, rs) {
        const url = new URL(rq.url, this.url);
        if (url.pathname !== '/events/sandboxes') {
            this.serveList(url, rs);
            return;
        }
        const request = { offset: Number(url.searchParams.get('offset')), limit: Number(url.searchParams.get('limit')) };
        this.requests.push(request);
        const status = this.answer?.(request) ?? 0;
        if (status) this.send(rs, status, { code: status, message: `the feed says ${status}` });
        else this.send(rs, 200, this.page(request).map(body));
        this.onPage?.(request, this.requests.length);
    }

    serveList(url, rs) {
        const running = (id) => ({
            sandboxID: id, templateID: TEMPLATE, alias: 'team/py', clientID: 'c', state: 'running', cpuCount: 2,
            memoryMB: 512, startedAt: '2026-11-30T10:00:00Z', endAt: '2026-12-30T10:00:00Z', metadata: { userId: id },
        });
        if (this.listEnd === 'v1') {
            const isOld = url.pathname === '/sandboxes';
            this.send(rs, isOld ? 200 : 404, isOld ? this.list.map(running) : { code: 404, message: 'no such route' });
            return;
        }
        const at = Number(url.searchParams.get('nextToken') ?? 0);
        const page = this.list.slice(at, at + 100).map(running);
        if (at + 100 < this.list.length) rs.setHeader('x-next-token', at + 100);
        else if (this.listEnd === 'endless') rs.setHeader('x-next-token', at);
        this.send(rs, 200, page);
    }

    page({ offset, limit }) {
        const lag = this.requests.length % 2 ? this.lagging : 0;
        const end = this.events.length - lag - offset;
        return this.events.slice(Math.max(0, end - limit), Math.max(0, end)).reverse();
    }

    send(rs, status, value) {
        const text = JSON.stringify(value);
        rs.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
        rs.end(text);
    }
}
