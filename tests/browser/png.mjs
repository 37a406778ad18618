/*
 * Small PNG files: a picture of the browser with its colours reduced to the sixteen that stand for them best. Pages
 * are flat areas and text, so that the eye sees little difference and the file is a quarter.
 */
import zlib from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

function* chunks(png) {
    for (let at = 8; at < png.length;) {
        const length = png.readUInt32BE(at);
        yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
        at += length + 12;
    }
}

function chunk(type, data) {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
}

const CRC = Int32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c;
});

function crc32(bytes) {
    let c = -1;
    for (const b of bytes) c = CRC[(c ^ b) & 255] ^ (c >>> 8);
    return (c ^ -1) >>> 0;
}

function paeth(a, b, c) {
    const p = a + b - c;
    const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
    if (pa <= pb && pa <= pc) return a;
    return pb <= pc ? b : c;
}

/* The rows of 8-bit RGB or RGBA pixels: { width, height, pixels (RGB) }. */
export function readPng(png) {
    let width = 0;
    let height = 0;
    let channels = 0;
    const packed = [];
    for (const { type, data } of chunks(png)) {
        if (type === 'IHDR') {
            [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
            channels = { 2: 3, 6: 4 }[data[9]];
            if (data[8] !== 8 || !channels || data[12]) throw new Error('not a picture of a browser');
        } else if (type === 'IDAT') {
            packed.push(data);
        }
    }
    const raw = zlib.inflateSync(Buffer.concat(packed));
    const line = width * channels;
    const rows = Buffer.alloc(line * height);
    for (let y = 0; y < height; y++) {
        const filter = raw[y * (line + 1)];
        for (let x = 0; x < line; x++) {
            const a = x >= channels ? rows[y * line + x - channels] : 0;
            const b = y ? rows[(y - 1) * line + x] : 0;
            const c = y && x >= channels ? rows[(y - 1) * line + x - channels] : 0;
            const add = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
            rows[y * line + x] = raw[y * (line + 1) + 1 + x] + add;
        }
    }
    const pixels = Buffer.alloc(width * height * 3);
    for (let i = 0; i < width * height; i++) rows.copy(pixels, i * 3, i * channels, i * channels + 3);
    return { width, height, pixels };
}

/* The most frequent colours, and for each other one that is nearest to it. */
function palette(pixels, most) {
    const count = new Map();
    for (let i = 0; i < pixels.length; i += 3) {
        const colour = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
        count.set(colour, (count.get(colour) ?? 0) + 1);
    }
    const colours = [];
    const far = (a, b) => ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;
    /* the first are taken as they are; later ones only when they are not almost one of those */
    for (const [colour] of [...count].sort((a, b) => b[1] - a[1])) {
        if (colours.length === most) break;
        if (colours.length < 6 || colours.every((c) => far(c, colour) > 700)) colours.push(colour);
    }
    const index = new Map();
    for (const colour of count.keys()) {
        let best = 0;
        for (let i = 1; i < colours.length; i++) if (far(colours[i], colour) < far(colours[best], colour)) best = i;
        index.set(colour, best);
    }
    return { colours, index };
}

const COLOURS = 16; /* four bits for a pixel */

/* The same picture, small. */
export function shrinkPng(png) {
    const { width, height, pixels } = readPng(png);
    const { colours, index } = palette(pixels, COLOURS);
    const line = 1 + ((width + 1) >> 1);
    const raw = Buffer.alloc(line * height);
    for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
            const i = (y * width + x) * 3;
            const colour = index.get((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
            raw[y * line + 1 + (x >> 1)] |= x & 1 ? colour : colour << 4;
        }
    }
    const head = Buffer.alloc(13);
    head.writeUInt32BE(width, 0);
    head.writeUInt32BE(height, 4);
    head.set([4, 3, 0, 0, 0], 8);
    const plte = Buffer.from(colours.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]));
    return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('PLTE', plte),
        chunk('IDAT', zlib.deflateSync(raw, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}
