/* Chance that can be had again: everything about a run follows from the text of its seed. */
import { createHash } from 'node:crypto';

/* Numbers from 0 up to 1 (mulberry32). */
export function chance(seed) {
    let state = createHash('sha256').update(seed).digest().readUInt32LE();
    const next = () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    return {
        next,
        below: (n) => Math.floor(next() * n),
        from: (low, high) => low + Math.floor(next() * (high - low + 1)),
        pick: (list) => list[Math.floor(next() * list.length)],
        is: (share) => next() < share,
        shuffle(list) {
            const all = [...list];
            for (let i = all.length - 1; i > 0; i--) {
                const k = Math.floor(next() * (i + 1));
                [all[i], all[k]] = [all[k], all[i]];
            }
            return all;
        },
    };
}
