/* The unix socket that the web server connects to. */
#ifndef CASEBOOK_WEB_LISTEN_H
#define CASEBOOK_WEB_LISTEN_H

#include "base/err.h"
#include <sys/types.h>

struct listener {
    int fd;      /* listening, non-blocking, close-on-exec; -1: not open */
    int lock_fd; /* PATH.lock, locked by this process (not by its children) */
    char path[108];
    dev_t dev; /* of the socket file, to remove that one and no other */
    ino_t ino;
};

/*
 * Bind and listen, mode 0660. One process at a time holds PATH.lock, so that two starts at once cannot take
 * each other's socket away. A socket file on which nobody accepts is removed; one that is in use is waited for
 * a moment (the children of a master that was killed are still leaving), then left alone: ERR_CONFLICT.
 */
int listen_open(struct listener *l, const char *path, struct err *err);

/* For the master at its end: remove the file, if it is still ours, and close. */
void listen_close(struct listener *l);

#endif
