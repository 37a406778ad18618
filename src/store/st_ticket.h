/* What Casebook remembers of tickets: who looked at which (the lookup page), and their names as last
   seen, so that lists need no Zendesk call. */
#ifndef CASEBOOK_STORE_ST_TICKET_H
#define CASEBOOK_STORE_ST_TICKET_H

#include "model/ticket.h"
#include "store/db.h"

struct arena;

struct recent_ticket {
    int64_t id, at_us;
    const char *subject, *requester, *requester_email, *organization, *status;
    int64_t created_us;
};
/* Remember the ticket as seen, and that `by` looked at it. Keeps 50 a person. */
int ticket_seen(struct db *db, const struct ticket *t, const char *by, int64_t now_us,
                struct err *err);
/* The ticket as last seen by anybody; ERR_NOTFOUND when Casebook never saw it. */
int ticket_known(struct db *db, struct arena *a, int64_t ticket_id,
                 struct recent_ticket *out, struct err *err);
int ticket_recent(struct db *db, struct arena *a, const char *by, int limit,
                  struct recent_ticket **out, size_t *n, struct err *err);

#endif
