/*
 * Updating a ticket (zendesk.md 6): the note, its audit, safe update, closed
 * tickets, and the limit of updates per ticket.
 */
#include "text.h"
#include "when.h"
#include "zd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UPDATE_WINDOW_US (600 * US_PER_S)
#define COMMENTS_MAX 5000
#define CUSTOM_METADATA_MAX 1024

static void refuse(struct reply *rp, const char *field, const char *text)
{
    reply_json(rp, 422,
               pack("{s:s, s:s, s:{s:[{s:s}]}}", "error", "RecordInvalid", "description",
                    "Record validation errors", "details", field, "description", text));
}

static bool is_true(const json_t *v)
{
    return json_is_true(v) ||
           (json_is_string(v) && strcmp(json_string_value(v), "true") == 0);
}

/* Plain text, content type text/html (zendesk.md 7). */
static bool is_over_limit(struct sim *sim, json_t *ticket, int64_t now, struct reply *rp)
{
    json_t *updates = json_object_get(ticket, "_updates");
    int64_t oldest;

    while (json_array_size(updates) > 0 &&
           json_integer_value(json_array_get(updates, 0)) < now - UPDATE_WINDOW_US)
        json_array_remove(updates, 0);
    if (sim->settings.ticket_updates == 0 ||
        (int64_t)json_array_size(updates) < sim->settings.ticket_updates)
        return false;
    oldest = (int64_t)json_integer_value(json_array_get(updates, 0));
    reply_text(rp, 429, "text/html; charset=utf-8",
               "Number of allowed updates to this ticket exceeded, try again later.");
    reply_header(rp, "Retry-After", "%lld",
                 (long long)((oldest + UPDATE_WINDOW_US - now) / US_PER_S + 1));
    return true;
}

/* safe_update with a stamp that is not the ticket's: 409. */
static bool is_outdated(const json_t *ticket, const json_t *wanted, struct reply *rp)
{
    const char *stamp = jstr(wanted, "updated_stamp");

    if (!is_true(json_object_get(wanted, "safe_update")))
        return false;
    if (stamp && strcmp(stamp, jstr_or(ticket, "updated_at", "")) == 0)
        return false;
    zd_error(rp, 409, "UpdateConflict",
             "Safe Update prevented the update due to outdated ticket data.");
    return true;
}

static bool is_refused(const json_t *ticket, const json_t *wanted, struct reply *rp)
{
    json_t *metadata = json_object_get(wanted, "metadata");
    json_t *comments = json_object_get(ticket, "_comments");
    char *dump;
    size_t len;

    if (strcmp(jstr_or(ticket, "status", ""), "closed") == 0) {
        refuse(rp, "status", "Status: closed prevents ticket update");
        return true;
    }
    if (json_object_get(wanted, "description")) {
        refuse(rp, "base", "Description: is read only");
        return true;
    }
    if (json_array_size(comments) >= COMMENTS_MAX) {
        refuse(rp, "base", "Ticket has reached its maximum of comments");
        return true;
    }
    dump = metadata ? json_dumps(metadata, JSON_COMPACT) : NULL;
    len = dump ? strlen(dump) : 0;
    free(dump);
    if (len > CUSTOM_METADATA_MAX)
        refuse(rp, "metadata", "Metadata: is too long");
    return len > CUSTOM_METADATA_MAX;
}

/* The value left out follows the ticket's first comment (zendesk.md 6.1). */
static bool becomes_public(const json_t *ticket, const json_t *comment)
{
    json_t *given = json_object_get(comment, "public");

    return given ? json_is_true(given) : jbool(ticket, "is_public", true);
}

static json_t *new_comment(struct world *w, const json_t *ticket, const json_t *wanted,
                           const json_t *custom, int64_t author_id, int64_t now)
{
    const char *html = jstr(wanted, "html_body");
    char *text = zd_run_placeholders(html ? html : jstr_or(wanted, "body", ""), ticket);
    char *made, *plain;
    json_t *comment;

    zd_cut(text);
    made = html ? format("<div class=\"zd-comment\" dir=\"auto\">%s</div>", text)
                : zd_text_to_html(text);
    plain = html ? html_to_text(text) : dup_str(text);
    comment = zd_comment_record(w, made, plain, jint(wanted, "author_id", author_id),
                                becomes_public(ticket, wanted), now, custom);
    json_object_set_new(json_object_get(comment, "via"), "channel", json_string("api"));
    free(text);
    free(made);
    free(plain);
    return comment;
}

/* The index shows the old status for a while (zendesk.md 2.1). */
static void keep_indexed_status(json_t *ticket, int64_t until_us)
{
    json_object_set(ticket, "_search_status", json_object_get(ticket, "status"));
    json_object_set_new(ticket, "_search_status_until_us",
                        json_integer((json_int_t)until_us));
}

static void copy_simple(json_t *ticket, const json_t *wanted)
{
    static const char *const members[] = {"status", "priority", "type",
                                          "tags",   "subject",  "assignee_id"};

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        json_t *v = json_object_get(wanted, members[i]);

        if (v)
            json_object_set(ticket, members[i], v);
    }
}

static void apply(struct sim *sim, json_t *ticket, const json_t *wanted, int64_t now,
                  struct reply *rp)
{
    struct world *w = sim->world;
    json_t *comment = json_object_get(wanted, "comment");
    json_t *custom = json_object_get(wanted, "metadata"), *audit = NULL;
    json_t *me = zd_user_by_email(w, ZD_SERVICE_EMAIL);

    if (sim->settings.search_lag_us > 0 && json_object_get(wanted, "status"))
        keep_indexed_status(ticket, now + sim->settings.search_lag_us);
    copy_simple(ticket, wanted);
    if (json_is_object(comment))
        audit = zd_append_comment(
            w, ticket, new_comment(w, ticket, comment, custom, jint(me, "id", 0), now),
            custom, now);
    json_array_append_new(json_object_get(ticket, "_updates"),
                          json_integer((json_int_t)now));
    reply_json(rp, 200, pack("{s:o, s:O?}", "ticket", zd_public(ticket), "audit", audit));
}

void zd_update(struct sim *sim, const struct request *rq, int64_t id, struct reply *rp)
{
    json_t *ticket = zd_by_id(sim->world->tickets, id);
    json_t *body = json_loadb(rq->body, rq->body_len, JSON_ALLOW_NUL, NULL);
    json_t *wanted = json_object_get(body, "ticket");

    if (!json_is_object(wanted))
        zd_error(rp, 400, "BadRequest", "The request body is no ticket");
    else if (!ticket)
        zd_not_found(rp);
    else if (!is_over_limit(sim, ticket, rq->now_us, rp) &&
             !is_refused(ticket, wanted, rp) && !is_outdated(ticket, wanted, rp))
        apply(sim, ticket, wanted, rq->now_us, rp);
    json_decref(body);
}

/* PUT adds; tags are words of their own, once each. */
void zd_put_tags(struct sim *sim, const struct request *rq, int64_t id, struct reply *rp)
{
    json_t *ticket = zd_by_id(sim->world->tickets, id), *tags, *tag;
    json_t *body = json_loadb(rq->body, rq->body_len, 0, NULL);
    size_t i;

    if (!ticket) {
        zd_not_found(rp);
    } else if (!is_refused(ticket, body, rp) && !is_outdated(ticket, body, rp)) {
        tags = json_object_get(ticket, "tags");
        json_array_foreach(json_object_get(body, "tags"), i, tag)
        {
            json_array_append(tags, tag);
        }
        reply_json(rp, 200, pack("{s:O}", "tags", tags));
    }
    json_decref(body);
}
