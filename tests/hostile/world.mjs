/*
 * A world in which every field of every service that a stranger can fill is an attack: markup, attribute breaks,
 * script addresses, style, turning and control characters, NUL, bytes that are no UTF-8 (U+E0FF in the world's
 * files), words without an end, and a line of 5 MB.
 */
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../lib/stack.mjs';

/* `n` tells fields apart when one of them comes through. */
export const evil = (n) => `"><script>alert('${n}')</script>' onmouseover=alert(1) <img src=http://evil.example/${n}.png onerror=alert(2)>`
    + ` </td></table></main><style>*{display:none!important}</style><svg/onload=alert(3)> javascript:alert(4) {{7*7}} <?cs var:Page.Csrf ?>`
    + ` \u202egnirts\u202c \u2066hidden\u2069 \u001b[31mred\u001b[0m \u001b]0;title\u0007 \u0000 \ue0ff end`;
/* Without the NUL, which the simulator takes neither in a member's name nor in an order. */
export const bare = (n) => evil(n).replaceAll('\0', '');
export const LONG = 'W'.repeat(400);
export const MAIL = `mal"onfocus=alert(1)'@evil.example`;
export const ORG = 'evil-org';

export const TICKET = 50001;
export const LONG_TICKET = 50002;
export const BLUNT_TICKET = 50003;
export const SANDBOXES = ['ievil0a1b2c3d4e5f6g7h', 'ievil1a1b2c3d4e5f6g7h', 'ievil2a1b2c3d4e5f6g7h'];

function sandbox(id, start, lines, more = {}) {
    return {
        id,
        template: evil('template'),
        start,
        timeout: '30m',
        metadata: {
            userId: MAIL, org: ORG, [bare('key')]: evil('value'), [`k${LONG}`]: LONG, __proto__x: 'polluted', 'style="x"': 'expression(alert(1))',
        },
        steps: [
            { at: '2m', do: 'event', type: `sandbox.lifecycle.${evil('event')}` },
            { at: '3m', do: 'event', type: LONG },
            { at: '20m', do: 'kill', reason: evil('reason') },
        ],
        processes: [
            { pid: 512, cmd: `sh -c 'echo ${evil('cmd')}; exit 3'`, from: '5s', to: '6m', exit: 3, stdout: 10, stderr: 10 },
            { pid: 513, cmd: `./${LONG}${LONG}${LONG}`, from: '6s', to: '5m', exit: 0, stdout: 10, stderr: 10 },
        ],
        lines,
        ...more,
    };
}

const LINES = [
    { at: '20s', pid: 512, text: evil('out') },
    { at: '21s', pid: 512, stream: 'stderr', text: evil('err') },
    { at: '22s', level: 'warn', logger: 'process', message: evil('message'), fields: { [bare('field')]: evil('field value'), constructor: 'x' } },
    { at: '22s', level: evil('level'), logger: evil('logger'), message: 'a level and a logger of its own' },
    { at: '23s', level: 'info', logger: 'process', message: `${LONG}${LONG}${LONG}${LONG}` },
    { at: '24s', garbage: evil('garbage') },
    { at: '25s', level: 'info', logger: 'process', message: 'combining Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a\u032f\u031e\u0320\u034dA\u036b and \u2028 lines \u2029 and \ufeff marks' },
    { at: '5m50s', pid: 512, stream: 'stderr', text: `Traceback (most recent call last):\n  File "/app/${evil('path')}.py", line 1, in <module>\nEvilError: ${evil('error')}` },
];

/* Writes the world's files into `folder`: the demo's accounts and templates, with strangers in them. */
export function writeWorld(folder) {
    const base = JSON.parse(fs.readFileSync(path.join(ROOT, 'tests/sim/world/demo/00-base.json'), 'utf8'));
    base.templates.push({ ...base.templates[0], name: evil('template'), id: 'evil-template' }, { ...base.templates[0], name: LONG, id: 'long-template' });
    for (const state of base.linear.states) if (state.name === 'In Progress') state.name = evil('state');
    fs.writeFileSync(path.join(folder, '00-base.json'), JSON.stringify(base));
    fs.writeFileSync(path.join(folder, '10-evil.json'), JSON.stringify({
        organizations: [
            { id: 36900000000501, name: evil('organisation'), domain_names: ['evil.example', evil('domain')] },
            { id: 36900000000502, name: LONG, domain_names: ['long.example'] },
        ],
        users: [
            { id: 36900000015001, name: evil('name'), email: MAIL, org: evil('organisation'), time_zone: evil('zone') },
            { id: 36900000015002, name: LONG, email: `${'w'.repeat(60)}@long.example`, org: LONG, time_zone: 'a/../../\u0000' },
        ],
        sandboxes: [
            sandbox(SANDBOXES[0], '-2h', LINES),
            sandbox(SANDBOXES[1], '-1h30m', LINES),
            sandbox(SANDBOXES[2], '-1h', [{ at: '20s', pid: 512, text: `${'A'.repeat(5 << 20)}<script>alert('5 MB')</script>` }], { template: LONG }),
        ],
        tickets: [
            {
                id: TICKET, subject: evil('subject'), status: 'open', requester: MAIL, tags: [evil('tag')], created: '-50m',
                comments: [
                    {
                        by: MAIL,
                        text: `${evil('plain')} sandbox ${SANDBOXES[0]} failed at <<@${SANDBOXES[0]}+6m|%H:%M:%S>> terminated`,
                        html: `<div class="zd-comment">${evil('html')}<a href="javascript:alert(5)">click</a><a href="http://evil.example">away</a>`
                            + `<iframe src="http://evil.example"></iframe><form action="http://evil.example"><input name=x autofocus onfocus=alert(6)></form>`
                            + `<p style="position:fixed;inset:0">cover</p><base href="http://evil.example/"> sandbox ${SANDBOXES[0]}`
                            + ` failed at <<@${SANDBOXES[0]}+6m|%H:%M:%S>> terminated</div>`,
                        attachments: [{ id: 36960000000501, file_name: evil('file'), content_type: 'text/html', content_url: 'javascript:alert(7)', size: 1, inline: true, deleted: false, thumbnails: [], malware_scan_result: 'malware_found' }],
                    },
                    { at: '-40m', by: 'tom.lindqvist@demo.example', public: false, text: evil('internal') },
                ],
            },
            {
                id: LONG_TICKET, subject: LONG, status: 'open', requester: `${'w'.repeat(60)}@long.example`, created: '-45m',
                comments: [{ by: `${'w'.repeat(60)}@long.example`, text: `${LONG} ${'terminated '.repeat(60)} https://${LONG}.example/${LONG}` }],
            },
            {
                id: BLUNT_TICKET, subject: '\u202e\u202e\u0000', status: evil('status').slice(0, 50), requester: MAIL, created: '-40m',
                comments: [{ by: MAIL, text: 'x'.repeat(60_000) }],
            },
        ],
        issues: [
            { identifier: 'SUP-201', title: evil('title'), state: evil('state'), priority: 2, labels: [], creator: 'Felix Moreau', created: '-5d', updated: '-1d', text: `Traceback EvilError ${evil('text')}` },
        ],
    }));
}
