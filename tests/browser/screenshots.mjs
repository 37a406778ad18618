/* See the file `screenshots` beside this one. */
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../lib/stack.mjs';
import { openDesk } from './desk.mjs';
import { OOM, STATES, hangGallery, inState } from './gallery.mjs';
import { shrinkPng } from './png.mjs';

/* Higher than this no picture is: what follows is more of the same. */
const MAX_HEIGHT = { 1280: 1500, 390: 1800 };

const [folder = path.join(ROOT, 'docs/screenshots'), ...words] = process.argv.slice(2);
const slug = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
const wanted = Object.entries(STATES).filter(([name]) => !words.length || words.some((w) => name.includes(w)));
let bytes = 0;

function save(name, data) {
    fs.writeFileSync(path.join(folder, name), data);
    bytes += data.length;
}

async function picture(page, width) {
    const need = await page.evaluate(() => document.documentElement.scrollHeight);
    const height = Math.min(need, MAX_HEIGHT[width]);
    await page.setViewportSize({ width, height });
    const png = await page.screenshot();
    await page.setViewportSize({ width, height: 900 });
    return shrinkPng(png);
}

fs.mkdirSync(folder, { recursive: true });
const desk = await openDesk();
try {
    await hangGallery(desk);
    const looks = [];
    for (const width of [1280, 390])
        for (const colorScheme of ['light', 'dark'])
            looks.push({ width, colorScheme, engineer: await desk.engineer('maya', { width, colorScheme }) });
    for (const [name, state] of wanted) {
        for (const { width, colorScheme, engineer } of looks) {
            await inState(desk.stack, state, [engineer], async ({ page }) =>
                save(`${slug(name)}-${width}-${colorScheme}.png`, await picture(page, width)));
        }
        console.log(name);
    }
    const [{ engineer: { page } }] = looks;
    await looks[0].engineer.open(STATES['sandbox with a window'].at ?? OOM);
    save('paper.pdf', await page.pdf({ format: 'A4', preferCSSPageSize: true }));
} finally {
    await desk.close();
}
console.log(`${(bytes / 1e6).toFixed(2)} MB in ${folder}`);
