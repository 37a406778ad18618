/*
 * Reading an HDF configuration file into a flat list of names and values.
 *
 * ClearSilver's parser does the reading. What it takes in silence is refused here first: a block
 * that is not closed, a `}` too many (it drops the rest of the file), a text that is not closed,
 * links (`A : B`, which can go in circles) and #include.
 */
#ifndef CASEBOOK_SYS_CONF_FILE_H
#define CASEBOOK_SYS_CONF_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;

#define CONF_FILE_MAX ((size_t)1 << 20)

struct conf_pair {
    const char *name;  /* "Web.Socket" */
    const char *value; /* NULL: a block without a value of its own */
    bool has_children;
};

/* In file order; everything in the arena. ERR_INPUT with file, line and what is wrong; the text of a
   line is never quoted, since it may hold a key. */
int conf_file_read(struct arena *a, const char *path, struct conf_pair **out, size_t *n,
                   struct err *err);

/* The content of a small text file without its trailing newlines: the value of a KEYFile setting.
   ERR_INPUT when it cannot be read, is empty, is larger than 64 KiB or holds a NUL byte. */
int conf_value_read(struct arena *a, const char *path, const char **out, struct err *err);

#endif
