/*
 * The internal note, and looking for it afterwards (zendesk.md section 6). A repeated PUT would make a
 * second note, so a PUT is sent once, and what became of it is told apart with care: only the caller
 * knows whether to look for the marker and to send again.
 */
#include "upstream/zendesk_write.h"

#include <string.h>

#include "base/arena.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include "upstream/zendesk_parse.h"
#include "upstream/zendesk_request.h"

#include "base/banned.h"

#define NOTE_BYTES_MAX 60000 /* Zendesk drops what is over 64 kB without a word */
#define MARKER_MAX 200
#define AUDIT_PAGES_MAX 50
#define CLOCK_MARGIN (5 * TS_MIN)

struct note_put {
    struct http_call call;
    struct zendesk_request rq;
    struct source src;
    json_t *doc;
};

static bool note_next(struct http_call *call)
{
    struct note_put *op = (struct note_put *)call;

    return zendesk_request_step(&op->rq, call, &op->src, &op->doc) == ZSTEP_AGAIN;
}

/* The body of the PUT in the arena; NULL: not to be sent, see err. */
static const char *note_body(struct arena *a, const char *html, const char *marker,
                             const char *stamp, struct err *err)
{
    json_auto_t *doc = NULL;

    if (text_is_empty(html) || strlen(html) >= NOTE_BYTES_MAX) {
        err_set(err, ERR_INPUT, "zendesk: the note is empty or has %d bytes or more",
                NOTE_BYTES_MAX);
        return NULL;
    }
    if (text_is_empty(marker) || strlen(marker) > MARKER_MAX || text_is_empty(stamp)) {
        err_set(err, ERR_INPUT, "zendesk: a note without marker or stamp is not sent");
        return NULL;
    }
    doc = json_pack("{s:{s:{s:s, s:b}, s:{s:s}, s:b, s:s}}", "ticket", "comment",
                    "html_body", html, "public", 0, "metadata", "casebook_note", marker,
                    "safe_update", 1, "updated_stamp", stamp);
    if (!doc) {
        err_set(err, ERR_INPUT, "zendesk: the note is not UTF-8");
        return NULL;
    }
    return jget_dump(a, doc);
}

/* 200: only the audit says that there is a note now, and who can read it. */
static void take_update(const json_t *doc, struct zendesk_note_reply *out)
{
    struct zendesk_audit audit;

    zendesk_parse_update(doc, &audit);
    if (!audit.has_comment || audit.audit_id == 0) {
        out->result = ZNOTE_UNKNOWN;
        err_set(&out->err, ERR_UPSTREAM,
                "zendesk: the answer to the note tells of no comment");
        out->err.http_status = 200;
        out->err.is_unknown = out->err.is_retryable = true;
        return;
    }
    out->result = ZNOTE_POSTED;
    out->audit_id = audit.audit_id;
    out->comment_id = audit.comment_id;
    out->was_public = audit.is_public;
}

/* A 422: the ticket's own status is the sure sign of "closed" (zendesk.md 6.3). */
static enum zendesk_note_result why_invalid(struct zendesk *z, struct arena *a,
                                            int64_t ticket_id, int64_t deadline_us,
                                            struct err *err)
{
    enum zendesk_note_result result = ZNOTE_REFUSED;
    struct zendesk_ticket op;

    zendesk_ticket_init(&op, z, a, ticket_id);
    zendesk_run_one(z, &op.call, deadline_us);
    if (op.src.state == SOURCE_NOT_THERE) {
        result = ZNOTE_GONE;
    } else if (op.src.state != SOURCE_OK) {
        /* Nothing was written, and to be refused once more does no harm. */
        result = op.src.err.is_retryable ? ZNOTE_LATER : ZNOTE_REFUSED;
        err->is_retryable = op.src.err.is_retryable;
        err->retry_after_us = op.src.err.retry_after_us;
    } else if (strcmp(op.ticket.status, "closed") == 0) {
        result = ZNOTE_CLOSED;
    }
    zendesk_ticket_release(&op);
    return result;
}

static enum zendesk_note_result result_of(const struct note_put *op)
{
    const struct err *err = &op->src.err;
    int status = err->http_status;

    if (op->rq.is_login || (status == 0 && !err->is_unknown))
        return err->is_retryable || status == 0 ? ZNOTE_LATER : ZNOTE_REFUSED;
    if (status < 300 || status == 408 || status >= 500)
        return ZNOTE_UNKNOWN;
    if (status == 429)
        return ZNOTE_LATER;
    if (status == 409)
        return ZNOTE_CONFLICT;
    return op->src.state == SOURCE_NOT_THERE ? ZNOTE_GONE : ZNOTE_REFUSED;
}

void zendesk_note_put(struct zendesk *z, struct arena *a, int64_t ticket_id,
                      const char *html, const char *marker, const char *updated_stamp,
                      int64_t deadline_us, struct zendesk_note_reply *out)
{
    struct note_put op = {.doc = NULL};
    const char *body;

    memset(out, 0, sizeof *out);
    body = note_body(a, html, marker, updated_stamp, &out->err);
    if (!body) {
        out->result = ZNOTE_REFUSED;
        return;
    }
    http_call_init(&op.call, note_next);
    zendesk_request_start(
        &op.rq, z, a, &op.call, arena_fmt(a, "note on ticket %lld", (long long)ticket_id),
        zendesk_url(z->conf, a,
                    arena_fmt(a, "/api/v2/tickets/%lld.json", (long long)ticket_id)),
        body);
    zendesk_run_one(z, &op.call, deadline_us);
    if (op.doc) {
        take_update(op.doc, out);
    } else {
        out->err = op.src.err;
        out->result = result_of(&op);
        if (out->err.http_status == 422 && !op.rq.is_login)
            out->result = why_invalid(z, a, ticket_id, deadline_us, &out->err);
        out->err.is_unknown = out->result == ZNOTE_UNKNOWN;
        if (out->result == ZNOTE_UNKNOWN || out->result == ZNOTE_LATER)
            out->err.is_retryable = true;
    }
    json_decref(op.doc);
    http_call_release(&op.call);
}

struct note_find {
    struct http_call call;
    struct zendesk_request rq;
    struct source src;
    int64_t ticket_id;
    const char *marker;
    int64_t since_us;
    int64_t last_us; /* the oldest audit of the page before; TS_NONE at the first */
    bool is_falling;
    int pages;
    struct zendesk_note_seen seen;
};

/* Whether the newest come first is not certain for this route (zendesk.md 12.7): the answer shows it. */
static const char *audits_url(struct zendesk *z, struct arena *a, int64_t ticket_id,
                              const char *cursor)
{
    const char *after =
        cursor ? arena_fmt(a, "&page%%5Bafter%%5D=%s", url_encode(a, cursor)) : "";

    return zendesk_url(z->conf, a,
                       arena_fmt(a,
                                 "/api/v2/tickets/%lld/audits.json?page%%5Bsize%%5D=100%s"
                                 "&sort=-created_at",
                                 (long long)ticket_id, after));
}

/* The next cursor, or NULL when the search is over: found, the end, or older than needed. */
static const char *audits_take(struct note_find *op, const json_t *doc)
{
    struct zendesk_audit_page page;
    struct err err = ERR_INIT;

    if (zendesk_parse_audits(op->rq.arena, doc, op->marker, &page, &err)) {
        zendesk_source_end(&op->src, &op->rq, &err);
        return NULL;
    }
    op->pages++;
    op->seen.found = page.found;
    op->seen.audit_id = page.audit_id;
    if (op->seen.newest_us == TS_NONE ||
        (page.newest_us != TS_NONE && page.newest_us > op->seen.newest_us))
        op->seen.newest_us = page.newest_us;
    op->is_falling = op->is_falling || page.is_falling ||
                     (op->last_us != TS_NONE && page.newest_us < op->last_us);
    op->last_us = page.oldest_us;
    if (page.found ||
        (op->is_falling && page.oldest_us != TS_NONE && page.oldest_us < op->since_us)) {
        zendesk_source_end(&op->src, &op->rq, NULL);
        return NULL;
    }
    if (page.is_cut || (page.next_cursor[0] && op->pages >= AUDIT_PAGES_MAX)) {
        err_set(&err, ERR_UPSTREAM, "the audits could not be read to their end");
        zendesk_source_end(&op->src, &op->rq, &err);
        return NULL;
    }
    if (page.next_cursor[0])
        return page.next_cursor;
    zendesk_source_end(&op->src, &op->rq, NULL);
    return NULL;
}

static bool find_next(struct http_call *call)
{
    struct note_find *op = (struct note_find *)call;
    const char *cursor;
    json_t *doc;

    switch (zendesk_request_step(&op->rq, call, &op->src, &doc)) {
    case ZSTEP_AGAIN:
        return true;
    case ZSTEP_FAILED:
        return false;
    case ZSTEP_DONE:
        break;
    }
    cursor = audits_take(op, doc);
    json_decref(doc);
    if (cursor)
        zendesk_request_get(&op->rq, call,
                            audits_url(op->rq.z, op->rq.arena, op->ticket_id, cursor));
    return cursor != NULL;
}

int zendesk_note_find(struct zendesk *z, struct arena *a, int64_t ticket_id,
                      const char *marker, int64_t since_us, int64_t deadline_us,
                      struct zendesk_note_seen *out, struct err *err)
{
    struct note_find op = {.ticket_id = ticket_id,
                           .marker = marker,
                           .since_us =
                               since_us == TS_NONE ? TS_NONE : since_us - CLOCK_MARGIN,
                           .last_us = TS_NONE,
                           .seen = {.newest_us = TS_NONE}};

    if (text_is_empty(marker))
        return err_set(err, ERR_INPUT,
                       "zendesk: a note without marker cannot be looked for");
    http_call_init(&op.call, find_next);
    zendesk_request_start(&op.rq, z, a, &op.call,
                          arena_fmt(a, "audits of ticket %lld", (long long)ticket_id),
                          audits_url(z, a, ticket_id, NULL), NULL);
    zendesk_run_one(z, &op.call, deadline_us);
    http_call_release(&op.call);
    if (op.src.state != SOURCE_OK) {
        *err = op.src.err;
        return -1;
    }
    *out = op.seen;
    return 0;
}
