/*
 * Places in a sandbox's logs: what makes paging by a millisecond cursor neither lose nor repeat a
 * line, also when the next page is read by another process (the place travels as text).
 */
#include "upstream/e2b_place.h"

#include <string.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include "upstream/e2b_private.h"

#include "base/banned.h"

#define ID_BITS_MASK (((uint64_t)1 << 48) - 1)
#define ID_DIGITS 12
#define NAMED_MAX 10 /* identities that fit into the text */
#define HELD_MAX 1000000
#define NS_IN_MS 1000000
#define TIME_MAX_MS INT64_C(253402300799999) /* the year 9999 */

void e2b_place_start(struct e2b_place *p, enum e2b_place_mode mode, int64_t ms)
{
    *p = (struct e2b_place){.mode = mode, .ms = ms, .edge_ns = -1};
}

/* -- identity ---------------------------------------------------------------------------- */

static uint64_t fnv1a(uint64_t h, const char *s)
{
    do {
        h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    } while (*s++); /* with its end, so that "a","bc" and "ab","c" differ */
    return h;
}

static const char *text(const char *s)
{
    return s ? s : "";
}

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)

uint64_t e2b_line_identity(const struct log_line *l)
{
    uint64_t h = fnv1a(FNV_BASIS, text(l->at_text));
    uint64_t fields = 0;

    h = fnv1a(h, log_level_name(l->level));
    h = fnv1a(h, text(l->message));
    for (size_t i = 0; i < l->field_count; i++) { /* a sum: the order means nothing */
        if (strcmp(text(l->fields[i].key), E2B_RESULT_FIELD) != 0)
            fields +=
                fnv1a(fnv1a(FNV_BASIS, text(l->fields[i].key)), text(l->fields[i].value));
    }
    h = (h ^ fields) * UINT64_C(0x100000001b3);
    return (h ^ (h >> 48)) & ID_BITS_MASK;
}

/* -- taking lines ------------------------------------------------------------------------ */

/* -1: a is before b in the direction of the read. */
static int order(const struct e2b_place *p, int64_t a, int64_t b)
{
    int forward = (a > b) - (a < b);

    return p->mode == PLACE_BACK ? -forward : forward;
}

void e2b_place_begin_page(struct e2b_place *p)
{
    p->page_ms = p->ms;
    p->unnamed_left = p->unnamed;
    for (size_t i = 0; i < p->held_count; i++)
        p->held[i].is_seen = false;
}

static void hold(struct arena *a, struct e2b_place *p, uint64_t id, int ns)
{
    p->held =
        arena_grow(a, p->held, p->held_count, &p->held_cap, sizeof(struct e2b_place_id));
    p->held[p->held_count++] = (struct e2b_place_id){id, ns, true};
}

static void move_to(struct e2b_place *p, int64_t ms)
{
    p->ms = ms;
    p->total = p->held_count = p->ns_total = 0;
    p->unnamed = p->unnamed_left = 0;
    p->edge_ns = -1;
}

static void count_ns(struct e2b_place *p, int ns)
{
    if (!p->ns_total || order(p, ns, p->ns) > 0) {
        p->ns = ns;
        p->ns_total = 0;
    }
    p->ns_total += ns == p->ns;
}

void e2b_place_note(struct arena *a, struct e2b_place *p, const struct log_line *l)
{
    int64_t ms = e2b_line_ms(l);
    bool is_first = p->mode == PLACE_BACK && !p->ms;
    int ns;

    if (l->at_us == TS_NONE || (!is_first && order(p, ms, p->ms) < 0))
        return;
    if (ms != p->ms)
        move_to(p, ms);
    ns = e2b_line_ns(l);
    count_ns(p, ns);
    p->total++;
    hold(a, p, e2b_line_identity(l), ns);
}

/* Is this line of the page's first millisecond one that was taken before the page? */
static bool came_again(struct arena *a, struct e2b_place *p, const struct log_line *l)
{
    uint64_t id = e2b_line_identity(l);
    int ns = e2b_line_ns(l);

    if (p->edge_ns >= 0 && order(p, ns, p->edge_ns) < 0)
        return true;
    for (size_t i = 0; i < p->held_count; i++) {
        if (p->held[i].id == id && !p->held[i].is_seen) {
            p->held[i].is_seen = true;
            if (p->held[i].ns < 0) { /* named by a text, which tells no moment */
                p->held[i].ns = ns;
                count_ns(p, ns);
            }
            return true;
        }
    }
    if (!p->unnamed_left || ns != p->edge_ns)
        return false;
    /* the service answers in a stable order: the unnamed ones are the first that come */
    p->unnamed_left--;
    p->unnamed--;
    hold(a, p, id, ns);
    return true;
}

bool e2b_place_take(struct arena *a, struct e2b_place *p, const struct log_line *l)
{
    int64_t ms = e2b_line_ms(l);
    bool is_first = p->mode == PLACE_BACK && !p->page_ms;

    if (l->at_us == TS_NONE || (!is_first && order(p, ms, p->page_ms) < 0))
        return false;
    if (ms == p->page_ms && came_again(a, p, l))
        return false;
    e2b_place_note(a, p, l);
    return true;
}

bool e2b_place_is_repeat(const struct e2b_place *p, const struct log_line *l)
{
    uint64_t id = e2b_line_identity(l);
    int64_t ms = e2b_line_ms(l);

    if (l->at_us == TS_NONE || ms > p->ms)
        return false;
    if (ms < p->ms || p->total > p->held_count)
        return true;
    for (size_t i = 0; i < p->held_count; i++) {
        if (p->held[i].id == id)
            return true;
    }
    return false;
}

void e2b_place_step(struct e2b_place *p)
{
    move_to(p, p->mode == PLACE_BACK ? p->ms - 1 : p->ms + 1);
}

/* -- as text ----------------------------------------------------------------------------- */

static char *add_names(struct arena *a, char *s, const struct e2b_place *p, bool all)
{
    for (size_t i = 0; i < p->held_count; i++) {
        if (all || p->held[i].ns == p->ns)
            s = arena_fmt(a, "%s.%0*llx", s, ID_DIGITS,
                          (unsigned long long)p->held[i].id);
    }
    return s;
}

/* The unnamed ones are all at the last ns, for nothing but that moment is told of them. */
static size_t named_at_edge(const struct e2b_place *p)
{
    size_t n = 0;

    for (size_t i = 0; i < p->held_count; i++)
        n += p->held[i].ns == p->ns;
    return n;
}

/*
 * MODE.[OFFSET.]MS.TOTAL, then TOTAL identities if they fit. If not, nNS.COUNT: all before that
 * moment of the millisecond, and so many at it; then COUNT identities if these fit.
 */
char *e2b_place_encode(struct arena *a, const struct e2b_place *p)
{
    char *s =
        p->mode == PLACE_OFFSET
            ? arena_fmt(a, "o.%lld.%lld.%zu", (long long)p->offset, (long long)p->ms,
                        p->total)
            : arena_fmt(a, "%c.%lld.%zu", (char)p->mode, (long long)p->ms, p->total);

    if (p->total == p->held_count && p->total <= NAMED_MAX)
        return add_names(a, s, p, true);
    s = arena_fmt(a, "%s.n%d.%zu", s, p->ns, p->ns_total);
    return p->ns_total <= NAMED_MAX && named_at_edge(p) == p->ns_total
               ? add_names(a, s, p, false)
               : s;
}

/* The next dot-separated part of *s as a number. */
static int part_i64(struct arena *a, const char **s, int64_t max, int64_t *out)
{
    size_t n = strcspn(*s, ".");
    const char *part = arena_strn(a, *s, n);

    *s += n + ((*s)[n] == '.');
    return parse_i64(part, 0, max, out);
}

static int part_id(const char **s, uint64_t *out)
{
    const char *digits = "0123456789abcdef";
    uint64_t id = 0;

    for (int i = 0; i < ID_DIGITS; i++) {
        const char *d = (*s)[i] ? strchr(digits, (*s)[i]) : NULL;

        if (!d)
            return -1;
        id = id << 4 | (uint64_t)(d - digits);
    }
    *s += ID_DIGITS;
    if (**s && **s != '.')
        return -1;
    *s += **s == '.';
    *out = id;
    return 0;
}

/* n identities, or nothing. ns: of them, -1 when they may have any. */
static int decode_ids(struct arena *a, const char *s, size_t n, int ns,
                      struct e2b_place *p)
{
    uint64_t id;

    if (!*s)
        return 0;
    if (n > NAMED_MAX)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (part_id(&s, &id))
            return -1;
        hold(a, p, id, ns);
    }
    return *s ? -1 : 0;
}

static int decode_edge(struct arena *a, const char *s, struct e2b_place *p)
{
    int64_t ns, n;

    if (part_i64(a, &s, NS_IN_MS - 1, &ns) || part_i64(a, &s, HELD_MAX, &n) || !n ||
        (size_t)n > p->total || decode_ids(a, s, (size_t)n, (int)ns, p))
        return -1;
    p->ns = p->edge_ns = (int)ns;
    p->ns_total = (size_t)n;
    p->unnamed = p->ns_total - p->held_count;
    return 0;
}

/* Which moment of the millisecond a named line has is known again when it comes. */
static int decode_all(struct arena *a, const char *s, struct e2b_place *p)
{
    if (decode_ids(a, s, p->total, -1, p))
        return -1;
    return p->held_count == p->total ? 0 : -1;
}

int e2b_place_decode(struct arena *a, const char *text_form, struct e2b_place *out)
{
    struct e2b_place p;
    const char *s = text_form;
    size_t len = strlen(s);
    int64_t n;

    if (len < 2 || len > E2B_PLACE_TEXT_MAX || s[len - 1] == '.' || s[1] != '.' ||
        !strchr("cbto", s[0]))
        return -1;
    e2b_place_start(&p, (enum e2b_place_mode)s[0], 0);
    s += 2;
    if (p.mode == PLACE_OFFSET && part_i64(a, &s, INT32_MAX, &p.offset))
        return -1;
    if (part_i64(a, &s, TIME_MAX_MS, &p.ms) || part_i64(a, &s, HELD_MAX, &n))
        return -1;
    p.total = (size_t)n;
    if (*s == 'n' ? decode_edge(a, s + 1, &p) : decode_all(a, s, &p))
        return -1;
    *out = p;
    return 0;
}

bool e2b_logs_position_ok(const char *position)
{
    struct arena a = ARENA_INIT;
    struct e2b_place p;
    bool ok = text_is_empty(position) || !e2b_place_decode(&a, position, &p);

    arena_release(&a);
    return ok;
}
