/* The templates: nothing raw, nothing inline, nothing that offers to touch a sandbox. */

const files = (tree) => tree.files('cs-templates', /\.cs$/);

const RAW = /<\?cs\s*\/?(uvar|evar|alt|name|lvar|linclude|escape)\s*[:!]/;
const SOFT_INCLUDE = /<\?cs\s*include\s*:/;
/* An escape function switches escaping off for its whole expression: it stands alone. */
const ESCAPES = /\b(url_escape|html_escape|js_escape|url_validate|css_url_validate|null_escape|text_html|html_strip)\s*\(/;
const ALONE = /^<\?cs\s*var:\s*(url_escape|html_escape|url_validate)\s*\([^()]*\)\s*\?>$/;

const tags = (text) => [...text.matchAll(/<\?cs[^]*?\?>/g)].map(([tag]) => tag);
const isComment = (tag) => /^<\?cs\s*#/.test(tag);
const markup = (text) => text.replace(/<\?cs\s*#[^]*?\?>/g, '').replace(/<!--[^]*?-->/g, '');

function each(tree, judge) {
    return files(tree).flatMap((name) => judge(tree.text(name)).map((what) => `${name}: ${what}`));
}

function rawTags(text) {
    return tags(text).filter((tag) => !isComment(tag)).flatMap((tag) => {
        if (RAW.test(tag)) return [`a tag that does not escape: ${tag}`];
        if (SOFT_INCLUDE.test(tag)) return [`an include that may be missing in silence: ${tag}`];
        if (ESCAPES.test(tag) && !ALONE.test(tag)) return [`an escape function that is not alone: ${tag}`];
        return [];
    });
}

function inline(text) {
    const plain = markup(text).replace(/<\?cs[^]*?\?>/g, '');
    const found = [
        [/<script(?![^>]*\ssrc=)[^>]*>/i, 'an inline script'],
        [/<script[^>]*>(?!\s*<\/script>)/i, 'a script with content'],
        [/<style[\s>]/i, 'an inline style sheet'],
        [/<[a-z][^>]*\sstyle\s*=/i, 'a style attribute'],
        [/<[a-z][^>]*\son[a-z]+\s*=/i, 'an event attribute'],
        [/javascript:/i, 'a script address'],
    ];
    return found.flatMap(([pattern, what]) => {
        const hit = pattern.exec(plain);
        return hit ? [`${what}: ${hit[0].slice(0, 80)}`] : [];
    });
}

function opening(text) {
    return /^\s*<\?cs\s*#/.test(text) ? [] : ['does not open with a comment that lists the names it reads'];
}

/* What a person can press or follow, with the words on it. */
function* controls(text) {
    const plain = markup(text);
    for (const [whole] of plain.matchAll(/<(button|a|summary|label)\b[^]*?<\/\1>/gi)) yield whole;
    for (const [whole] of plain.matchAll(/<input\b[^>]*>/gi)) yield whole;
}

const ACTS = /\b(re-?run|run|resume|restart|pause|kill|terminate|connect|open (a )?(shell|terminal)|shell|terminal|execute)\b/i;

function offers(text) {
    return [...controls(text)].flatMap((whole) => {
        const words = whole.replace(/<\?cs[^]*?\?>/g, ' ').replace(/\s(class|id|for|name|type|href|data-[a-z-]+|role)="[^"]*"/gi, ' ')
            .replace(/<\/?[a-z]+/gi, ' ');
        const hit = ACTS.exec(words);
        return hit ? [`a control with the word "${hit[0]}": ${whole.replace(/\s+/g, ' ').slice(0, 100)}`] : [];
    });
}

const ROUTE = /"\/[^"]*\b(run|rerun|resume|restart|pause|kill|terminate|connect|shell|terminal|exec|execute)\b[^"]*"/;

function routes(tree) {
    return [
        ...each(tree, offers),
        ...tree.grep(tree.files('src/web', /\.[ch]$/), (line) => ROUTE.test(line), 'a route'),
        ...tree.grep(files(tree), (line) => /(action|href)="[^"]*\/(run|resume|pause|kill|connect|shell|exec)\b/.test(line), 'an address'),
    ];
}

const T = (text) => ({ 'cs-templates/a.cs': `<?cs # a: reads Page.* ?>\n${text}\n` });

export const checks = [
    {
        name: 'templates escape everything',
        run: (tree) => each(tree, rawTags),
        good: T('<?cs # no uvar: here ?><?cs var:Page.Title ?><?cs include!"b.cs" ?><a href="?q=<?cs var:url_escape(Q) ?>">x</a>'),
        bad: [
            ...['uvar:x', 'evar:x', 'alt:x', 'name:x', 'lvar:x', 'linclude:x', 'escape:"none"', 'include:"b.cs"'].map((tag) => T(`<?cs ${tag} ?>`)),
            T('<?cs var:url_escape(a) + b ?>'),
            T('<?cs var:text_html(a) ?>'),
        ],
    },
    {
        name: 'templates have no inline script or style',
        run: (tree) => each(tree, inline),
        good: T('<script src="/static/a.js" defer></script>\n<script src="/static/b.js"></script><p class="style">on time</p>'),
        bad: [
            T('<script>go()</script>'), T('<script src="a.js">go()</script>'), T('<style>p{}</style>'),
            T('<p style="color:red">x</p>'), T('<p onclick="go()">x</p>'), T('<a href="javascript:go()">x</a>'),
            T('<p class="<?cs var:x ?>" style="width:<?cs var:y ?>%">x</p>'),
        ],
    },
    {
        name: 'every template opens with a comment',
        run: (tree) => each(tree, opening),
        good: T(''),
        bad: [{ 'cs-templates/a.cs': '<p>\n' }],
    },
    {
        name: 'no control or route offers to touch a sandbox',
        run: routes,
        good: { ...T('<button>Investigate again</button><p>It was paused, then resumed.</p><a href="/x" class="run">Show raw logs</a>'), 'src/web/route.c': '{GET, "/sandboxes/:sid/logs"},\n' },
        bad: [
            T('<button type="submit">Resume sandbox</button>'), T('<a href="x">Open a shell</a>'),
            T('<input type="submit" value="Run again">'), T('<form action="/sandboxes/kill"></form>'),
            T('<button><span>Re-run</span></button>'),
            { 'src/web/route.c': '{POST, "/sandboxes/:sid/resume"},\n' },
        ],
    },
];
