// A web server's side of FastCGI, as small as tests need it: one request on one connection.
import net from 'node:net';

const BEGIN = 1, END = 3, PARAMS = 4, STDIN = 5, STDOUT = 6, STDERR = 7;

function record(type, content) {
    const head = Buffer.from([1, type, 0, 1, content.length >> 8, content.length & 255, 0, 0]);
    return Buffer.concat([head, content]);
}

function length(n) {
    return n < 128 ? Buffer.from([n])
                   : Buffer.from([n >>> 24 | 128, n >> 16 & 255, n >> 8 & 255, n & 255]);
}

function pairs(params) {
    return Buffer.concat(Object.entries(params).flatMap(([name, value]) => {
        const n = Buffer.from(name), v = Buffer.from(value);
        return [length(n.length), length(v.length), n, v];
    }));
}

// A stream of records, each of at most 65000 bytes; `end` adds the empty one that closes it.
function stream(type, bytes, end) {
    const out = [];
    for (let i = 0; i < bytes.length; i += 65000)
        out.push(record(type, bytes.subarray(i, i + 65000)));
    if (end)
        out.push(record(type, Buffer.alloc(0)));
    return Buffer.concat(out);
}

function parse(bytes) {
    const parts = {[STDOUT]: [], [STDERR]: []};
    let ended = false;
    while (bytes.length >= 8) {
        const n = bytes.readUInt16BE(4), padding = bytes[6], type = bytes[1];
        if (bytes.length < 8 + n + padding)
            break;
        if (type === END)
            ended = true;
        else
            parts[type]?.push(bytes.subarray(8, 8 + n));
        bytes = bytes.subarray(8 + n + padding);
    }
    return {text: Buffer.concat(parts[STDOUT]).toString(), ended};
}

function answer(bytes) {
    const {text, ended} = parse(bytes);
    if (!ended)
        throw new Error(`the connection ended before the answer (${bytes.length} bytes)`);
    const at = text.indexOf('\r\n\r\n');
    const headers = {};
    for (const line of text.slice(0, at).split('\r\n')) {
        const colon = line.indexOf(': ');
        headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 2);
    }
    return {status: parseInt(headers.status, 10), headers, body: text.slice(at + 4)};
}

// Sends a request and holds its body back until finish() is called with the rest of it.
// `answer` is a promise of {status, headers, body}.
export function hold(socket, {method = 'GET', path = '/', query = '', user = 'maya', params = {},
                              body = '', contentLength, keep = false} = {}) {
    const bytes = Buffer.from(body);
    const all = {
        REQUEST_METHOD: method, DOCUMENT_URI: '/casebook' + path, QUERY_STRING: query,
        CONTENT_LENGTH: String(contentLength ?? bytes.length), REMOTE_USER: user,
        REQUEST_ID: '', ...params,
    };
    const connection = net.connect(socket);
    const chunks = [];
    const promise = new Promise((resolve, reject) => {
        connection.setTimeout(20000, () => connection.destroy(new Error('no answer in 20 s')));
        connection.on('data', chunk => chunks.push(chunk));
        connection.on('error', reject);
        connection.on('close', () => {
            try {
                resolve(answer(Buffer.concat(chunks)));
            } catch (e) {
                reject(e);
            }
        });
    });
    promise.catch(() => {});
    connection.write(Buffer.concat([
        record(BEGIN, Buffer.from([0, 1, keep ? 1 : 0, 0, 0, 0, 0, 0])),
        stream(PARAMS, pairs(all), true),
        stream(STDIN, bytes, false),
    ]));
    return {
        answer: promise,
        connection,
        finish: (rest = '') => connection.write(stream(STDIN, Buffer.from(rest), true)),
    };
}

export function request(socket, what) {
    const held = hold(socket, what);
    held.finish();
    return held.answer;
}
