// The real casebook-web as a process: start, reload, drain, its responders and its socket.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import {test} from 'node:test';
import {listens, until} from '../lib/stack.mjs';
import {hold} from './fastcgi.mjs';
import {Server} from './server.mjs';

const FORM = {CONTENT_TYPE: 'application/x-www-form-urlencoded'};

function server(name, settings, body) {
    test(name, async () => {
        const s = new Server(settings);
        try {
            await body(s);
        } finally {
            await s.stop();
        }
    });
}

const health = async s => (await s.request({path: '/healthz'})).body;
const heading = async s => (await s.request({path: '/no/such'})).body;

server('--check looks and leaves', {}, async s => {
    const good = await s.spawn('--check').ended;
    assert.equal(good.code, 0);
    assert.match(good.out, /good/);
    assert.ok(!fs.existsSync(s.socket));
    s.template('error.cs', '\n\n<?cs alt:X ?>');
    const bad = await s.spawn('--check').ended;
    assert.equal(bad.code, 1);
    assert.match(bad.log, /error\.cs:3: /);
    assert.equal((await s.spawn('--nonsense').ended).code, 2);
});

server('a bad template stops the start, with file and line', {}, async s => {
    const broken = {
        'x.cs': ['<p>\n<?cs if:Page.Title ?>\n', /x\.cs:2: |x\.cs:2\]/],
        'y.cs': ['\n<?cs include!"missing.cs" ?>\n', /y\.cs:2: there is no file missing\.cs/],
        'macros.cs': ['<?cs def:a(x) ?>\n', /macros\.cs/],
    };
    for (const [name, [text, pattern]] of Object.entries(broken)) {
        const before = fs.existsSync(`${s.templates}/${name}`) &&
            fs.readFileSync(`${s.templates}/${name}`, 'utf8');
        s.template(name, text);
        const {code, log} = await s.spawn().ended;
        assert.equal(code, 1, name);
        assert.match(log, pattern);
        if (before)
            s.template(name, before);
        else
            fs.rmSync(`${s.templates}/${name}`);
    }
    fs.rmSync(`${s.templates}/error.cs`);
    const {code, log} = await s.spawn().ended;
    assert.equal(code, 1);
    assert.match(log, /error\.cs: there is no such file/);
    assert.ok(!fs.existsSync(s.socket));
});

server('a bad configuration stops the start and names the key', {'Web.Responders': 'many'}, async s => {
    const {code, log} = await s.spawn().ended;
    assert.equal(code, 1);
    assert.match(log, /Web\.Responders/);
});

server('HUP takes new templates and configuration, and no request fails', {}, async s => {
    await s.start();
    const old = s.children();
    s.template('error.cs', 'the new page');
    let stop = false, count = 0;
    const traffic = (async () => {
        while (!stop) {
            assert.equal(await health(s), 'ok\n');
            count++;
        }
    })();
    await until('traffic', () => count > 20);
    s.signal('SIGHUP');
    await until('the new template', async () => (await heading(s)).includes('the new page'));
    await until('the old responders to leave', () => s.children().every(pid => !old.includes(pid)));
    const seen = count;
    await until('traffic after the reload', () => count > seen + 20);
    stop = true;
    await traffic;
    assert.equal(s.children().length, 2);
    s.configure({BasePath: '/other'});
    s.signal('SIGHUP');
    await until('the new BasePath', async () => (await s.request({params: {DOCUMENT_URI: '/other/healthz'}})).status === 200);
});

server('HUP with bad ones keeps the old and says why', {}, async s => {
    await s.start();
    const old = s.children();
    const page = await heading(s);
    s.template('error.cs', '\n<?cs uvar:X ?>');
    s.signal('SIGHUP');
    await until('the complaint about a template', () => /level=error.*error\.cs:2: /.test(s.log));
    s.template('error.cs', 'fine');
    s.configure({'Web.MaxRequests': '-5'});
    s.signal('SIGHUP');
    await until('the complaint about a setting', () => /level=error.*Web\.MaxRequests/.test(s.log));
    assert.deepEqual(s.children(), old);
    assert.match(await heading(s), /There is no such page/);
    assert.match(page, /There is no such page/);
});

server('TERM lets a request finish, then everything ends', {}, async s => {
    await s.start();
    const held = hold(s.socket, {method: 'POST', path: '/investigations/1/cancel', params: FORM,
                                 contentLength: 3});
    // The other responder is free: it serves us while the first waits for its body.
    assert.equal(await health(s), 'ok\n');
    s.signal('SIGTERM');
    await until('the free responder to leave', () => s.children().length === 1);
    assert.equal(s.run.code, undefined);
    held.finish('a=b');
    const a = await held.answer;
    assert.equal(a.status, 403);
    assert.match(a.body, /This page was open too long/);
    const {code} = await s.run.ended;
    assert.equal(code, 0);
    assert.ok(!fs.existsSync(s.socket));
});

server('a responder that is killed is replaced', {}, async s => {
    await s.start();
    const [victim, other] = s.children();
    process.kill(victim, 'SIGKILL');
    await until('another one', () => s.children().length === 2 && !s.children().includes(victim));
    assert.ok(s.children().includes(other));
    assert.match(s.log, /level=warn.*signal 9/);
    assert.equal(await health(s), 'ok\n');
});

server('a responder retires after Web.MaxRequests', {'Web.Responders': 1, 'Web.MaxRequests': 3}, async s => {
    await s.start();
    const [first] = s.children();
    for (let i = 0; i < 9; i++)
        assert.equal(await health(s), 'ok\n');
    await until('another responder', () => s.children().length === 1 && s.children()[0] !== first);
    const started = await s.metric('casebook_responders_started_total');
    assert.equal(started, 4);
    assert.doesNotMatch(s.log, /level=(warn|error) .*child/);
});

server('responders do not retire together', {'Web.Responders': 2, 'Web.MaxRequests': 8}, async s => {
    await s.start();
    const pids = s.children();
    const served = pid => s.log.split('\n').filter(l => l.includes(`pid=${pid} `) &&
                                                     l.includes('msg=request ')).length;
    // Which of them answers is chance: go on until both have retired.
    for (let i = 0; i < 500 && s.children().some(pid => pids.includes(pid)); i++)
        assert.equal(await health(s), 'ok\n');
    await until('both to retire', () => !s.children().some(pid => pids.includes(pid)));
    await until('their log lines', () => served(pids[0]) + served(pids[1]) === 8 + 6);
    assert.deepEqual([served(pids[0]), served(pids[1])].sort(), [6, 8]);
});

server('a second copy on the socket leaves at once, and harms nothing', {}, async s => {
    await s.start();
    const {code, log} = await s.spawn().ended;
    assert.equal(code, 1);
    assert.match(log, /another casebook-web uses the socket/);
    assert.equal(await health(s), 'ok\n');
});

server('after a crash, the socket file is no obstacle', {}, async s => {
    await s.start();
    s.signal('SIGKILL');
    await s.run.ended;
    assert.ok(fs.existsSync(s.socket));
    await s.start();
    assert.equal(await health(s), 'ok\n');
});

server('two starts at once after a crash: one wins', {}, async s => {
    await s.start();
    s.signal('SIGKILL');
    await s.run.ended;
    const runs = [s.spawn(), s.spawn(), s.spawn()];
    await until('two to leave', () => runs.filter(r => r.code === 1).length === 2 && listens(s.socket));
    s.run = runs.find(r => r.code === undefined);
    await until('the third to start', () => s.run.log.includes('msg=started'));
    assert.equal(await health(s), 'ok\n');
});

server('a socket of somebody else stays', {}, async s => {
    const foreign = net.createServer(c => c.end());
    await new Promise(resolve => foreign.listen(s.socket, resolve));
    const {code, log} = await s.spawn().ended;
    assert.equal(code, 1);
    assert.match(log, /somebody else answers/);
    assert.ok(await listens(s.socket));
    await new Promise(resolve => foreign.close(resolve));
    fs.writeFileSync(s.socket, 'precious');
    const again = await s.spawn().ended;
    assert.equal(again.code, 1);
    assert.match(again.log, /no socket/);
    assert.equal(fs.readFileSync(s.socket, 'utf8'), 'precious');
});
