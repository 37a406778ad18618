/*
 * Log lines for the viewer. Platform lines and the customer's are told apart; what a line says beside its
 * message (exit code, bytes, percent) stands behind it in words. Lines that repeat, and stack traces, are folded.
 */
#include "web/view_log.h"
#include "web/log_fold.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/num.h"
#include "base/text.h"
#include "base/text_parts.h"
#include "base/ts.h"
#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#include "base/banned.h"

#define MAX_REPEATS 50 /* of one line: named one by one */
#define NO_TEXT "(no text)"
#define SHOWN_CAP ((size_t)64 * 1024)
/* Of one line, and of all that are shown at once: more are shown without their marks and their bold. */
#define LINE_PARTS ((size_t)250)
#define ALL_PARTS ((size_t)20000)

static const char *field(const struct log_line *l, const char *name)
{
    return tag_get(l->fields, l->field_count, name, "");
}

static char *percent(struct arena *a, const char *text)
{
    double v;

    return parse_f64(text, &v) ? arena_str(a, text) : arena_fmt(a, "%.1f %%", v);
}

/* Numbers of fields arrive as text, also as 5.24288E+06 (e2b.md 11.4). */
static char *count_words(const struct log_line *l, const char *name, char buf[HUMAN_SIZE])
{
    double v;

    if (parse_f64(field(l, name), &v) || v < 0 || v > 9e15)
        v = 0;
    return human_count((int64_t)v, buf);
}

/* Where all lines are that a word about one of them may rest on. */
struct shown {
    struct arena *a;
    const struct log_line *lines;
    size_t n;
};

/* "512" of "Process with pid 512 ended", in the arena; "" when it is none. */
static const char *pid_of_message(const struct shown *s, const struct log_line *l)
{
    static const char lead[] = "Process with pid ";
    const char *pid = l->message + sizeof lead - 1;

    if (!text_starts(l->message, lead))
        return "";
    return arena_strn(s->a, pid, strspn(pid, "0123456789"));
}

/*
 * Is it certain that the text was not kept? Only where the whole of the process is among these lines: its start,
 * its end, and nothing printed between (agents before 0.5.27 logged it, e2b.md 5.4 b).
 */
static bool is_text_lost(const struct shown *s, const struct log_line *end)
{
    const char *pid = pid_of_message(s, end);
    bool has_start = false;

    for (size_t i = 0; i < s->n; i++) {
        const char *type = field(&s->lines[i], "event_type");

        if (strcmp(field(&s->lines[i], "pid"), pid) != 0)
            continue;
        if (strcmp(type, "stdout") == 0 || strcmp(type, "stderr") == 0)
            return false;
        has_start = has_start || strcmp(type, "process_start") == 0;
    }
    return has_start && !text_is_empty(pid);
}

static bool has_bytes(const struct log_line *l, const char *name)
{
    double v;

    return !parse_f64(field(l, name), &v) && v > 0 && v <= 9e15;
}

static char *output_words(const struct shown *s, const struct log_line *l)
{
    char out[HUMAN_SIZE], err[HUMAN_SIZE];
    bool has_out = has_bytes(l, "stdout_bytes"), has_err = has_bytes(l, "stderr_bytes");

    count_words(l, "stdout_bytes", out);
    count_words(l, "stderr_bytes", err);
    if (!has_out && !has_err)
        return arena_str(s->a, "nothing printed");
    if (!is_text_lost(s, l))
        return arena_fmt(s->a, "%s B out, %s B err", out, err);
    return arena_fmt(s->a, "output was not kept by E2B: %s%s%s%s%s", has_out ? out : "",
                     has_out ? " bytes on stdout" : "", has_out && has_err ? ", " : "",
                     has_err ? err : "", has_err ? " bytes on stderr" : "");
}

static char *end_words(const struct shown *s, const struct log_line *l)
{
    const char *code = !l->has_result ? ""
                       : l->exit_code < 0
                           ? l->status
                           : arena_fmt(s->a, "exit code %" PRId64, l->exit_code);

    return arena_fmt(s->a, "%s%s%s", code, *code ? ", " : "", output_words(s, l));
}

static char *extra_words(const struct shown *s, const struct log_line *l)
{
    struct arena *a = s->a;

    if (!text_is_empty(field(l, "mem_used_percent")))
        return arena_fmt(a, "%s of what the sandbox sees",
                         percent(a, field(l, "mem_used_percent")));
    if (!text_is_empty(field(l, "cpu_used_percent")))
        return percent(a, field(l, "cpu_used_percent"));
    if (!text_is_empty(field(l, "kill_reason")))
        return arena_fmt(a, "reason: %s", field(l, "kill_reason"));
    if (strcmp(field(l, "event_type"), "process_start") == 0)
        return arena_str(a, field(l, "command"));
    if (text_starts(field(l, "event_type"), "process_end"))
        return end_words(s, l);
    if (!text_is_empty(field(l, "data")))
        return arena_str(a, field(l, "data"));
    if (!text_is_empty(field(l, "end_time")))
        return arena_fmt(a, "expected end %s", field(l, "end_time"));
    return arena_str(a, "");
}

static const char *from_words(struct arena *a, const struct log_line *l)
{
    if (log_line_is_platform(l))
        return "platform";
    if (!text_is_empty(field(l, "pid")))
        return arena_str(a, field(l, "pid"));
    if (!text_is_empty(field(l, "logger")))
        return arena_str(a, field(l, "logger"));
    return "sandbox";
}

/* "685 out", "platform", "my-app" */
static const char *writer(struct arena *a, const struct log_line *l)
{
    const char *from = from_words(a, l);

    if (!log_line_printed(l))
        return from;
    return arena_fmt(a, "%s %s", from,
                     strcmp(field(l, "event_type"), "stderr") == 0 ? "err" : "out");
}

/* The main text of a line, without the line break at its end. */
static const char *main_text(struct arena *a, const struct log_line *l)
{
    const char *text = log_line_printed(l) ? log_line_printed(l) : l->message;
    size_t n = strlen(text);

    while (n && text[n - 1] == '\n')
        n--;
    return n ? arena_strn(a, text, n) : NO_TEXT;
}

static char *beside_words(const struct shown *s, const struct log_line *l)
{
    return log_line_printed(l) ? arena_str(s->a, "") : extra_words(s, l);
}

/* ---- rows ------------------------------------------------------------------------------- */

struct rows {
    HDF *at;
    const struct log_show *show;
    struct shown shown;
    struct log_text *texts;
    const uint32_t *marks; /* of each line: what its link names it by */
    int n;
    int64_t platform;
    size_t part_count;
    bool has_at; /* the line that the link was for has its anchor */
};

/* Survives paging, the order and the filters: a line's time and words. */
static uint32_t mark_of(const struct log_line *l)
{
    const char *when = l->at_text ? l->at_text : "";
    const char *text = l->message ? l->message : "";
    uLong crc = crc32(0, (const Bytef *)when, (uInt)strlen(when));

    return (uint32_t)crc32(crc, (const Bytef *)text, (uInt)strlen(text));
}

/* "l1a2b3c4d"; the second, third of equal ones "l1a2b3c4d-2", "l1a2b3c4d-3". */
static char *anchor_of(const struct rows *r, size_t i)
{
    int equal = 1;

    for (size_t k = i; k-- > 0 && r->shown.lines[k].at_us == r->shown.lines[i].at_us;)
        equal += r->marks[k] == r->marks[i];
    return equal > 1 ? arena_fmt(r->shown.a, "l%08x-%d", r->marks[i], equal)
                     : arena_fmt(r->shown.a, "l%08x", r->marks[i]);
}

/* 1, 2, 3 from the beginning, -1, -2, -3 from the end; a sign where the number is not known. */
static void put_number(HDF *row, const struct rows *r, size_t i)
{
    int64_t first = r->show->first_number;
    int64_t number = first < 0 ? first - (int64_t)i : first + (int64_t)i;
    char text[HUMAN_SIZE];

    if (!first) {
        hput_str(row, "Number", "\u00B6");
        return;
    }
    human_count(number < 0 ? -number : number, text);
    hput_fmt(row, "Number", "%s%s", number < 0 ? "\u2212" : "", text);
}

/* What a line of its own and one in a fold have. */
static void put_place(HDF *row, const struct rows *r, size_t i)
{
    const struct log_line *l = &r->shown.lines[i];
    char *anchor = anchor_of(r, i);
    char text[HUMAN_SIZE], iso[TS_ISO_SIZE];

    put_number(row, r, i);
    hput_str(row, "Anchor", anchor);
    hput_time(row, "Time", l->at_us, human_clock_ms(l->at_us, text));
    if (l->at_us != TS_NONE)
        hput_fmt(row, "Href", "%s%s#%s", r->show->link, ts_iso_us(l->at_us, iso), anchor);
}

/* One part of a line from `from` to `to`, of which the search hit a piece, none or all: up to three rows. */
static void put_part(HDF *at, int *n, struct arena *a, const char *text,
                     const struct text_part *p, const size_t edges[4])
{
    for (size_t k = 0; k < 3; k++) {
        size_t from = p->from > edges[k] ? p->from : edges[k];
        size_t end = p->from + p->n;
        size_t to = end < edges[k + 1] ? end : edges[k + 1];
        HDF *row;

        if (from >= to)
            continue;
        row = hput_row(at, "Parts", (*n)++);
        hput_str(row, "Text", arena_strn(a, text + from, to - from));
        hput_bool(row, "IsBold", p->is_bold);
        hput_bool(row, "IsMark", p->is_mark);
        hput_bool(row, "IsHit", k == 1);
    }
}

/* A line with marks or bold in it. False: it has none after all, and *text is what it says. */
static bool put_parts(struct rows *r, HDF *at, size_t i, const char *search,
                      const char **text)
{
    const struct log_line *l = &r->shown.lines[i];
    size_t left = ALL_PARTS - r->part_count;
    struct text_parts t;
    const char *hit;
    size_t from, to;
    int n = 0;

    if (!l->raw)
        return false;
    text_parts(r->shown.a, l->raw, l->raw_n, SHOWN_CAP,
               left < LINE_PARTS ? left + 1 : LINE_PARTS, &t);
    *text = t.count ? t.text : NO_TEXT;
    if (t.count < 2 && (!t.count || (!t.parts->is_bold && !t.parts->is_mark)))
        return false;
    r->part_count += t.count < left ? t.count : left;
    hit = text_is_empty(search) ? NULL : text_ifind(t.text, search);
    from = hit ? (size_t)(hit - t.text) : t.n;
    to = hit ? from + strlen(search) : t.n;
    for (size_t k = 0; k < t.count; k++)
        put_part(at, &n, r->shown.a, t.text, &t.parts[k],
                 (const size_t[]){0, from, to, t.n});
    return true;
}

/* The text of line i as `name`, in parts where it has any; in three where the search hit it. */
static void put_text(struct rows *r, HDF *at, size_t i, const char *name,
                     const char *search)
{
    const char *text = r->texts[i].text, *hit;
    bool is_done;
    size_t n;

    is_done = put_parts(r, at, i, search, &text);
    if (strcmp(text, r->texts[i].text) != 0)
        hput_str(at, "Plain", r->texts[i].text);
    if (is_done)
        return;
    hit = text_is_empty(search) ? NULL : text_ifind(text, search);
    n = hit ? strlen(search) : 0;
    hput_bool(at, "IsMatch", hit != NULL);
    if (!hit) {
        hput_str(at, name, text);
        return;
    }
    hput_str(at, name, arena_strn(r->shown.a, text, (size_t)(hit - text)));
    hput_str(at, "Hit", arena_strn(r->shown.a, hit, n));
    hput_str(at, "Rest", hit + n);
}

static void put_row(struct rows *r, HDF *row, size_t i)
{
    const struct log_line *l = &r->shown.lines[i];
    const struct view_link *w = r->show->view->link;
    const char *extra = r->texts[i].beside;
    bool is_at = r->show->at_us != TS_NONE && l->at_us == r->show->at_us;

    put_place(row, r, i);
    hput_str(row, "Level", log_level_name(l->level));
    hput_str(row, "From", r->texts[i].from);
    hput_str(row, "Extra", extra);
    hput_bool(row, "IsPlatform", log_line_is_platform(l));
    hput_bool(row, "IsInWindow",
              w->from_us != TS_NONE && l->at_us >= w->from_us && l->at_us <= w->to_us);
    hput_bool(row, "IsExtraMatch",
              !text_is_empty(r->show->search) && text_icontains(extra, r->show->search));
    hput_bool(row, "IsAt", is_at);
    if (r->show->at_us != TS_NONE && !r->has_at && l->at_us >= r->show->at_us) {
        hput_bool(row, "IsFirstAt", true);
        r->has_at = true;
    }
}

/* A trace shows nothing but that it is one; its lines are in the fold, the first with them. */
static void put_trace(struct rows *r, HDF *row, size_t i, size_t n)
{
    HDF *fold = hput_node(row, "Fold");

    hput_bool(fold, "IsTrace", true);
    hput_fmt(fold, "Text", "Show a stack trace of %zu lines", n);
    for (size_t k = 0; k < n; k++) {
        HDF *line = hput_row(fold, "Rows", (int)k);

        put_place(line, r, i + k);
        if (k == 0)
            hput_str(line, "Anchor", "");
        put_text(r, line, i + k, "Message", "");
    }
}

static void put_repeats(struct rows *r, HDF *row, size_t i, size_t n)
{
    HDF *fold = hput_node(row, "Fold");

    hput_fmt(fold, "Text", "%zu times", n);
    for (size_t k = 1; k < n && k <= MAX_REPEATS; k++)
        put_place(hput_row(fold, "Rows", (int)k - 1), r, i + k);
    if (n - 1 > MAX_REPEATS)
        hput_i64(fold, "More", (int64_t)(n - 1 - MAX_REPEATS));
}

/* A trace in one text: printed at once. False: it is none. */
static bool put_inner_trace(struct rows *r, HDF *row, size_t i)
{
    size_t n = log_trace_lines(r->texts[i].text);
    HDF *fold;

    if (!n)
        return false;
    fold = hput_node(row, "Fold");
    hput_bool(fold, "IsTrace", true);
    hput_fmt(fold, "Text", "Show a stack trace of %zu lines", n);
    put_text(r, fold, i, "Body", "");
    return true;
}

/* Is the line that was asked for in there? Then it stays open. */
static bool holds_at(const struct rows *r, size_t i, size_t n)
{
    for (size_t k = i; k < i + n; k++)
        if (r->show->at_us != TS_NONE && r->shown.lines[k].at_us == r->show->at_us)
            return true;
    return false;
}

static size_t put_group(struct rows *r, size_t i)
{
    bool may_fold = !r->show->no_fold && text_is_empty(r->show->search);
    enum log_fold kind = LOG_FOLD_NONE;
    size_t n = may_fold ? log_fold(&r->texts[i], r->shown.n - i, &kind) : 1;
    HDF *row = hput_row(r->at, "Lines", r->n++);

    if (holds_at(r, i, n))
        n = 1;
    put_row(r, row, i);
    if (n > 1 && kind == LOG_FOLD_TRACE)
        put_trace(r, row, i, n);
    else if (n > 1 || !may_fold || holds_at(r, i, 1) || !put_inner_trace(r, row, i))
        put_text(r, row, i, "Message", r->show->search);
    if (n > 1 && kind != LOG_FOLD_TRACE)
        put_repeats(r, row, i, n);
    for (size_t k = i; k < i + n; k++)
        r->platform += log_line_is_platform(&r->shown.lines[k]);
    return n;
}

void view_log_lines(HDF *at, const struct log_show *show)
{
    struct arena *a = show->view->link->rq->arena;
    struct rows r = {
        .at = at, .show = show, .shown = {a, show->lines, show->n}
    };
    uint32_t *marks = arena_array(a, show->n + 1, sizeof *marks);

    r.texts = arena_array(a, show->n + 1, sizeof *r.texts);
    r.marks = marks;
    for (size_t i = 0; i < show->n; i++) {
        const struct log_line *l = &show->lines[i];

        marks[i] = mark_of(l);
        r.texts[i] = (struct log_text){writer(a, l), main_text(a, l),
                                       beside_words(&r.shown, l), (int)l->level};
    }
    for (size_t i = 0; i < show->n;)
        i += put_group(&r, i);
    hput_i64(at, "PlatformCount", r.platform);
    hput_i64(at, "ProcessCount", (int64_t)show->n - r.platform);
}

/* ---- as a file ----------------------------------------------------------------------------- */

void view_log_text(struct sbuf *out, const struct log_show *show)
{
    struct arena *a = show->view->link->rq->arena;
    struct shown shown = {a, show->lines, show->n};
    char iso[TS_ISO_SIZE];

    for (size_t i = 0; i < show->n; i++) {
        const struct log_line *l = &show->lines[i];
        const char *beside = beside_words(&shown, l);

        sbuf_addf(out, "%s\t%s\t%s\t%s%s%s\n",
                  l->at_us == TS_NONE ? "" : ts_iso_us(l->at_us, iso),
                  log_level_name(l->level), writer(a, l), main_text(a, l),
                  *beside ? "\t" : "", beside);
    }
}
