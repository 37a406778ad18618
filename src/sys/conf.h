/*
 * The configuration (design.md section 3): one HDF file, read by ClearSilver's parser through
 * web/cs.h-free code (conf.c includes the HDF header itself), checked against one table, frozen.
 *
 * Any value may be given as KEYFile = /path. Unknown keys, missing required ones and values out of
 * range fail with file, key and what is expected.
 */
#ifndef CASEBOOK_SYS_CONF_H
#define CASEBOOK_SYS_CONF_H

#include "base/err.h"
#include "model/finding.h"
#include "sys/log.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONF_MAX_KEYS 16

enum conf_logs_paging { LOGS_AUTO, LOGS_CURSOR, LOGS_OFFSET };

struct conf {
    const char *file;
    const char *base_path; /* "/casebook" or "" for the root; never a trailing slash */
    struct {
        const char *socket, *host, *name, *user, *password;
        int64_t port;
        bool tls;
    } db;
    struct {
        const char *base_url, *api_key, *webhook_secret; /* secret "" : off */
        const char *metadata_keys[CONF_MAX_KEYS];
        size_t metadata_key_count;
        enum conf_logs_paging logs_paging;
    } e2b;
    struct {
        const char *base_url, *client_id, *client_secret, *oauth_token, *email,
            *api_token;
    } zendesk;
    struct {
        const char *base_url, *api_key, *team;
        bool file_class[CLASS_COUNT];
        enum confidence min_confidence;
        bool comment_occurrences; /* a comment when another customer meets it */
    } linear;
    struct {
        const char *socket;    /* unix socket path */
        int64_t responders;    /* 1..64, default 4 */
        int64_t max_requests;  /* a responder retires after so many; default 1000 */
        int64_t deadline_ms;   /* Web.RequestDeadline in seconds, default 25 */
        const char *templates; /* Web.Templates: folder; default the installed one */
        const char *
            public_url; /* Web.PublicUrl: "https://support.example/casebook", for links in notes
                                   and issues; "" : no link */
    } web;
    struct {
        int64_t workers, lease_s, max_attempts; /* defaults 2, 120, 8 */
        int64_t max_age_h;                      /* Agent.MaxAgeHours, default 24 */
        const char *lock;
    } agent;
    int64_t ledger_retain_days;
    const char *intake_token;
    enum log_severity log_level;
};

/* path NULL: $CASEBOOK_CONFIG, else /etc/casebook/casebook.hdf. The result is owned by the process
   (conf_free for tests). NULL with err set (ERR_INPUT) on any fault. */
struct conf *conf_load(const char *path, struct err *err);
void conf_free(struct conf *c);

/* Calls emit(name, value, ctx) for each effective key in the table's order, secrets as "(set)". */
void conf_each(const struct conf *c,
               void (*emit)(const char *name, const char *value, void *ctx), void *ctx);

#endif
