/*
 * POST /hooks/e2b - E2B's lifecycle webhook (e2b.md 7). One event in the body goes into the ledger at once, where
 * it counts as if it had been read from the feed. No user: the signature says that it is E2B.
 *
 * Off (404) while E2B.WebhookSecret is unset. 401 for a signature that is missing or wrong, 400 for a body that
 * is no event, 503 while the database does not answer: E2B sends it again. An event that is known already is
 * well received too: the signature covers no time, so that a copy of an old request is let pass,
 * and has no effect.
 */
#include "base/digest.h"
#include "base/jget.h"
#include "base/text.h"
#include "store/st_ledger.h"
#include "sys/log.h"
#include "web/pages/pages.h"

#include <nettle/base64.h>
#include <string.h>

#include "base/banned.h"

#define TEXT "text/plain; charset=utf-8"
#define SIGNATURE_LEN 43 /* base64 of a SHA-256, without the '=' at its end */

/* base64(SHA-256(secret, body)), without '='. */
static void sign(struct arena *a, const char *secret, const char *body, size_t len,
                 char out[BASE64_ENCODE_RAW_LENGTH(DIGEST_SIZE) + 1])
{
    size_t secret_len = strlen(secret);
    char *both = arena_alloc(a, secret_len + len + 1);
    uint8_t digest[DIGEST_SIZE];

    memcpy(both, secret, secret_len);
    if (len > 0)
        memcpy(both + secret_len, body, len);
    digest_sha256(both, secret_len + len, digest);
    memset(both, 0, secret_len);
    base64_encode_raw(out, DIGEST_SIZE, digest);
    out[SIGNATURE_LEN] = '\0';
}

/* Either alphabet, with or without '=' at the end, as the standard one without. */
static char *normal_signature(struct arena *a, const char *given)
{
    char *s = text_trim(a, given);
    size_t n = strlen(s);

    while (n > 0 && s[n - 1] == '=')
        s[--n] = '\0';
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '-')
            s[i] = '+';
        else if (s[i] == '_')
            s[i] = '/';
    }
    return s;
}

/* NULL when the request is E2B's; else what is wrong, which tells nothing of the right signature. */
static const char *signature_fault(struct req *rq)
{
    char wanted[BASE64_ENCODE_RAW_LENGTH(DIGEST_SIZE) + 1];
    const char *given = normal_signature(rq->arena, rq->e2b_signature);

    if (*given == '\0')
        return "the header e2b-signature is missing";
    if (strcmp(rq->e2b_signature_version, "v1") != 0)
        return "the header e2b-signature-version is not v1, the only one known here";
    sign(rq->arena, rq->app->conf->e2b.webhook_secret, rq->body, rq->body_len, wanted);
    if (strlen(given) != SIGNATURE_LEN || !digest_equal(given, wanted, SIGNATURE_LEN))
        return "the signature does not fit the body: E2B.WebhookSecret and the secret "
               "that the webhook was created with are not the same, or the body was "
               "changed on its way";
    return NULL;
}

static int refuse(struct req *rq, struct resp *rs, int status, const char *why)
{
    log_event(LOG_WARN, "a webhook request was refused", "why", why, NULL);
    resp_text(rs, status, TEXT, arena_fmt(rq->arena, "%s\n", why));
    return 0;
}

/* The event in the body; an err for the sender when there is none. */
static int read_event(struct req *rq, struct event *e, struct err *err)
{
    json_t *doc = jget_load(rq->body ? rq->body : "", rq->body_len, err);
    int rc = -1;

    if (doc == NULL)
        return err_ctx(err, "the body is no JSON");
    if (!json_is_object(doc))
        err_set(err, ERR_INPUT, "the body is no JSON object");
    else
        rc = event_from_json(rq->arena, doc, e, err);
    json_decref(doc);
    if (rc == 0 && !text_is_sandbox_id(e->sandbox_id))
        rc = err_set(err, ERR_INPUT, "the event names no sandbox");
    if (rc == 0 && strlen(e->id) > LEDGER_ID_MAX)
        rc = err_set(err, ERR_INPUT, "the event's id is too long");
    return rc;
}

int page_hook_e2b(struct req *rq, struct resp *rs, struct err *err)
{
    struct err why = ERR_INIT;
    const char *fault;
    struct event e;
    size_t added;

    if (text_is_empty(rq->app->conf->e2b.webhook_secret))
        return err_set(err, ERR_NOTFOUND, "E2B.WebhookSecret is not set");
    fault = signature_fault(rq);
    if (fault != NULL)
        return refuse(rq, rs, 401, fault);
    if (read_event(rq, &e, &why))
        return refuse(rq, rs, 400, why.msg);
    if (!rq->has_db) {
        *err = rq->db_err;
        err->kind = ERR_DB;
        return -1;
    }
    if (ledger_put_events(rq->app->db, &e, 1, LEDGER_HOOK, rq->now_us, &added, err))
        return -1;
    resp_text(rs, 200, TEXT, added > 0 ? "stored\n" : "known already\n");
    return 0;
}
