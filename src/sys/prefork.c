/*
 * The master of a prefork program.
 *
 * All of the master's signals are blocked and taken one at a time with sigtimedwait(), so there is
 * no handler that could interrupt anything, and nothing is lost between a look and a wait.
 *
 * Duties: keep `children` slots filled (web), replace all of them on HUP without a gap, pass TERM
 * and INT on, kill what does not end in time. It does not know what its children do.
 */
#include "sys/prefork.h"
#include "base/err.h"
#include "base/xalloc.h"
#include "sys/clock.h"
#include "sys/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/banned.h"

/* A child that lives shorter than this died early, and its slot is filled again only after a pause. */
#define EARLY_US ((int64_t)1000000)
#define BACKOFF_FIRST_US ((int64_t)100000)
#define BACKOFF_MAX_US ((int64_t)10000000)
/* A child may look at prefork_stop just before it goes to sleep: it is told again. */
#define REMIND_US ((int64_t)200000)
#define KILL_AGAIN_US ((int64_t)1000000)
#define NEVER INT64_MAX

volatile sig_atomic_t prefork_stop;

struct kid {
    pid_t pid;
    size_t slot;
    int64_t started_us;
    int64_t kill_at_us; /* NEVER: it has not been told to end */
};

struct slot {
    bool is_filled;
    int64_t not_before_us; /* when it may be filled again */
    int64_t pause_us;      /* of the last early death; 0: none */
};

struct master {
    const struct prefork *p;
    struct slot *slots;
    struct kid *kids; /* those that live, leaving ones too */
    size_t kid_count, kid_cap;
    sigset_t wanted, before;
    bool is_stopping;
    bool had_failure;
    int64_t stop_at_us, remind_at_us;
};

static void on_stop(int sig)
{
    (void)sig;
    prefork_stop = 1;
}

/* No SA_RESTART: a child that waits in accept() has to come back from it. */
static void child_signals(const struct master *m)
{
    struct sigaction sa = {.sa_handler = on_stop};
    struct sigaction dfl = {.sa_handler = SIG_DFL};

    sigemptyset(&sa.sa_mask);
    sigemptyset(&dfl.sa_mask);
    sigaction(SIGTERM, &sa, NULL);
    sigaction(SIGHUP, &sa, NULL);
    sigaction(SIGINT, &sa, NULL);
    sigaction(SIGCHLD, &dfl, NULL);
    prefork_stop = 0;
    sigprocmask(SIG_SETMASK, &m->before, NULL);
}

_Noreturn static void run_child(const struct master *m, size_t slot, pid_t master)
{
    int rc;

    child_signals(m);
    /* A master that was killed takes its children with it. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != master)
        exit(1);
    rc = m->p->child(slot, m->p->ctx);
    exit(rc);
}

static void kid_add(struct master *m, pid_t pid, size_t slot, int64_t now)
{
    if (m->kid_count == m->kid_cap) {
        m->kid_cap = m->kid_cap * 2 + 8;
        m->kids = xrealloc(m->kids, m->kid_cap * sizeof(*m->kids));
    }
    m->kids[m->kid_count++] = (struct kid){pid, slot, now, NEVER};
}

static void slot_delay(struct slot *s, int64_t now)
{
    s->pause_us = s->pause_us == 0 ? BACKOFF_FIRST_US : s->pause_us * 2;
    if (s->pause_us > BACKOFF_MAX_US)
        s->pause_us = BACKOFF_MAX_US;
    s->not_before_us = now + s->pause_us;
}

static void start_child(struct master *m, size_t slot)
{
    int64_t now = clock_mono_us();
    pid_t master = getpid();
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        free(m->kids);
        free(m->slots);
        run_child(m, slot, master);
    }
    if (pid < 0) {
        log_event(LOG_ERROR, "cannot start a child", "error", strerror(errno), NULL);
        m->had_failure = true;
        slot_delay(&m->slots[slot], now);
        return;
    }
    m->slots[slot].is_filled = true;
    kid_add(m, pid, slot, now);
}

static void fill_slots(struct master *m)
{
    int64_t now = clock_mono_us();

    for (size_t i = 0; i < m->p->children && !m->is_stopping; i++)
        if (!m->slots[i].is_filled && m->slots[i].not_before_us <= now)
            start_child(m, i);
}

static void tell_to_end(struct kid *k, int64_t now, int64_t drain_ms)
{
    if (k->kill_at_us != NEVER)
        return;
    k->kill_at_us = now + drain_ms * 1000;
    kill(k->pid, SIGTERM);
}

static void tell_all(struct master *m)
{
    int64_t now = clock_mono_us();

    for (size_t i = 0; i < m->kid_count; i++)
        tell_to_end(&m->kids[i], now, m->p->drain_ms);
    m->remind_at_us = now + REMIND_US;
}

static void begin_stop(struct master *m, const char *why)
{
    if (!m->is_stopping) {
        log_event(LOG_INFO, "stopping", "why", why, NULL);
        if (m->p->stopping)
            m->p->stopping(m->p->ctx);
    }
    m->is_stopping = true;
    tell_all(m);
}

/* New children first, so that somebody answers all the time; the old ones finish and leave. */
static void reload(struct master *m)
{
    size_t old_count = m->kid_count;
    int64_t now;

    if (m->is_stopping || m->p->reload == NULL)
        return;
    if (!m->p->reload(m->p->ctx)) {
        log_event(LOG_ERROR, "reload refused; the old children go on", NULL);
        return;
    }
    for (size_t i = 0; i < m->p->children; i++)
        m->slots[i] = (struct slot){.is_filled = false};
    fill_slots(m);
    now = clock_mono_us();
    for (size_t i = 0; i < old_count; i++)
        tell_to_end(&m->kids[i], now, m->p->drain_ms);
    m->remind_at_us = now + REMIND_US;
    log_event(LOG_INFO, "reloaded", NULL);
}

static void log_death(const struct kid *k, int status)
{
    char pid[24], how[32];

    snprintf(pid, sizeof(pid), "%ld", (long)k->pid);
    if (WIFSIGNALED(status))
        snprintf(how, sizeof(how), "signal %d", WTERMSIG(status));
    else
        snprintf(how, sizeof(how), "status %d", WEXITSTATUS(status));
    log_event(LOG_WARN, "a child died", "child", pid, "how", how, NULL);
}

/* Its slot is free again, unless a reload has given it to a younger child. */
static void slot_vacate(struct master *m, const struct kid *k, bool is_clean)
{
    struct slot *s = &m->slots[k->slot];
    int64_t now = clock_mono_us();

    if (k->kill_at_us != NEVER)
        return;
    s->is_filled = !m->p->is_restarting;
    s->not_before_us = now;
    /* A child that retires at once, again and again, is as costly as one that crashes. */
    if (now - k->started_us < (is_clean ? EARLY_US / 50 : EARLY_US))
        slot_delay(s, now);
    else
        s->pause_us = 0;
}

static void reap(struct master *m)
{
    for (;;) {
        int status = 0;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        bool is_clean = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        size_t i = 0;

        if (pid < 0 && errno == EINTR)
            continue;
        if (pid <= 0)
            return;
        while (i < m->kid_count && m->kids[i].pid != pid)
            i++;
        if (i == m->kid_count)
            continue;
        if (!is_clean) {
            log_death(&m->kids[i], status);
            m->had_failure = true;
        }
        slot_vacate(m, &m->kids[i], is_clean);
        memmove(&m->kids[i], &m->kids[i + 1], (m->kid_count - i - 1) * sizeof(*m->kids));
        m->kid_count--;
    }
}

static int64_t earliest(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool some_leave(const struct master *m)
{
    for (size_t i = 0; i < m->kid_count; i++)
        if (m->kids[i].kill_at_us != NEVER)
            return true;
    return false;
}

/* When something is to be done although no signal comes. */
static int64_t next_due(const struct master *m)
{
    int64_t due = m->is_stopping ? NEVER : m->stop_at_us;

    for (size_t i = 0; i < m->kid_count; i++)
        due = earliest(due, m->kids[i].kill_at_us);
    for (size_t i = 0; i < m->p->children && !m->is_stopping; i++)
        if (!m->slots[i].is_filled)
            due = earliest(due, m->slots[i].not_before_us);
    return some_leave(m) ? earliest(due, m->remind_at_us) : due;
}

static void do_due(struct master *m)
{
    int64_t now = clock_mono_us();
    bool is_time_to_remind = m->remind_at_us <= now;

    if (!m->is_stopping && m->stop_at_us <= now)
        begin_stop(m, "the time is over");
    for (size_t i = 0; i < m->kid_count; i++) {
        struct kid *k = &m->kids[i];

        if (k->kill_at_us <= now) {
            kill(k->pid, SIGKILL);
            k->kill_at_us = now + KILL_AGAIN_US;
        } else if (k->kill_at_us != NEVER && is_time_to_remind)
            kill(k->pid, SIGTERM);
    }
    if (is_time_to_remind)
        m->remind_at_us = now + REMIND_US;
    fill_slots(m);
}

/* The signal that came, or 0 when the next thing is due. */
static int wait_signal(const struct master *m)
{
    int64_t due = next_due(m), left;
    struct timespec ts;
    int sig;

    if (due == NEVER) {
        sig = sigwaitinfo(&m->wanted, NULL);
        return sig > 0 ? sig : 0;
    }
    left = due - clock_mono_us();
    if (left < 0)
        left = 0;
    ts.tv_sec = (time_t)(left / 1000000);
    ts.tv_nsec = (long)(left % 1000000) * 1000;
    sig = sigtimedwait(&m->wanted, NULL, &ts);
    return sig > 0 ? sig : 0;
}

static bool is_over(const struct master *m)
{
    return m->kid_count == 0 && (m->is_stopping || !m->p->is_restarting);
}

static void loop(struct master *m)
{
    fill_slots(m);
    while (!is_over(m)) {
        switch (wait_signal(m)) {
        case SIGTERM:
            begin_stop(m, "TERM");
            break;
        case SIGINT:
            begin_stop(m, "INT");
            break;
        case SIGHUP:
            reload(m);
            break;
        default:
            break;
        }
        /* Signals of one kind merge: whoever has ended is looked for at each turn. */
        reap(m);
        do_due(m);
    }
}

static void on_child(int sig)
{
    (void)sig;
}

/* SIGCHLD may come to us ignored, and then nobody could be waited for. */
static void master_signals(struct master *m, struct sigaction *before)
{
    struct sigaction sa = {.sa_handler = on_child, .sa_flags = SA_RESTART};

    sigemptyset(&sa.sa_mask);
    sigaction(SIGCHLD, &sa, before);
    sigemptyset(&m->wanted);
    sigaddset(&m->wanted, SIGTERM);
    sigaddset(&m->wanted, SIGINT);
    sigaddset(&m->wanted, SIGHUP);
    sigaddset(&m->wanted, SIGCHLD);
    sigprocmask(SIG_BLOCK, &m->wanted, &m->before);
}

int prefork_run(const struct prefork *p)
{
    struct master m = {.p = p, .stop_at_us = NEVER, .remind_at_us = NEVER};
    struct sigaction before;

    if (p->children == 0)
        BUG("prefork without children");
    m.slots = xcalloc(p->children, sizeof(*m.slots));
    if (p->stop_after_ms > 0)
        m.stop_at_us = clock_mono_us() + p->stop_after_ms * 1000;
    master_signals(&m, &before);
    loop(&m);
    sigprocmask(SIG_SETMASK, &m.before, NULL);
    sigaction(SIGCHLD, &before, NULL);
    free(m.slots);
    free(m.kids);
    return !p->is_restarting && m.had_failure ? 1 : 0;
}
