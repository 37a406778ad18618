/* The commands of upstream_probe that go to Zendesk. */
#include "probe.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/ts.h"
#include "upstream/zendesk_write.h"

#include "base/banned.h"

static json_t *person(const struct person *who)
{
    return json_pack("{s:I, s:o, s:o, s:b, s:b}", "id", (json_int_t)who->id, "name",
                     probe_text(who->name), "email", probe_text(who->email), "deleted",
                     who->is_deleted, "suspended", who->is_suspended);
}

static json_t *ticket(const struct ticket *t)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:I}", "id", (json_int_t)t->id,
                     "subject", probe_text(t->subject), "status", probe_text(t->status),
                     "stamp", probe_text(t->updated_stamp), "requester",
                     person(&t->requester), "organization", probe_text(t->organization),
                     "domain", probe_text(t->organization_domain), "comment_count",
                     (json_int_t)t->comment_count);
}

static json_t *comments(const struct zendesk_comments *op)
{
    json_t *list = json_array();

    for (size_t i = 0; i < op->count; i++) {
        const struct comment *c = &op->comments[i];

        json_array_append_new(
            list, json_pack("{s:I, s:b, s:o, s:o, s:o}", "id", (json_int_t)c->id,
                            "public", c->is_public, "body", probe_text(c->body), "author",
                            person(&c->author), "marker", probe_text(c->note_marker)));
    }
    return json_pack("{s:o, s:o, s:i}", "src", probe_source(&op->src), "comments", list,
                     "pages", op->pages);
}

static json_t *search_result(const struct zendesk_search *op)
{
    json_t *list = json_array();

    for (size_t i = 0; i < op->count; i++)
        json_array_append_new(list, ticket(&op->tickets[i]));
    return json_pack("{s:o, s:o, s:o, s:I, s:b}", "src", probe_source(&op->src), "query",
                     probe_text(op->query), "tickets", list, "total",
                     (json_int_t)op->total, "by_email", op->is_by_email);
}

static json_t *run_login(struct probe *p, const char *const *argv)
{
    struct err err = ERR_INIT;

    (void)argv;
    return probe_result(zendesk_login(&p->zendesk, probe_deadline(p), &err), &err);
}

static json_t *run_agent_link(struct probe *p, const char *const *argv)
{
    return probe_text(zendesk_agent_link(p->conf, p->arena, probe_i64(argv[0])));
}

/* Ticket, comments and a search, all in one batch. */
static json_t *run_page(struct probe *p, const char *const *argv)
{
    struct zendesk_ticket t;
    struct zendesk_comments c;
    struct zendesk_search s;
    struct http_call *calls[] = {&t.call, &c.call, &s.call};
    json_t *out;

    zendesk_ticket_init(&t, &p->zendesk, p->arena, probe_i64(argv[0]));
    zendesk_comments_init(&c, &p->zendesk, p->arena, probe_i64(argv[0]));
    zendesk_search_init(&s, &p->zendesk, p->arena, argv[1], 1);
    http_run(p->http, calls, 3, probe_deadline(p));
    out = json_pack("{s:o, s:o, s:o}", "ticket", probe_source(&t.src), "comments",
                    comments(&c), "search", search_result(&s));
    zendesk_ticket_release(&t);
    zendesk_comments_release(&c);
    zendesk_search_release(&s);
    return out;
}

static json_t *run_ticket(struct probe *p, const char *const *argv)
{
    struct zendesk_ticket op;
    struct http_call *calls[] = {&op.call};
    json_t *out;

    zendesk_ticket_init(&op, &p->zendesk, p->arena, probe_i64(argv[0]));
    http_run(p->http, calls, 1, probe_deadline(p));
    out = json_pack("{s:o, s:o}", "src", probe_source(&op.src), "ticket",
                    op.src.state == SOURCE_OK ? ticket(&op.ticket) : json_null());
    zendesk_ticket_release(&op);
    return out;
}

static json_t *run_comments(struct probe *p, const char *const *argv)
{
    struct zendesk_comments op;
    struct http_call *calls[] = {&op.call};
    json_t *out;

    zendesk_comments_init(&op, &p->zendesk, p->arena, probe_i64(argv[0]));
    http_run(p->http, calls, 1, probe_deadline(p));
    out = comments(&op);
    zendesk_comments_release(&op);
    return out;
}

static json_t *run_search(struct probe *p, const char *const *argv)
{
    struct zendesk_search op;
    struct http_call *calls[] = {&op.call};
    json_t *out;

    zendesk_search_init(&op, &p->zendesk, p->arena, argv[0], (int)probe_i64(argv[1]));
    http_run(p->http, calls, 1, probe_deadline(p));
    out = search_result(&op);
    zendesk_search_release(&op);
    return out;
}

static json_t *run_note(struct probe *p, const char *const *argv)
{
    static const char *const names[] = {
        [ZNOTE_POSTED] = "posted",   [ZNOTE_CLOSED] = "closed",
        [ZNOTE_GONE] = "gone",       [ZNOTE_CONFLICT] = "conflict",
        [ZNOTE_REFUSED] = "refused", [ZNOTE_LATER] = "later",
        [ZNOTE_UNKNOWN] = "unknown",
    };
    struct zendesk_note_reply reply;

    zendesk_note_put(&p->zendesk, p->arena, probe_i64(argv[0]), argv[1], argv[2], argv[3],
                     probe_deadline(p), &reply);
    return json_pack("{s:s, s:I, s:I, s:b, s:o}", "result", names[reply.result],
                     "audit_id", (json_int_t)reply.audit_id, "comment_id",
                     (json_int_t)reply.comment_id, "was_public", reply.was_public, "err",
                     probe_err(&reply.err));
}

static json_t *run_find(struct probe *p, const char *const *argv)
{
    struct err err = ERR_INIT;
    struct zendesk_note_seen seen = {.found = false};
    int64_t since_us = 0;
    int rc;

    ts_parse(argv[2], &since_us);
    rc = zendesk_note_find(&p->zendesk, p->arena, probe_i64(argv[0]), argv[1], since_us,
                           probe_deadline(p), &seen, &err);
    return json_pack("{s:b, s:b, s:I, s:o}", "ok", rc == 0, "found", (int)seen.found,
                     "audit_id", (json_int_t)seen.audit_id, "err", probe_err(&err));
}

const struct probe_command probe_zendesk[] = {
    {"login",      run_login     },
    {"agent-link", run_agent_link},
    {"page",       run_page      },
    {"ticket",     run_ticket    },
    {"comments",   run_comments  },
    {"search",     run_search    },
    {"note",       run_note      },
    {"note-find",  run_find      },
    {NULL,         NULL          },
};
