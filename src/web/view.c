/*
 * The parts that pages share: links that carry ticket and window, the strip, failures in words, states, and
 * rows of findings.
 */
#include "web/view.h"

#include "base/human.h"
#include "base/sbuf.h"
#include "base/text.h"
#include "base/ts.h"
#include "base/url.h"
#include "ticket/zone_iana.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

char *view_href(const struct view_link *l, const char *path, const char *more)
{
    struct arena *a = l->rq->arena;
    char from[TS_ISO_SIZE], to[TS_ISO_SIZE];
    char *href = arena_fmt(a, "%s%s", l->rq->app->conf->base_path, path);
    const char *sep = strchr(path, '?') ? "&" : "?";

    if (l->from_us != TS_NONE && l->to_us != TS_NONE) {
        href = arena_fmt(a, "%s%sfrom=%s&to=%s", href, sep,
                         url_encode(a, ts_iso(l->from_us, from)),
                         url_encode(a, ts_iso(l->to_us, to)));
        sep = "&";
    }
    return text_is_empty(more) ? href : arena_fmt(a, "%s%s%s", href, sep, more);
}

char *view_sandbox_path(const struct view_link *l, const char *sandbox_id)
{
    struct arena *a = l->rq->arena;
    char *id = url_encode(a, sandbox_id);

    if (l->ticket_id)
        return arena_fmt(a, "/tickets/%" PRId64 "/sandboxes/%s", l->ticket_id, id);
    return arena_fmt(a, "/sandboxes/%s", id);
}

char *view_window(const struct view_link *l)
{
    char date[HUMAN_SIZE], from[HUMAN_SIZE], to[HUMAN_SIZE], date2[HUMAN_SIZE];
    struct arena *a = l->rq->arena;

    if (l->from_us == TS_NONE || l->to_us == TS_NONE)
        return arena_str(a, "");
    human_date(l->from_us, l->rq->now_us, date);
    human_date(l->to_us, l->rq->now_us, date2);
    human_clock_min(l->from_us, from);
    human_clock_min(l->to_us, to);
    if (strcmp(date, date2) == 0)
        return arena_fmt(a, "%s %s \xE2\x80\x93 %s UTC", date, from, to);
    return arena_fmt(a, "%s %s \xE2\x80\x93 %s %s UTC", date, from, date2, to);
}

void view_window_span(HDF *at, const struct view_link *l)
{
    char date[HUMAN_SIZE], date2[HUMAN_SIZE], text[HUMAN_SIZE];
    int64_t now_us = l->rq->now_us;

    if (l->from_us == TS_NONE || l->to_us == TS_NONE)
        return;
    human_date(l->from_us, now_us, date);
    human_date(l->to_us, now_us, date2);
    hput_time(at, "From", l->from_us, human_datetime(l->from_us, now_us, text));
    hput_time(at, "To", l->to_us,
              strcmp(date, date2) == 0 ? human_clock_min(l->to_us, text)
                                       : human_datetime(l->to_us, now_us, text));
}

char *view_field_time(struct arena *a, int64_t us)
{
    struct ts_civil c;

    if (us == TS_NONE)
        return arena_str(a, "");
    ts_to_civil(us, &c);
    if (c.second)
        return arena_fmt(a, "%04d-%02d-%02d %02d:%02d:%02d", c.year, c.month, c.day,
                         c.hour, c.minute, c.second);
    return arena_fmt(a, "%04d-%02d-%02d %02d:%02d", c.year, c.month, c.day, c.hour,
                     c.minute);
}

char *view_status_tile(struct arena *a, const char *status)
{
    size_t n = status[0] ? 1 : 0;
    char *tile;

    while (n && ((unsigned char)status[n] & 0xc0) == 0x80) /* a whole character */
        n++;
    tile = arena_strn(a, status, n);
    if (tile[0] >= 'a' && tile[0] <= 'z')
        tile[0] = (char)(tile[0] - 'a' + 'A');
    return tile;
}

char *view_status_word(struct arena *a, const char *status)
{
    char *word;

    if (strcmp(status, "hold") == 0)
        return arena_str(a, "On-hold");
    word = arena_str(a, status);
    if (word[0] >= 'a' && word[0] <= 'z')
        word[0] = (char)(word[0] - 'a' + 'A');
    return word;
}

char *view_short_id(struct arena *a, const char *sandbox_id)
{
    size_t n = strlen(sandbox_id);

    if (n <= 12)
        return arena_str(a, sandbox_id);
    return arena_fmt(a, "%.5s\xE2\x80\xA6%s", sandbox_id, sandbox_id + n - 4);
}

/* "503 Service Unavailable": the words of the statuses that proxies answer with. */
static const char *status_words(int status)
{
    static const struct {
        int status;
        const char *words;
    } table[] = {
        {400, "400 Bad Request"          },
        {401, "401 Unauthorized"         },
        {403, "403 Forbidden"            },
        {404, "404 Not Found"            },
        {429, "429 Too Many Requests"    },
        {500, "500 Internal Server Error"},
        {502, "502 Bad Gateway"          },
        {503, "503 Service Unavailable"  },
        {504, "504 Gateway Timeout"      },
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].status == status)
            return table[i].words;
    return NULL;
}

static const char *times_words(struct arena *a, int tries)
{
    if (tries <= 1)
        return "";
    if (tries == 2)
        return " twice";
    if (tries == 3)
        return " three times";
    return arena_fmt(a, " %d times", tries);
}

char *view_failure_words(struct arena *a, const char *service, const struct source *src)
{
    char took[HUMAN_SIZE];
    const char *status = status_words(src->err.http_status);
    const char *times = times_words(a, src->tries);

    human_duration_fine(src->took_us, took);
    if (src->err.kind == ERR_AUTH)
        return arena_fmt(
            a,
            "%s refused Casebook's credentials (%d). An administrator must renew them.",
            service, src->err.http_status ? src->err.http_status : 401);
    if (src->err.kind == ERR_DENIED)
        return arena_fmt(a, "%s does not allow it (%d): %s", service,
                         src->err.http_status, src->err.msg);
    if (src->err.http_status == 429)
        return arena_fmt(a, "%s asked Casebook to wait: too many requests.", service);
    if (src->err.kind == ERR_TIMEOUT)
        return arena_fmt(a, "%s did not answer%s: timed out after %s.", service, times,
                         took);
    if (status && src->err.http_status >= 500)
        return arena_fmt(a, "%s answered \xE2\x80\x9C%s\xE2\x80\x9D%s in %s.", service,
                         status, times, took);
    if (src->err.is_unreached)
        return arena_fmt(a, "%s could not be reached%s within %s.", service, times, took);
    if (src->err.http_status == 0)
        return arena_fmt(a, "%s gave no complete answer%s within %s.", service, times,
                         took);
    return arena_fmt(a, "%s gave an answer that cannot be used: %s", service,
                     src->err.msg);
}

void view_failure(HDF *at, const char *service, const char *title,
                  const struct source *src, const char *rest, const char *retry)
{
    struct arena a = ARENA_INIT;

    hput_str(at, "Title", title);
    hput_fmt(at, "Text", "%s%s%s", view_failure_words(&a, service, src),
             text_is_empty(rest) ? "" : " ", rest ? rest : "");
    hput_str(at, "Retry", retry);
    arena_release(&a);
}

static void strip_ticket(HDF *s, struct arena *a, const struct ticket *t)
{
    hput_str(s, "Status", view_status_word(a, t->status));
    hput_str(s, "Tile", view_status_tile(a, t->status));
    hput_str(s, "Subject", t->subject);
    hput_str(s, "Requester",
             text_is_empty(t->requester.email) ? t->requester.name : t->requester.email);
    hput_str(s, "Organisation", t->organization);
    hput_str(s, "Zone", zone_iana(t->requester.time_zone));
}

static const char *strip_failure(const struct source *src)
{
    if (!src || src->err.kind == ERR_TIMEOUT || src->err.http_status == 0)
        return "Zendesk did not answer";
    if (src->err.kind == ERR_AUTH || src->err.kind == ERR_DENIED)
        return "Zendesk refused Casebook";
    return "Zendesk's answer cannot be used";
}

static void strip_known(HDF *s, const struct recent_ticket *t)
{
    hput_str(s, "Requester",
             text_is_empty(t->requester_email) ? t->requester : t->requester_email);
    hput_str(s, "Organisation", t->organization);
}

void view_strip(HDF *root, const struct view_link *l, const struct ticket *t,
                const struct recent_ticket *known, const struct source *src,
                const char *tab, int64_t investigated)
{
    struct arena *a = l->rq->arena;
    HDF *s = hput_node(root, "Strip");
    char *ticket = arena_fmt(a, "/tickets/%" PRId64, l->ticket_id);

    if (l->ticket_id == 0)
        return;
    hput_i64(s, "Ticket", l->ticket_id);
    if (t)
        strip_ticket(s, a, t);
    else if (src && src->state == SOURCE_NOT_THERE)
        hput_str(s, "Failed", "Zendesk knows no such ticket");
    else
        hput_str(s, "Failed", strip_failure(src));
    if (!t && known)
        strip_known(s, known);
    hput_str(s, "Window", view_window(l));
    view_window_span(s, l);
    hput_str(s, "WindowHref", arena_fmt(a, "%s#window", view_href(l, ticket, NULL)));
    hput_str(s, "Zendesk", zendesk_agent_link(l->rq->app->conf, a, l->ticket_id));
    hput_str(s, "Tab", tab);
    hput_str(s, "TicketHref", view_href(l, ticket, NULL));
    hput_str(s, "SandboxesHref",
             view_href(l, arena_fmt(a, "%s/sandboxes", ticket), NULL));
    hput_str(s, "InvestigatedHref",
             arena_fmt(a, "%s#investigated", view_href(l, ticket, NULL)));
    if (investigated > 0)
        hput_i64(s, "InvestigatedCount", investigated);
}

void view_state(HDF *at, const struct timeline *t)
{
    static const struct {
        const char *kind, *word;
    } words[] = {
        [SANDBOX_RUNNING] = {"running", "running"},
        [SANDBOX_PAUSED] = {"paused",  "paused" },
        [SANDBOX_ENDED] = {"ended",   "ended"  },
        [SANDBOX_OTHER] = {"other",   ""       },
    };

    if (t->state == SANDBOX_RUNNING && t->is_silent) {
        hput_str(at, "Kind", "silent");
        hput_str(at, "Word", "says running, silent");
        return;
    }
    hput_str(at, "Kind", words[t->state].kind);
    hput_str(at, "Word",
             t->state == SANDBOX_OTHER ? t->state_text : words[t->state].word);
}

const char *view_note_words(enum note_state s)
{
    static const char *const words[NOTE_STATE_COUNT] = {
        [NOTE_NONE] = "",
        [NOTE_PREPARED] = "Note on its way",
        [NOTE_POSTED] = "Note posted",
        [NOTE_UNKNOWN] = "Not known if the note arrived",
        [NOTE_FAILED] = "Note not posted",
        [NOTE_CLOSED] = "No note: the ticket is closed",
        [NOTE_GONE] = "No note: the ticket is gone",
    };

    return words[s];
}

/* The state of one without a finding, in a list. */
static const char *open_words(const struct investigation *inv)
{
    switch (inv->state) {
    case INV_QUEUED:
        return inv->started_us == TS_NONE ? "Waiting for the agent" : "Running";
    case INV_FAILED:
        return "Failed";
    case INV_CANCELED:
        return "Cancelled";
    default:
        return "Running";
    }
}

static const char *linear_list_words(enum linear_outcome o)
{
    switch (o) {
    case LINEAR_OUTCOME_MATCHED:
        return "known issue";
    case LINEAR_OUTCOME_FILED:
        return "new issue";
    case LINEAR_OUTCOME_NOT_FILED:
        return "Nothing filed";
    case LINEAR_OUTCOME_UNAVAILABLE:
        return "Linear not searched";
    default:
        return "";
    }
}

static void row_finding(HDF *at, const struct inv_row *row)
{
    hput_str(at, "Class", finding_class_name(row->cls));
    hput_str(at, "ClassWord", finding_class_words(row->cls));
    if (row->cls == CLASS_UNDETERMINED)
        hput_str(at, "Reason", reason_words(row->reason));
    else
        hput_str(at, "Confidence", confidence_name(row->confidence));
    hput_str(at, "Headline", row->headline);
    hput_str(at, "Signature", row->signature);
    hput_str(at, "SignatureHash", row->signature_hash);
    hput_str(at, "Issue", row->issue_identifier);
    hput_str(at, "IssueHref", row->issue_url);
    hput_str(at, "Linear", linear_list_words(row->outcome));
    hput_str(at, "Note", view_note_words(row->note));
}

void view_inv_row(HDF *at, const struct view_link *l, const struct inv_row *row)
{
    struct arena *a = l->rq->arena;
    struct view_link own = *l;
    char t[HUMAN_SIZE];
    int64_t when =
        row->inv.finished_us != TS_NONE ? row->inv.finished_us : row->inv.created_us;

    if (row->inv.ticket_id !=
        l->ticket_id) { /* another ticket's window is not this one's */
        own.from_us = own.to_us = TS_NONE;
        own.ticket_id = row->inv.ticket_id;
    }
    hput_i64(at, "Id", row->inv.id);
    if (row->has_finding)
        row_finding(at, row);
    else
        hput_str(at, "State", open_words(&row->inv));
    hput_str(at, "Failure", row->inv.failure);
    hput_str(at, "By", row->inv.requested_by);
    hput_time(at, "When", when, human_datetime(when, l->rq->now_us, t));
    hput_str(at, "Ago", human_ago(when, l->rq->now_us, t));
    hput_str(
        at, "Href",
        view_href(&own, arena_fmt(a, "/investigations/%" PRId64, row->inv.id), NULL));
    hput_str(at, "Sandbox", row->inv.sandbox_id);
    hput_str(at, "SandboxShort", view_short_id(a, row->inv.sandbox_id));
    hput_str(at, "SandboxHref",
             view_href(&own, view_sandbox_path(&own, row->inv.sandbox_id), NULL));
    hput_str(at, "Template",
             text_is_empty(row->template_alias) ? row->template_id : row->template_alias);
    hput_str(at, "TemplateId", row->template_id);
    hput_str(at, "Organisation", row->organization);
    if (row->inv.ticket_id) {
        hput_i64(at, "Ticket", row->inv.ticket_id);
        hput_str(
            at, "TicketHref",
            view_href(&own, arena_fmt(a, "/tickets/%" PRId64, row->inv.ticket_id), NULL));
        hput_str(at, "TicketSubject", row->ticket_subject);
    }
}

void view_issue_state(HDF *at, const struct linear_issue *issue)
{
    if (!issue)
        return;
    hput_str(at, "IssueState", issue->state_name);
    hput_str(at, "IssueStateType", issue->state_type);
}
