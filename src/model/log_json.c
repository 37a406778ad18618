/*
 * JSON of log lines and forwarded output, read and written.
 *
 * A log line comes as an entry ({timestamp, level, message, fields}), or, from very old servers, as
 * {timestamp, line} with the raw line (e2b.md 5.1). The result of a process is kept where it can be
 * read again: as JSON text in the field `process_result`.
 */
#include "model/sandbox.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/jget.h"
#include "base/text.h"
#include "base/text_parts.h"
#include "base/ts.h"
#include "model/jsonio.h"

#include "base/banned.h"

#define STAMP_CAP 64
#define MESSAGE_CAP ((size_t)64 * 1024)
#define FIELD_MAX 64
#define FIELD_VALUE_CAP ((size_t)64 * 1024)
#define STATUS_CAP 256
#define RAW_CAP (4 * MESSAGE_CAP) /* much of it can be sequences that nobody sees */
#define RESULT_FIELD "process_result"

/* Members that are zero, false or empty are left out by E2B (e2b.md 5.4 b). */
static void read_result(struct arena *a, const json_t *result, struct log_line *l)
{
    l->exited = jget_bool(result, "exited", false);
    l->exit_code = jget_i64(result, "exit_code", 0);
    l->status = jio_line(a, result, "status", STATUS_CAP, "");
    l->has_result = l->exited || !text_is_empty(l->status) ||
                    json_object_get(result, "exit_code") != NULL;
}

static void read_result_text(struct arena *a, const char *text, struct log_line *l)
{
    struct err ignored = ERR_INIT;
    json_t *result = jget_load(text, strlen(text), &ignored);

    if (json_is_object(result))
        read_result(a, result, l);
    json_decref(result);
}

static void read_fields(struct arena *a, const json_t *fields, struct log_line *l)
{
    const char *result;

    l->fields = jio_tags(a, fields, FIELD_MAX, FIELD_VALUE_CAP, &l->field_count);
    result = tag_get(l->fields, l->field_count, RESULT_FIELD, NULL);
    if (result)
        read_result_text(a, result, l);
}

static void keep_raw(struct arena *a, const json_t *v, struct log_line *l)
{
    const char *s = json_string_value(v);
    size_t n = json_string_length(v);
    size_t keep = n < RAW_CAP ? n : RAW_CAP;
    char *raw;

    l->raw = NULL;
    l->raw_n = 0;
    while (keep < n && keep && ((unsigned char)s[keep] & 0xC0) == 0x80)
        keep--;
    if (!s || !text_has_controls(s, keep))
        return;
    raw = arena_alloc(a, keep + sizeof TEXT_CUT_MARK);
    memcpy(raw, s, keep);
    if (keep < n) {
        memcpy(raw + keep, TEXT_CUT_MARK, sizeof TEXT_CUT_MARK - 1);
        keep += sizeof TEXT_CUT_MARK - 1;
    }
    l->raw = raw;
    l->raw_n = keep;
}

/* Of the main text of a line: what it printed, or its message. */
static void keep_raw_of(struct arena *a, const json_t *message, const json_t *fields,
                        struct log_line *l)
{
    keep_raw(a, log_line_printed(l) ? json_object_get(fields, "data") : message, l);
}

/* A raw line that is JSON gives message, level and fields; any other is the message itself. */
static void read_raw_line(struct arena *a, const json_t *line, struct log_line *l)
{
    struct err ignored = ERR_INIT;
    json_t *doc = jget_load(json_string_value(line), json_string_length(line), &ignored);
    json_t *message;

    if (json_is_object(doc)) {
        l->message = jio_text(a, doc, "message", MESSAGE_CAP, "");
        l->level = log_level_from_text(jio_line(a, doc, "level", STAMP_CAP, ""));
        message = json_incref(json_object_get(doc, "message"));
        json_object_del(doc, "message");
        json_object_del(doc, "level");
        read_fields(a, doc, l);
        keep_raw_of(a, message, doc, l);
        json_decref(message);
    } else {
        l->message =
            text_clean(a, json_string_value(line), json_string_length(line), MESSAGE_CAP);
        l->level = LOG_LEVEL_INFO;
        keep_raw(a, line, l);
    }
    json_decref(doc);
}

int log_line_from_json(struct arena *a, const json_t *o, struct log_line *out,
                       struct err *err)
{
    const json_t *line = json_object_get(o, "line");
    struct log_line l = {.at_us = jget_time(o, "timestamp"), .message = "", .status = ""};

    if (l.at_us == TS_NONE)
        return err_set(err, ERR_UPSTREAM, "log line: member \"timestamp\" is no time");
    l.at_text = jio_line(a, o, "timestamp", STAMP_CAP, "");
    if (json_is_string(line) && !json_is_string(json_object_get(o, "message"))) {
        read_raw_line(a, line, &l);
    } else {
        l.message = jio_text(a, o, "message", MESSAGE_CAP, "");
        l.level = log_level_from_text(jio_line(a, o, "level", STAMP_CAP, ""));
        read_fields(a, jget_obj(o, "fields"), &l);
        keep_raw_of(a, json_object_get(o, "message"), jget_obj(o, "fields"), &l);
    }
    *out = l;
    return 0;
}

/* The result becomes the first field, so that it survives the bound on their number. */
static void add_result_field(struct arena *a, const json_t *result, struct log_line *l)
{
    size_t keep = l->field_count < FIELD_MAX ? l->field_count : FIELD_MAX - 1;
    struct tag *fields = arena_array(a, keep + 1, sizeof(*fields));
    const char *text = jget_dump(a, result);

    fields[0].key = RESULT_FIELD;
    fields[0].value = text_clean(a, text, strlen(text), FIELD_VALUE_CAP);
    if (keep)
        memcpy(fields + 1, l->fields, keep * sizeof(*fields));
    l->fields = fields;
    l->field_count = keep + 1;
}

struct log_line log_line_copy(struct arena *a, const struct log_line *l)
{
    struct log_line out = *l;
    struct tag *fields =
        arena_array(a, l->field_count ? l->field_count : 1, sizeof *fields);

    for (size_t i = 0; i < l->field_count; i++)
        fields[i] = (struct tag){arena_str(a, l->fields[i].key),
                                 arena_str(a, l->fields[i].value)};
    out.fields = fields;
    out.at_text = arena_str(a, l->at_text);
    out.message = arena_str(a, l->message);
    if (l->raw)
        out.raw = memcpy(arena_alloc(a, l->raw_n + 1), l->raw, l->raw_n);
    out.status = arena_str(a, l->status);
    return out;
}

void log_line_add_raw(struct arena *a, const char *raw, size_t n, struct log_line *out)
{
    struct err ignored = ERR_INIT;
    json_t *doc;
    const json_t *result;

    if (out->has_result || !raw || !memmem(raw, n, RESULT_FIELD, strlen(RESULT_FIELD)))
        return;
    doc = jget_load(raw, n, &ignored);
    result = jget_obj(doc, RESULT_FIELD);
    if (result)
        read_result(a, result, out);
    if (result && out->has_result &&
        !tag_get(out->fields, out->field_count, RESULT_FIELD, NULL))
        add_result_field(a, result, out);
    json_decref(doc);
}

json_t *log_line_to_json(const struct log_line *l)
{
    json_t *o = json_object();

    jio_put_text(o, "timestamp", l->at_text);
    jio_put_text(o, "level", log_level_name(l->level));
    jio_put_string(o, "message", l->message);
    jio_put_tags(o, "fields", l->fields, l->field_count);
    return o;
}

int output_line_from_json(struct arena *a, const json_t *o, struct output_line *out,
                          struct err *err)
{
    struct output_line l = {.at_us = jget_time(o, "timestamp"),
                            .text = jio_text(a, o, "line", MESSAGE_CAP, NULL)};

    if (!l.text)
        return err_set(err, ERR_UPSTREAM,
                       "output: member \"line\" is missing or no text");
    l.is_stderr = strcmp(jio_line(a, o, "stream", STAMP_CAP, ""), "stderr") == 0;
    *out = l;
    return 0;
}

json_t *output_line_to_json(const struct output_line *l)
{
    json_t *o = json_object();

    jio_put_time(o, "timestamp", l->at_us);
    jio_put_string(o, "stream", l->is_stderr ? "stderr" : "stdout");
    jio_put_string(o, "line", l->text);
    return o;
}
