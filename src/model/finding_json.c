/* The JSON form of a finding: the names of design.md section 8, and ours beside them. */
#include "model/finding.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/jget.h"
#include "base/ts.h"
#include "model/jsonio.h"

#include "base/banned.h"

#define TEXT_CAP ((size_t)64 * 1024)
#define LIST_MAX 200

static json_t *factors_to_json(const struct finding *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->factor_count; i++)
        json_array_append_new(list, jio_string(f->factors[i]));
    return list;
}

static json_t *evidence_list_to_json(const struct finding *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->evidence_count; i++) {
        json_t *o = json_object();

        json_object_set_new(o, "time", json_null());
        jio_put_time(o, "time", f->evidence[i].at_us);
        jio_put_string(o, "kind", f->evidence[i].kind);
        jio_put_string(o, "text", f->evidence[i].text);
        jio_put_text(o, "ref", f->evidence[i].ref);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *ruled_out_to_json(const struct finding *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->ruled_out_count; i++) {
        json_t *o = json_object();

        jio_put_string(o, "class", finding_class_name(f->ruled_out[i].cls));
        jio_put_string(o, "text", f->ruled_out[i].text);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *could_be_to_json(const struct finding *f)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->could_be_count; i++) {
        json_t *o = json_object();

        jio_put_string(o, "class", finding_class_name(f->could_be[i].cls));
        jio_put_string(o, "likelihood", likelihood_name(f->could_be[i].likelihood));
        jio_put_string(o, "text", f->could_be[i].text);
        json_array_append_new(list, o);
    }
    return list;
}

json_t *finding_to_json(const struct finding *f)
{
    json_t *o = json_object();

    jio_put_string(o, "class", finding_class_name(f->cls));
    jio_put_string(o, "reason", reason_name(f->reason));
    jio_put_string(o, "confidence", confidence_name(f->confidence));
    json_object_set_new(o, "factors", factors_to_json(f));
    jio_put_string(o, "signature", f->signature);
    jio_put_string(o, "signature_hash", f->signature_hash);
    jio_put_string(o, "headline", f->headline);
    jio_put_string(o, "brief", f->brief);
    json_object_set_new(o, "evidence", evidence_list_to_json(f));
    json_object_set_new(o, "ruled_out", ruled_out_to_json(f));
    if (f->could_be_count)
        json_object_set_new(o, "could_be", could_be_to_json(f));
    jio_put_string(o, "customer_reply", f->customer_reply);
    jio_put_string(o, "missing", f->missing);
    jio_put_string(o, "confidence_why", f->confidence_why);
    jio_put_string(o, "rule", f->rule);
    jio_put_string(o, "fix", f->fix);
    jio_put_string(o, "program", f->program);
    json_object_set_new(o, "failed_at", json_null());
    jio_put_time(o, "failed_at", f->failed_at_us);
    jio_put_string(o, "template_id", f->template_id);
    jio_put_string(o, "template_alias", f->template_alias);
    jio_put_i64(o, "diag_version", f->diag_version);
    return o;
}

static const char *get_text(struct arena *a, const json_t *o, const char *key)
{
    return jio_text(a, o, key, TEXT_CAP, "");
}

static size_t list_size(const json_t *list)
{
    size_t n = json_array_size(list);

    return n < LIST_MAX ? n : LIST_MAX;
}

static void read_factors(struct arena *a, const json_t *list, struct finding *f)
{
    size_t n = list_size(list);
    const char **factors = arena_array(a, n, sizeof(*factors));

    for (size_t i = 0; i < n; i++) {
        const char *s = jget_str_value(a, json_array_get(list, i), NULL);

        if (s)
            factors[f->factor_count++] = s;
    }
    f->factors = factors;
}

static void read_evidence(struct arena *a, const json_t *list, struct finding *f)
{
    size_t n = list_size(list);
    struct evidence_item *items = arena_array(a, n, sizeof(*items));

    for (size_t i = 0; i < n; i++) {
        const json_t *o = json_array_get(list, i);

        items[i].at_us = jget_time(o, "time");
        items[i].kind = get_text(a, o, "kind");
        items[i].text = get_text(a, o, "text");
        items[i].ref = get_text(a, o, "ref");
    }
    f->evidence = items;
    f->evidence_count = n;
}

static void read_ruled_out(struct arena *a, const json_t *list, struct finding *f)
{
    size_t n = list_size(list);
    struct ruled_out *items = arena_array(a, n, sizeof(*items));

    for (size_t i = 0; i < n; i++) {
        const json_t *o = json_array_get(list, i);
        struct ruled_out *item = &items[f->ruled_out_count];

        if (finding_class_parse(get_text(a, o, "class"), &item->cls))
            continue;
        item->text = get_text(a, o, "text");
        f->ruled_out_count++;
    }
    f->ruled_out = items;
}

static void read_could_be(struct arena *a, const json_t *list, struct finding *f)
{
    size_t n = list_size(list);
    struct could_be *items = arena_array(a, n, sizeof(*items));

    for (size_t i = 0; i < n; i++) {
        const json_t *o = json_array_get(list, i);
        struct could_be *item = &items[f->could_be_count];

        if (finding_class_parse(get_text(a, o, "class"), &item->cls) ||
            likelihood_parse(get_text(a, o, "likelihood"), &item->likelihood))
            continue;
        item->text = get_text(a, o, "text");
        f->could_be_count++;
    }
    f->could_be = items;
}

static void read_texts(struct arena *a, const json_t *doc, struct finding *f)
{
    f->confidence_why = get_text(a, doc, "confidence_why");
    f->rule = get_text(a, doc, "rule");
    f->signature = get_text(a, doc, "signature");
    f->headline = get_text(a, doc, "headline");
    f->brief = get_text(a, doc, "brief");
    f->customer_reply = get_text(a, doc, "customer_reply");
    f->missing = get_text(a, doc, "missing");
    f->fix = get_text(a, doc, "fix");
    f->program = get_text(a, doc, "program");
    f->template_id = get_text(a, doc, "template_id");
    f->template_alias = get_text(a, doc, "template_alias");
}

int finding_from_json(struct arena *a, const json_t *doc, struct finding *out,
                      struct err *err)
{
    struct finding f = {.failed_at_us = jget_time(doc, "failed_at")};
    const char *hash = get_text(a, doc, "signature_hash");
    int64_t version = jget_i64(doc, "diag_version", 0);

    if (finding_class_parse(get_text(a, doc, "class"), &f.cls))
        return err_set(err, ERR_INPUT, "finding: member \"class\" is missing or unknown");
    if (confidence_parse(get_text(a, doc, "confidence"), &f.confidence))
        return err_set(err, ERR_INPUT,
                       "finding: member \"confidence\" is missing or unknown");
    if (reason_parse(get_text(a, doc, "reason"), &f.reason))
        return err_set(err, ERR_INPUT, "finding: member \"reason\" is unknown");
    if (strlen(hash) >= sizeof(f.signature_hash))
        return err_set(err, ERR_INPUT, "finding: member \"signature_hash\" is too long");
    memcpy(f.signature_hash, hash, strlen(hash) + 1);
    f.diag_version = version > 0 && version < INT32_MAX ? (int)version : 0;
    read_texts(a, doc, &f);
    read_factors(a, jget_arr(doc, "factors"), &f);
    read_evidence(a, jget_arr(doc, "evidence"), &f);
    read_ruled_out(a, jget_arr(doc, "ruled_out"), &f);
    read_could_be(a, jget_arr(doc, "could_be"), &f);
    *out = f;
    return 0;
}
