/* Who may include whom, and what may be linked into what. */

const MAY_INCLUDE = {
    base: ['base'],
    model: ['model', 'base'],
    sys: ['sys', 'model', 'base'],
    store: ['store', 'sys', 'model', 'base'],
    upstream: ['upstream', 'sys', 'model', 'base'],
    diag: ['diag', 'model', 'base'],
    ticket: ['ticket', 'model', 'base'],
    outgoing: ['outgoing', 'model', 'base'],
    web: ['web', 'ticket', 'outgoing', 'store', 'upstream', 'sys', 'model', 'base'],
    agent: ['agent', 'ticket', 'outgoing', 'store', 'upstream', 'diag', 'sys', 'model', 'base'],
    tool: ['tool', 'agent', 'web', 'ticket', 'outgoing', 'store', 'upstream', 'diag', 'sys', 'model', 'base'],
};

/* Libraries' headers that belong to one part, or to single files. */
const LIBRARIES = [
    { header: /ClearSilver\.h$/, only: /^src\/web\/cs\.h$/ },
    { header: /^(util|cs|cgi)\/(neo_|cs|cgi|u)/, only: /^src\/sys\/conf_file\.c$/ },
    { header: /^(mysql|mariadb|errmsg|mysqld_error)/, only: /^src\/store\// },
    { header: /^curl\//, only: /^src\/sys\// },
    { header: /^fcgi/, only: /^src\/web\// },
    { header: /^microhttpd/, only: /^tests\/sim\// },
];

const DIAG_FORBIDDEN = new RegExp(`^(${[
    'time', 'clock', 'clock_gettime', 'gettimeofday', 'timespec_get', 'localtime(_r)?', 'gmtime(_r)?',
    'open(at)?(64)?', 'fopen(64)?', 'fdopen', 'read', 'write', 'stat(64)?', 'opendir', 'system', 'popen',
    'secure_getenv', 'getenv', 'setlocale', 'rand(_r)?', 's?random(_r)?', 'srand', 'drand48', 'getrandom',
    'socket', 'connect', 'getaddrinfo', 'fork', 'execv[ep]*', 'pthread_create', 'log_(event|err|init)',
    'clock_now_us', 'mysql_.*', 'curl_.*', 'FCGX_.*', 'hdf_.*',
].join('|')})$`);

function* includes(tree, name) {
    for (const [, open, header] of tree.text(name).matchAll(/^[ \t]*#[ \t]*include[ \t]*([<"])([^">]+)[">]/gm))
        yield { quoted: open === '"', header };
}

function includeDirections(tree) {
    const faults = [];
    for (const name of tree.files('src', /\.[ch]$/)) {
        const from = name.split('/')[1];
        if (!MAY_INCLUDE[from]) {
            faults.push(`${name}: no rule says what src/${from} may include`);
            continue;
        }
        for (const { quoted, header } of includes(tree, name)) {
            const to = header.split('/')[0];
            if (header === 'config.h' || !quoted || to === 'util') continue;
            if (!header.includes('/')) faults.push(`${name}: "${header}" is not named from src/`);
            else if (!MAY_INCLUDE[from].includes(to)) faults.push(`${name}: ${from} may not include ${header}`);
            else if (from === 'web' && /_write\.h$/.test(header)) faults.push(`${name}: web may not include ${header}`);
        }
    }
    return faults;
}

function libraryHeaders(tree) {
    const faults = [];
    for (const name of [...tree.files('src', /\.[ch]$/), ...tree.files('tests', /\.[ch]$/)]) {
        for (const { header } of includes(tree, name)) {
            const rule = LIBRARIES.find((each) => each.header.test(header));
            if (rule && !rule.only.test(name) && name.startsWith('src/'))
                faults.push(`${name}: ${header} belongs in ${rule.only.source}`);
        }
    }
    return faults;
}

function built(tree, file, judge) {
    let symbols;
    try {
        symbols = tree.symbols(file);
    } catch (error) {
        return [`${file}: ${String(error.message).split('\n')[0]}`];
    }
    return symbols.length ? judge(symbols) : [`${file}: has no symbols`];
}

function diagIsPure(tree) {
    return built(tree, 'src/diag/libdiag.a', (symbols) =>
        symbols.filter(({ type, name }) => type === 'U' && DIAG_FORBIDDEN.test(name))
            .map(({ name }) => `libdiag.a uses ${name}`));
}

/* Data of diag must not change: nothing of its own lies where a program may write. */
function diagHasNoState(tree) {
    return built(tree, 'src/diag/libdiag.a', (symbols) =>
        symbols.filter(({ type, section }) => type !== 'U' && /^(\.data(?!\.rel\.ro)|\.bss|\.tbss|\.tdata|\*COM\*)/.test(section))
            .map(({ name, section }) => `libdiag.a has a variable: ${name} in ${section}`));
}

function webCannotWrite(tree) {
    const code = /^[TtWw]$/;
    return built(tree, 'src/upstream/libupstream_write.a', (written) => {
        const writes = new Set(written.filter(({ type }) => /^[TD]$/.test(type)).map(({ name }) => name));
        if (!writes.size) return ['libupstream_write.a defines nothing'];
        return built(tree, 'src/web/casebook-web', (symbols) => {
            if (!symbols.some(({ type, name }) => code.test(type) && name === 'main'))
                return ['casebook-web: its symbols were stripped'];
            return symbols.filter(({ name }) => writes.has(name)).map(({ name }) => `casebook-web links ${name}`);
        });
    });
}

/* E2B is only ever read: its client knows GET, and no route that changes a sandbox. */
function e2bIsRead(tree) {
    const names = tree.files('src/upstream', /\/e2b[a-z_]*\.[ch]$/);
    return tree.grep(names, (line) =>
        /"(POST|PUT|PATCH|DELETE)"|HTTP_(POST|PUT|PATCH|DELETE)\b/.test(line) ||
        /"[^"]*\/(connect|resume|pause|refreshes|timeout|snapshots)\b/.test(line), 'not a read');
}

const C = (text) => `${text}\n`;

export const checks = [
    {
        name: 'include directions',
        run: includeDirections,
        good: { 'src/diag/a.c': C('#include "diag/a.h"\n#include "model/b.h"\n#include "base/banned.h"') },
        bad: [
            { 'src/diag/a.c': C('#include "store/db.h"') },
            { 'src/diag/a.c': C('#include "sys/clock.h"') },
            { 'src/store/a.c': C('#include "upstream/e2b.h"') },
            { 'src/base/a.c': C('#include "model/ticket.h"') },
            { 'src/web/a.c': C('#include "upstream/zendesk_write.h"') },
            { 'src/web/a.c': C('#  include "request.h"') },
            { 'src/utils/a.c': C('') },
        ],
    },
    {
        name: 'library headers stay in their part',
        run: libraryHeaders,
        good: { 'src/web/cs.h': C('#include <ClearSilver.h>'), 'src/store/db.c': C('#include <mysql.h>') },
        bad: [
            { 'src/web/view.c': C('#include <ClearSilver.h>') },
            { 'src/agent/a.c': C('#include <curl/curl.h>') },
            { 'src/web/a.c': C('#include <mysql.h>') },
        ],
    },
    {
        name: 'diag asks neither clock nor machine',
        run: diagIsPure,
        good: { archive: ['src/diag/libdiag.a', 'int f(int a); int f(int a) { return a; }'] },
        bad: [
            { archive: ['src/diag/libdiag.a', '#include <time.h>\nlong f(void); long f(void) { return time(0); }'] },
            { archive: ['src/diag/libdiag.a', '#include <stdlib.h>\nchar *f(void); char *f(void) { return getenv("A"); }'] },
            {},
        ],
    },
    {
        name: 'diag keeps no state',
        run: diagHasNoState,
        good: { archive: ['src/diag/libdiag.a', 'static const char *const t[] = {"a"}; const char *f(int i); const char *f(int i) { return t[i]; }'] },
        bad: [
            { archive: ['src/diag/libdiag.a', 'static int n; int f(void); int f(void) { return ++n; }'] },
            { archive: ['src/diag/libdiag.a', 'static int n = 3; int f(void); int f(void) { return ++n; }'] },
        ],
    },
    {
        name: 'casebook-web does not link what writes',
        run: webCannotWrite,
        good: {
            archive: ['src/upstream/libupstream_write.a', 'int note_post(void); int note_post(void) { return 1; }'],
            program: ['src/web/casebook-web', 'int main(void) { return 0; }'],
        },
        bad: [
            {
                archive: ['src/upstream/libupstream_write.a', 'int note_post(void); int note_post(void) { return 1; }'],
                program: ['src/web/casebook-web', 'int note_post(void); int note_post(void) { return 1; } int main(void) { return note_post(); }'],
            },
            { program: ['src/web/casebook-web', 'int main(void) { return 0; }'] },
        ],
    },
    {
        name: 'E2B is only read',
        run: e2bIsRead,
        good: { 'src/upstream/e2b_client.c': C('call(c, "GET", "/v2/sandboxes");') },
        bad: [
            { 'src/upstream/e2b_client.c': C('call(c, "POST", "/sandboxes");') },
            { 'src/upstream/e2b_client.c': C('url(c, "/sandboxes/%s/resume", id);') },
            { 'src/upstream/e2b_client.c': C('r.method = HTTP_DELETE;') },
        ],
    },
];

