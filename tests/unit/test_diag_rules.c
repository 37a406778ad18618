/* Each rule has a test that makes it fire, and one near miss that must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "diag/rules.h"
#include "test_diag_case.h"

#include "base/banned.h"

#define KILLED "Command exited with code -1 and error:\nsignal: killed"
#define KERNEL                                                                           \
    "[   75.12] Memory cgroup out of memory: Killed process 962 (python3) "              \
    "total-vm:991762kB"

static struct test_case c;
static struct finding f;

static int setup(void **state)
{
    (void)state;
    case_init(&c, 300);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    case_release(&c);
    return 0;
}

static void expect(const char *rule, enum finding_class cls)
{
    case_run(&c, &f);
    assert_string_equal(f.rule, rule);
    assert_int_equal(f.cls, cls);
    assert_true(strlen(f.headline) > 0 && strlen(f.headline) <= 110);
    assert_true(strlen(f.brief) > 0);
    assert_true((f.cls == CLASS_UNDETERMINED) == (f.reason != REASON_NONE));
}

/* A python3 that ends at 60 s; running afterwards. */
static void job(double limit_s, double memory, const char *told)
{
    case_samples(&c, 0, 60, memory, 40);
    case_samples(&c, 60, 100, 10, 2);
    case_proc(&c, 960, "python3 job.py", 5, 61, limit_s);
    case_out(&c, 61.2, told);
    case_running(&c, 105);
}

static void test_command_limit(void **state)
{
    (void)state;
    job(56, 30, KILLED);
    expect("command_limit", CLASS_TIMEOUT);
}

/* Its limit is far away: the signal has another sender. */
static void test_command_limit_near_miss(void **state)
{
    (void)state;
    job(80, 30, KILLED);
    expect("unknown_sender", CLASS_UNDETERMINED);
}

static void test_kernel_memory_kill(void **state)
{
    (void)state;
    job(0, 20, KILLED "\n" KERNEL);
    expect("kernel_memory_kill", CLASS_OUT_OF_MEMORY);
    assert_int_equal(f.confidence, CONFIDENCE_HIGH);
    assert_non_null(strstr(f.signature, "python3"));
    assert_true(case_has_factor(&f, "signal:9"));
}

/* The kernel's line is of another machine: nothing here died. */
static void test_kernel_memory_kill_near_miss(void **state)
{
    (void)state;
    case_samples(&c, 0, 100, 20, 10);
    case_proc(&c, 12, "node summarise.js ticket.log", 5, -1, 0);
    case_print(&c, 20,
               "[ 991.0] Out of memory: Killed process 604 (mysqld) total-vm:338kB");
    case_running(&c, 105);
    expect("running", CLASS_UNDETERMINED);
}

static void test_signal_from_api(void **state)
{
    (void)state;
    case_log(&c, 60, "Process sendSignal", "method", "POST /process.Process/SendSignal");
    job(0, 95, KILLED);
    expect("signal_from_api", CLASS_KILLED_EARLY);
}

/* A signal call long before has nothing to do with it. */
static void test_signal_from_api_near_miss(void **state)
{
    (void)state;
    case_log(&c, 20, "Process sendSignal", "method", "POST /process.Process/SendSignal");
    job(0, 95, KILLED);
    expect("vanished_at_full_memory", CLASS_OUT_OF_MEMORY);
}

/* The bucket of the death may hold the later poll alone: then the one before it counts. */
static void test_sample_of_the_bucket_of_the_death(void **state)
{
    (void)state;
    case_samples(&c, 0, 60, 95, 40);
    case_samples(&c, 60, 100, 10, 2); /* stamped 60, taken after the death at 64.5 */
    case_proc(&c, 960, "python3 job.py", 5, 64.5, 0);
    case_out(&c, 64.6, KILLED);
    case_running(&c, 105);
    expect("vanished_at_full_memory", CLASS_OUT_OF_MEMORY);
}

static void test_sample_of_the_bucket_of_the_death_near_miss(void **state)
{
    (void)state;
    case_samples(&c, 0, 55, 95, 40); /* memory was free again two samples before */
    case_samples(&c, 55, 100, 10, 2);
    case_proc(&c, 960, "python3 job.py", 5, 64.5, 0);
    case_out(&c, 64.6, KILLED);
    case_running(&c, 105);
    expect("unknown_sender", CLASS_UNDETERMINED);
}

static void test_kill_command_inside(void **state)
{
    (void)state;
    case_proc(&c, 970, "pkill -9 -f job.py", 60.5, 60.9, 0);
    job(0, 95, KILLED);
    expect("kill_command_inside", CLASS_CRASHED);
}

static void test_kill_command_inside_near_miss(void **state)
{
    (void)state;
    case_proc(&c, 970, "pkill -9 -f other.py", 10, 10.2, 0);
    job(0, 95, KILLED);
    expect("vanished_at_full_memory", CLASS_OUT_OF_MEMORY);
}

static void test_not_sandbox_memory(void **state)
{
    (void)state;
    job(0, 95,
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 11.52 GiB.\n"
        "Command exited with code 1");
    expect("not_sandbox_memory", CLASS_CRASHED);
}

/* The same library, main memory. */
static void test_not_sandbox_memory_near_miss(void **state)
{
    (void)state;
    job(0, 50,
        "RuntimeError: DefaultCPUAllocator: can't allocate memory: you tried to allocate "
        "13292797952 bytes.\nCommand exited with code 1");
    expect("memory_refused", CLASS_OUT_OF_MEMORY);
}

static void test_own_memory_ceiling(void **state)
{
    (void)state;
    job(0, 50,
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of "
        "memory\n"
        "Command exited with code 134");
    expect("own_memory_ceiling", CLASS_OUT_OF_MEMORY);
    assert_non_null(strstr(f.brief, "heap limit"));
}

/* A program that talks about it, and does something else. */
static void test_own_memory_ceiling_near_miss(void **state)
{
    (void)state;
    job(0, 50,
        "Section 3 drafted: 'Why JavaScript heap out of memory happens'\nall done\n"
        "Command exited with code 0");
    expect("running", CLASS_UNDETERMINED);
}

static void test_memory_refused(void **state)
{
    (void)state;
    job(0, 50,
        "MemoryError: Unable to allocate 103. GiB for an array\nCommand exited with code "
        "1");
    expect("memory_refused", CLASS_OUT_OF_MEMORY);
    assert_true(case_has_factor(&f, "exit_code:1"));
}

/* A request of a pebibyte and more is an arithmetic bug. */
static void test_memory_refused_near_miss(void **state)
{
    (void)state;
    job(0, 50,
        "memory allocation of 18446744073709551615 bytes failed\nCommand exited with "
        "code 134");
    expect("not_sandbox_memory", CLASS_CRASHED);
}

static void test_memory_refused_handled(void **state)
{
    (void)state;
    job(0, 50,
        "WARNING features: MemoryError: Unable to allocate 3.73 GiB for an array; "
        "retrying\n"
        "all good");
    expect("running", CLASS_UNDETERMINED);
}

static void test_vanished_at_full_memory(void **state)
{
    (void)state;
    job(0, 90, KILLED);
    expect("vanished_at_full_memory", CLASS_OUT_OF_MEMORY);
    assert_int_equal(f.confidence, CONFIDENCE_MEDIUM);
}

static void test_vanished_at_full_memory_near_miss(void **state)
{
    (void)state;
    job(0, 89, KILLED);
    expect("unknown_sender", CLASS_UNDETERMINED);
}

static void test_shell_time_limit(void **state)
{
    (void)state;
    case_samples(&c, 0, 100, 20, 10);
    case_proc(&c, 960, "timeout 30 python3 job.py", 5, 35, 0);
    case_out(&c, 35.2, "Command exited with code 124");
    case_running(&c, 105);
    expect("shell_time_limit", CLASS_TIMEOUT);
}

static void test_shell_time_limit_near_miss(void **state)
{
    (void)state;
    job(0, 20, "Command exited with code 124");
    expect("bad_exit", CLASS_CRASHED);
}

static void could_be(enum finding_class cls, enum likelihood likelihood)
{
    for (size_t i = 0; i < f.could_be_count; i++)
        if (f.could_be[i].cls == cls) {
            assert_int_equal(f.could_be[i].likelihood, likelihood);
            assert_true(strlen(f.could_be[i].text) > 0);
            return;
        }
    fail_msg("nothing is said of class %d", (int)cls);
}

static void ruled_out(enum finding_class cls)
{
    for (size_t i = 0; i < f.ruled_out_count; i++)
        if (f.ruled_out[i].cls == cls)
            return;
    fail_msg("class %d is not ruled out", (int)cls);
}

static void test_unknown_sender(void **state)
{
    (void)state;
    case_proc(&c, 960, "./run_all.sh", 5, 61, 0);
    case_out(&c, 61.2, "Command exited with code 137");
    case_running(&c, 105);
    expect("unknown_sender", CLASS_UNDETERMINED);
    assert_true(case_has_factor(&f, "exit_code:137") && case_has_factor(&f, "signal:9"));
    could_be(CLASS_OUT_OF_MEMORY, POSSIBLE);
    could_be(CLASS_KILLED_EARLY, POSSIBLE);
    could_be(CLASS_CRASHED, UNLIKELY);
    ruled_out(CLASS_TIMEOUT);
    assert_int_equal(f.could_be_count, 3);
}

/* Calm samples make memory unlikely, and do not rule it out: a jump may stand between two of them. */
static void test_unknown_sender_with_calm_samples(void **state)
{
    (void)state;
    job(0, 30, "Command exited with code 137");
    expect("unknown_sender", CLASS_UNDETERMINED);
    could_be(CLASS_OUT_OF_MEMORY, UNLIKELY);
}

/* Memory is not what sends signal 15. */
static void test_unknown_sender_of_another_signal(void **state)
{
    (void)state;
    case_proc(&c, 960, "./run_all.sh", 5, 61, 0);
    case_out(&c, 61.2, "Command exited with code 143");
    case_running(&c, 105);
    expect("unknown_sender", CLASS_UNDETERMINED);
    could_be(CLASS_OUT_OF_MEMORY, UNLIKELY);
}

static void test_unknown_loss(void **state)
{
    (void)state;
    case_out(&c, 50, "ContextRestarting: Context was restarted");
    case_running(&c, 105);
    expect("unknown_loss", CLASS_UNDETERMINED);
}

static void test_unknown_loss_near_miss(void **state)
{
    (void)state;
    case_samples(&c, 0, 50, 96, 40);
    case_samples(&c, 50, 100, 20, 4);
    case_out(&c, 50, "ContextRestarting: Context was restarted");
    case_running(&c, 105);
    expect("vanished_at_full_memory", CLASS_OUT_OF_MEMORY);
    assert_true(case_has_factor(&f, "kernel_restarted"));
}

static void test_signal_from_inside(void **state)
{
    (void)state;
    job(0, 20,
        "Command exited with code -1 and error:\nsignal: segmentation fault (core "
        "dumped)");
    expect("signal_from_inside", CLASS_CRASHED);
    assert_true(case_has_factor(&f, "segfault") && case_has_factor(&f, "signal:11"));
}

static void test_program_error(void **state)
{
    (void)state;
    job(0, 20,
        "Traceback (most recent call last):\n  File \"/home/user/job.py\", line 9, in "
        "total\n"
        "    return row['amount']\nKeyError: 'amount'\nCommand exited with code 1");
    expect("program_error", CLASS_CRASHED);
    assert_string_equal(f.signature, "KeyError: 'amount' in total");
    assert_null(strstr(f.headline, "KeyError"));
    assert_null(strstr(f.brief, "KeyError"));
}

/* The same text, and the command ended well. */
static void test_program_error_near_miss(void **state)
{
    (void)state;
    job(0, 20, "KeyError: 'amount'\nCommand exited with code 0");
    expect("running", CLASS_UNDETERMINED);
}

static void test_bad_exit(void **state)
{
    (void)state;
    job(0, 20, "Command exited with code 3");
    expect("bad_exit", CLASS_CRASHED);
    assert_true(case_has_factor(&f, "exit_code:3"));
}

static void test_bad_exit_retried(void **state)
{
    (void)state;
    case_proc(&c, 980, "python3 job.py", 70, 80, 0);
    job(0, 20, "Command exited with code 3");
    case_print(&c, 79, "all done");
    expect("running", CLASS_UNDETERMINED);
}

/* ---- endings ---- */

static void test_machine_died_full(void **state)
{
    (void)state;
    case_samples(&c, 0, 100, 96, 60);
    case_log(&c, 101, "Sandbox stopped", NULL, NULL);
    c.ev.now_us += 200 * TS_SEC;
    expect("machine_died_full", CLASS_OUT_OF_MEMORY);
}

static void test_machine_died(void **state)
{
    (void)state;
    case_samples(&c, 0, 100, 22, 60);
    case_log(&c, 101, "Sandbox stopped", NULL, NULL);
    c.ev.now_us += 200 * TS_SEC;
    expect("machine_died", CLASS_CRASHED);
}

static void test_machine_died_near_miss(void **state)
{
    (void)state;
    case_samples(&c, 0, 100, 22, 60);
    case_proc(&c, 960, "python3 job.py", 5, -1, 0);
    case_kill(&c, 101, "request");
    expect("killed_while_working", CLASS_KILLED_EARLY);
}

static void test_killed_by_timeout(void **state)
{
    (void)state;
    case_samples(&c, 0, 300, 22, 99);
    case_proc(&c, 960, "python3 job.py", 5, -1, 0);
    case_kill(&c, 300.5, "timeout");
    expect("killed_by_timeout", CLASS_TIMEOUT);
    assert_true(case_has_factor(&f, "cpu_pegged"));
}

/* The first thing that ended the work decides, not what removed the sandbox afterwards. */
static void test_killed_by_timeout_near_miss(void **state)
{
    (void)state;
    case_samples(&c, 0, 300, 22, 20);
    case_proc(&c, 960, "python3 job.py", 5, 61, 0);
    case_out(&c, 61.2, "Command exited with code 2");
    case_kill(&c, 300.5, "timeout");
    expect("bad_exit", CLASS_CRASHED);
}

static void test_platform_kill(void **state)
{
    (void)state;
    case_samples(&c, 0, 100, 22, 20);
    case_proc(&c, 960, "python3 job.py", 5, 61, 0);
    case_print(&c, 60.5, "all done");
    case_kill(&c, 100, "orphaned");
    expect("platform_kill", CLASS_KILLED_EARLY);
}

static void test_killed_while_working(void **state)
{
    (void)state;
    case_samples(&c, 0, 297, 22, 20);
    case_proc(&c, 960, "python3 job.py", 5, -1, 0);
    case_kill(&c, 297, "request");
    expect("killed_while_working", CLASS_KILLED_EARLY);
    assert_int_equal(f.confidence, CONFIDENCE_HIGH);
}

static void test_ended_after_work(void **state)
{
    (void)state;
    case_samples(&c, 0, 100, 22, 20);
    case_proc(&c, 950, "npm run dev", 4, -1, 0);
    case_proc(&c, 960, "python3 job.py", 5, 61, 0);
    case_kill(&c, 100, "request");
    expect("ended_after_work", CLASS_UNDETERMINED);
    assert_int_equal(f.reason, REASON_ENDED_NORMALLY);
    assert_string_equal(f.signature, "");
}

static void test_killed_unseen(void **state)
{
    (void)state;
    case_samples(&c, 0, 100, 22, 20);
    case_kill(&c, 100, "request");
    expect("killed_unseen", CLASS_KILLED_EARLY);
    assert_int_equal(f.confidence, CONFIDENCE_LOW);
}

static void test_no_reason_late(void **state)
{
    (void)state;
    case_proc(&c, 960, "python3 job.py", 5, -1, 0);
    case_kill(&c, 295, "unknown");
    expect("no_reason_late", CLASS_TIMEOUT);
}

static void test_no_reason_early(void **state)
{
    (void)state;
    case_proc(&c, 960, "python3 job.py", 5, -1, 0);
    case_kill(&c, 290, NULL);
    expect("no_reason_early", CLASS_KILLED_EARLY);
}

static void pause_at(double at_s)
{
    case_log(&c, at_s - 0.1, "Pausing sandbox", NULL, NULL);
    case_log(&c, at_s + 0.5, "Sandbox stopped", NULL, NULL);
    case_event(&c, at_s, "paused", NULL);
}

static void test_automatic_pause(void **state)
{
    (void)state;
    case_proc(&c, 960, "python3 job.py", 5, -1, 0);
    pause_at(303);
    expect("automatic_pause", CLASS_TIMEOUT);
}

/* On request: long before the limit. */
static void test_automatic_pause_near_miss(void **state)
{
    (void)state;
    case_proc(&c, 960, "python3 job.py", 5, -1, 0);
    pause_at(120);
    expect("paused", CLASS_UNDETERMINED);
}

static void test_paused(void **state)
{
    (void)state;
    case_proc(&c, 960, "python3 job.py", 5, 20, 0);
    pause_at(303);
    expect("paused", CLASS_UNDETERMINED);
}

static void test_lost_end(void **state)
{
    (void)state;
    c.ev.sandbox_src.state = SOURCE_NOT_THERE;
    case_samples(&c, 0, 299, 22, 20);
    c.ev.now_us += 340 * TS_SEC;
    expect("lost_end", CLASS_TIMEOUT);
    assert_int_equal(f.confidence, CONFIDENCE_LOW);
}

/* Signs of life stop long before the limit, and no second sign says why. */
static void test_lost_end_near_miss(void **state)
{
    (void)state;
    c.ev.sandbox_src.state = SOURCE_NOT_THERE;
    case_samples(&c, 0, 100, 22, 20);
    c.ev.now_us += 340 * TS_SEC;
    expect("not_enough", CLASS_UNDETERMINED);
}

static void test_running_silent(void **state)
{
    (void)state;
    case_samples(&c, 0, 50, 22, 20);
    case_running(&c, 200);
    expect("running_silent", CLASS_UNDETERMINED);
}

static void test_running(void **state)
{
    (void)state;
    case_samples(&c, 0, 100, 22, 20);
    case_running(&c, 105);
    expect("running", CLASS_UNDETERMINED);
}

static void test_never_started(void **state)
{
    (void)state;
    c.ev.event_count = c.ev.log_count = 0;
    case_log(&c, 0, "Started creating sandbox", NULL, NULL);
    expect("never_started", CLASS_UNDETERMINED);
}

static void test_nothing(void **state)
{
    (void)state;
    c.ev.event_count = c.ev.log_count = 0;
    expect("not_enough", CLASS_UNDETERMINED);
    assert_non_null(strstr(f.missing, "No metrics"));
    assert_int_equal(f.ruled_out_count, 0);
    for (int k = 0; k < CLASS_UNDETERMINED; k++)
        could_be((enum finding_class)k, POSSIBLE);
}

/* The brief names what there is nothing of, and only that. */
static void test_nothing_but_samples(void **state)
{
    (void)state;
    c.ev.event_count = c.ev.log_count = 0;
    case_samples(&c, 0, 60, 34, 20);
    c.ev.has_sandbox = false;
    c.ev.sandbox_src.state = SOURCE_NOT_THERE;
    expect("not_enough", CLASS_UNDETERMINED);
    assert_non_null(strstr(f.brief, "There are no events and no log lines on record."));
    assert_null(strstr(f.brief, "metrics"));
}

/* Same facts, same finding. */
static void test_same_twice(void **state)
{
    struct finding again;

    (void)state;
    job(0, 95, KILLED);
    case_run(&c, &f);
    case_run(&c, &again);
    assert_string_equal(f.signature, again.signature);
    assert_string_equal(f.brief, again.brief);
    assert_int_equal(f.evidence_count, again.evidence_count);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_command_limit),
        T(test_command_limit_near_miss),
        T(test_kernel_memory_kill),
        T(test_kernel_memory_kill_near_miss),
        T(test_signal_from_api),
        T(test_signal_from_api_near_miss),
        T(test_sample_of_the_bucket_of_the_death),
        T(test_sample_of_the_bucket_of_the_death_near_miss),
        T(test_kill_command_inside),
        T(test_kill_command_inside_near_miss),
        T(test_not_sandbox_memory),
        T(test_not_sandbox_memory_near_miss),
        T(test_own_memory_ceiling),
        T(test_own_memory_ceiling_near_miss),
        T(test_memory_refused),
        T(test_memory_refused_near_miss),
        T(test_memory_refused_handled),
        T(test_vanished_at_full_memory),
        T(test_vanished_at_full_memory_near_miss),
        T(test_shell_time_limit),
        T(test_shell_time_limit_near_miss),
        T(test_unknown_sender),
        T(test_unknown_sender_with_calm_samples),
        T(test_unknown_sender_of_another_signal),
        T(test_unknown_loss),
        T(test_unknown_loss_near_miss),
        T(test_signal_from_inside),
        T(test_program_error),
        T(test_program_error_near_miss),
        T(test_bad_exit),
        T(test_bad_exit_retried),
        T(test_machine_died_full),
        T(test_machine_died),
        T(test_machine_died_near_miss),
        T(test_killed_by_timeout),
        T(test_killed_by_timeout_near_miss),
        T(test_platform_kill),
        T(test_killed_while_working),
        T(test_ended_after_work),
        T(test_killed_unseen),
        T(test_no_reason_late),
        T(test_no_reason_early),
        T(test_automatic_pause),
        T(test_automatic_pause_near_miss),
        T(test_paused),
        T(test_lost_end),
        T(test_lost_end_near_miss),
        T(test_running_silent),
        T(test_running),
        T(test_never_started),
        T(test_nothing),
        T(test_nothing_but_samples),
        T(test_same_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
