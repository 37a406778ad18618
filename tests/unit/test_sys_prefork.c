/*
 * The master and its children. A test runs prefork_run() in a process of its own, whose children write
 * one line about each step to a pipe; the test waits for lines, never for time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sys/clock.h"
#include "sys/prefork.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/banned.h"

#define PATIENCE_MS 20000
#define LONGEST_LIFE_S 60

struct stage {
    int out[2];     /* children and master write, the test reads */
    int generation; /* changed by reload() in the master */
    bool refuse_reload;
    pid_t master;
    char rest[4096]; /* read, not looked at yet */
    size_t rest_n;
};

static void say(const struct stage *s, const char *what, size_t index)
{
    char line[96];
    int n = snprintf(line, sizeof(line), "%s %zu %ld %d\n", what, index, (long)getpid(),
                     s->generation);

    if (write(s->out[1], line, (size_t)n) != n)
        _exit(9);
}

/* ---- kinds of children ---- */

/* Sleeps until a signal comes, as a responder does in accept(). Whatever goes wrong with the master, no
   child outlives its alarm. */
static int patient(size_t index, void *ctx)
{
    alarm(LONGEST_LIFE_S);
    say(ctx, "start", index);
    while (!prefork_stop)
        poll(NULL, 0, -1);
    say(ctx, "end", index);
    return 0;
}

static int stubborn(size_t index, void *ctx)
{
    signal(SIGTERM, SIG_IGN);
    alarm(LONGEST_LIFE_S);
    say(ctx, "start", index);
    for (;;)
        poll(NULL, 0, -1);
    return 0;
}

static int retiring(size_t index, void *ctx)
{
    say(ctx, "start", index);
    return 0;
}

/* Its `generation` is the time of its start. */
static int dying(size_t index, void *ctx)
{
    struct stage *s = ctx;

    s->generation = (int)(clock_mono_us() / 1000 % 1000000000);
    say(s, "start", index);
    return 1;
}

static int failing(size_t index, void *ctx)
{
    say(ctx, "start", index);
    return index == 1 ? 3 : 0;
}

/* ---- running one ---- */

static bool reload(void *ctx)
{
    struct stage *s = ctx;

    if (s->refuse_reload) {
        say(s, "refused", 0);
        return false;
    }
    s->generation++;
    say(s, "reload", 0);
    return true;
}

static void run(struct stage *s, const struct prefork *how)
{
    struct prefork p = *how;

    assert_int_equal(pipe(s->out), 0);
    fflush(NULL);
    s->master = fork();
    assert_true(s->master >= 0);
    if (s->master != 0) {
        close(s->out[1]);
        return;
    }
    close(s->out[0]);
    alarm(LONGEST_LIFE_S);
    if (freopen("/dev/null", "w", stderr) == NULL)
        _exit(9);
    p.ctx = s;
    p.reload = reload;
    _exit(prefork_run(&p));
}

/* The next line, without its newline; fails when none comes. NULL: all writers have ended. */
static const char *next_line(struct stage *s)
{
    static char line[128];
    char *end;

    while ((end = memchr(s->rest, '\n', s->rest_n)) == NULL) {
        struct pollfd p = {.fd = s->out[0], .events = POLLIN};
        ssize_t n;

        if (poll(&p, 1, PATIENCE_MS) != 1)
            fail_msg("nothing came");
        n = read(s->out[0], s->rest + s->rest_n, sizeof(s->rest) - s->rest_n);
        assert_true(n >= 0);
        if (n == 0)
            return NULL;
        s->rest_n += (size_t)n;
    }
    *end = '\0';
    assert_true((size_t)(end - s->rest) < sizeof(line));
    memcpy(line, s->rest, (size_t)(end + 1 - s->rest));
    s->rest_n -= (size_t)(end + 1 - s->rest);
    memmove(s->rest, end + 1, s->rest_n);
    return line;
}

struct step {
    char what[16];
    size_t index;
    pid_t pid;
    int generation;
};

static struct step expect(struct stage *s, const char *what)
{
    struct step st = {.what = ""};
    const char *line = next_line(s);
    long pid;

    if (line == NULL)
        fail_msg("no \"%s\" came: all have ended", what);
    assert_int_equal(
        sscanf(line, "%15s %zu %ld %d", st.what, &st.index, &pid, &st.generation), 4);
    st.pid = (pid_t)pid;
    if (strcmp(st.what, what) != 0)
        fail_msg("\"%s\" instead of \"%s\"", line, what);
    return st;
}

static void expect_end_of_all(struct stage *s, int status)
{
    int got;

    assert_null(next_line(s));
    assert_int_equal(waitpid(s->master, &got, 0), s->master);
    assert_true(WIFEXITED(got));
    assert_int_equal(WEXITSTATUS(got), status);
    close(s->out[0]);
}

/* ---- tests ---- */

static void term_lets_children_finish(void **state)
{
    struct prefork p = {
        .children = 3, .child = patient, .is_restarting = true, .drain_ms = 60000};
    struct stage s = {.generation = 0};
    bool seen[3] = {false};

    (void)state;
    run(&s, &p);
    for (int i = 0; i < 3; i++) {
        struct step st = expect(&s, "start");

        assert_true(st.index < 3 && !seen[st.index]);
        seen[st.index] = true;
    }
    kill(s.master, SIGTERM);
    for (int i = 0; i < 3; i++)
        expect(&s, "end");
    expect_end_of_all(&s, 0);
}

static void int_is_like_term(void **state)
{
    struct prefork p = {
        .children = 1, .child = patient, .is_restarting = true, .drain_ms = 60000};
    struct stage s = {.generation = 0};

    (void)state;
    run(&s, &p);
    expect(&s, "start");
    kill(s.master, SIGINT);
    expect(&s, "end");
    expect_end_of_all(&s, 0);
}

static void a_killed_child_is_replaced_in_its_place(void **state)
{
    struct prefork p = {
        .children = 2, .child = patient, .is_restarting = true, .drain_ms = 60000};
    struct stage s = {.generation = 0};
    struct step first, again;

    (void)state;
    run(&s, &p);
    first = expect(&s, "start");
    expect(&s, "start");
    for (int i = 0; i < 3; i++) {
        kill(first.pid, SIGKILL);
        again = expect(&s, "start");
        assert_int_equal(again.index, first.index);
        assert_true(again.pid != first.pid);
        first = again;
    }
    kill(s.master, SIGTERM);
    expect(&s, "end");
    expect(&s, "end");
    expect_end_of_all(&s, 0);
}

static void a_child_that_retires_is_replaced(void **state)
{
    struct prefork p = {
        .children = 1, .child = retiring, .is_restarting = true, .drain_ms = 60000};
    struct stage s = {.generation = 0};

    (void)state;
    run(&s, &p);
    for (int i = 0; i < 4; i++)
        expect(&s, "start");
    kill(s.master, SIGTERM);
    while (next_line(&s) != NULL)
        ;
    expect_end_of_all(&s, 0);
}

/* The pause can only come out longer on a busy machine: the bounds are from below. */
static void one_that_dies_at_once_is_replaced_after_growing_pauses(void **state)
{
    struct prefork p = {
        .children = 1, .child = dying, .is_restarting = true, .drain_ms = 60000};
    struct stage s = {.generation = 0};
    int at_ms[4];

    (void)state;
    run(&s, &p);
    for (int i = 0; i < 4; i++)
        at_ms[i] = expect(&s, "start").generation;
    kill(s.master, SIGTERM);
    while (next_line(&s) != NULL)
        ;
    expect_end_of_all(&s, 0);
    assert_true(at_ms[1] - at_ms[0] >= 99);
    assert_true(at_ms[2] - at_ms[1] >= 199);
    assert_true(at_ms[3] - at_ms[2] >= 399);
}

static void hup_replaces_all_after_reload(void **state)
{
    struct prefork p = {
        .children = 2, .child = patient, .is_restarting = true, .drain_ms = 60000};
    struct stage s = {.generation = 0};
    int started = 0, ended = 0;

    (void)state;
    run(&s, &p);
    expect(&s, "start");
    expect(&s, "start");
    kill(s.master, SIGHUP);
    expect(&s, "reload");
    while (started + ended < 4) {
        const char *line = next_line(&s);

        assert_non_null(line);
        started += strncmp(line, "start", 5) == 0 && line[strlen(line) - 1] == '1';
        ended += strncmp(line, "end", 3) == 0 && line[strlen(line) - 1] == '0';
    }
    assert_int_equal(started, 2);
    assert_int_equal(ended, 2);
    kill(s.master, SIGTERM);
    assert_int_equal(expect(&s, "end").generation, 1);
    assert_int_equal(expect(&s, "end").generation, 1);
    expect_end_of_all(&s, 0);
}

static void a_refused_reload_changes_nothing(void **state)
{
    struct prefork p = {
        .children = 1, .child = patient, .is_restarting = true, .drain_ms = 60000};
    struct stage s = {.refuse_reload = true};
    struct step first;

    (void)state;
    run(&s, &p);
    first = expect(&s, "start");
    kill(s.master, SIGHUP);
    expect(&s, "refused");
    kill(s.master, SIGTERM);
    assert_int_equal(expect(&s, "end").pid, first.pid);
    expect_end_of_all(&s, 0);
}

static void one_that_does_not_listen_is_killed(void **state)
{
    struct prefork p = {
        .children = 2, .child = stubborn, .is_restarting = true, .drain_ms = 50};
    struct stage s = {.generation = 0};

    (void)state;
    run(&s, &p);
    expect(&s, "start");
    expect(&s, "start");
    kill(s.master, SIGTERM);
    expect_end_of_all(&s, 0);
}

static void without_restarting_it_ends_with_its_children(void **state)
{
    struct prefork p = {.children = 2, .child = retiring, .drain_ms = 60000};
    struct stage s = {.generation = 0};

    (void)state;
    run(&s, &p);
    expect(&s, "start");
    expect(&s, "start");
    expect_end_of_all(&s, 0);
    p.child = failing;
    s = (struct stage){.generation = 0};
    run(&s, &p);
    expect(&s, "start");
    expect(&s, "start");
    expect_end_of_all(&s, 1);
}

static void the_time_that_is_given_ends(void **state)
{
    struct prefork p = {
        .children = 2, .child = patient, .drain_ms = 60000, .stop_after_ms = 50};
    struct stage s = {.generation = 0};

    (void)state;
    run(&s, &p);
    for (int i = 0; i < 4; i++) {
        const char *line = next_line(&s);

        assert_non_null(line);
    }
    expect_end_of_all(&s, 0);
}

static void children_follow_a_master_that_was_killed(void **state)
{
    struct prefork p = {
        .children = 2, .child = patient, .is_restarting = true, .drain_ms = 60000};
    struct stage s = {.generation = 0};
    int status;

    (void)state;
    run(&s, &p);
    expect(&s, "start");
    expect(&s, "start");
    kill(s.master, SIGKILL);
    expect(&s, "end");
    expect(&s, "end");
    assert_null(next_line(&s));
    assert_int_equal(waitpid(s.master, &status, 0), s.master);
    close(s.out[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(term_lets_children_finish),
        cmocka_unit_test(int_is_like_term),
        cmocka_unit_test(a_killed_child_is_replaced_in_its_place),
        cmocka_unit_test(a_child_that_retires_is_replaced),
        cmocka_unit_test(one_that_dies_at_once_is_replaced_after_growing_pauses),
        cmocka_unit_test(hup_replaces_all_after_reload),
        cmocka_unit_test(a_refused_reload_changes_nothing),
        cmocka_unit_test(one_that_does_not_listen_is_killed),
        cmocka_unit_test(without_restarting_it_ends_with_its_children),
        cmocka_unit_test(the_time_that_is_given_ends),
        cmocka_unit_test(children_follow_a_master_that_was_killed),
    };

    return cmocka_run_group_tests_name("prefork", tests, NULL, NULL);
}
