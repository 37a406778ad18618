/* What the checks see: the files of a source tree, and a build of it. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const SKIPPED = new Set(['.git', 'var', 'node_modules', 'build-aux', 'autom4te.cache', '.deps']);
const GENERATED = /^(configure~?|aclocal\.m4|Makefile\.in|Makefile|config\.(h\.in~?|h|log|status)|stamp-h1)$/;
const BINARY = /\.(o|a|png|ico|gif|jpe?g|woff2?|gz|pb|bin)$/;

function* walk(dir) {
    for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
        if (SKIPPED.has(entry.name) || GENERATED.test(entry.name) || entry.isSymbolicLink()) continue;
        const full = path.join(dir, entry.name);
        if (entry.isDirectory()) yield* walk(full);
        else if (!BINARY.test(entry.name)) yield full;
    }
}

export class Tree {
    constructor(root, build) {
        this.root = root;
        this.build = build;
    }

    /* Names from the top, of the files below `under` that match `pattern`, sorted. */
    files(under, pattern = /./) {
        const top = path.join(this.root, under);
        if (!fs.existsSync(top)) return [];
        return [...walk(top)].map((full) => path.relative(this.root, full))
            .filter((name) => pattern.test(name)).sort();
    }

    has(name) {
        return fs.existsSync(path.join(this.root, name));
    }

    text(name) {
        return fs.readFileSync(path.join(this.root, name), 'utf8');
    }

    /* "file:line: what" for each line of the files in which `find(line, name)` is true. */
    grep(names, find, what) {
        return names.flatMap((name) => this.text(name).split('\n').flatMap((line, i) =>
            find(line, name) ? [`${name}:${i + 1}: ${what}: ${line.trim().slice(0, 120)}`] : []));
    }

    /* Runs a program at the top of the tree: its complaints as lines, [] when it is content. */
    complaints(program, args) {
        const run = spawnSync(program, args, { cwd: this.root, encoding: 'utf8', maxBuffer: 64 << 20 });
        if (run.error) return [`${program}: ${run.error.message}`];
        if (run.status === 0) return [];
        const said = `${run.stdout}${run.stderr}`.split('\n').filter(Boolean);
        return said.length ? said : [`${program}: status ${run.status}`];
    }

    /* Symbols of a built file: [{ name, type, section }]. Throws when it is not there. */
    symbols(file) {
        const out = execFileSync('nm', ['-f', 'sysv', path.join(this.build, file)], {
            encoding: 'utf8',
            stdio: ['ignore', 'pipe', 'ignore'],
            maxBuffer: 64 << 20,
        });
        return out.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
            .filter((cells) => cells.length === 7)
            .map(([name, , type, , , , section]) => ({ name: name.replace(/@.*/, ''), type, section }));
    }
}
