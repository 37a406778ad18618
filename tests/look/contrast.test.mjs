/*
 * The colours of the style sheet against WCAG: text 4.5 to 1, lines and glyphs 3 to 1, in light and dark. Computed
 * from the custom properties, so that text in pictures, which axe cannot judge, is held to it too.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { ROOT } from '../lib/stack.mjs';

const css = fs.readFileSync(path.join(ROOT, 'cs-templates/static/casebook.css'), 'utf8').replace(/\/\*[^]*?\*\//g, '');

const tokens = (block) => Object.fromEntries([...block.matchAll(/--([a-z0-9]+):\s*(#[0-9a-f]{6})\b/g)].map(([, name, colour]) => [name, colour]));
const light = tokens(/:root\s*\{([^}]*)\}/.exec(css)[1]);
const dark = { ...light, ...tokens(/prefers-color-scheme:\s*dark\)\s*\{\s*:root\s*\{([^}]*)\}/.exec(css)[1]) };

function luminance(hex) {
    const [r, g, b] = [1, 3, 5].map((i) => {
        const c = parseInt(hex.slice(i, i + 2), 16) / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
    const [hi, lo] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (hi + 0.05) / (lo + 0.05);
}

/* Each ground with the inks that stand on it. */
const TEXT = {
    ground: ['ink', 'ink2', 'ink3', 'link', 'win', 'bad', 'warn', 'good'],
    well: ['ink', 'ink2', 'ink3', 'link', 'win', 'bad', 'warn', 'good'],
    wint: ['ink', 'ink2', 'ink3', 'link', 'win', 'bad', 'warn', 'good'],
    badt: ['ink', 'link', 'bad'],
    warnt: ['ink', 'link', 'warn'],
    note: ['ink', 'ink2', 'ink3', 'link'],
    seriest: ['ink', 'ink2', 'ink3', 'link', 'bad', 'warn'],
    sel: ['ink'],
    bar: ['onbar', 'onbar2'],
    pri: ['onpri'],
    ink: ['ground'],
};
const GRAPHICS = {
    ground: ['rule2', 'winline', 'noteline', 'series', 'focus', 'bad', 'warn', 'good', 'ink2'],
    well: ['rule2', 'winline', 'series', 'focus'],
    wint: ['winline', 'series', 'bad', 'ink2', 'focus'],
    badt: ['bad'],
    warnt: ['warn'],
    bar: ['onbar', 'onbar2'],
    seriest: ['focus'],
};

for (const [name, all] of Object.entries({ light, dark })) {
    test(`${name}: text 4.5 to 1, graphics 3 to 1`, () => {
        assert.ok(Object.keys(all).length >= 25, 'the tokens were found');
        const low = [];
        for (const [pairs, least] of [[TEXT, 4.5], [GRAPHICS, 3]])
            for (const [ground, inks] of Object.entries(pairs))
                for (const ink of inks) {
                    assert.ok(all[ground] && all[ink], `--${ground} and --${ink} are there`);
                    const is = contrast(all[ink], all[ground]);
                    if (is < least) low.push(`${ink} on ${ground}: ${is.toFixed(2)} under ${least}`);
                }
        assert.deepEqual(low, []);
    });
}

test('every colour of the dark is another than that of the light, and none is forgotten', () => {
    const own = tokens(/prefers-color-scheme:\s*dark\)\s*\{\s*:root\s*\{([^}]*)\}/.exec(css)[1]);
    assert.deepEqual(Object.keys(own).sort(), Object.keys(light).sort());
});

test('every token that is used is defined; colours outside of the tokens are the tiles alone', () => {
    for (const [, name] of css.matchAll(/var\(--([a-z0-9]+)/g)) assert.ok(light[name] || ['sans', 'mono'].includes(name), `--${name}`);
    const rest = css.replace(/:root\s*\{[^}]*\}/g, '');
    const loose = rest.split('}').filter((rule) => /#[0-9a-f]{3,8}\b/i.test(rule.split('{').pop())).map((rule) => rule.split('{').at(-2).trim());
    assert.deepEqual(loose.filter((selector) => !/^\.tile-[A-Z]$/.test(selector)), []);
    for (const [, ground, ink] of rest.matchAll(/\.tile-\w\s*\{[^}]*background: (#\w{6});[^}]*color: (#\w{3,6})/g)) {
        const full = ink.length === 4 ? `#${[...ink.slice(1)].map((c) => c + c).join('')}` : ink;
        assert.ok(contrast(ground, full) >= 4.5, `${ink} on ${ground}`);
    }
});

test('the measure itself: black on white is 21, the design\'s own table is met', () => {
    assert.equal(contrast('#000000', '#ffffff').toFixed(1), '21.0');
    assert.equal(contrast(light.ink2, light.ground).toFixed(1), '8.1');
    assert.equal(contrast(dark.link, dark.ground).toFixed(1), '9.4');
});
