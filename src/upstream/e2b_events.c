/*
 * Lifecycle events (e2b.md 6): of one sandbox, oldest first to the end; of the whole team, newest first
 * until what is known already. Either way the result is oldest first and unique by id. Pages
 * are by offset: what shifts between two pages shows as repeats, which are dropped.
 */
#include <string.h>

#include "base/arena.h"
#include "base/ts.h"
#include "upstream/e2b_private.h"

#include "base/banned.h"

#define EVENTS_PAGE 100
#define EVENTS_PAGES_MAX 50

static bool events_send(struct e2b_events *op)
{
    bool is_team = !op->sandbox_id;

    return e2b_send(
        &op->call, op->e2b, op->arena,
        arena_fmt(op->arena, "/events/sandboxes%s%s?offset=%lld&limit=%d&orderAsc=%s",
                  is_team ? "" : "/", is_team ? "" : op->sandbox_id,
                  (long long)op->offset, EVENTS_PAGE, is_team ? "false" : "true"));
}

static bool events_end(struct e2b_events *op)
{
    op->count = events_sort_unique(op->events, op->count);
    return false;
}

/*
 * A 404 means "no events here" on an installation without the route; whether an unknown id gives one
 * too is not known (e2b.md 1.1, 6.2). So it is about the sandbox only where the route has
 * answered before.
 */
static enum source_state events_state(struct e2b_events *op)
{
    enum source_state state = e2b_state_of(&op->call);

    if (state == SOURCE_FAILED)
        return state;
    if (op->e2b->has_events == 1)
        return op->sandbox_id ? SOURCE_NOT_THERE : SOURCE_FAILED;
    if (state == SOURCE_UNSUPPORTED)
        op->e2b->has_events = -1;
    return SOURCE_UNSUPPORTED;
}

/* Keep a page. true when it reached what the caller wants no more of. */
static bool events_keep(struct e2b_events *op, const struct event *rows, size_t n)
{
    bool is_reached = false;

    for (size_t i = 0; i < n; i++) {
        bool is_old = op->until_us != TS_NONE && rows[i].at_us < op->until_us;

        if (is_old || (op->known && op->known(rows[i].id, op->known_ctx))) {
            is_reached = true;
            continue;
        }
        op->events =
            arena_grow(op->arena, op->events, op->count, &op->cap, sizeof(*op->events));
        op->events[op->count++] = rows[i];
    }
    return is_reached;
}

static bool events_next(struct http_call *call)
{
    struct e2b_events *op = (struct e2b_events *)call;
    struct err err = ERR_INIT;
    struct e2b_page page;
    struct event *rows = NULL;
    size_t n = 0;
    json_t *doc;
    int rc;

    doc = e2b_answer(call, op->e2b, op->arena, &err);
    rc = doc ? e2b_parse_events(op->arena, doc, &page, &rows, &n, &err) : -1;
    json_decref(doc);
    if (rc) {
        e2b_source_fail(&op->src, call, op->pages > 0, events_state(op), &err);
        return events_end(op);
    }
    op->e2b->has_events = 1;
    op->pages++;
    op->offset += (int64_t)page.rows;
    e2b_source_page(&op->src, call, &page);
    if (events_keep(op, rows, n) || page.rows < EVENTS_PAGE)
        return events_end(op);
    if (op->pages >= EVENTS_PAGES_MAX) {
        op->src.is_cut = true;
        return events_end(op);
    }
    return events_send(op);
}

void e2b_events_init(struct e2b_events *op, struct e2b *e, struct arena *a,
                     const char *sandbox_id)
{
    *op = (struct e2b_events){
        .e2b = e, .arena = a, .sandbox_id = sandbox_id, .until_us = TS_NONE};
    http_call_init(&op->call, NULL);
    if (!e2b_id_ok(&op->src, sandbox_id))
        return;
    op->call.next = events_next;
    events_send(op);
}

void e2b_team_events_init(struct e2b_events *op, struct e2b *e, struct arena *a,
                          int64_t until_us, bool (*known)(const char *, void *),
                          void *ctx)
{
    *op = (struct e2b_events){
        .e2b = e, .arena = a, .until_us = until_us, .known = known, .known_ctx = ctx};
    http_call_init(&op->call, events_next);
    events_send(op);
}

void e2b_events_release(struct e2b_events *op)
{
    http_call_release(&op->call);
}
