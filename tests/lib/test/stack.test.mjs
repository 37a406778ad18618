/* The private stack itself: what a test relies on when it says that something broke. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { Stack, listens, until } from '../stack.mjs';

const isAlive = (pid) => {
    try {
        return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
        return false;
    }
};

test('a database alone: start, crash, restart with its rows, stop', async () => {
    const stack = await Stack.start({ parts: ['mariadb'], migrate: false });
    try {
        stack.sql("CREATE TABLE t (a INT, b TEXT) ENGINE=InnoDB; INSERT INTO t VALUES (1, 'x\ty'), (2, NULL)");
        await stack.mariadb.kill();
        assert.equal(await listens(stack.databaseSocket), false);
        await stack.mariadb.start();
        assert.deepEqual(stack.sql('SELECT a, b FROM t ORDER BY a'), [['1', 'x\ty'], ['2', null]]);
    } finally {
        const { pid } = stack.mariadb;
        await stack.stop();
        assert.equal(isAlive(pid), false);
        assert.equal(fs.existsSync(stack.dir), false);
    }
});

test('two stacks at once do not meet', async () => {
    const both = await Promise.all([1, 2].map(() => Stack.start({ parts: ['mariadb'], migrate: false })));
    try {
        assert.notEqual(both[0].databaseSocket, both[1].databaseSocket);
        both[0].sql('CREATE TABLE only_here (a INT)');
        assert.deepEqual(both[1].sql("SHOW TABLES LIKE 'only_here'"), []);
    } finally {
        await Promise.all(both.map((stack) => stack.stop()));
    }
});

test('nginx: a stopped app gives a page in words, not a bare 502', async () => {
    const stack = await Stack.start({ parts: ['nginx'] });
    try {
        const page = await stack.get('/tickets/1');
        assert.equal(page.status, 503);
        assert.match(page.text, /Casebook is not answering/);
        assert.match(page.text, /<code>[0-9a-f]{32}<\/code>/);
        for (const name of ['healthz', 'readyz', 'metrics']) {
            assert.equal((await stack.get(`/${name}`)).status, 404, name);
        }
        assert.equal((await stack.get(`${stack.adminUrl}/healthz`)).status, 503);
    } finally {
        await stack.stop();
    }
});

test('until: gives up with the name of what it waited for', async () => {
    await assert.rejects(until('the moon', () => false, { timeoutMs: 50 }), /the moon/);
});
