/* Taking the socket's address: never from somebody who still uses it. */
#include "web/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/ts.h"
#include "sys/clock.h"

#include "base/banned.h"

#define BACKLOG 128
#define LEAVING_US (3 * TS_SEC)

static int address_of(const char *path, struct sockaddr_un *sa, struct err *err)
{
    *sa = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof(sa->sun_path))
        return err_set(err, ERR_INPUT, "Web.Socket: longer than %zu bytes",
                       sizeof(sa->sun_path) - 1);
    memcpy(sa->sun_path, path, strlen(path) + 1);
    return 0;
}

/* A lock of fcntl(): it ends with this process, however it ends, and children do not hold it. */
static int take_lock(struct listener *l, struct err *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char path[sizeof(l->path) + 8];

    snprintf(path, sizeof(path), "%s.lock", l->path);
    l->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (l->lock_fd < 0)
        return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
    if (fcntl(l->lock_fd, F_SETLK, &lock) == 0)
        return 0;
    if (errno != EACCES && errno != EAGAIN)
        return err_set(err, ERR_INTERNAL, "%s: %s", path, strerror(errno));
    return err_set(err, ERR_CONFLICT, "another casebook-web uses the socket %s", l->path);
}

static bool somebody_accepts(const struct sockaddr_un *sa)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool yes;

    if (fd < 0)
        return true;
    /* EAGAIN: its queue is full, so there is one. */
    yes = connect(fd, (const struct sockaddr *)sa, sizeof(*sa)) == 0 || errno == EAGAIN ||
          errno == EACCES;
    close(fd);
    return yes;
}

static int remove_stale(const struct sockaddr_un *sa, struct err *err)
{
    int64_t until_us = clock_mono_us() + LEAVING_US;
    struct stat st;

    if (lstat(sa->sun_path, &st) != 0)
        return errno == ENOENT
                   ? 0
                   : err_set(err, ERR_INPUT, "%s: %s", sa->sun_path, strerror(errno));
    if (!S_ISSOCK(st.st_mode))
        return err_set(err, ERR_CONFLICT, "%s: there is a file that is no socket",
                       sa->sun_path);
    while (somebody_accepts(sa)) {
        if (clock_mono_us() > until_us)
            return err_set(err, ERR_CONFLICT, "%s: somebody else answers on this socket",
                           sa->sun_path);
        poll(NULL, 0, 50);
    }
    if (unlink(sa->sun_path) != 0 && errno != ENOENT)
        return err_set(err, ERR_INPUT, "%s: %s", sa->sun_path, strerror(errno));
    return 0;
}

static int bind_and_listen(struct listener *l, const struct sockaddr_un *sa,
                           struct err *err)
{
    struct stat st;
    mode_t before;
    int rc;

    l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (l->fd < 0)
        return err_set(err, ERR_INTERNAL, "socket: %s", strerror(errno));
    before = umask(0117);
    rc = bind(l->fd, (const struct sockaddr *)sa, sizeof(*sa));
    umask(before);
    if (rc != 0 || listen(l->fd, BACKLOG) != 0 || lstat(l->path, &st) != 0)
        return err_set(err, ERR_INPUT, "%s: %s", l->path, strerror(errno));
    l->dev = st.st_dev;
    l->ino = st.st_ino;
    return 0;
}

int listen_open(struct listener *l, const char *path, struct err *err)
{
    struct sockaddr_un sa;

    *l = (struct listener){.fd = -1, .lock_fd = -1};
    if (address_of(path, &sa, err))
        return -1;
    memcpy(l->path, sa.sun_path, sizeof(l->path));
    if (take_lock(l, err) || remove_stale(&sa, err) || bind_and_listen(l, &sa, err)) {
        listen_close(l);
        return -1;
    }
    return 0;
}

void listen_close(struct listener *l)
{
    struct stat st;

    if (l->ino && lstat(l->path, &st) == 0 && st.st_dev == l->dev && st.st_ino == l->ino)
        unlink(l->path);
    if (l->fd >= 0)
        close(l->fd);
    if (l->lock_fd >= 0)
        close(l->lock_fd);
    *l = (struct listener){.fd = -1, .lock_fd = -1};
}
