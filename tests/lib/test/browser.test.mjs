/* The browser helper: it opens, plays a user, and sees what is wrong with a page. */
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { accessibilityFaults, openBrowser } from '../browser.mjs';

const PAGE = `<!doctype html><html lang="en"><title>t</title><main><h1>Hello</h1>
<img src="/missing.png"><script>inline()</script></main></html>`;

test('a page with faults: they are all told', async () => {
    let authorization;
    const server = http.createServer((request, response) => {
        if (request.url !== '/') {
            response.writeHead(404).end();
            return;
        }
        authorization = request.headers.authorization;
        response.setHeader('Content-Type', 'text/html');
        response.setHeader('Content-Security-Policy', "default-src 'self'");
        response.end(PAGE);
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    const browser = await openBrowser();
    try {
        const page = await browser.as('ann');
        await page.goto(`http://127.0.0.1:${server.address().port}/`);
        assert.equal(Buffer.from(authorization.split(' ')[1], 'base64').toString(), 'ann:x');
        assert.equal(await page.textContent('h1'), 'Hello');
        const faults = await accessibilityFaults(page);
        assert.ok(faults.some((fault) => fault.startsWith('image-alt ')), faults.join('; '));
        assert.ok(page.problems.some((text) => /Content Security Policy/.test(text)), page.problems.join('; '));
    } finally {
        await browser.close();
        server.close();
    }
});
