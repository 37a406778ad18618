// The real casebook-web on its socket: what it answers to good and bad requests.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import {after, before, test} from 'node:test';
import {until} from '../lib/stack.mjs';
import {hold} from './fastcgi.mjs';
import {SECRETS, Server} from './server.mjs';

const FORM = {CONTENT_TYPE: 'application/x-www-form-urlencoded; charset=UTF-8'};
let server;

before(async () => { server = await new Server().start(); });
after(() => server.stop());

// The one log line of a request.
async function logged(id) {
    return until(`a log line with ${id}`, () => server.log.split('\n').find(
        l => l.includes(`req=${id}`) && l.includes('msg=request ')));
}

test('healthz answers without a user and without a database', async () => {
    const a = await server.request({path: '/healthz', user: ''});
    assert.equal(a.status, 200);
    assert.equal(a.body, 'ok\n');
    assert.equal(a.headers['content-length'], '3');
    assert.equal(a.headers['x-content-type-options'], 'nosniff');
});

test('HEAD has the headers of GET and no body', async () => {
    const a = await server.request({method: 'HEAD', path: '/healthz'});
    assert.equal(a.status, 200);
    assert.equal(a.headers['content-length'], '3');
    assert.equal(a.body, '');
});

test('readyz says that the database is missing, metrics counts it', async () => {
    assert.equal((await server.request({path: '/readyz', user: ''})).status, 503);
    const {status, body} = await server.request({path: '/metrics', user: ''});
    assert.equal(status, 200);
    assert.match(body, /^casebook_database_up 0$/m);
    assert.match(body, /^casebook_failures_total\{service="database"\} [1-9]/m);
    assert.match(body, /^casebook_requests_total\{status="2xx"\} [1-9]/m);
});

test('an unknown address is a page with words and the request id', async () => {
    const a = await server.request({path: '/no/such', query: 'token=secret-in-query',
                                    params: {REQUEST_ID: '0123456789abcdef0000'}});
    assert.equal(a.status, 404);
    assert.match(a.headers['content-type'], /^text\/html/);
    assert.match(a.headers['content-security-policy'], /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(a.headers['cache-control'], 'no-store');
    assert.match(a.body, /^<!doctype html>/i);
    assert.match(a.body, /There is no such page/);
    assert.match(a.body, /0123456789abcdef0000/);
    const line = await logged('0123456789abcdef0000');
    assert.match(line, /level=info .*method=GET path=\/no\/such status=404 ms=\d+ user=maya/);
    assert.doesNotMatch(server.log, /secret-in-query/);
});

test('what is in an address comes back escaped, and cannot forge a log line', async () => {
    const a = await server.request({path: '/"><script>alert(1)</script>',
                                    params: {REQUEST_ID: 'not an id"><b>'}, user: '<i>"'});
    assert.equal(a.status, 404);
    assert.doesNotMatch(a.body, /<script>alert|<i>"|"><b>/);
    const b = await server.request({path: '/x', user: 'a\nlevel=error msg=forged'});
    assert.equal(b.status, 404);
    assert.doesNotMatch(server.log, /^level=error msg=forged/m);
});

test('without a user there is a page that says so', async () => {
    for (const path of ['/', '/tickets/1', '/investigations', '/sandboxes/abc/logs']) {
        const a = await server.request({path, user: ''});
        assert.equal(a.status, 403, path);
        assert.match(a.body, /does not know who you are/);
    }
});

test('a wrong method says which is right', async () => {
    const a = await server.request({method: 'DELETE', path: '/tickets/1'});
    assert.equal(a.status, 405);
    assert.equal(a.headers.allow, 'GET, HEAD');
    const b = await server.request({path: '/investigations/1/cancel'});
    assert.equal(b.status, 405);
    assert.equal(b.headers.allow, 'POST');
});

test('without the database, pages that live from it say so', async () => {
    for (const path of ['/investigations', '/investigations/1']) {
        const a = await server.request({path});
        assert.equal(a.status, 503, path);
        assert.match(a.body, /database does not answer/);
        assert.equal(a.headers['retry-after'], '10');
    }
    assert.equal((await server.request({path: '/'})).status, 200);
});

test('bad bodies are refused with words', async () => {
    const post = more => server.request({method: 'POST', path: '/investigations/1/cancel',
                                         params: FORM, ...more});
    const words = async (status, pattern, more) => {
        const a = await post(more);
        assert.equal(a.status, status, JSON.stringify(more).slice(0, 80));
        assert.match(a.body, pattern);
    };
    await words(403, /This page was open too long\. Nothing was done\./, {body: 'a=b'});
    await words(403, /This page was open too long/, {body: 'csrf=' + '0'.repeat(64)});
    await words(413, /Too much was sent/, {body: 'a='.padEnd(16385, 'x')});
    await words(413, /Too much was sent/, {contentLength: '99999999999999'});
    await words(400, /cannot be used/, {contentLength: 'many'});
    await words(400, /cannot be used/, {body: 'a=b', contentLength: '10'});
    await words(400, /cannot be used/, {body: 'a=%00'});
    await words(400, /cannot be used/, {body: 'a=1&'.repeat(65)});
    await words(415, /cannot be read/, {body: 'a=b', params: {CONTENT_TYPE: 'text/plain'}});
    await words(415, /cannot be read/, {body: '{}', params: {CONTENT_TYPE: 'application/json'}});
});

test('bad addresses and queries are refused with words', async () => {
    for (const uri of ['/casebook/%00', '/casebook/%0d%0aX:1', '/casebook/%ff', '/casebook/' + 'a'.repeat(2000)]) {
        const a = await server.request({params: {DOCUMENT_URI: '', REQUEST_URI: uri}});
        assert.equal(a.status, 400, uri.slice(0, 40));
        assert.match(a.body, /cannot be used/);
    }
    for (const query of ['a='.padEnd(8193, 'x'), 'a&'.repeat(65), 'q=%00', 'q=%1b'])
        assert.equal((await server.request({query})).status, 400, query.slice(0, 20));
    assert.equal((await server.request({params: {DOCUMENT_URI: '/elsewhere'}})).status, 404);
});

test('a caller that goes away or talks nonsense harms nobody', async () => {
    for (let i = 0; i < 10; i++) {
        const c = net.connect(server.socket);
        c.on('error', () => {});
        if (i % 3 === 0)
            c.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        await new Promise(resolve => c.on('connect', resolve));
        c.destroy();
    }
    for (let i = 0; i < 4; i++) {
        const held = hold(server.socket, {method: 'POST', path: '/investigations/1/cancel',
                                          params: FORM, contentLength: 100});
        await new Promise(resolve => held.connection.on('connect', resolve));
        held.connection.destroy();
    }
    for (let i = 0; i < 4; i++)
        assert.equal((await server.request({path: '/healthz'})).status, 200);
    assert.equal(server.children().length, 2);
});

test('a connection that the web server would keep is closed', async () => {
    const a = await server.request({path: '/healthz', keep: true});
    assert.equal(a.body, 'ok\n');
});

test('the socket is for owner and group', () => {
    assert.equal(fs.statSync(server.socket).mode & 0o777, 0o660);
});

test('no secret came into the log', () => {
    for (const secret of SECRETS)
        assert.ok(!server.log.includes(secret), secret);
});
