/* See the file `screenshots` beside this one. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../lib/stack.mjs';
import { openDesk } from './desk.mjs';
import { OOM, STATES, hangGallery, inState } from './gallery.mjs';

/* Higher than this no picture is: what follows is more of the same. */
const MAX_HEIGHT = { 1280: 860, 390: 900 };
/* These are shown as large as they are; the other states differ from them in a message or a part, and are half as
   large, so that the folder stays small. */
const LARGE = ['lookup, words', 'ticket', 'search with a window', 'search, nothing found', 'sandbox with a window', 'sandbox, raw logs open',
    'sandbox, waiting for the agent', 'sandbox, undetermined, no samples', 'investigations', 'patterns', 'help'];
const SMALL = 0.5;

const [folder = path.join(ROOT, 'docs/screenshots'), ...words] = process.argv.slice(2);
const slug = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
const wanted = Object.entries(STATES).filter(([name]) => !words.length || words.some((w) => name.includes(w)));
let bytes = 0;

function save(name, data) {
    fs.writeFileSync(path.join(folder, name), data);
    bytes += data.length;
}

/* The same picture in a palette of its own: a third of the size, and each colour of the page is still there. */
function shrinkPng(png) {
    const { stdout, stderr, status, error } = spawnSync('pngquant', ['--speed', '1', '--nofs', '64', '-'], { input: png, maxBuffer: 1 << 26 });
    if (status !== 0) throw new Error(`pngquant: ${error?.message ?? stderr}`);
    return stdout;
}

async function picture(page, width, isOfLogs) {
    const need = await page.evaluate(() => document.documentElement.scrollHeight);
    const height = Math.min(need, MAX_HEIGHT[width]);
    await page.setViewportSize({ width, height });
    if (isOfLogs) await page.locator('#raw').evaluate((e) => e.scrollIntoView());
    const png = await page.screenshot();
    await page.setViewportSize({ width, height: 900 });
    return shrinkPng(png);
}

fs.mkdirSync(folder, { recursive: true });
const desk = await openDesk();
try {
    await hangGallery(desk);
    const looks = [];
    for (const deviceScaleFactor of [1, SMALL])
        for (const width of [1280, 390])
            for (const colorScheme of ['light', 'dark'])
                looks.push({ width, colorScheme, deviceScaleFactor, engineer: await desk.engineer('maya', { width, colorScheme, deviceScaleFactor }) });
    for (const [name, state] of wanted) {
        const scale = LARGE.includes(name) ? 1 : SMALL;
        for (const { width, colorScheme, engineer } of looks.filter((l) => l.deviceScaleFactor === scale)) {
            await inState(desk.stack, state, [engineer], async ({ page }) =>
                save(`${slug(name)}-${width}-${colorScheme}.png`, await picture(page, width, /[?&]logs=1/.test(state.at))));
        }
        console.log(name);
    }
    const paper = await desk.engineer('maya', { width: 703, height: 1017 }); /* A4 within its margins */
    await paper.open(STATES['sandbox with a window'].at ?? OOM);
    await paper.page.emulateMedia({ media: 'print' });
    save('finding-on-paper.png', shrinkPng(await paper.page.screenshot()));
} finally {
    await desk.close();
}
console.log(`${(bytes / 1e6).toFixed(2)} MB in ${folder}`);
