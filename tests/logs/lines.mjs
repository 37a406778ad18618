/* What is shown of a log, and what the simulator holds of it: to be compared as lists. */
export const SHORT = 'ishort1k0lines2a3b4c5';
export const LONG = 'ilong120k0lines2a3b4c';
export const OLD = 'iold7days0lines2a3b4c';

const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
const plain = (html) =>
    html.replace(/<[^>]*>/g, '').replace(/&(?:lt|gt|quot|#39|amp);/g, (e) => ENTITIES[e]).trim();

/* The rows of the log table in a page or fragment: { number, time, text }. */
export function rowsOf(html) {
    return html.split('<tr id="').slice(1).map((row) => ({
        number: Number(/<td class="l-no">.*?>(\u2212?[\d,]+)</.exec(row)?.[1].replace('\u2212', '-').replaceAll(',', '')),
        time: /datetime="([^"]+)"/.exec(row)[1],
        text: plain(/<td class="l-msg">(.*?)(?:<\/table>|<a class="l-ctx"|$)/s.exec(row)[1]),
    }));
}

/* The foot: where "Load more" goes, and what it says. */
export function footOf(html) {
    const foot = /<p class="l-foot".*?<\/p>/s.exec(html)?.[0] ?? '';
    const more = /data-more="([^"]+)"/.exec(foot)?.[1];
    return { more, last: /data-last="([^"]*)"/.exec(foot)?.[1], text: plain(foot) };
}

/* Every line that the simulator holds, in its order. */
export async function truthOf(stack, id) {
    const all = [];
    await stack.control('POST', 'settings', { logs_paging: 'offset' });
    for (;;) {
        const answer = await fetch(`${stack.simUrl}/e2b/sandboxes/${id}/logs?start=${all.length}&limit=1000`, {
            headers: { 'X-API-Key': 'e2b_demo0000000000000000000000000000000000' },
        });
        const { logEntries } = await answer.json();
        all.push(...logEntries.map((e) => ({ stamp: e.timestamp, message: e.message, data: e.fields?.data })));
        if (logEntries.length < 1000) return all;
    }
}

/* Is the shown row this line? What was printed is the line; else beside the message stands what the page says of it. */
export function sameLine(row, line) {
    if (row.time.slice(0, 23) !== line.stamp.slice(0, 23)) return false;
    if (line.data) return row.text === line.data.trim();
    return row.text === line.message || row.text.startsWith(`${line.message} `);
}
