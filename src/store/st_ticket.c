/* Tickets as last seen, and who looked at them. */
#include "store/st_ticket.h"
#include "base/arena.h"
#include "base/ts.h"

#include "base/banned.h"

#define KEPT_FOR_A_PERSON 50
#define NAME_MAX_CHARS 255

struct view {
    const struct ticket *ticket;
    const char *by;
    int64_t now_us;
    struct arena arena;
};

static int remember_ticket(struct db *db, struct view *v, struct err *err)
{
    const struct ticket *t = v->ticket;
    struct arena *a = &v->arena;

    return db_exec(
        db, NULL, err,
        "INSERT INTO ticket (id, subject, status, requester, requester_email, "
        "organization, created_us, seen_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
        "ON DUPLICATE KEY UPDATE subject = VALUES(subject), "
        "status = VALUES(status), requester = VALUES(requester), "
        "requester_email = VALUES(requester_email), "
        "organization = VALUES(organization), created_us = VALUES(created_us), "
        "seen_us = GREATEST(seen_us, VALUES(seen_us))",
        "isssssIi", t->id, db_fit(a, t->subject, 4000), db_fit(a, t->status, 64),
        db_fit(a, t->requester.name, NAME_MAX_CHARS),
        db_fit(a, t->requester.email, NAME_MAX_CHARS),
        db_fit(a, t->organization, NAME_MAX_CHARS), t->created_us, v->now_us);
}

/* An investigation that was queued before its ticket was ever seen. */
static int name_organization(struct db *db, struct view *v, struct err *err)
{
    return db_exec(db, NULL, err,
                   "UPDATE investigation SET organization = ? "
                   "WHERE ticket_id = ? AND organization = '' AND ? <> ''",
                   "sis", db_fit(&v->arena, v->ticket->organization, NAME_MAX_CHARS),
                   v->ticket->id,
                   db_fit(&v->arena, v->ticket->organization, NAME_MAX_CHARS));
}

static int remember_view(struct db *db, const struct view *v, struct err *err)
{
    return db_exec(db, NULL, err,
                   "INSERT INTO ticket_view (viewer, ticket_id, at_us) VALUES (?, ?, ?) "
                   "ON DUPLICATE KEY UPDATE at_us = GREATEST(at_us, VALUES(at_us))",
                   "sii", v->by, v->ticket->id, v->now_us);
}

/* The time of the oldest view that is still kept; TS_NONE when there are fewer. */
static int oldest_kept(struct db *db, const char *by, int64_t *at_us, struct err *err)
{
    struct db_rows *rows = db_query(db, err,
                                    "SELECT at_us FROM ticket_view WHERE viewer = ? "
                                    "ORDER BY at_us DESC LIMIT 1 OFFSET ?",
                                    "si", by, (int64_t)KEPT_FOR_A_PERSON - 1);
    int rc = rows ? db_next(rows, err) : -1;

    *at_us = rc == 1 ? db_i64(rows, 0, TS_NONE) : TS_NONE;
    db_close(rows);
    return rc < 0 ? -1 : 0;
}

static int seen_body(struct db *db, void *ctx, struct err *err)
{
    struct view *v = ctx;
    int64_t at_us;

    if (remember_ticket(db, v, err) || remember_view(db, v, err) ||
        oldest_kept(db, v->by, &at_us, err))
        return -1;
    if (at_us != TS_NONE &&
        db_exec(db, NULL, err, "DELETE FROM ticket_view WHERE viewer = ? AND at_us < ?",
                "si", v->by, at_us))
        return -1;
    return name_organization(db, v, err);
}

int ticket_seen(struct db *db, const struct ticket *t, const char *by, int64_t now_us,
                struct err *err)
{
    struct view v = {.ticket = t, .by = by, .now_us = now_us, .arena = ARENA_INIT};
    int rc = db_transaction(db, seen_body, &v, err);

    arena_release(&v.arena);
    return rc;
}

static struct recent_ticket read_ticket(const struct db_rows *rows, struct arena *a)
{
    return (struct recent_ticket){
        .id = db_i64(rows, 0, 0),
        .at_us = db_i64(rows, 1, 0),
        .subject = db_str(rows, 2, a),
        .requester = db_str(rows, 3, a),
        .requester_email = db_str(rows, 4, a),
        .organization = db_str(rows, 5, a),
        .status = db_str(rows, 6, a),
        .created_us = db_i64(rows, 7, TS_NONE),
    };
}

int ticket_known(struct db *db, struct arena *a, int64_t ticket_id,
                 struct recent_ticket *out, struct err *err)
{
    struct db_rows *rows =
        db_query(db, err,
                 "SELECT id, seen_us, subject, requester, requester_email, organization, "
                 "status, created_us FROM ticket WHERE id = ?",
                 "i", ticket_id);
    int rc = rows ? db_next(rows, err) : -1;

    if (rc == 1)
        *out = read_ticket(rows, a);
    db_close(rows);
    if (rc == 0)
        return err_set(err, ERR_NOTFOUND, "ticket %lld was never seen",
                       (long long)ticket_id);
    return rc == 1 ? 0 : -1;
}

int ticket_recent(struct db *db, struct arena *a, const char *by, int limit,
                  struct recent_ticket **out, size_t *n, struct err *err)
{
    struct db_rows *rows =
        db_query(db, err,
                 "SELECT t.id, v.at_us, t.subject, t.requester, t.requester_email, "
                 "t.organization, t.status, t.created_us "
                 "FROM ticket_view AS v JOIN ticket AS t ON t.id = v.ticket_id "
                 "WHERE v.viewer = ? ORDER BY v.at_us DESC, t.id DESC LIMIT ?",
                 "si", by, (int64_t)limit);
    int rc = rows ? 1 : -1;
    size_t cap = 0;

    *out = NULL;
    *n = 0;
    while (rc == 1 && (rc = db_next(rows, err)) == 1) {
        *out = arena_grow(a, *out, *n, &cap, sizeof(**out));
        (*out)[(*n)++] = read_ticket(rows, a);
    }
    db_close(rows);
    return rc;
}
