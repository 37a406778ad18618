/*
 * A piece ends anywhere in a line: the rest comes with the next piece of the same process and stream.
 */
#include "agent/printed.h"

#include "base/num.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/xalloc.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define MAX_OPEN 64 /* lines that wait for their end, of so many processes */
#define PID_SIZE 24

struct open_line {
    char pid[PID_SIZE]; /* "": not in use */
    bool is_stderr;
    int64_t at_us;
    uint64_t number; /* the order of their beginnings */
    struct sbuf text;
};

struct printed {
    void (*line)(void *ctx, const struct output_line *l);
    void *ctx;
    struct open_line open[MAX_OPEN];
    uint64_t number;
};

struct printed *printed_new(void (*line)(void *ctx, const struct output_line *l),
                            void *ctx)
{
    struct printed *p = xcalloc(1, sizeof *p);

    p->line = line;
    p->ctx = ctx;
    for (size_t i = 0; i < MAX_OPEN; i++)
        sbuf_init(&p->open[i].text, PRINTED_LINE_BYTES);
    return p;
}

static const char *field(const struct log_line *l, const char *name)
{
    return tag_get(l->fields, l->field_count, name, "");
}

static void give_out(struct printed *p, struct open_line *o)
{
    struct output_line l = {
        .at_us = o->at_us, .is_stderr = o->is_stderr, .text = o->text.s};

    o->pid[0] = '\0';
    p->line(p->ctx, &l);
    sbuf_reset(&o->text);
}

/* The place of the one that began first, when all are taken. */
static struct open_line *free_place(struct printed *p)
{
    struct open_line *o = &p->open[0];

    for (size_t i = 0; i < MAX_OPEN; i++) {
        if (!p->open[i].pid[0])
            return &p->open[i];
        if (p->open[i].number < o->number)
            o = &p->open[i];
    }
    give_out(p, o);
    return o;
}

static struct open_line *open_line(struct printed *p, const char *pid, bool is_stderr,
                                   int64_t at_us)
{
    struct open_line *o;

    for (size_t i = 0; i < MAX_OPEN; i++)
        if (p->open[i].is_stderr == is_stderr && strcmp(p->open[i].pid, pid) == 0)
            return &p->open[i];
    o = free_place(p);
    memcpy(o->pid, pid, strlen(pid) + 1);
    o->is_stderr = is_stderr;
    o->at_us = at_us;
    o->number = p->number++;
    return o;
}

/* What does not fit is left out; the line stays open until its end. */
static void add(struct open_line *o, const char *s, size_t n)
{
    size_t room = PRINTED_LINE_BYTES - o->text.len;

    sbuf_add(&o->text, s, n < room ? n : room);
}

static void take_pieces(struct printed *p, const struct log_line *l, const char *pid,
                        bool is_stderr)
{
    const char *s = field(l, "data");

    while (*s) {
        size_t n = strcspn(s, "\n");
        struct open_line *o = open_line(p, pid, is_stderr, l->at_us);

        add(o, s, n);
        s += n;
        if (*s == '\n') {
            give_out(p, o);
            s++;
        }
    }
}

/* A pid as text that fits; a line without one has a place of its own. */
static const char *pid_of(const struct log_line *l, char buf[PID_SIZE])
{
    const char *pid = field(l, "pid");
    size_t n = strlen(pid);

    if (n == 0 || n >= PID_SIZE)
        pid = "?";
    memcpy(buf, pid, strlen(pid) + 1);
    return buf;
}

/* "Process with pid 512 ended": its unfinished lines were its last words. */
static void take_end(struct printed *p, const struct log_line *l)
{
    static const char lead[] = "Process with pid ";
    const char *pid = l->message + sizeof lead - 1;
    size_t n;

    if (!text_starts(l->message, lead))
        return;
    n = strspn(pid, "0123456789");
    for (size_t i = 0; n && i < MAX_OPEN; i++)
        if (strlen(p->open[i].pid) == n && memcmp(p->open[i].pid, pid, n) == 0)
            give_out(p, &p->open[i]);
}

bool printed_take(struct printed *p, const struct log_line *l)
{
    const char *type = field(l, "event_type");
    bool is_stderr = strcmp(type, "stderr") == 0;
    char pid[PID_SIZE];

    if (text_starts(type, "process_end"))
        take_end(p, l);
    if (!is_stderr && strcmp(type, "stdout") != 0)
        return false;
    take_pieces(p, l, pid_of(l, pid), is_stderr);
    return true;
}

void printed_end(struct printed *p)
{
    for (;;) {
        struct open_line *first = NULL;

        for (size_t i = 0; i < MAX_OPEN; i++)
            if (p->open[i].pid[0] && (!first || p->open[i].number < first->number))
                first = &p->open[i];
        if (!first)
            break;
        give_out(p, first);
    }
    for (size_t i = 0; i < MAX_OPEN; i++)
        sbuf_release(&p->open[i].text);
    free(p);
}
