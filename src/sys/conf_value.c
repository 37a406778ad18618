/*
 * The kinds of values a setting can have: each knows what is allowed, where it is kept, and how it is
 * shown again.
 */
#include "base/num.h"
#include "base/text.h"
#include "base/url.h"
#include "sys/conf_item.h"

#include <string.h>

#include "base/banned.h"

static void *conf_field(struct conf_box *box, const struct conf_item *it)
{
    return (char *)&box->conf + it->offset;
}

static int put_text(struct conf_box *box, const struct conf_item *it, const char *value)
{
    const char **field = conf_field(box, it);

    *field = arena_str(&box->arena, value);
    return 0;
}

const char *conf_show_text(struct arena *a, const struct conf_item *it, const void *field)
{
    const char *const *text = field;

    (void)a;
    if (it->flags & CONF_SECRET)
        return text_is_empty(*text) ? "(not set)" : "(set)";
    return *text;
}

/* Printable ASCII without blanks, as every key, token and name here is. */
int conf_set_word(struct conf_box *box, const struct conf_item *it, const char *value)
{
    size_t n = strlen(value);

    if (n < (size_t)it->min || n > (size_t)it->max)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (value[i] <= ' ' || value[i] > '~')
            return -1;
    return put_text(box, it, value);
}

/* A password: anything that is text. */
int conf_set_password(struct conf_box *box, const struct conf_item *it, const char *value)
{
    size_t n = strlen(value);

    if (n > (size_t)it->max || !text_is_utf8(value, n))
        return -1;
    return put_text(box, it, value);
}

int conf_set_identifier(struct conf_box *box, const struct conf_item *it,
                        const char *value)
{
    for (const char *s = value; *s != '\0'; s++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-",
                    *s))
            return -1;
    return conf_set_word(box, it, value);
}

int conf_set_path(struct conf_box *box, const struct conf_item *it, const char *value)
{
    size_t n = strlen(value);

    if (value[0] != '/' || n > (size_t)it->max || !text_is_utf8(value, n) ||
        strpbrk(value, "\n\r\t") != NULL)
        return -1;
    return put_text(box, it, value);
}

int conf_set_email(struct conf_box *box, const struct conf_item *it, const char *value)
{
    const char *at = strchr(value, '@');

    if (at == NULL || at == value || at[1] == '\0')
        return -1;
    return conf_set_word(box, it, value);
}

static char *without_slash(struct arena *a, const char *value)
{
    size_t n = strlen(value);

    while (n > 0 && value[n - 1] == '/')
        n--;
    return arena_strn(a, value, n);
}

int conf_set_url(struct conf_box *box, const struct conf_item *it, const char *value)
{
    if (!url_is_http(value) || strpbrk(value, "?#") != NULL ||
        strlen(value) > (size_t)it->max)
        return -1;
    return put_text(box, it, without_slash(&box->arena, value));
}

bool conf_is_loopback(const char *host)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]", "::1"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t n = strlen(names[i]);

        if (strncmp(host, names[i], n) == 0 && (host[n] == '\0' || strchr(":/", host[n])))
            return true;
    }
    return false;
}

/* A service that is always reached over the internet: its key must not travel in the clear. */
int conf_set_https_url(struct conf_box *box, const struct conf_item *it,
                       const char *value)
{
    if (!text_starts(value, "https://") &&
        !(text_starts(value, "http://") && conf_is_loopback(value + strlen("http://"))))
        return -1;
    return conf_set_url(box, it, value);
}

int conf_set_base_path(struct conf_box *box, const struct conf_item *it,
                       const char *value)
{
    const char *path = without_slash(&box->arena, value);

    if (*path == '\0')
        return put_text(box, it, "");
    if (*path != '/' || strstr(path, "//") != NULL || strstr(path, "/.") != NULL)
        return -1;
    for (const char *s = path; *s != '\0'; s++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~/",
                    *s))
            return -1;
    return strlen(path) > (size_t)it->max ? -1 : put_text(box, it, path);
}

int conf_set_number(struct conf_box *box, const struct conf_item *it, const char *value)
{
    int64_t *field = conf_field(box, it);
    int64_t n;

    if (parse_i64(value, it->min, it->max, &n))
        return -1;
    *field = it->flags & CONF_SECONDS_TO_MS ? n * 1000 : n;
    return 0;
}

const char *conf_show_number(struct arena *a, const struct conf_item *it,
                             const void *field)
{
    const int64_t *n = field;

    return arena_fmt(a, "%lld",
                     (long long)(it->flags & CONF_SECONDS_TO_MS ? *n / 1000 : *n));
}

int conf_set_yes_no(struct conf_box *box, const struct conf_item *it, const char *value)
{
    static const char *const words[] = {"0", "no",  "false", "off",
                                        "1", "yes", "true",  "on"};
    bool *field = conf_field(box, it);

    for (size_t i = 0; i < 8; i++)
        if (text_ieq(value, words[i])) {
            *field = i >= 4;
            return 0;
        }
    return -1;
}

const char *conf_show_yes_no(struct arena *a, const struct conf_item *it,
                             const void *field)
{
    const bool *is_on = field;

    (void)a;
    (void)it;
    return *is_on ? "yes" : "no";
}

static const char *const paging_names[] = {
    [LOGS_AUTO] = "auto", [LOGS_CURSOR] = "cursor", [LOGS_OFFSET] = "offset"};

int conf_set_paging(struct conf_box *box, const struct conf_item *it, const char *value)
{
    enum conf_logs_paging *field = conf_field(box, it);

    for (size_t i = 0; i < 3; i++)
        if (strcmp(value, paging_names[i]) == 0) {
            *field = (enum conf_logs_paging)i;
            return 0;
        }
    return -1;
}

const char *conf_show_paging(struct arena *a, const struct conf_item *it,
                             const void *field)
{
    const enum conf_logs_paging *paging = field;

    (void)a;
    (void)it;
    return paging_names[*paging];
}

int conf_set_severity(struct conf_box *box, const struct conf_item *it, const char *value)
{
    enum log_severity *field = conf_field(box, it);

    return log_severity_parse(value, field);
}

const char *conf_show_severity(struct arena *a, const struct conf_item *it,
                               const void *field)
{
    static const char *const names[] = {[LOG_ERROR] = "error",
                                        [LOG_WARN] = "warn",
                                        [LOG_INFO] = "info",
                                        [LOG_DEBUG] = "debug"};
    const enum log_severity *level = field;

    (void)a;
    (void)it;
    return names[*level];
}

int conf_set_confidence(struct conf_box *box, const struct conf_item *it,
                        const char *value)
{
    enum confidence *field = conf_field(box, it);

    return confidence_parse(value, field);
}

const char *conf_show_confidence(struct arena *a, const struct conf_item *it,
                                 const void *field)
{
    const enum confidence *c = field;

    (void)a;
    (void)it;
    return confidence_name(*c);
}

/* What is undetermined is never filed (design.md 7), so it cannot be asked for. */
static int set_class(bool *field, const char *word)
{
    enum finding_class cls;

    if (finding_class_parse(word, &cls) || cls == CLASS_UNDETERMINED)
        return -1;
    field[cls] = true;
    return 0;
}

int conf_set_classes(struct conf_box *box, const struct conf_item *it, const char *value)
{
    bool *field = conf_field(box, it);
    char *rest = arena_str(&box->arena, value);
    char *word;

    memset(field, 0, CLASS_COUNT * sizeof(*field));
    if (text_is_empty(text_trim(&box->arena, value)))
        return 0;
    while ((word = strsep(&rest, ",")) != NULL)
        if (set_class(field, text_trim(&box->arena, word)))
            return -1;
    return 0;
}

const char *conf_show_classes(struct arena *a, const struct conf_item *it,
                              const void *field)
{
    const bool *is_on = field;
    const char *out = "";

    (void)it;
    for (int c = 0; c < CLASS_COUNT; c++)
        if (is_on[c])
            out = arena_fmt(a, "%s%s%s", out, *out ? "," : "",
                            finding_class_name((enum finding_class)c));
    return out;
}
