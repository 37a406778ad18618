/*
 * Reading tickets, conversations and audits (zendesk.md 3, 4, 6.5).
 */
#include "text.h"
#include "zd.h"

#include <stdio.h>
#include <string.h>

static void add_sideloads(const struct world *w, const char *include,
                          const json_t *tickets, json_t *answer)
{
    static const char *const roles[] = {"requester_id", "submitter_id", "assignee_id"};
    json_t *users = json_array(), *orgs = json_array(), *t;
    size_t i;

    json_array_foreach(tickets, i, t)
    {
        for (size_t r = 0; r < sizeof roles / sizeof *roles; r++)
            zd_add_user(w, users, jint(t, roles[r], 0));
        zd_add_organization(w, orgs, jint(t, "organization_id", 0));
    }
    if (zd_has_word(include, "users"))
        json_object_set(answer, "users", users);
    if (zd_has_word(include, "organizations"))
        json_object_set(answer, "organizations", orgs);
    json_decref(users);
    json_decref(orgs);
}

static json_t *shown_ticket(const json_t *ticket, const char *include)
{
    json_t *o = zd_public(ticket);

    if (zd_has_word(include, "comment_count"))
        json_object_set_new(o, "comment_count",
                            json_integer((json_int_t)json_array_size(
                                json_object_get(ticket, "_comments"))));
    return o;
}

void zd_ticket(struct sim *sim, const struct request *rq, int64_t id, struct reply *rp)
{
    const char *include = request_param(rq, "include");
    json_t *ticket = zd_by_id(sim->world->tickets, id), *answer, *one;

    if (!ticket) {
        zd_not_found(rp);
        return;
    }
    answer = pack("{s:o}", "ticket", shown_ticket(ticket, include));
    one = pack("[O]", ticket);
    add_sideloads(sim->world, include, one, answer);
    json_decref(one);
    reply_json(rp, 200, answer);
}

/* GET /tickets/show_many?ids=1,2 and GET /tickets?external_id=X */
void zd_tickets_many(struct sim *sim, const struct request *rq, struct reply *rp)
{
    const char *ids = request_param(rq, "ids"),
               *external = request_param(rq, "external_id");
    json_t *found = json_array(), *shown = json_array(), *t, *answer;
    char id[24];
    size_t i;

    json_array_foreach(sim->world->tickets, i, t)
    {
        snprintf(id, sizeof id, "%lld", (long long)jint(t, "id", 0));
        if (ids ? zd_has_word(ids, id)
                : !external || strcmp(jstr_or(t, "external_id", ""), external) == 0)
            json_array_append(found, t);
    }
    json_array_foreach(found, i, t)
    {
        json_array_append_new(shown, zd_public(t));
    }
    answer = pack("{s:o, s:I, s:n}", "tickets", shown, "count",
                  (json_int_t)json_array_size(found), "next_page");
    add_sideloads(sim->world, request_param(rq, "include"), found, answer);
    json_decref(found);
    reply_json(rp, 200, answer);
}

void zd_comments(struct sim *sim, const struct request *rq, int64_t id, struct reply *rp)
{
    json_t *ticket = zd_by_id(sim->world->tickets, id), *extra, *c;
    size_t i;

    if (!ticket) {
        zd_not_found(rp);
        return;
    }
    extra = json_object();
    if (zd_has_word(request_param(rq, "include"), "users")) {
        json_t *users = json_array();

        json_array_foreach(json_object_get(ticket, "_comments"), i, c)
        {
            zd_add_user(sim->world, users, jint(c, "author_id", 0));
        }
        json_object_set_new(extra, "users", users);
    }
    zd_send_page(rq, rp, "comments", json_copy(json_object_get(ticket, "_comments")),
                 extra);
}

void zd_comment_count(struct sim *sim, const struct request *rq, int64_t id,
                      struct reply *rp)
{
    json_t *ticket = zd_by_id(sim->world->tickets, id);

    (void)rq;
    if (!ticket)
        zd_not_found(rp);
    else
        reply_json(rp, 200,
                   pack("{s:{s:I, s:s}}", "count", "value",
                        (json_int_t)json_array_size(json_object_get(ticket, "_comments")),
                        "refreshed_at", jstr(ticket, "updated_at")));
}

void zd_audits(struct sim *sim, const struct request *rq, int64_t id, struct reply *rp)
{
    json_t *ticket = zd_by_id(sim->world->tickets, id);

    if (!ticket)
        zd_not_found(rp);
    else
        zd_send_page(rq, rp, "audits", json_copy(json_object_get(ticket, "_audits")),
                     NULL);
}
