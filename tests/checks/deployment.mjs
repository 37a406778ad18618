/* What is shipped for an administrator: nginx, the example configuration, the units. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const SNIPPETS = ['casebook-location.conf', 'casebook-fastcgi.conf', 'casebook-auth.conf'];

/* nginx -t on the shipped files, with their own paths brought into a scratch folder. */
function nginxAccepts(tree) {
    const missing = [...SNIPPETS, 'casebook-server.example.conf'].filter((name) => !tree.has(`nginx/${name}`));
    if (missing.length) return missing.map((name) => `nginx/${name} is missing`);
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'casebook-nginx-'));
    try {
        const put = (name) => fs.writeFileSync(path.join(dir, name), tree.text(`nginx/${name}`)
            .replaceAll('/etc/nginx/snippets/', `${dir}/`)
            .replaceAll('/etc/casebook/users', `${dir}/users`)
            .replaceAll('/etc/ssl/casebook/', `${dir}/`)
            .replaceAll('/var/log/nginx/', `${dir}/`)
            .replace(/listen ((?:\[::\]|127\.0\.0\.1):)?\d+/g, (whole, host = '') => `listen unix:${dir}/${host.length}${whole.length}.sock`));
        for (const name of [...SNIPPETS, 'casebook-server.example.conf']) put(name);
        fs.writeFileSync(path.join(dir, 'users'), '');
        execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=casebook.example.com',
            '-keyout', path.join(dir, 'key.pem'), '-out', path.join(dir, 'fullchain.pem')], { stdio: 'ignore' });
        const temp = ['client_body', 'fastcgi', 'proxy', 'scgi', 'uwsgi']
            .map((name) => `${name}_temp_path ${dir}/${name};`).join('\n');
        fs.writeFileSync(path.join(dir, 'nginx.conf'), `pid ${dir}/pid;\nerror_log stderr;\nevents {}\nhttp {\n` +
            `${temp}\naccess_log off;\ninclude ${dir}/casebook-server.example.conf;\n}\n`);
        const run = spawnSync('nginx', ['-e', 'stderr', '-t', '-p', dir, '-c', `${dir}/nginx.conf`], {
            encoding: 'utf8',
            env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
        });
        if (run.error) return [`nginx: ${run.error.message}`];
        const said = run.stderr.split('\n').filter((line) => /\[(emerg|warn|alert|crit)\]/.test(line) && !/"user" directive/.test(line));
        return run.status === 0 ? said : [...said, `nginx -t: status ${run.status}`];
    } finally {
        fs.rmSync(dir, { recursive: true, force: true });
    }
}

/* The parameters that casebook-web relies on are handed over. */
function nginxHandsOver(tree) {
    const text = tree.has('nginx/casebook-fastcgi.conf') ? tree.text('nginx/casebook-fastcgi.conf') : '';
    const wanted = [
        /^fastcgi_param REMOTE_USER \$casebook_user if_not_empty;/m, /^fastcgi_param REQUEST_ID \$request_id;/m,
        /^fastcgi_param REQUEST_URI \$request_uri;/m, /^fastcgi_param CONTENT_LENGTH /m, /^fastcgi_keep_conn off;/m,
    ];
    return wanted.filter((pattern) => !pattern.test(text)).map((pattern) => `casebook-fastcgi.conf lacks ${pattern.source}`);
}

/* Every setting that the programs know is in the example, and no other. */
function exampleIsWhole(tree) {
    if (!tree.has('src/sys/conf_table.c')) return [];
    const known = new Set([...tree.text('src/sys/conf_table.c').matchAll(/^\s*\{"([A-Za-z0-9.]+)"/gm)].map(([, name]) => name));
    known.add('E2B.MetadataKeys');
    const shown = new Set([...tree.text('etc/casebook.hdf.example').matchAll(/^(?:# )?([A-Z][A-Za-z0-9]*(?:\.[A-Z][A-Za-z0-9]*)*)(\.\d+)? =/gm)]
        .map(([, name]) => (known.has(name) ? name : name.replace(/File$/, ''))));
    return [
        ...[...known].filter((name) => !shown.has(name) && name !== 'Web.Templates').map((name) => `the example lacks ${name}`),
        ...[...shown].filter((name) => !known.has(name)).map((name) => `the example has ${name}, which no program knows`),
    ];
}

function unitsName(tree) {
    const wanted = {
        'etc/casebook.cron': /^\* \* \* \* \* casebook \S+\/casebook-agent --run-for 59\b/m,
        'etc/casebook-web.service': /^ExecStart=\S+\/casebook-web --config /m,
        'etc/casebook-agent.service': /^ExecStart=\S+\/casebook-agent --run-for 59 --config /m,
        'etc/casebook-agent.timer': /^OnCalendar=minutely$/m,
        'etc/casebook.logrotate': /^\/var\/log\/casebook\/\*\.log \{$/m,
    };
    return Object.entries(wanted).flatMap(([name, pattern]) =>
        tree.has(name) && pattern.test(tree.text(name)) ? [] : [`${name}: no line ${pattern.source}`]);
}

const OURS = new URL('../../', import.meta.url).pathname;
const shipped = (folder) => Object.fromEntries(fs.readdirSync(path.join(OURS, folder)).filter((n) => n !== 'local.mk')
    .map((name) => [`${folder}/${name}`, fs.readFileSync(path.join(OURS, folder, name), 'utf8')]));
const edited = (files, name, from, to) => {
    if (!files[name].includes(from)) throw new Error(`${name} has no ${from}`);
    return { [name]: files[name].replace(from, to) };
};

const nginx = shipped('nginx');
const etc = shipped('etc');
const table = { 'src/sys/conf_table.c': fs.readFileSync(path.join(OURS, 'src/sys/conf_table.c'), 'utf8') };

export const checks = [
    {
        name: 'nginx takes the shipped files',
        run: nginxAccepts,
        good: nginx,
        base: nginx,
        bad: [
            edited(nginx, 'nginx/casebook-location.conf', 'client_max_body_size 64k;', 'client_max_body_sizes 64k;'),
            edited(nginx, 'nginx/casebook-server.example.conf', 'snippets/casebook-location.conf', 'snippets/absent.conf'),
        ],
    },
    {
        name: 'nginx hands over who asks, and the request id',
        run: nginxHandsOver,
        good: nginx,
        base: nginx,
        bad: [
            edited(nginx, 'nginx/casebook-fastcgi.conf', 'fastcgi_param REMOTE_USER', '# REMOTE_USER'),
            edited(nginx, 'nginx/casebook-fastcgi.conf', 'fastcgi_keep_conn off', 'fastcgi_keep_conn on'),
        ],
    },
    {
        name: 'the example configuration has every setting',
        run: exampleIsWhole,
        good: { ...etc, ...table },
        base: { ...etc, ...table },
        bad: [
            edited(etc, 'etc/casebook.hdf.example', '# Web.Responders = 4', ''),
            edited(etc, 'etc/casebook.hdf.example', '# Web.Responders = 4', '# Web.Responder = 4'),
        ],
    },
    {
        name: 'cron file, units and logrotate start what there is',
        run: unitsName,
        good: etc,
        base: etc,
        bad: [
            edited(etc, 'etc/casebook.cron', '--run-for 59', '--once'),
            edited(etc, 'etc/casebook-web.service', 'casebook-web --config', 'casebook --config'),
        ],
    },
];
