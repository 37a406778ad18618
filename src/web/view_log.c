/*
 * Log lines for the viewer. Platform lines and the customer's are told apart; what a line says beside its
 * message (exit code, bytes, percent) stands behind it in words. A negative first number counts from the
 * newest line: -1, -2, ...
 */
#include "web/view_sandbox.h"

#include "base/arena.h"
#include "base/human.h"
#include "base/num.h"
#include "base/text.h"
#include "base/ts.h"
#include <inttypes.h>
#include <string.h>

#include "base/banned.h"

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

/* 1, 2, 3 from the beginning, -1, -2, -3 from the end. */
static void put_number(HDF *row, int64_t number)
{
    char text[HUMAN_SIZE];

    human_count(number < 0 ? -number : number, text);
    hput_fmt(row, "Number", "%s%s", number < 0 ? "\u2212" : "", text);
    hput_fmt(row, "Anchor", "line-%" PRId64, number);
}

void view_log_lines(HDF *at, const struct sandbox_view *v, const struct log_line *lines,
                    size_t n, int64_t first_number, const char *search)
{
    struct shown shown = {v->link->rq->arena, lines, n};
    const struct view_link *w = v->link;
    char text[HUMAN_SIZE];

    for (size_t i = 0; i < n; i++) {
        const struct log_line *l = &lines[i];
        HDF *row = hput_row(at, "Lines", (int)i);
        const char *extra = extra_words(&shown, l);

        put_number(row, first_number + (first_number < 0 ? -(int64_t)i : (int64_t)i));
        hput_time(row, "Time", l->at_us, human_clock_ms(l->at_us, text));
        hput_str(row, "Level", log_level_name(l->level));
        hput_str(row, "From", from_words(shown.a, l));
        hput_str(row, "Message", text_is_empty(l->message) ? "(no text)" : l->message);
        hput_str(row, "Extra", extra);
        hput_bool(row, "IsPlatform", log_line_is_platform(l));
        hput_bool(row, "IsInWindow",
                  w->from_us != TS_NONE && l->at_us >= w->from_us &&
                      l->at_us <= w->to_us);
        hput_bool(row, "IsMatch",
                  !text_is_empty(search) && text_icontains(l->message, search));
        hput_bool(row, "IsExtraMatch",
                  !text_is_empty(search) && text_icontains(extra, search));
    }
}
