/*
 * What the files of the Zendesk side share. Records live in the world's
 * arrays; members whose names start with "_" are private and never sent.
 */
#ifndef SIM_ZD_H
#define SIM_ZD_H

#include "world.h"

/* The user behind both ways to log in. */
#define ZD_SERVICE_EMAIL "agent@demo.example"

/* {"error":..., "description":...}; description may be NULL. */
void zd_error(struct reply *rp, int status, const char *error, const char *description);
void zd_not_found(struct reply *rp);

/* A new object without the private members. */
json_t *zd_public(const json_t *record);

/* Borrowed records, or NULL. */
json_t *zd_by_id(const json_t *table, int64_t id);
json_t *zd_user_by_email(const struct world *w, const char *email);

/* A user or organisation as a sideload shows it; NULL when not visible. */
json_t *zd_visible_user(const struct world *w, int64_t id);

/* Append the record with that id unless it is there already or hidden. */
void zd_add_user(const struct world *w, json_t *list, int64_t id);
void zd_add_organization(const struct world *w, json_t *list, int64_t id);

/* Does a comma list contain the word? */
bool zd_has_word(const char *list, const char *word);

/* ---- zd_text.c: the forms of a comment's text ---------------------------- */

/* Plain text with blank lines between paragraphs and ``` fences. */
char *zd_text_to_html(const char *text);
char *zd_text_to_plain(const char *text);

/* zendesk.md 6.1: placeholders run except inside <code>; 64 kB are kept. */
char *zd_run_placeholders(const char *text, const json_t *ticket);
void zd_cut(char *text);

/* ---- pages (zd_page.c) --------------------------------------------------- */

/*
 * Answer one page of rows under key, in cursor or offset style as asked
 * (zendesk.md 4.1). extra is merged into the answer; both are taken over.
 * rows come oldest first.
 */
void zd_send_page(const struct request *rq, struct reply *rp, const char *key,
                  json_t *rows, json_t *extra);

/* ---- routes -------------------------------------------------------------- */

void zd_search(struct sim *sim, const struct request *rq, bool only_count,
               struct reply *rp);
void zd_ticket(struct sim *sim, const struct request *rq, int64_t id, struct reply *rp);
void zd_tickets_many(struct sim *sim, const struct request *rq, struct reply *rp);
void zd_comments(struct sim *sim, const struct request *rq, int64_t id, struct reply *rp);
void zd_comment_count(struct sim *sim, const struct request *rq, int64_t id,
                      struct reply *rp);
void zd_audits(struct sim *sim, const struct request *rq, int64_t id, struct reply *rp);
void zd_update(struct sim *sim, const struct request *rq, int64_t id, struct reply *rp);
void zd_put_tags(struct sim *sim, const struct request *rq, int64_t id, struct reply *rp);

/* Build a comment record from its text forms; takes nothing over. */
json_t *zd_comment_record(struct world *w, const char *html, const char *plain,
                          int64_t author_id, bool is_public, int64_t at_us,
                          const json_t *custom);

/* Put a comment and its audit on a ticket; takes over comment. Borrowed audit. */
json_t *zd_append_comment(struct world *w, json_t *ticket, json_t *comment,
                          const json_t *custom, int64_t at_us);

#endif
