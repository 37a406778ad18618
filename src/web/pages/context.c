/*
 * The ticket's context. The window travels in the query of every link, so that a link can be passed on and
 * shows the same to a colleague.
 */
#include "web/pages/context.h"

#include "base/text.h"
#include "base/ts.h"
#include "store/st_finding.h"
#include "store/st_ticket.h"
#include "sys/log.h"
#include <string.h>

#include "base/banned.h"


/* "2026-11-24 13:55" and "2026-11-24T13:55" get the seconds and zone that RFC 3339 wants. */
int context_time(struct arena *a, const char *text, int64_t *us)
{
    char *t = text_trim(a, text);
    size_t n = strlen(t);

    if (ts_parse(t, us) == 0)
        return 0;
    if (n == 16 && ts_parse(arena_fmt(a, "%s:00Z", t), us) == 0)
        return 0;
    return n == 19 ? ts_parse(arena_fmt(a, "%sZ", t), us) : -1;
}

static void read_window(struct context *c)
{
    struct arena *a = c->rq->arena;
    int64_t from = TS_NONE, to = TS_NONE;

    c->from_text = req_query(c->rq, "from");
    c->to_text = req_query(c->rq, "to");
    if (text_is_empty(c->from_text) && text_is_empty(c->to_text))
        return;
    if (context_time(a, c->from_text, &from) || context_time(a, c->to_text, &to))
        c->window_error = "Write a time like 2026-11-24 13:55.";
    else if (to < from)
        c->window_error = "The end is before the start.";
    if (c->window_error)
        return;
    c->link.from_us = from;
    c->link.to_us = to;
}

int context_init(struct context *c, struct req *rq, bool has_ticket, struct err *err)
{
    memset(c, 0, sizeof *c);
    c->rq = rq;
    c->link = (struct view_link){.rq = rq, .from_us = TS_NONE, .to_us = TS_NONE};
    if (has_ticket && req_param_id(rq, "id", &c->link.ticket_id, err))
        return -1;
    read_window(c);
    return 0;
}

size_t context_calls(struct context *c, struct http_call **calls, size_t n)
{
    if (c->link.ticket_id == 0)
        return n;
    zendesk_ticket_init(&c->ticket, &c->rq->app->zendesk, c->rq->arena,
                        c->link.ticket_id);
    c->is_reading = true;
    calls[n] = &c->ticket.call;
    return n + 1;
}

const struct ticket *context_ticket(const struct context *c)
{
    return c->is_reading && c->ticket.src.state == SOURCE_OK ? &c->ticket.ticket : NULL;
}

void context_remember(struct context *c)
{
    const struct ticket *t = context_ticket(c);
    struct err err = ERR_INIT;

    if (t && c->rq->has_db &&
        ticket_seen(c->rq->app->db, t, c->rq->user, c->rq->now_us, &err))
        log_err(LOG_WARN, "the ticket was not remembered", &err);
}

static int64_t count_investigated(struct context *c)
{
    struct inv_filter f = {.cls = -1, .ticket_id = c->link.ticket_id};
    int64_t by_class[CLASS_COUNT] = {0}, n = 0;
    struct err err = ERR_INIT;

    if (!c->rq->has_db || inv_count_by_class(c->rq->app->db, &f, by_class, &err))
        return 0;
    for (int i = 0; i < CLASS_COUNT; i++)
        n += by_class[i];
    return n;
}

void context_strip(struct context *c, HDF *root, const char *tab)
{
    const struct ticket *t = context_ticket(c);
    struct recent_ticket known;
    struct err err = ERR_INIT;
    bool has_known;

    if (c->link.ticket_id == 0)
        return;
    has_known =
        !t && c->rq->has_db &&
        ticket_known(c->rq->app->db, c->rq->arena, c->link.ticket_id, &known, &err) == 0;
    view_strip(root, &c->link, t, has_known ? &known : NULL, &c->ticket.src, tab,
               count_investigated(c));
}

void context_release(struct context *c)
{
    if (c->is_reading)
        zendesk_ticket_release(&c->ticket);
    c->is_reading = false;
}
