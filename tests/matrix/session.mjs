/* A session of the server's administrator that stays: what it locks is held until it says otherwise. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const cell = (text) =>
    text === 'NULL' ? null : text.replace(/\\([nt0\\])/g, (_, c) => ({ n: '\n', t: '\t', 0: '\0', '\\': '\\' })[c]);

export class Session {
    constructor(socket) {
        this.child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', 'mariadb', '--no-defaults',
            `--socket=${socket}`, '--user=root', '--batch', '--skip-column-names', '--skip-reconnect', '--force',
            '--unbuffered', '--default-character-set=utf8mb4', 'casebook'], { stdio: ['pipe', 'pipe', 'pipe'] });
        this.out = '';
        this.errors = '';
        this.count = 0;
        this.queue = Promise.resolve();
        this.child.stdout.setEncoding('utf8').on('data', (text) => {
            this.out += text;
            this.look?.();
        });
        this.child.stderr.setEncoding('utf8').on('data', (text) => (this.errors += text));
        this.child.stdin.on('error', () => {});
        this.ended = once(this.child, 'exit');
        this.ended.then(() => {
            this.isOver = true;
            this.look?.();
        });
    }

    /* Its rows, as arrays of texts. One after the other, however many ask at once. */
    query(sql) {
        const answer = this.queue.then(() => this.run(sql));
        this.queue = answer.catch(() => {});
        return answer;
    }

    run(sql) {
        const mark = `<answered ${++this.count}>`;
        this.out = '';
        return new Promise((done, failed) => {
            this.look = () => {
                const end = this.out.indexOf(`${mark}\n`);
                if (end < 0 && !this.isOver) return;
                this.look = null;
                if (end < 0) failed(new Error(`the session ended: ${this.errors.slice(-500)}`));
                else done(this.out.slice(0, end).split('\n').filter(Boolean).map((line) => line.split('\t').map(cell)));
            };
            this.child.stdin.write(`${sql};\nSELECT '${mark}';\n`);
            if (this.isOver) this.look();
        });
    }

    async end() {
        this.child.stdin.end();
        await this.ended;
    }
}
