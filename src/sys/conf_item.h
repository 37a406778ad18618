/*
 * Inside of the configuration: what one row of its table is, and the kinds of values there are.
 * Only conf*.c include this.
 */
#ifndef CASEBOOK_SYS_CONF_ITEM_H
#define CASEBOOK_SYS_CONF_ITEM_H

#include "base/arena.h"
#include "sys/conf.h"

/* The struct that callers see, and the memory it points into. */
struct conf_box {
    struct conf conf; /* first: conf_free() gets its address */
    struct arena arena;
};

enum { CONF_REQUIRED = 1, CONF_SECRET = 2, CONF_EMPTY_OK = 4, CONF_SECONDS_TO_MS = 8 };

struct conf_item {
    const char *name;
    /* 0, or -1 when the value is not allowed */
    int (*set)(struct conf_box *box, const struct conf_item *it, const char *value);
    const char *(*show)(struct arena *a, const struct conf_item *it, const void *field);
    size_t offset;    /* of the field in struct conf */
    const char *dflt; /* NULL: none */
    int64_t min, max; /* numbers: the value; strings: the length */
    unsigned flags;
    const char *expects; /* "expected ..." */
};

extern const struct conf_item conf_items[];
extern const size_t conf_item_count;

int conf_set_word(struct conf_box *box, const struct conf_item *it, const char *value);
int conf_set_password(struct conf_box *box, const struct conf_item *it,
                      const char *value);
int conf_set_identifier(struct conf_box *box, const struct conf_item *it,
                        const char *value);
int conf_set_path(struct conf_box *box, const struct conf_item *it, const char *value);
int conf_set_email(struct conf_box *box, const struct conf_item *it, const char *value);
int conf_set_url(struct conf_box *box, const struct conf_item *it, const char *value);
int conf_set_https_url(struct conf_box *box, const struct conf_item *it,
                       const char *value);
int conf_set_base_path(struct conf_box *box, const struct conf_item *it,
                       const char *value);
int conf_set_number(struct conf_box *box, const struct conf_item *it, const char *value);
int conf_set_yes_no(struct conf_box *box, const struct conf_item *it, const char *value);
int conf_set_paging(struct conf_box *box, const struct conf_item *it, const char *value);
int conf_set_severity(struct conf_box *box, const struct conf_item *it,
                      const char *value);
int conf_set_confidence(struct conf_box *box, const struct conf_item *it,
                        const char *value);
int conf_set_classes(struct conf_box *box, const struct conf_item *it, const char *value);

const char *conf_show_text(struct arena *a, const struct conf_item *it,
                           const void *field);
const char *conf_show_number(struct arena *a, const struct conf_item *it,
                             const void *field);
const char *conf_show_yes_no(struct arena *a, const struct conf_item *it,
                             const void *field);
const char *conf_show_paging(struct arena *a, const struct conf_item *it,
                             const void *field);
const char *conf_show_severity(struct arena *a, const struct conf_item *it,
                               const void *field);
const char *conf_show_confidence(struct arena *a, const struct conf_item *it,
                                 const void *field);
const char *conf_show_classes(struct arena *a, const struct conf_item *it,
                              const void *field);

/* Does the host (a port or path may follow) mean this machine? */
bool conf_is_loopback(const char *host);

#endif
