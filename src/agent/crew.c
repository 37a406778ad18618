/* Numbers in shared memory, each written as a whole. */
#include "agent/crew.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/banned.h"

#define CREW_MAX 64 /* twice the greatest Agent.Workers */

struct crew {
    size_t workers;
    _Atomic bool is_long[CREW_MAX], has_left[CREW_MAX];
    _Atomic long pid[CREW_MAX];
    _Atomic int64_t quiet_until_us[INV_STATE_COUNT];
};

struct crew *crew_new(size_t workers)
{
    struct crew *c =
        mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (c == MAP_FAILED)
        return NULL;
    c->workers = workers;
    return c;
}

void crew_free(struct crew *c)
{
    if (c)
        munmap(c, sizeof *c);
}

void crew_enter(struct crew *c, size_t index)
{
    crew_set_long(c, index, false);
    if (c && index < CREW_MAX)
        atomic_store(&c->pid[index], (long)getpid());
}

void crew_set_long(struct crew *c, size_t index, bool is_long)
{
    if (c && index < CREW_MAX)
        atomic_store(&c->is_long[index], is_long);
}

bool crew_may_work(const struct crew *c, size_t index)
{
    size_t busy = 0;

    if (!c || index < c->workers)
        return true;
    for (size_t i = 0; i < c->workers && i < CREW_MAX; i++)
        busy += atomic_load(&c->is_long[i]);
    return index - c->workers < busy;
}

void crew_leave(struct crew *c, size_t index)
{
    crew_set_long(c, index, false);
    if (c && index < CREW_MAX)
        atomic_store(&c->has_left[index], true);
}

/* One that died without a word has ended, too. */
static bool has_ended(const struct crew *c, size_t i)
{
    long pid = atomic_load(&c->pid[i]);

    return atomic_load(&c->has_left[i]) ||
           (pid > 0 && kill((pid_t)pid, 0) && errno == ESRCH);
}

bool crew_is_done(const struct crew *c)
{
    for (size_t i = 0; c && i < c->workers && i < CREW_MAX; i++)
        if (!has_ended(c, i))
            return false;
    return true;
}

void crew_set_quiet(struct crew *c, enum inv_state state, int64_t until_us)
{
    if (c && until_us > atomic_load(&c->quiet_until_us[state]))
        atomic_store(&c->quiet_until_us[state], until_us);
}

int64_t crew_quiet_until(const struct crew *c, enum inv_state state)
{
    return c ? atomic_load(&c->quiet_until_us[state]) : 0;
}
