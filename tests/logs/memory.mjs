/* Peak memory of real processes, from the kernel's own account (VmHWM). */
import fs from 'node:fs';

/* In KiB; 0 when the process has ended. */
export function peakOf(pid) {
    try {
        return Number(/^VmHWM:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    } catch {
        return 0;
    }
}

export function childrenOf(pid) {
    try {
        return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    } catch {
        return [];
    }
}

/* The largest peak of a process and all below it, watched until stop() is called. */
export function watchPeak(pid) {
    const peaks = new Map();
    const look = (one) => {
        peaks.set(one, Math.max(peaks.get(one) ?? 0, peakOf(one)));
        childrenOf(one).forEach(look);
    };
    const timer = setInterval(() => look(pid), 3);

    return {
        stop() {
            clearInterval(timer);
            return Math.max(...peaks.values());
        },
    };
}
