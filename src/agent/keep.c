/*
 * A window of the last lines passes over the log. What leaves it goes, by what it was found to be, into
 * one of some stretches: each holds the first and the last of its kind. All memory is in chunks that
 * are freed as they leave.
 */
#include "agent/keep.h"

#include "base/arena.h"
#include "base/digest.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "diag/diag.h"
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define HEAD 300
#define WINDOW 1000
#define CHUNK_BYTES ((size_t)96 << 10)
#define BEFORE_MAX 8
#define SHAPE_BYTES 160
#define SHAPES 2048
#define SHAPES_FULL (SHAPES / 4 * 3)
#define SHAPE_OFTEN 10 /* so many of one shape, and it is no longer rare */

/* What a line is kept as; of two reasons the later one counts. */
enum kind {
    K_NOTHING, /* kept only while it is among the first or last */
    K_COMMON,
    K_RARE,
    K_CALL,  /* calls of files */
    K_USAGE, /* the platform's warnings, one every 5 s */
    K_PLATFORM,
    K_PROCESS,
    K_HEAD,
    K_COUNT
};

static const struct room { /* lines, and bytes of each of the two parts */
    size_t first, last, bytes;
} rooms[K_COUNT] = {
    [K_NOTHING] = {0,    0,   0                },
    [K_COMMON] = {0,    400, (size_t)256 << 10},
    [K_RARE] = {800,  600, (size_t)512 << 10},
    [K_CALL] = {0,    100, (size_t)64 << 10 },
    [K_USAGE] = {40,   160, (size_t)128 << 10},
    [K_PLATFORM] = {200,  300, (size_t)256 << 10},
    [K_PROCESS] = {300,  700, (size_t)512 << 10},
    [K_HEAD] = {HEAD, 0,   (size_t)512 << 10},
};
#define WINDOW_BYTES ((size_t)1 << 20)

/* How far around a line that tells something lines are kept. */
static const struct reach {
    size_t before, after, indented; /* indented: more lines of a trace */
} reaches[] = {
    [K_COMMON] = {2,          4,  10},
    [K_RARE] = {BEFORE_MAX, 20, 60},
};
#define PROCESS_END_BEFORE 6 /* the last words of a program */

struct item {
    uint64_t number;
    enum kind kind;
    bool is_output;
    struct log_line log;
    struct output_line output;
};

struct chunk {
    struct arena arena;
    struct item *items;
    size_t count, cap;
    struct chunk *next;
};

struct queue {
    struct chunk *oldest, *newest;
    size_t count, bytes;
};

struct stretch {
    struct queue first, last;
};

struct shape {
    uint64_t hash; /* 0: none */
    uint32_t count;
};

struct keep {
    struct queue window;
    struct stretch stretches[K_COUNT];
    uint64_t number;
    size_t left_out;
    struct item *recent[BEFORE_MAX]; /* the newest in the window, in turn */
    enum kind around;                /* of the lines that follow */
    size_t after, indented;          /* so many of them */
    struct shape shapes[SHAPES];
    size_t shape_count;
};

struct keep *keep_new(void)
{
    return xcalloc(1, sizeof(struct keep));
}

/* -- queues -------------------------------------------------------------------------------- */

static void drop_oldest(struct queue *q)
{
    struct chunk *c = q->oldest;

    q->oldest = c->next;
    if (!q->oldest)
        q->newest = NULL;
    q->count -= c->count;
    q->bytes -= c->arena.used;
    arena_release(&c->arena);
    free(c);
}

static void queue_free(struct queue *q)
{
    while (q->oldest)
        drop_oldest(q);
}

static struct chunk *open_chunk(struct queue *q, size_t items)
{
    struct chunk *c = q->newest;

    if (c && c->count < c->cap && c->arena.used < CHUNK_BYTES)
        return c;
    c = xcalloc(1, sizeof *c);
    arena_init(&c->arena);
    c->cap = items;
    c->items = arena_array(&c->arena, items, sizeof *c->items);
    q->bytes += c->arena.used;
    if (q->newest)
        q->newest->next = c;
    else
        q->oldest = c;
    q->newest = c;
    return c;
}

/* Those that only say where a line comes from: the same in every line. */
static bool is_origin(const char *key)
{
    static const char *const keys[] = {"timestamp",   "instanceID", "sandboxID",
                                       "teamID",      "envID",      "buildID",
                                       "source_type", "category",   "internal"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

static const char *kept_text(struct arena *a, const char *s)
{
    size_t n = s ? strlen(s) : 0;

    return n > KEEP_TEXT_BYTES ? text_clean(a, s, n, KEEP_TEXT_BYTES)
                               : arena_strn(a, s ? s : "", n);
}

static struct log_line kept_log(struct arena *a, const struct log_line *l)
{
    struct log_line out = *l;
    struct tag *fields = arena_array(a, l->field_count + 1, sizeof *fields);

    out.field_count = 0;
    for (size_t i = 0; i < l->field_count; i++)
        if (!is_origin(l->fields[i].key))
            fields[out.field_count++] = (struct tag){kept_text(a, l->fields[i].key),
                                                     kept_text(a, l->fields[i].value)};
    out.fields = fields;
    out.at_text = arena_str(a, l->at_text ? l->at_text : "");
    out.message = kept_text(a, l->message);
    out.status = kept_text(a, l->status);
    return out;
}

static struct item *push(struct queue *q, const struct item *item, size_t chunk_items)
{
    struct chunk *c = open_chunk(q, chunk_items);
    size_t used = c->arena.used;
    struct item *copy = &c->items[c->count++];

    *copy = *item;
    if (item->is_output)
        copy->output.text = kept_text(&c->arena, item->output.text);
    else
        copy->log = kept_log(&c->arena, &item->log);
    q->count++;
    q->bytes += c->arena.used - used;
    return copy;
}

static size_t chunk_items(size_t lines)
{
    return lines / 8 < 8 ? 8 : lines / 8 > 125 ? 125 : lines / 8;
}

/* -- leaving the window ---------------------------------------------------------------------- */

static void move_to_stretch(struct keep *k, const struct item *item)
{
    const struct room *room = &rooms[item->kind];
    struct stretch *s = &k->stretches[item->kind];
    struct queue *last = &s->last;

    if (s->first.count < room->first && s->first.bytes < room->bytes && !last->count) {
        push(&s->first, item, chunk_items(room->first));
        return;
    }
    if (!room->last) {
        k->left_out++;
        return;
    }
    push(last, item, chunk_items(room->last));
    while (
        last->oldest != last->newest &&
        (last->count - last->oldest->count >= room->last || last->bytes > room->bytes)) {
        k->left_out += last->oldest->count;
        drop_oldest(last);
    }
}

static void leave_window(struct keep *k)
{
    struct chunk *c = k->window.oldest;

    for (size_t i = 0; i < c->count; i++) {
        struct item *item = &c->items[i];
        const struct stretch *head = &k->stretches[K_HEAD];

        if (item->number < HEAD && head->first.bytes < rooms[K_HEAD].bytes)
            item->kind = K_HEAD;
        move_to_stretch(k, item);
    }
    drop_oldest(&k->window);
}

/* -- what a line is ---------------------------------------------------------------------------- */

static const char *field(const struct log_line *l, const char *name)
{
    return tag_get(l->fields, l->field_count, name, "");
}

/* A text without its numbers: "took 12 ms" and "took 7 ms" are one shape. */
static uint64_t shape_of(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < SHAPE_BYTES && text[i]; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c < '0' || c > '9')
            h = (h ^ c) * UINT64_C(0x100000001b3);
    }
    return h ? h : 1;
}

/* Rare until it has come often, or until there is no telling any more what has. */
static enum kind rare_or_common(struct keep *k, const char *text)
{
    uint64_t hash = shape_of(text);
    size_t i = hash % SHAPES;

    while (k->shapes[i].hash && k->shapes[i].hash != hash)
        i = (i + 1) % SHAPES;
    if (!k->shapes[i].hash) {
        if (k->shape_count >= SHAPES_FULL)
            return K_COMMON;
        k->shape_count++;
        k->shapes[i].hash = hash;
    }
    return ++k->shapes[i].count <= SHAPE_OFTEN ? K_RARE : K_COMMON;
}

static bool is_process_end(const struct log_line *l)
{
    return text_starts(field(l, "event_type"), "process_end");
}

static bool is_failed_call(const struct log_line *l)
{
    return !text_is_empty(field(l, "error")) || !text_is_empty(field(l, "error_code")) ||
           text_icontains(field(l, "method"), "signal") ||
           text_icontains(l->message, "signal");
}

static enum kind log_kind(struct keep *k, const struct log_line *l)
{
    if (text_starts(field(l, "event_type"), "process_") ||
        text_starts(l->message, "Process with pid "))
        return K_PROCESS;
    if (log_line_is_platform(l))
        return strstr(l->message, "usage threshold exceeded") ? K_USAGE : K_PLATFORM;
    if (is_failed_call(l) || l->level == LOG_LEVEL_WARN || l->level == LOG_LEVEL_ERROR ||
        diag_line_tells(l->message))
        return rare_or_common(k, l->message);
    return text_starts(l->message, "File ") ? K_CALL : K_NOTHING;
}

static enum kind output_kind(struct keep *k, const struct output_line *l)
{
    if (diag_line_tells(l->text))
        return rare_or_common(k, l->text);
    return l->is_stderr && !text_is_empty(l->text) ? K_COMMON : K_NOTHING;
}

/* -- coming in ------------------------------------------------------------------------------- */

static void mark(struct item *item, enum kind kind)
{
    if (item && (item->kind == K_NOTHING || (item->kind == K_COMMON && kind == K_RARE)))
        item->kind = kind;
}

/* The lines before one that tells. */
static void mark_before(struct keep *k, size_t n, enum kind kind)
{
    for (size_t i = 1; i <= n && i <= BEFORE_MAX && i <= k->number; i++)
        mark(k->recent[(k->number - i) % BEFORE_MAX], kind);
}

/* The lines behind one that tells; those of a stack trace are set in. */
static void mark_after(struct keep *k, struct item *item, const char *text)
{
    if (k->after) {
        k->after--;
    } else if (k->indented && (*text == ' ' || *text == '\t')) {
        k->indented--;
    } else {
        k->indented = 0;
        return;
    }
    mark(item, k->around);
}

static void begin_after(struct keep *k, enum kind kind)
{
    if (kind < k->around && k->after) /* a rare one's neighbourhood stays its own */
        return;
    k->around = kind;
    k->after = reaches[kind].after;
    k->indented = reaches[kind].indented;
}

static void take(struct keep *k, struct item *item, const char *text)
{
    bool tells = item->kind == K_COMMON || item->kind == K_RARE;

    if (tells)
        mark_before(k, reaches[item->kind].before, item->kind);
    else if (item->kind == K_PROCESS && is_process_end(&item->log))
        mark_before(k, PROCESS_END_BEFORE, K_COMMON);
    if (tells)
        begin_after(k, item->kind);
    else
        mark_after(k, item, text);
    item->number = k->number;
    k->recent[k->number++ % BEFORE_MAX] = push(&k->window, item, chunk_items(WINDOW));
    while (k->window.count - k->window.oldest->count >= WINDOW ||
           (k->window.bytes > WINDOW_BYTES &&
            k->window.count - k->window.oldest->count >= BEFORE_MAX))
        leave_window(k);
}

void keep_log(struct keep *k, const struct log_line *l)
{
    struct item item = {.kind = log_kind(k, l), .log = *l};

    take(k, &item, l->message);
}

void keep_output(struct keep *k, const struct output_line *l)
{
    struct item item = {.kind = output_kind(k, l), .is_output = true, .output = *l};

    take(k, &item, l->text);
}

/* -- the end --------------------------------------------------------------------------------- */

static void list_queue(const struct queue *q, const struct item **list, size_t *n)
{
    for (const struct chunk *c = q->oldest; c; c = c->next)
        for (size_t i = 0; i < c->count; i++)
            list[(*n)++] = &c->items[i];
}

static int by_number(const void *a, const void *b)
{
    const struct item *const *x = a, *const *y = b;

    return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

/* A line that ended late began earlier: output goes by its beginning, as it did in the log. */
static int by_time(const void *a, const void *b)
{
    const struct item *const *x = a, *const *y = b;

    if ((*x)->output.at_us != (*y)->output.at_us)
        return (*x)->output.at_us < (*y)->output.at_us ? -1 : 1;
    return by_number(a, b);
}

static const struct item **list_all(const struct keep *k, size_t *n)
{
    size_t max = k->window.count + 1;
    const struct item **list;

    for (size_t i = 0; i < K_COUNT; i++)
        max += k->stretches[i].first.count + k->stretches[i].last.count;
    list = xcalloc(max, sizeof(const struct item *));
    *n = 0;
    list_queue(&k->window, list, n);
    for (size_t i = 0; i < K_COUNT; i++) {
        list_queue(&k->stretches[i].first, list, n);
        list_queue(&k->stretches[i].last, list, n);
    }
    qsort(list, *n, sizeof *list, by_number);
    return list;
}

static void put_logs(struct arena *a, const struct item **list, size_t n,
                     struct evidence *ev)
{
    struct log_line *logs = arena_array(a, n + 1, sizeof *logs);

    ev->log_count = 0;
    for (size_t i = 0; i < n; i++)
        if (!list[i]->is_output)
            logs[ev->log_count++] = log_line_copy(a, &list[i]->log);
    ev->logs = logs;
}

static void put_output(struct arena *a, const struct item **list, size_t n,
                       struct evidence *ev)
{
    struct output_line *output = arena_array(a, ev->output_count + n + 1, sizeof *output);
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (list[i]->is_output)
            list[count++] = list[i];
    if (count == 0)
        return;
    qsort(list, count, sizeof *list, by_time);
    if (ev->output_count)
        memcpy(output, ev->output, ev->output_count * sizeof *output);
    for (size_t i = 0; i < count; i++) {
        struct output_line *l = &output[ev->output_count++];

        *l = list[i]->output;
        l->text = arena_str(a, l->text);
    }
    ev->output = output;
}

size_t keep_finish(struct keep *k, struct arena *a, struct evidence *ev)
{
    size_t n;
    const struct item **list = list_all(k, &n);

    put_logs(a, list, n, ev);
    put_output(a, list, n, ev);
    free(list);
    return k->left_out;
}

void keep_free(struct keep *k)
{
    if (!k)
        return;
    queue_free(&k->window);
    for (size_t i = 0; i < K_COUNT; i++) {
        queue_free(&k->stretches[i].first);
        queue_free(&k->stretches[i].last);
    }
    free(k);
}
