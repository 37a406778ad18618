/*
 * The configuration: from the file's pairs to the frozen struct. The table of settings is
 * conf_table.c, reading the file is conf_file.c; rules that concern several keys are check_*() here.
 *
 * Messages name the file, the key and what is expected. The value of a secret is in none of them.
 */
#include "sys/conf.h"
#include "base/num.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "sys/conf_file.h"
#include "sys/conf_item.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define DEFAULT_FILE "/etc/casebook/casebook.hdf"
#define KEYS_NAME "E2B.MetadataKeys"
#define AT(member) offsetof(struct conf, member)

struct loader {
    struct conf_box *box;
    struct arena scratch;
    const char *file;
    const char **given; /* by item: the name under which it was given; NULL: not */
    const char *keys[CONF_MAX_KEYS];
};

static const char *shown_range(struct loader *ld, const struct conf_item *it)
{
    if (it->set != conf_set_number)
        return it->expects;
    return arena_fmt(&ld->scratch, "%s from %lld to %lld", it->expects,
                     (long long)it->min, (long long)it->max);
}

static int bad_value(struct loader *ld, const struct conf_item *it, const char *name,
                     const char *value, struct err *err)
{
    const char *found = "";

    if (!(it->flags & CONF_SECRET))
        found = arena_fmt(&ld->scratch, ", found \"%s\"",
                          text_clean_line(&ld->scratch, value, strlen(value), 60));
    return err_set(
        err, ERR_INPUT, "%s: %s: expected %s%s%s", ld->file, name, shown_range(ld, it),
        found, strstr(value, " #") ? " (a comment has to be on a line of its own)" : "");
}

static int apply(struct loader *ld, size_t i, const char *name, const char *value,
                 struct err *err)
{
    const struct conf_item *it = &conf_items[i];

    if (ld->given[i] != NULL)
        return err_set(err, ERR_INPUT, "%s: %s and %s: only one of them may be given",
                       ld->file, ld->given[i], name);
    ld->given[i] = name;
    if (*value == '\0' && !(it->flags & CONF_EMPTY_OK)) {
        ld->given[i] = NULL; /* as if it were not there */
        return 0;
    }
    return it->set(ld->box, it, value) ? bad_value(ld, it, name, value, err) : 0;
}

/* NAME or NAMEFile: 1 and *is_file; 0: another name. */
static bool name_matches(const char *item, const char *name, bool *is_file)
{
    size_t n = strlen(item);

    if (strncmp(item, name, n) != 0)
        return false;
    *is_file = strcmp(name + n, "File") == 0;
    return name[n] == '\0' || *is_file;
}

static int value_of(struct loader *ld, const struct conf_pair *pair, bool is_file,
                    const char **value, struct err *err)
{
    *value = pair->value;
    if (!is_file)
        return 0;
    if (pair->value[0] != '/')
        return err_set(err, ERR_INPUT, "%s: %s: expected the absolute path of a file",
                       ld->file, pair->name);
    if (conf_value_read(&ld->scratch, pair->value, value, err))
        return err_ctx(err, "%s: %s", ld->file, pair->name);
    return 0;
}

static bool is_metadata_key(const char *s)
{
    size_t n = strlen(s);

    if (n == 0 || n > 128 || !text_is_utf8(s, n))
        return false;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
            return false;
    return true;
}

/* E2B.MetadataKeys.N: the order is that of the numbers. */
static int apply_key(struct loader *ld, const struct conf_pair *pair, const char *index,
                     struct err *err)
{
    size_t digits = strspn(index, "0123456789");
    bool is_file = strcmp(index + digits, "File") == 0;
    const char *value;
    int64_t n;

    if (digits == 0 || (index[digits] != '\0' && !is_file) ||
        parse_i64(arena_strn(&ld->scratch, index, digits), 0, CONF_MAX_KEYS - 1, &n))
        return err_set(err, ERR_INPUT, "%s: %s: expected %s.0 to %s.%d", ld->file,
                       pair->name, KEYS_NAME, KEYS_NAME, CONF_MAX_KEYS - 1);
    if (pair->value == NULL)
        return err_set(err, ERR_INPUT, "%s: %s: expected a value", ld->file, pair->name);
    if (value_of(ld, pair, is_file, &value, err))
        return -1;
    if (!is_metadata_key(value))
        return err_set(err, ERR_INPUT,
                       "%s: %s: expected the name of a tag, 1 to 128 bytes", ld->file,
                       pair->name);
    if (ld->keys[n] != NULL)
        return err_set(err, ERR_INPUT, "%s: %s: is given twice", ld->file, pair->name);
    ld->keys[n] = arena_str(&ld->box->arena, value);
    return 0;
}

/* "Web" is a block of known keys, "Webb" is not. */
static bool is_block(const char *name)
{
    size_t n = strlen(name);

    if (strcmp(name, KEYS_NAME) == 0)
        return true;
    for (size_t i = 0; i < conf_item_count; i++)
        if (strncmp(conf_items[i].name, name, n) == 0 && conf_items[i].name[n] == '.')
            return true;
    return false;
}

static int apply_pair(struct loader *ld, const struct conf_pair *pair, struct err *err)
{
    size_t prefix = strlen(KEYS_NAME ".");
    const char *value;
    bool is_file;

    if (strncmp(pair->name, KEYS_NAME ".", prefix) == 0)
        return apply_key(ld, pair, pair->name + prefix, err);
    if (pair->value == NULL && pair->has_children)
        return 0; /* the keys in it are looked at, each by its name */
    if (is_block(pair->name)) {
        if (text_is_empty(pair->value))
            return 0;
        return err_set(err, ERR_INPUT,
                       "%s: %s: is a group of keys and has no value itself", ld->file,
                       pair->name);
    }
    for (size_t i = 0; i < conf_item_count; i++) {
        if (!name_matches(conf_items[i].name, pair->name, &is_file))
            continue;
        if (pair->value == NULL)
            return err_set(err, ERR_INPUT, "%s: %s: expected %s", ld->file, pair->name,
                           shown_range(ld, &conf_items[i]));
        if (value_of(ld, pair, is_file, &value, err))
            return -1;
        return apply(ld, i, pair->name, value, err);
    }
    return err_set(err, ERR_INPUT, "%s: %s: unknown key", ld->file, pair->name);
}

static int apply_default(struct loader *ld, size_t i, struct err *err)
{
    const struct conf_item *it = &conf_items[i];

    if (ld->given[i] != NULL)
        return 0;
    if (it->flags & CONF_REQUIRED)
        return err_set(err, ERR_INPUT, "%s: %s: is missing; expected %s", ld->file,
                       it->name, shown_range(ld, it));
    if (it->dflt != NULL && it->set(ld->box, it, it->dflt))
        BUG("the default of %s is not allowed", it->name);
    if (it->dflt == NULL && it->show == conf_show_text)
        *(const char **)(void *)((char *)&ld->box->conf + it->offset) = "";
    return 0;
}

/* ---- rules over several keys ---- */

static int check_database(struct loader *ld, struct err *err)
{
    struct conf *c = &ld->box->conf;
    bool has_socket = *c->db.socket != '\0', has_host = *c->db.host != '\0';
    bool says_tls = false;

    for (size_t i = 0; i < conf_item_count; i++)
        if (conf_items[i].offset == AT(db.tls))
            says_tls = ld->given[i] != NULL;
    if (has_socket == has_host)
        return err_set(err, ERR_INPUT,
                       "%s: Database.Socket or Database.Host: expected %s", ld->file,
                       has_host ? "one of them, found both" : "one of them");
    if (!says_tls)
        c->db.tls = has_host && !conf_is_loopback(c->db.host);
    return 0;
}

struct credential {
    const char *name, *value, *partner, *partner_value;
};

static int check_zendesk(struct loader *ld, struct err *err)
{
    const struct conf *c = &ld->box->conf;
    const struct credential forms[] = {
        {"Zendesk.ClientId",   c->zendesk.client_id,   "Zendesk.ClientSecret",
         c->zendesk.client_secret                                                                  },
        {"Zendesk.OAuthToken", c->zendesk.oauth_token, "Zendesk.OAuthToken",
         c->zendesk.oauth_token                                                                    },
        {"Zendesk.Email",      c->zendesk.email,       "Zendesk.ApiToken",     c->zendesk.api_token},
    };
    int given = 0;

    for (size_t i = 0; i < 3; i++) {
        bool has = *forms[i].value != '\0', has_partner = *forms[i].partner_value != '\0';

        if (has != has_partner)
            return err_set(err, ERR_INPUT, "%s: %s: is missing; it goes with %s",
                           ld->file, has ? forms[i].partner : forms[i].name,
                           has ? forms[i].name : forms[i].partner);
        given += has ? 1 : 0;
    }
    if (given == 1)
        return 0;
    return err_set(
        err, ERR_INPUT,
        "%s: Zendesk: expected exactly one of ClientId and ClientSecret, OAuthToken, "
        "Email and ApiToken; found %s",
        ld->file, given == 0 ? "none" : "more than one");
}

/* Gaps in the numbering close up; a name that comes twice would be searched twice. */
static int check_keys(struct loader *ld, struct err *err)
{
    struct conf *c = &ld->box->conf;

    for (size_t i = 0; i < CONF_MAX_KEYS; i++) {
        if (ld->keys[i] == NULL)
            continue;
        for (size_t k = 0; k < c->e2b.metadata_key_count; k++)
            if (strcmp(c->e2b.metadata_keys[k], ld->keys[i]) == 0)
                return err_set(err, ERR_INPUT, "%s: %s.%zu: \"%s\" is in the list twice",
                               ld->file, KEYS_NAME, i, ld->keys[i]);
        c->e2b.metadata_keys[c->e2b.metadata_key_count++] = ld->keys[i];
    }
    if (c->e2b.metadata_key_count == 0)
        c->e2b.metadata_keys[c->e2b.metadata_key_count++] = "userId";
    return 0;
}

static int load(struct loader *ld, struct err *err)
{
    struct conf_pair *pairs;
    size_t n;

    if (conf_file_read(&ld->scratch, ld->file, &pairs, &n, err))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (apply_pair(ld, &pairs[i], err))
            return -1;
    for (size_t i = 0; i < conf_item_count; i++)
        if (apply_default(ld, i, err))
            return -1;
    if (check_database(ld, err) || check_zendesk(ld, err))
        return -1;
    return check_keys(ld, err);
}

struct conf *conf_load(const char *path, struct err *err)
{
    struct conf_box *box = xcalloc(1, sizeof(*box));
    struct loader ld = {.box = box};
    int rc;

    if (path == NULL)
        path = getenv("CASEBOOK_CONFIG");
    if (text_is_empty(path))
        path = DEFAULT_FILE;
    arena_init(&box->arena);
    arena_init(&ld.scratch);
    ld.given = arena_array(&ld.scratch, conf_item_count, sizeof(*ld.given));
    box->conf.file = arena_str(&box->arena, path);
    ld.file = box->conf.file;
    rc = load(&ld, err);
    arena_release(&ld.scratch);
    if (rc == 0)
        return &box->conf;
    conf_free(&box->conf);
    return NULL;
}

void conf_free(struct conf *c)
{
    struct conf_box *box = (struct conf_box *)(void *)c;

    if (box == NULL)
        return;
    arena_release(&box->arena);
    free(box);
}

static void emit_keys(const struct conf *c,
                      void (*emit)(const char *name, const char *value, void *ctx),
                      void *ctx)
{
    char name[64];

    for (size_t i = 0; i < c->e2b.metadata_key_count; i++) {
        snprintf(name, sizeof(name), KEYS_NAME ".%zu", i);
        emit(name, c->e2b.metadata_keys[i], ctx);
    }
}

void conf_each(const struct conf *c,
               void (*emit)(const char *name, const char *value, void *ctx), void *ctx)
{
    struct arena scratch;

    arena_init(&scratch);
    for (size_t i = 0; i < conf_item_count; i++) {
        const void *field = (const char *)c + conf_items[i].offset;

        emit(conf_items[i].name, conf_items[i].show(&scratch, &conf_items[i], field),
             ctx);
        if (conf_items[i].offset == AT(e2b.api_key))
            emit_keys(c, emit, ctx);
    }
    arena_release(&scratch);
}
