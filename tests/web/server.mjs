// A casebook-web of its own for a test: temporary folder, socket, configuration, templates.
import {spawn} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {PROGRAMS, ROOT, listens, until} from '../lib/stack.mjs';
import {request} from './fastcgi.mjs';

export const SECRETS = ['database-password-1', 'e2b_key_0123456789', 'lin_key_0123456789',
                        'zendesk-secret-01'];

export class Server {
    // settings: lines of the configuration; they come after the ones that every test has.
    constructor(settings = {}) {
        // A socket's name has at most 107 bytes, so it is not below a long TMPDIR.
        this.folder = fs.mkdtempSync(path.join(os.tmpdir().length < 70 ? os.tmpdir() : '/tmp', 'cb-web-'));
        this.socket = path.join(this.folder, 'web.sock');
        this.config = path.join(this.folder, 'casebook.hdf');
        this.templates = path.join(this.folder, 'cs-templates');
        this.settings = settings;
        this.log = '';
        fs.cpSync(path.join(ROOT, 'cs-templates'), this.templates, {recursive: true});
        this.configure();
    }

    configure(more = {}) {
        const lines = {
            'Database.Socket': path.join(this.folder, 'no-database.sock'),
            'Database.Password': SECRETS[0],
            'E2B.BaseUrl': 'http://127.0.0.1:9/e2b', 'E2B.ApiKey': SECRETS[1],
            'E2B.MetadataKeys.0': 'userId',
            'Zendesk.BaseUrl': 'http://127.0.0.1:9/zendesk',
            'Zendesk.ClientId': 'casebook', 'Zendesk.ClientSecret': SECRETS[3],
            'Linear.BaseUrl': 'http://127.0.0.1:9/linear', 'Linear.ApiKey': SECRETS[2],
            'Linear.Team': 'SUP',
            'Web.Socket': this.socket, 'Web.Templates': this.templates, 'Web.Responders': 2,
            ...this.settings, ...more,
        };
        fs.writeFileSync(this.config,
                         Object.entries(lines).map(([k, v]) => `${k} = ${v}\n`).join(''));
    }

    template(name, text) {
        fs.writeFileSync(path.join(this.templates, name), text);
    }

    spawn(...args) {
        // It ends with the test's own process, whatever happens to that.
        const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', PROGRAMS.web,
                                        '--config', this.config, ...args],
                            {stdio: ['ignore', 'pipe', 'pipe']});
        const run = {pid: child.pid, out: '', log: '', child};
        child.stdout.on('data', d => { run.out += d; });
        child.stderr.on('data', d => { run.log += d; this.log += d; });
        run.ended = new Promise(resolve => child.on('close', (code, signal) => {
            run.code = code;
            resolve({code, signal, out: run.out, log: run.log});
        }));
        return run;
    }

    // Until it accepts connections.
    async start() {
        this.run = this.spawn();
        await this.started().catch(async error => {
            await this.stop();
            throw error;
        });
        return this;
    }

    async started() {
        await until('casebook-web to start', async () => {
            if (this.run.code !== undefined)
                throw new Error(`casebook-web ended with ${this.run.code}:\n${this.run.log}`);
            return this.run.log.includes('msg=started') && await listens(this.socket);
        });
        // The socket takes connections before the last responder is there.
        await until('all responders', () => this.children().length === Number(this.settings['Web.Responders'] ?? 2));
    }

    request(what) {
        return request(this.socket, what);
    }

    signal(name) {
        process.kill(this.run.pid, name);
    }

    children() {
        const file = `/proc/${this.run.pid}/task/${this.run.pid}/children`;
        return fs.readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number);
    }

    async metric(name) {
        const {body} = await this.request({path: '/metrics'});
        const line = body.split('\n').find(l => l.startsWith(name + ' '));
        return line && Number(line.slice(name.length + 1));
    }

    async stop() {
        if (this.run && this.run.code === undefined) {
            this.signal('SIGTERM');
            await until('casebook-web to end', () => this.run.code !== undefined).catch(() => {
                process.kill(this.run.pid, 'SIGKILL');
            });
            await this.run.ended;
        }
        fs.rmSync(this.folder, {recursive: true, force: true});
    }
}
