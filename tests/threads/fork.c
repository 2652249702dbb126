/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forks at critical moments: while another thread is in the process's first call, while
 * others hold the library's locks, with fork handlers of the application that call it.
 * The child calls the library immediately, and every result is right.
 *
 * Each attempt is a separate process, this program with arguments: fork.t WAY MOMENT.
 */
#define _GNU_SOURCE

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <broadloom.h>
#include <broadloom/warnings.h>

#include "harness/sanitizer.h"
#include "harness/tap.h"

/* Large enough for several threads, and for a block of the pool. */
enum { ROWS = 1024, COLUMNS = 1031, COUNT = ROWS * COLUMNS, PATIENCE = 10 };

static const int64_t whole[2] = {ROWS, COLUMNS};
static const int64_t column[2] = {ROWS, 1};
static float x[COUNT], y[ROWS];

/* ---- calls ---- */

static bool is_sum(const float *sum)
{
    for (int64_t i = 0; i < COUNT; i++)
        if (sum[i] != x[i] + y[i / COLUMNS])
            return false;
    return true;
}

static bool add(void)
{
    const bl_array a = {x, BL_DTYPE_F32, 2, whole, NULL, 0};
    const bl_array b = {y, BL_DTYPE_F32, 2, column, NULL, 0};
    bl_tensor *sum = NULL;
    const bool pass =
        bl_add(NULL, &a, &b, &sum) == BL_OK && is_sum(bl_tensor_array(sum)->data);

    bl_tensor_release(sum);
    return pass;
}

/* Raise a warning of the rules that a filter turns into an error. */
static bool warn(void)
{
    static float left[4] = {1, 2, 3, 4}, right[4] = {5, 6, 7, 8};
    static const int64_t tall[2] = {4, 1}, flat[1] = {4};
    const bl_array a = {left, BL_DTYPE_F32, 2, tall, NULL, 0};
    const bl_array b = {right, BL_DTYPE_F32, 1, flat, NULL, 0};
    bl_tensor *sum = NULL;
    bool pass;

    bl_backcompat_broadcast_warning_set_enabled(true);
    pass = bl_warnings_filter(BL_WARNING_ERROR, BL_CHANGE_NONE, NULL) == BL_OK &&
           bl_add(NULL, &a, &b, &sum) == BL_ERR_RULES &&
           strstr(bl_error_message(), "broadcast") != NULL;
    bl_backcompat_broadcast_warning_set_enabled(false);
    bl_warnings_reset();
    return pass && bl_warnings_count(BL_CHANGE_NONE) == 0;
}

static bool look(void)
{
    bl_topology_info info = {.size = sizeof info};
    bl_context *ctx = NULL;
    const bool pass = bl_context_create(&ctx) == BL_OK &&
                      bl_topology_query(ctx, &info) == BL_OK && info.nodes >= 1 &&
                      info.processors >= 1 && bl_context_pool_limit(ctx) > 0;

    bl_context_destroy(ctx);
    return pass;
}

static bool call(void)
{
    return add() && warn() && look() && bl_context_trim(NULL) >= 0;
}

/* Fork, and have the child call. */
static bool fork_and_call(void)
{
    const pid_t child = fork();
    int status = -1;

    if (child == 0) {
        alarm(PATIENCE);
        _exit(call() ? 0 : 1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* ---- concurrent activity during the fork ---- */

static atomic_bool is_begun, is_over;

static void *call_first(void *argument)
{
    atomic_store(&is_begun, true);
    *(bool *)argument = look() && add();
    return NULL;
}

static bool fork_in_first_call(long moment)
{
    const struct timespec wait = {.tv_nsec = moment * 1000};
    pthread_t thread;
    bool is_right = false, pass;

    if (pthread_create(&thread, NULL, call_first, &is_right) != 0)
        return false;
    while (!atomic_load(&is_begun))
        continue;
    nanosleep(&wait, NULL);
    pass = fork_and_call();
    pthread_join(thread, NULL);
    return pass && is_right;
}

/* Lock and unlock the locks that calls take, as often as possible.  Only the first
 * round allocates, and forks wait until it is over: see obstacle(). */
static void *lock_often(void *argument)
{
    bl_context *const ctx = argument;

    while (!atomic_load(&is_over)) {
        (void)!bl_context_set_pool_limit(ctx, 1 << 24);
        bl_warnings_set_handler(NULL, NULL);
        (void)bl_warnings_count(BL_CHANGE_NONE);
        atomic_store(&is_begun, true);
    }
    return NULL;
}

static bool fork_among_locks(long times)
{
    pthread_t thread;
    bl_context *ctx = NULL;
    bool pass = bl_context_create(&ctx) == BL_OK &&
                pthread_create(&thread, NULL, lock_often, ctx) == 0;

    if (!pass)
        return false;
    while (!atomic_load(&is_begun))
        continue;
    for (long i = 0; pass && i < times; i++)
        pass = fork_and_call();
    atomic_store(&is_over, true);
    pthread_join(thread, NULL);
    bl_context_destroy(ctx);
    return pass;
}

/* Registered before the library's handlers, so they run while it holds its locks. */
static atomic_int right_in_handlers;

static void call_in_handler(void)
{
    atomic_fetch_add(&right_in_handlers, call());
}

static bool fork_with_handlers(long times)
{
    bool pass = pthread_atfork(call_in_handler, call_in_handler, call_in_handler) == 0;

    pass = pass && call();
    for (long i = 0; pass && i < times; i++)
        pass = fork_and_call();
    return pass && atomic_load(&right_in_handlers) == 2 * times;
}

static const struct {
    const char *name;
    bool (*run)(long moment);
    long first, last;
    bool allocates; /* in another thread, while this one forks */
    const char *what;
} ways[] = {
    {"first", fork_in_first_call, 60, 8000, true,
     "forks while another thread makes the first call"},
    {"locks", fork_among_locks, 40, 40, false,
     "forks while another thread locks often"},
    {"handlers", fork_with_handlers, 3, 3, false, "handlers of forks that call"},
};

/* Why a way cannot be tried here, or NULL.  A child hangs in the allocator of
 * AddressSanitizer where the other thread was in it: GCC 12's does not lock it around
 * forks, as the C library does its own. */
static const char *obstacle(size_t way)
{
    if (HAS_THREAD_SANITIZER)
        return "ThreadSanitizer locks around forks";
    return HAS_ADDRESS_SANITIZER && ways[way].allocates
               ? "AddressSanitizer does not lock its allocator around forks"
               : NULL;
}

/* ---- attempts: moments `first` to `last`, in steps of a sixth ---- */

static int try_here(const char *way, const char *moment)
{
    alarm(2 * PATIENCE);
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++)
        if (strcmp(ways[w].name, way) == 0)
            return ways[w].run(strtol(moment, NULL, 10)) ? 0 : 1;
    return 2;
}

static bool try_apart(const char *way, long moment)
{
    char text[24];
    int status = -1;
    pid_t child;

    snprintf(text, sizeof text, "%ld", moment);
    child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "fork.t", way, text, (char *)NULL);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
    for (int64_t i = 0; i < COUNT; i++)
        x[i] = (float)(i % 4093);
    for (int64_t i = 0; i < ROWS; i++)
        y[i] = (float)(i * 8192);
    if (argc == 3)
        return try_here(argv[1], argv[2]);
    setenv("OMP_NUM_THREADS", "4", 1);
    setenv("BROADLOOM_WARNINGS", "ignore:value:nowhere.c", 1);
    tap_plan();
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        const char *const why = obstacle(w);
        int tries = 0, failed = 0;

        if (why != NULL) {
            tap_skip(why, "%s", ways[w].what);
            continue;
        }
        /* Stop after two failures: a hang takes long. */
        for (long m = ways[w].first; m <= ways[w].last && failed < 2; m += m / 6 + 1) {
            const bool pass = try_apart(ways[w].name, m);

            tries++;
            failed += !pass;
            if (!pass)
                tap_note("fork.t %s %ld fails", ways[w].name, m);
        }
        tap_ok(failed == 0, "%s: %d", ways[w].what, tries);
    }
    return tap_done();
}
