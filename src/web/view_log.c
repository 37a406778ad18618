/*
 * Log lines for the viewer. Platform lines and the customer's are told apart; what a line says beside its
 * message (exit code, bytes, percent) stands behind it in words.
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

static char *extra_words(struct arena *a, const struct log_line *l)
{
    char out[HUMAN_SIZE], err[HUMAN_SIZE];

    if (!text_is_empty(field(l, "mem_used_percent")))
        return arena_fmt(a, "%s of what the sandbox sees",
                         percent(a, field(l, "mem_used_percent")));
    if (!text_is_empty(field(l, "cpu_used_percent")))
        return percent(a, field(l, "cpu_used_percent"));
    if (!text_is_empty(field(l, "kill_reason")))
        return arena_fmt(a, "reason: %s", field(l, "kill_reason"));
    if (strcmp(field(l, "event_type"), "process_start") == 0)
        return arena_str(a, field(l, "command"));
    if (text_starts(field(l, "event_type"), "process_end")) {
        const char *code = !l->has_result ? ""
                           : l->exit_code < 0
                               ? l->status
                               : arena_fmt(a, "exit code %" PRId64, l->exit_code);

        return arena_fmt(a, "%s%s%s B out, %s B err", code, *code ? ", " : "",
                         count_words(l, "stdout_bytes", out),
                         count_words(l, "stderr_bytes", err));
    }
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

void view_log_lines(HDF *at, const struct sandbox_view *v, const struct log_line *lines,
                    size_t n, int64_t first_number, const char *search)
{
    struct arena *a = v->link->rq->arena;
    const struct view_link *w = v->link;
    char text[HUMAN_SIZE];

    for (size_t i = 0; i < n; i++) {
        const struct log_line *l = &lines[i];
        HDF *row = hput_row(at, "Lines", (int)i);

        hput_str(row, "Number", human_count(first_number + (int64_t)i, text));
        hput_fmt(row, "Anchor", "line-%" PRId64, first_number + (int64_t)i);
        hput_time(row, "Time", l->at_us, human_clock_ms(l->at_us, text));
        hput_str(row, "Level", log_level_name(l->level));
        hput_str(row, "From", from_words(a, l));
        hput_str(row, "Message", text_is_empty(l->message) ? "(no text)" : l->message);
        hput_str(row, "Extra", extra_words(a, l));
        hput_bool(row, "IsPlatform", log_line_is_platform(l));
        hput_bool(row, "IsInWindow",
                  w->from_us != TS_NONE && l->at_us >= w->from_us &&
                      l->at_us <= w->to_us);
        hput_bool(row, "IsMatch",
                  !text_is_empty(search) && text_icontains(l->message, search));
    }
}
