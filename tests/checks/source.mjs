/* The C sources and the migrations as text, and what the compilers' companions say of them. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const LONGEST = 700;
const MARKS = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`);
const MACHINE = new RegExp(`/(${['wo' + 'rk', 'fa' + 'rm'].join('|')})/|\\.librar${'y'}|/tmp/tea${'m'}`);
const REGISTRIES = /(registry\.npmjs|(deb|snapshot)\.debian|nodesource)\.(org|com)/;

const cFiles = (tree, pattern = /\.[ch]$/) => [...tree.files('src', pattern), ...tree.files('tests', pattern)];

/* Text without comments and strings, with its line breaks. */
const bare = (text) =>
    text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, (found) => found.replace(/[^\n]/g, ' '));

function bannedLast(tree) {
    return tree.files('src', /\.c$/).flatMap((name) => {
        const all = [...tree.text(name).matchAll(/^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)[">]/gm)];
        return all.at(-1)?.[1] === 'base/banned.h' ? [] : [`${name}: base/banned.h is not its last include`];
    });
}

function flags(packages) {
    const run = spawnSync('pkg-config', ['--cflags', ...packages], { encoding: 'utf8' });
    return run.status === 0 ? run.stdout.trim().split(/\s+/).filter(Boolean) : [];
}

const COMPILE = [
    '-std=c17', '-D_GNU_SOURCE', '-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Werror',
    '-fsyntax-only', '-Isrc', '-isystem', '/usr/include/ClearSilver',
];

function headersAlone(tree) {
    const more = flags(['libmariadb', 'jansson', 'libcurl', 'libpcre2-8', 'libmicrohttpd']);
    return cFiles(tree, /\.h$/).flatMap((name) => {
        const run = spawnSync('gcc', [...COMPILE, ...more, '-Itests/sim', '-include', name, '-x', 'c', '-'],
            { cwd: tree.root, encoding: 'utf8', input: 'extern int something;\n' });
        return run.status === 0 ? [] : [`${name}: ${run.stderr.split('\n').find((l) => /error/.test(l)) ?? run.stderr}`];
    });
}

function formatted(tree) {
    const names = cFiles(tree);
    if (!names.length) return [];
    return tree.complaints('clang-format', ['--dry-run', '-Werror', '--style=file', ...names])
        .filter((line) => /error:|clang-format/.test(line));
}

function cppcheck(tree) {
    // NULL is (void *)0 in C: a sentinel as good as any pointer. jansson.h: for its loops.
    const folders = ['src', 'tests/sim', 'tests/unit'].filter((name) => tree.has(name));
    return tree.complaints('cppcheck', [
        '--quiet', '--enable=warning,performance,portability', '--error-exitcode=1', '--std=c11',
        '--inline-suppr', '--suppress=missingIncludeSystem', '--suppress=varFuncNullUB',
        '--include=/usr/include/jansson.h', '--suppress=*:/usr/include/*', '--template={file}:{line}: {id}: {message}',
        '-j2', '-Isrc', '-D_GNU_SOURCE', '-DCASEBOOK_TEMPLATES=""', '-DCASEBOOK_SQL=""',
        '-DCASEBOOK_VERSION=""', ...folders,
    ]);
}

function preparedOnly(tree) {
    return tree.files('src', /\.[ch]$/).flatMap((name) =>
        bare(tree.text(name)).split('\n').flatMap((line, i) =>
            /\bmysql_(real_query|query|send_query)\b/.test(line) ? [`${name}:${i + 1}: SQL outside prepared statements`] : []));
}

function short(tree) {
    return [...tree.files('src', /\.[ch]$/), ...tree.files('tests/sim', /\.[ch]$/)].flatMap((name) => {
        const lines = tree.text(name).split('\n').length - 1;
        return lines < LONGEST ? [] : [`${name}: ${lines} lines`];
    });
}

const ours = (tree) => tree.files('.', /^(?!tests\/package-lock\.json)/);

function numberedMigrations(tree) {
    const names = tree.files('sql', /\.sql$/).map((name) => path.basename(name));
    const faults = names.flatMap((name, i) =>
        new RegExp(`^${String(i + 1).padStart(4, '0')}_[a-z0-9_]+\\.sql$`).test(name) ? [] : [`sql/${name}: not number ${i + 1}`]);
    for (const name of names) {
        const creates = [...tree.text(`sql/${name}`).matchAll(/CREATE TABLE[^;]*;/gi)];
        for (const [text] of creates)
            if (!/ENGINE\s*=\s*InnoDB/i.test(text)) faults.push(`sql/${name}: a table without ENGINE=InnoDB`);
    }
    const header = 'src/store/migrate.h';
    if (tree.has(header)) {
        const [, newest] = /#define SCHEMA_VERSION (\d+)/.exec(tree.text(header)) ?? [];
        if (Number(newest) !== names.length) faults.push(`${header}: SCHEMA_VERSION is ${newest}, the last migration ${names.length}`);
    }
    return faults;
}

function scriptsParse(tree) {
    return tree.files('.', /(^bootstrap|\.sh|^tests\/run|^\.ci\/run)$/).flatMap((name) => tree.complaints('bash', ['-n', name]));
}

export const checks = [
    {
        name: 'banned.h is the last include of every source',
        run: bannedLast,
        good: { 'src/base/a.c': '#include <stdio.h>\n#include "base/banned.h"\n' },
        bad: [{ 'src/base/a.c': '#include "base/banned.h"\n#include <stdio.h>\n' }, { 'src/base/a.c': 'int a;\n' }],
    },
    {
        name: 'every header compiles alone',
        run: headersAlone,
        good: { 'src/base/a.h': '#include <stddef.h>\nsize_t f(void);\n' },
        bad: [{ 'src/base/a.h': 'size_t f(void);\n' }],
    },
    {
        name: 'clang-format has nothing to change',
        run: formatted,
        good: { '.clang-format': 'BasedOnStyle: LLVM\n', 'src/base/a.c': 'int a;\n' },
        bad: [{ '.clang-format': 'BasedOnStyle: LLVM\n', 'src/base/a.c': 'int   a ;\n' }],
    },
    {
        name: 'cppcheck has nothing to say',
        run: cppcheck,
        good: { 'src/base/a.c': 'int f(void)\n{\n    return 1;\n}\n' },
        bad: [{ 'src/base/a.c': 'int f(void)\n{\n    int a[2] = {0, 0};\n    return a[2];\n}\n' }],
    },
    {
        name: 'SQL only in prepared statements',
        run: preparedOnly,
        good: { 'src/store/a.c': '/* not mysql_query( */ mysql_stmt_prepare(s, q, n);\n' },
        bad: [{ 'src/store/a.c': 'mysql_query(m, "SELECT 1");\n' }, { 'src/store/a.c': 'mysql_real_query (m, q, n);\n' }],
    },
    {
        name: 'migrations are numbered, and as many as the programs know',
        run: numberedMigrations,
        good: {
            'sql/0001_init.sql': 'CREATE TABLE a (b INT) ENGINE=InnoDB;\n',
            'src/store/migrate.h': '#define SCHEMA_VERSION 1\n',
        },
        bad: [
            { 'sql/0002_more.sql': '' },
            { 'sql/0001_init.sql': 'CREATE TABLE a (b INT);\n' },
            { 'sql/0001_init.sql': '', 'src/store/migrate.h': '#define SCHEMA_VERSION 2\n' },
        ],
    },
    {
        name: `no source has ${LONGEST} lines`,
        run: short,
        good: { 'src/base/a.c': '\n'.repeat(LONGEST - 1) },
        bad: [{ 'src/base/a.c': '\n'.repeat(LONGEST) }],
    },
    {
        name: 'no open marks',
        run: (tree) => tree.grep(ours(tree), (line) => MARKS.test(line), 'open mark'),
        good: { 'src/base/a.c': '/* mktemp XXXXXX */\n' },
        bad: [{ 'src/base/a.c': `/* ${'TO' + 'DO'}: more */\n` }, { 'sql/a.sql': `-- ${'FIX' + 'ME'}\n` }],
    },
    {
        name: 'no paths of one machine, no registry hosts',
        run: (tree) => tree.grep(tree.files('.'), (line) => MACHINE.test(line) || REGISTRIES.test(line), 'machine'),
        good: { 'README.md': 'the network, the workshop\n' },
        bad: [{ 'README.md': `see ${'/wo' + 'rk/'}main\n` }, { 'tests/package-lock.json': `"https://${'registry.npm' + 'js.org'}/a"\n` }],
    },
    {
        name: 'shell scripts parse',
        run: scriptsParse,
        good: { 'tests/lib/a.sh': 'if true; then :; fi\n' },
        bad: [{ 'tests/lib/a.sh': 'if true; then :\n' }],
    },
];
