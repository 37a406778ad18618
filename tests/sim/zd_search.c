/*
 * Zendesk's search (zendesk.md 2): the query language, matching of words at
 * their beginning, look-alike requesters, a stale status in hits, sideloads in
 * the nested form only, and the ceiling of 1,000 results.
 */
#include "text.h"
#include "when.h"
#include "zd.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RESULTS_MAX 1000
#define TERMS_MAX 64

struct term {
    char *keyword; /* NULL: free text */
    char op[3];    /* ":", "<", "<=", ">", ">=" */
    char *value;
    bool is_not;
    bool is_phrase;
};

struct query {
    struct term terms[TERMS_MAX];
    size_t count;
};

/* ---- reading ------------------------------------------------------------- */

/* A value or word: quoted up to the next quote, else up to a blank. */
static const char *read_value(const char *s, struct term *t)
{
    const char *end;

    if (*s == '"' && (end = strchr(s + 1, '"'))) {
        t->value = dup_bytes(s + 1, (size_t)(end - s - 1));
        t->is_phrase = true;
        return end + 1;
    }
    end = s + strcspn(s, " \t");
    t->value = dup_bytes(s, (size_t)(end - s));
    return end;
}

static const char *read_term(const char *s, struct term *t)
{
    size_t n;

    *t = (struct term){.op = ":"};
    if (*s == '-' && s[1] && s[1] != ' ') {
        t->is_not = true;
        s++;
    }
    n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    if (n > 0 && isalpha((unsigned char)*s) && strchr(":<>", s[n]) && s[n]) {
        t->keyword = dup_bytes(s, n);
        t->op[0] = s[n++];
        if (t->op[0] != ':' && s[n] == '=')
            t->op[1] = s[n++];
        s += n;
    }
    return read_value(s, t);
}

static void query_init(struct query *q, const char *text)
{
    q->count = 0;
    while (*text && q->count < TERMS_MAX) {
        if (*text == ' ' || *text == '\t') {
            text++;
            continue;
        }
        text = read_term(text, &q->terms[q->count++]);
    }
}

static void query_release(struct query *q)
{
    for (size_t i = 0; i < q->count; i++) {
        free(q->terms[i].keyword);
        free(q->terms[i].value);
    }
}

/* ---- words --------------------------------------------------------------- */

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

static bool is_word_start(const char *text, const char *at)
{
    return at == text || !is_word_byte(at[-1]);
}

/* A whole word, a word in a phrase, or the beginning of one; never the middle. */
static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);

    for (const char *hit = text; (hit = strcasestr(hit, word)); hit++) {
        if (is_word_start(text, hit) || !is_word_byte(*word))
            return true;
    }
    return n == 0;
}

static bool has_phrase(const char *text, const char *phrase)
{
    size_t n = strlen(phrase);

    for (const char *hit = text; n > 0 && (hit = strcasestr(hit, phrase)); hit++) {
        if ((is_word_start(text, hit) || !is_word_byte(*phrase)) &&
            !(is_word_byte(phrase[n - 1]) && is_word_byte(hit[n])))
            return true;
    }
    return n == 0;
}

static bool has_glob(const char *text, const char *pattern)
{
    char *copy = dup_str(text), *rest = copy, *word;
    bool found = false;

    while (!found && (word = strsep(&rest, " \t\n.,;:()[]\"'")))
        found = *word && fnmatch(pattern, word, FNM_CASEFOLD) == 0;
    free(copy);
    return found;
}

static bool text_fits(const char *text, const struct term *t)
{
    if (t->is_phrase)
        return has_phrase(text, t->value);
    return strchr(t->value, '*') ? has_glob(text, t->value) : has_word(text, t->value);
}

/* ---- tickets ------------------------------------------------------------- */

/* Everything of a ticket that is indexed; the caller frees it. */
static char *ticket_text(const struct world *w, const json_t *ticket)
{
    char *out = NULL;
    size_t len = 0, i;
    FILE *f = open_memstream(&out, &len);
    json_t *c, *user = zd_by_id(w->users, jint(ticket, "requester_id", 0));

    if (!f)
        die("out of memory");
    fprintf(f, "%lld\n%s\n%s\n%s\n", (long long)jint(ticket, "id", 0),
            jstr_or(ticket, "subject", ""), jstr_or(user, "name", ""),
            jstr_or(user, "email", ""));
    json_array_foreach(json_object_get(ticket, "_comments"), i, c)
    {
        fprintf(f, "%s\n", jstr_or(c, "plain_body", ""));
    }
    json_array_foreach(json_object_get(ticket, "tags"), i, c)
    {
        fprintf(f, "%s\n", json_string_value(c));
    }
    fclose(f);
    return out;
}

static const char *indexed_status(const json_t *ticket, int64_t now)
{
    int64_t until = jint(ticket, "_search_status_until_us", INT64_MAX);
    const char *stale = jstr(ticket, "_search_status");

    return stale && now < until ? stale : jstr_or(ticket, "status", "");
}

static int status_rank(const char *status)
{
    static const char *const order[] = {"new",  "open",   "pending",
                                        "hold", "solved", "closed"};

    for (int i = 0; i < 6; i++) {
        if (equals_ci(order[i], status))
            return i;
    }
    return -1;
}

static bool ordered(int order, const char *op)
{
    if (op[0] == ':')
        return order == 0;
    if (op[1] == '=' && order == 0)
        return true;
    return op[0] == '<' ? order < 0 : order > 0;
}

/* An address without its +tag, as an index that cuts words sees it. */
static char *bare_address(const char *email)
{
    size_t n = strcspn(email, "+@");
    const char *at = strchr(email, '@');
    char *local = dup_bytes(email, n), *out = format("%s%s", local, at ? at : "");

    free(local);
    return out;
}

static bool person_fits(const struct world *w, int64_t id, const char *value)
{
    const json_t *user = zd_by_id(w->users, id);
    const char *email = jstr_or(user, "email", "");
    char *a, *b, *end;
    bool fits;

    if (strcmp(value, "none") == 0)
        return id == 0;
    if (strcmp(value, "me") == 0)
        return equals_ci(email, ZD_SERVICE_EMAIL);
    if (strtoll(value, &end, 10) == id && *end == '\0' && id != 0)
        return true;
    if (!strchr(value, '@'))
        return user && has_word(jstr_or(user, "name", ""), value);
    a = bare_address(email);
    b = bare_address(value);
    fits = equals_ci(a, b);
    free(a);
    free(b);
    return fits;
}

/* 2026-11-01, a full time, 3days, 24hours; INT64_MIN when it is none. */
static int64_t read_date(const char *value, int64_t now)
{
    static const struct {
        const char *name;
        int64_t s;
    } ago[] = {
        {"minute", 60         },
        {"hour",   3600       },
        {"day",    86400      },
        {"week",   7 * 86400  },
        {"month",  30 * 86400 },
        {"year",   365 * 86400}
    };
    struct tm tm = {0};
    char *end;
    long n;

    if (sscanf(value, "%4d-%2d-%2dT%2d:%2d:%2d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
               &tm.tm_hour, &tm.tm_min, &tm.tm_sec) >= 3) {
        tm.tm_year -= 1900;
        tm.tm_mon -= 1;
        return (int64_t)timegm(&tm) * US_PER_S;
    }
    n = strtol(value, &end, 10);
    for (size_t i = 0; end != value && i < sizeof ago / sizeof *ago; i++) {
        if (has_prefix(end, ago[i].name))
            return now - n * ago[i].s * US_PER_S;
    }
    return INT64_MIN;
}

static bool date_fits(const json_t *ticket, const char *key, const struct term *t,
                      int64_t now)
{
    int64_t have = read_date(jstr_or(ticket, key, ""), now);
    int64_t wanted = read_date(t->value, now);

    if (wanted == INT64_MIN)
        return false;
    if (t->op[0] == ':')
        return have >= wanted && have < wanted + 86400 * US_PER_S;
    return ordered(have < wanted ? -1 : have > wanted, t->op);
}

static bool organization_fits(const struct world *w, const json_t *ticket,
                              const char *value)
{
    int64_t id = jint(ticket, "organization_id", 0);
    const json_t *org = zd_by_id(w->organizations, id);
    char *end;

    if (strcmp(value, "none") == 0)
        return id == 0;
    if (id != 0 && strtoll(value, &end, 10) == id && *end == '\0')
        return true;
    return org && has_word(jstr_or(org, "name", ""), value);
}

static bool tags_fit(const json_t *ticket, const char *value)
{
    json_t *tag;
    size_t i;

    json_array_foreach(json_object_get(ticket, "tags"), i, tag)
    {
        if (equals_ci(json_string_value(tag), value))
            return true;
    }
    return strcmp(value, "none") == 0 &&
           json_array_size(json_object_get(ticket, "tags")) == 0;
}

static bool comments_fit(const json_t *ticket, const struct term *t)
{
    json_t *c;
    size_t i;

    json_array_foreach(json_object_get(ticket, "_comments"), i, c)
    {
        if (text_fits(jstr_or(c, "plain_body", ""), t))
            return true;
    }
    return false;
}

static bool plain_fits(const char *have, const char *value)
{
    return strcmp(value, "none") == 0 ? !have : have && equals_ci(have, value);
}

static bool ticket_keyword_fits(const struct world *w, const json_t *ticket,
                                const struct term *t, int64_t now)
{
    const char *k = t->keyword, *v = t->value;

    if (strcmp(k, "type") == 0)
        return strcmp(v, "ticket") == 0;
    if (strcmp(k, "status") == 0)
        return ordered(status_rank(indexed_status(ticket, now)) - status_rank(v), t->op);
    if (strcmp(k, "requester") == 0 || strcmp(k, "submitter") == 0)
        return person_fits(w, jint(ticket, "requester_id", 0), v);
    if (strcmp(k, "assignee") == 0)
        return person_fits(w, jint(ticket, "assignee_id", 0), v);
    if (strcmp(k, "organization") == 0)
        return organization_fits(w, ticket, v);
    if (strcmp(k, "created") == 0 || strcmp(k, "updated") == 0)
        return date_fits(ticket, *k == 'c' ? "created_at" : "updated_at", t, now);
    if (strcmp(k, "subject") == 0)
        return text_fits(jstr_or(ticket, "subject", ""), t);
    if (strcmp(k, "description") == 0)
        return text_fits(jstr_or(ticket, "description", ""), t);
    if (strcmp(k, "comment") == 0)
        return comments_fit(ticket, t);
    if (strcmp(k, "tags") == 0)
        return tags_fit(ticket, v);
    return plain_fits(jstr(ticket, k), v);
}

typedef bool (*keyword_fn)(const struct world *, const json_t *, const struct term *,
                           int64_t);

/* Equality on one keyword: either may hold. All else must hold. */
static bool keyword_holds(const struct world *w, const json_t *record,
                          const struct query *q, size_t i, keyword_fn fits, int64_t now)
{
    const struct term *t = &q->terms[i];

    if (t->is_not)
        return !fits(w, record, t, now);
    if (t->op[0] != ':')
        return fits(w, record, t, now);
    for (size_t k = 0; k < q->count; k++) {
        const struct term *o = &q->terms[k];

        if (o->keyword && strcmp(o->keyword, t->keyword) == 0 && !o->is_not &&
            o->op[0] == ':' && fits(w, record, o, now))
            return true;
    }
    return false;
}

static bool record_fits(const struct world *w, const json_t *record, const char *text,
                        const struct query *q, keyword_fn fits, int64_t now)
{
    for (size_t i = 0; i < q->count; i++) {
        const struct term *t = &q->terms[i];

        if (t->keyword ? !keyword_holds(w, record, q, i, fits, now)
                       : text_fits(text, t) == t->is_not)
            return false;
    }
    return true;
}

static bool user_keyword_fits(const struct world *w, const json_t *user,
                              const struct term *t, int64_t now)
{
    (void)w;
    (void)now;
    if (strcmp(t->keyword, "type") == 0)
        return strcmp(t->value, "user") == 0;
    return plain_fits(jstr(user, t->keyword), t->value);
}

static bool organization_keyword_fits(const struct world *w, const json_t *org,
                                      const struct term *t, int64_t now)
{
    (void)w;
    (void)now;
    if (strcmp(t->keyword, "type") == 0)
        return strcmp(t->value, "organization") == 0;
    return plain_fits(jstr(org, t->keyword), t->value);
}

static void add_result(json_t *results, const json_t *record, const char *type)
{
    json_t *o = zd_public(record);

    json_object_set_new(o, "result_type", json_string(type));
    json_array_append_new(results, o);
}

static void find_tickets(const struct world *w, const struct query *q, int64_t now,
                         json_t *results)
{
    json_t *t;
    size_t i;

    json_array_foreach(w->tickets, i, t)
    {
        char *text;

        if (jint(t, "_indexed_us", 0) > now)
            continue;
        text = ticket_text(w, t);
        if (record_fits(w, t, text, q, ticket_keyword_fits, now)) {
            add_result(results, t, "ticket");
            json_object_set_new(json_array_get(results, json_array_size(results) - 1),
                                "status", json_string(indexed_status(t, now)));
        }
        free(text);
    }
}

static void find_others(const struct world *w, const struct query *q, int64_t now,
                        json_t *results)
{
    json_t *o;
    size_t i;

    json_array_foreach(w->users, i, o)
    {
        char *text = format("%s %s", jstr_or(o, "name", ""), jstr_or(o, "email", ""));

        if (record_fits(w, o, text, q, user_keyword_fits, now))
            add_result(results, o, "user");
        free(text);
    }
    json_array_foreach(w->organizations, i, o)
    {
        if (record_fits(w, o, jstr_or(o, "name", ""), q, organization_keyword_fits, now))
            add_result(results, o, "organization");
    }
}

/* ---- order and pages ----------------------------------------------------- */

static const char *const priorities[] = {"low", "normal", "high", "urgent"};

static int64_t sort_value(const json_t *o, const char *by)
{
    if (by && strcmp(by, "status") == 0)
        return status_rank(jstr_or(o, "status", ""));
    if (by && strcmp(by, "priority") == 0) {
        for (int i = 0; i < 4; i++) {
            if (strcmp(priorities[i], jstr_or(o, "priority", "")) == 0)
                return i;
        }
        return -1;
    }
    return read_date(
        jstr_or(o, by && strcmp(by, "created_at") == 0 ? by : "updated_at", ""), 0);
}

/* Insertion sort: stable, and the lists are short. Greatest first unless asc. */
static void sort_results(json_t *results, const char *by, bool is_asc)
{
    for (size_t i = 1; i < json_array_size(results); i++) {
        for (size_t k = i; k > 0; k--) {
            json_t *a = json_array_get(results, k - 1), *b = json_array_get(results, k);
            int64_t va = sort_value(a, by), vb = sort_value(b, by);

            if (is_asc ? va <= vb : va >= vb)
                break;
            json_incref(a);
            json_array_set(results, k - 1, b);
            json_array_set_new(results, k, a);
        }
    }
}

/* include=tickets(users,organizations); the flat form does nothing here. */
static void add_sideloads(const struct world *w, const char *include, const json_t *page,
                          json_t *answer)
{
    const char *inner = include ? strstr(include, "tickets(") : NULL;
    char *list = inner ? dup_bytes(inner + 8, strcspn(inner + 8, ")")) : NULL;
    json_t *users = json_array(), *orgs = json_array(), *o;
    size_t i;

    json_array_foreach(page, i, o)
    {
        zd_add_user(w, users, jint(o, "requester_id", 0));
        zd_add_user(w, users, jint(o, "assignee_id", 0));
        zd_add_organization(w, orgs, jint(o, "organization_id", 0));
    }
    if (zd_has_word(list, "users"))
        json_object_set(answer, "users", users);
    if (zd_has_word(list, "organizations"))
        json_object_set(answer, "organizations", orgs);
    json_decref(users);
    json_decref(orgs);
    free(list);
}

static json_t *cut_page(const json_t *results, int64_t page, int64_t per_page,
                        bool repeats)
{
    json_t *out = json_array();
    size_t from = (size_t)((page - 1) * per_page);

    if (repeats && from > 0 && from <= json_array_size(results))
        json_array_append(out, json_array_get(results, from - 1));
    for (size_t i = from; i < json_array_size(results) && i < from + (size_t)per_page;
         i++)
        json_array_append(out, json_array_get(results, i));
    return out;
}

static void send_results(struct sim *sim, const struct request *rq, json_t *results,
                         int64_t page, int64_t per_page, struct reply *rp)
{
    size_t total = json_array_size(results);
    json_t *out = cut_page(results, page, per_page, sim->settings.search_repeats);
    bool has_next = (size_t)(page * per_page) < total && page * per_page < RESULTS_MAX;
    json_t *answer = pack(
        "{s:O, s:I, s:o, s:o, s:n}", "results", out, "count", (json_int_t)total,
        "next_page",
        has_next ? json_string("https://demo.zendesk.com/api/v2/search.json?page=next")
                 : json_null(),
        "previous_page",
        page > 1
            ? json_string("https://demo.zendesk.com/api/v2/search.json?page=previous")
            : json_null(),
        "facets");

    add_sideloads(sim->world, request_param(rq, "include"), out, answer);
    json_decref(out);
    reply_json(rp, 200, answer);
}

void zd_search(struct sim *sim, const struct request *rq, bool only_count,
               struct reply *rp)
{
    const char *text = request_param(rq, "query"),
               *order = request_param(rq, "sort_order");
    int64_t page = 1, per_page = 100;
    json_t *results;
    struct query q;

    if (request_param(rq, "page[size]") || !text ||
        request_int(rq, "page", 1, INT32_MAX, &page) < 0 ||
        request_int(rq, "per_page", 1, INT32_MAX, &per_page) < 0) {
        zd_error(rp, 400, "InvalidValue", "a parameter is wrong or missing");
        return;
    }
    if (per_page > 100)
        per_page = 100;
    if (page * per_page > RESULTS_MAX) {
        zd_error(rp, 422, "invalid",
                 "Invalid search: Requested response size was greater "
                 "than Search Response Limits");
        return;
    }
    query_init(&q, text);
    results = json_array();
    find_tickets(sim->world, &q, rq->now_us, results);
    find_others(sim->world, &q, rq->now_us, results);
    sort_results(results, request_param(rq, "sort_by"),
                 order && strcmp(order, "asc") == 0);
    if (only_count)
        reply_json(rp, 200, pack("{s:I}", "count", (json_int_t)json_array_size(results)));
    else
        send_results(sim, rq, results, page, per_page, rp);
    json_decref(results);
    query_release(&q);
}
