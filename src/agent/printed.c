/*
 * A piece ends anywhere in a line: the rest comes with the next piece of the same process and stream.
 */
#include "agent/printed.h"

#include "base/arena.h"
#include "base/text.h"
#include <string.h>

#include "base/banned.h"

#define MAX_OPEN 64 /* lines that wait for their end, of so many processes */
#define LINE_MAX_BYTES ((size_t)16 << 10)

struct open_line {
    const char *pid;
    bool is_stderr, is_used;
    size_t index; /* in lines */
};

struct printer {
    struct arena *arena;
    struct output_line *lines;
    size_t count, cap;
    struct open_line open[MAX_OPEN];
    size_t next; /* of open, to be used again */
};

static const char *field(const struct log_line *l, const char *name)
{
    return tag_get(l->fields, l->field_count, name, "");
}

static bool is_printed(const struct log_line *l)
{
    const char *type = field(l, "event_type");

    return strcmp(type, "stdout") == 0 || strcmp(type, "stderr") == 0;
}

static struct open_line *find_open(struct printer *p, const char *pid, bool is_stderr)
{
    for (size_t i = 0; i < MAX_OPEN; i++)
        if (p->open[i].is_used && p->open[i].is_stderr == is_stderr &&
            strcmp(p->open[i].pid, pid) == 0)
            return &p->open[i];
    return NULL;
}

static void begin_line(struct printer *p, int64_t at_us, const char *pid, bool is_stderr,
                       const char *text)
{
    struct open_line *o = &p->open[p->next++ % MAX_OPEN];

    if (p->count >= EVIDENCE_MAX_OUTPUT)
        return;
    p->lines = arena_grow(p->arena, p->lines, p->count, &p->cap, sizeof *p->lines);
    p->lines[p->count] =
        (struct output_line){.at_us = at_us, .is_stderr = is_stderr, .text = text};
    *o = (struct open_line){pid, is_stderr, true, p->count++};
}

/* One piece without newline. */
static void add_piece(struct printer *p, const struct log_line *l, bool is_stderr,
                      const char *text)
{
    const char *pid = field(l, "pid");
    struct open_line *o = find_open(p, pid, is_stderr);
    struct output_line *line;

    if (!o) {
        begin_line(p, l->at_us, pid, is_stderr, text);
        return;
    }
    line = &p->lines[o->index];
    if (strlen(line->text) + strlen(text) <= LINE_MAX_BYTES)
        line->text = arena_fmt(p->arena, "%s%s", line->text, text);
}

static void end_line(struct printer *p, const struct log_line *l, bool is_stderr)
{
    struct open_line *o = find_open(p, field(l, "pid"), is_stderr);

    if (o)
        o->is_used = false;
}

static void take(struct printer *p, const struct log_line *l)
{
    bool is_stderr = strcmp(field(l, "event_type"), "stderr") == 0;
    const char *s = field(l, "data");

    while (*s) {
        size_t n = strcspn(s, "\n");

        if (n > 0 || s[n] == '\n')
            add_piece(p, l, is_stderr, arena_strn(p->arena, s, n));
        if (s[n] == '\n')
            end_line(p, l, is_stderr);
        s += n + (s[n] == '\n');
    }
}

void printed_take(struct arena *a, struct evidence *ev)
{
    struct printer *p = arena_alloc(a, sizeof *p);
    struct log_line *others = arena_array(a, ev->log_count + 1, sizeof *others);
    size_t n = 0;

    p->arena = a;
    for (size_t i = 0; i < ev->output_count; i++) {
        p->lines = arena_grow(a, p->lines, p->count, &p->cap, sizeof *p->lines);
        p->lines[p->count++] = ev->output[i];
    }
    for (size_t i = 0; i < ev->log_count; i++) {
        if (is_printed(&ev->logs[i]))
            take(p, &ev->logs[i]);
        else
            others[n++] = ev->logs[i];
    }
    if (n == ev->log_count)
        return;
    ev->logs = others;
    ev->log_count = n;
    ev->output = p->lines;
    ev->output_count = p->count;
    ev->output_src = ev->logs_src;
}
