// The real casebook-web with a MariaDB of its own: an old schema, a good one, a database that goes away.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {after, before, test} from 'node:test';
import {Stack, until} from '../lib/stack.mjs';
import {Server} from './server.mjs';

let stack, server;

before(async () => {
    stack = await Stack.start({parts: ['mariadb'], migrate: false});
    const {'Database.Socket': socket, 'Database.Name': name, 'Database.User': user,
           'Database.Password': password} = stack.defaults();
    server = new Server({'Database.Socket': socket, 'Database.Name': name,
                         'Database.User': user, 'Database.Password': password});
});

after(async () => {
    await server?.stop();
    await stack?.stop();
});

const ready = async () => (await server.request({path: '/readyz', user: ''})).status;

test('an older schema stops the start and says what to do', async () => {
    const {code, log} = await server.spawn().ended;
    assert.equal(code, 1);
    assert.match(log, /casebook migrate/);
    assert.ok(!fs.existsSync(server.socket));
});

test('a server started without its database finds an older schema later', async () => {
    await stack.mariadb.stop();
    await server.start();
    assert.match(server.log, /the database does not answer; starting without it/);
    await stack.mariadb.start();
    assert.equal(await ready(), 503);
    const page = await server.request({path: '/investigations'});
    assert.equal(page.status, 503);
    await until('the reason in the log', () => /casebook migrate/.test(server.log));
});

test('once it is migrated, the same processes are ready', async () => {
    await stack.migrateNow();
    assert.equal(await ready(), 200);
    assert.equal((await server.request({path: '/investigations'})).status, 200);
});

test('a database that stops costs pages, not processes; it is found again', async () => {
    const pids = server.children();
    await stack.mariadb.kill();
    assert.equal(await ready(), 503);
    const page = await server.request({path: '/investigations'});
    assert.equal(page.status, 503);
    assert.match(page.body, /database does not answer/);
    assert.equal((await server.request({path: '/healthz'})).status, 200);
    await stack.mariadb.start();
    await until('readiness', async () => await ready() === 200);
    assert.equal((await server.request({path: '/investigations'})).status, 200);
    assert.deepEqual(server.children(), pids);
});
