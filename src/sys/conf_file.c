/*
 * From a configuration file to pairs: read the bytes, look at the shape of its lines, let
 * ClearSilver parse them, flatten the tree. What the keys mean is not known here (conf.c).
 */
#include "sys/conf_file.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"
#include "base/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/neo_hdf.h"

#include "base/banned.h"

#define VALUE_FILE_MAX ((size_t)64 << 10)
#define DEPTH_MAX 16

static int read_all(int fd, char *buf, size_t max, size_t *n)
{
    *n = 0;
    while (*n < max) {
        ssize_t got = read(fd, buf + *n, max - *n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            return 0;
        *n += (size_t)got;
    }
    return 0;
}

static int slurp_fd(struct arena *a, int fd, const char *path, size_t max, char **out,
                    struct err *err)
{
    char *buf = xmalloc(max + 1);
    size_t n;
    int rc = 0;

    if (read_all(fd, buf, max + 1, &n) != 0)
        rc = err_set(err, ERR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    else if (n > max)
        rc = err_set(err, ERR_INPUT, "%s: is larger than %zu bytes", path, max);
    else if (memchr(buf, '\0', n) != NULL)
        rc = err_set(err, ERR_INPUT, "%s: holds a NUL byte", path);
    else
        *out = arena_strn(a, buf, n);
    free(buf);
    return rc;
}

/* The bytes of a file (or a pipe, as shells and systemd give) of at most max bytes. */
static int slurp(struct arena *a, const char *path, size_t max, char **out,
                 struct err *err)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int rc;

    if (fd < 0)
        return err_set(err, ERR_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    if (fstat(fd, &st) != 0 || S_ISDIR(st.st_mode))
        rc = err_set(err, ERR_INPUT, "%s: is not a file", path);
    else
        rc = slurp_fd(a, fd, path, max, out, err);
    close(fd);
    return rc;
}

int conf_value_read(struct arena *a, const char *path, const char **out, struct err *err)
{
    char *buf;
    size_t n;

    if (slurp(a, path, VALUE_FILE_MAX, &buf, err))
        return -1;
    n = strlen(buf);
    while (n > 0 && (buf[n - 1] == '\n' || buf[n - 1] == '\r'))
        buf[--n] = '\0';
    if (n == 0)
        return err_set(err, ERR_INPUT, "%s: is empty", path);
    *out = buf;
    return 0;
}

/* Where the reader is in the file: the line, the open blocks, the text that runs until a mark. */
struct shape {
    const char *path;
    int line;
    int block_lines[DEPTH_MAX];
    int depth;
    const char *until; /* NULL: not inside of a text */
    int until_line;
};

static int fault(const struct shape *s, int line, struct err *err, const char *what)
{
    return err_set(err, ERR_INPUT, "%s:%d: %s", s->path, line, what);
}

static const char *skip_blanks(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

static const char *skip_name(const char *s)
{
    while ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
           (*s >= '0' && *s <= '9') || *s == '_' || *s == '.')
        s++;
    return s;
}

static int look_at_brace(struct shape *s, const char *line, struct err *err)
{
    if (*line == '}') {
        if (s->depth == 0)
            return fault(s, s->line, err, "a } without its {");
        s->depth--;
        return 0;
    }
    if (s->depth == DEPTH_MAX)
        return fault(s, s->line, err, "blocks are nested too deep");
    if (*skip_blanks(line + 1) != '\0')
        return fault(s, s->line, err, "after { the line has to end");
    s->block_lines[s->depth++] = s->line;
    return 0;
}

static int look_at_setting(struct arena *a, struct shape *s, const char *line,
                           struct err *err)
{
    const char *op = skip_blanks(skip_name(line));

    if (*op == '[') { /* attributes */
        op += strcspn(op, "]");
        op = skip_blanks(*op == ']' ? op + 1 : op);
    }
    if (*op == '{')
        return look_at_brace(s, op, err);
    if (strncmp(op, "<<", 2) == 0) {
        s->until = arena_str(a, skip_blanks(op + 2));
        s->until_line = s->line;
        return 0;
    }
    if (*op == '=' || strncmp(op, ":=", 2) == 0)
        return 0;
    if (*op == ':')
        return fault(s, s->line, err, "links (Name : Other) are not supported");
    return fault(s, s->line, err, "expected NAME = VALUE, NAME {, }, or a comment (#)");
}

static int look_at_line(struct arena *a, struct shape *s, char *line, struct err *err)
{
    char *text = text_trim(a, line);

    s->line++;
    if (s->until != NULL) {
        if (strcmp(text, s->until) == 0)
            s->until = NULL;
        return 0;
    }
    if (text_starts(text, "#include"))
        return fault(s, s->line, err, "#include is not supported");
    if (*text == '\0' || *text == '#')
        return 0;
    if (*text == '}')
        return look_at_brace(s, text, err);
    return look_at_setting(a, s, text, err);
}

static int look_at_shape(struct arena *a, const char *path, const char *bytes,
                         struct err *err)
{
    struct shape s = {.path = path};
    char *copy = arena_str(a, bytes);

    while (copy != NULL) {
        char *end = strchr(copy, '\n');

        if (end != NULL)
            *end = '\0';
        if (look_at_line(a, &s, copy, err))
            return -1;
        copy = end != NULL ? end + 1 : NULL;
    }
    if (s.until != NULL)
        return fault(&s, s.until_line, err, "the text that begins here has no end mark");
    if (s.depth > 0)
        return fault(&s, s.block_lines[s.depth - 1], err,
                     "the block that begins here has no }");
    return 0;
}

/* Its own words may quote the line, and with it a key: only the line number is taken from them. */
static int parse_failed(NEOERR *nerr, const char *path, struct err *err)
{
    int line = 0;

    for (const NEOERR *e = nerr; e != NULL && e != INTERNAL_ERR && line == 0;
         e = e->next) {
        const char *colon = e->desc;

        while (line == 0 && (colon = strchr(colon, ':')) != NULL)
            line = (int)strtol(++colon, NULL, 10);
    }
    nerr_ignore(&nerr);
    if (line > 0)
        return err_set(err, ERR_INPUT, "%s:%d: the line cannot be understood", path,
                       line);
    return err_set(err, ERR_INPUT, "%s: cannot be understood as HDF", path);
}

struct pairs {
    struct arena *a;
    struct conf_pair *items;
    size_t n, cap;
};

static void flatten(struct pairs *p, HDF *at, const char *prefix, int depth)
{
    for (HDF *c = hdf_obj_child(at); c != NULL && depth < 2 * DEPTH_MAX;
         c = hdf_obj_next(c)) {
        const char *name = *prefix ? arena_fmt(p->a, "%s.%s", prefix, hdf_obj_name(c))
                                   : arena_str(p->a, hdf_obj_name(c));

        p->items = arena_grow(p->a, p->items, p->n, &p->cap, sizeof(*p->items));
        p->items[p->n++] = (struct conf_pair){
            .name = name,
            .value = arena_str(p->a, hdf_obj_value(c)),
            .has_children = hdf_obj_child(c) != NULL,
        };
        flatten(p, c, name, depth + 1);
    }
}

int conf_file_read(struct arena *a, const char *path, struct conf_pair **out, size_t *n,
                   struct err *err)
{
    struct pairs pairs = {.a = a};
    char *bytes;
    HDF *hdf = NULL;
    NEOERR *nerr;

    if (slurp(a, path, CONF_FILE_MAX, &bytes, err))
        return -1;
    if (look_at_shape(a, path, bytes, err))
        return -1;
    nerr = hdf_init(&hdf);
    if (nerr == STATUS_OK)
        nerr = hdf_read_string(hdf, bytes);
    if (nerr != STATUS_OK) {
        hdf_destroy(&hdf);
        return parse_failed(nerr, path, err);
    }
    flatten(&pairs, hdf, "", 0);
    hdf_destroy(&hdf);
    *out = pairs.items;
    *n = pairs.n;
    return 0;
}
