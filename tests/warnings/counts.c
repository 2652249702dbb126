/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts of warnings are exact: from threads that ended and that continue, across
 * resets, in a forked child, and for more places than a thread caches.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <broadloom.h>
#include <broadloom/warnings.h>

#include "harness/tap.h"

static const int64_t row[2] = {1, 4}, vector[1] = {4};
static float x[4], y[4];
static const bl_array r = {.data = x, .dtype = BL_DTYPE_F32, .rank = 2, .extent = row};
static const bl_array v = {
    .data = y, .dtype = BL_DTYPE_F32, .rank = 1, .extent = vector};

enum { THREADS = 8, CALLS = 1000 };

/* Call (4) + (1,4), which is now (1,4), as if from a line of a file. */
static bool call_from(const char *file, int32_t line)
{
    float mine[4];
    const bl_array out = {
        .data = mine, .dtype = BL_DTYPE_F32, .rank = 2, .extent = row};

    bl_call_site_enter(file, line);
    return bl_call_site_leave(bl_add_out(NULL, &out, &v, &r)) == BL_OK;
}

static int64_t counted(void)
{
    return bl_warnings_count(BL_CHANGE_SHAPE);
}

/* ---- threads ---- */

static _Atomic int32_t failures;
static pthread_barrier_t half_way, at_end;

static void *call_in_thread(void *argument)
{
    const int32_t line = *(const int32_t *)argument;

    for (int32_t i = 0; i < CALLS; i++)
        failures += !call_from("thread.c", line);
    return NULL;
}

static void *call_twice(void *argument)
{
    call_in_thread(argument);
    pthread_barrier_wait(&half_way);
    pthread_barrier_wait(&half_way);
    call_in_thread(argument);
    pthread_barrier_wait(&at_end);
    pthread_barrier_wait(&at_end);
    return NULL;
}

static void start_threads(pthread_t thread[THREADS], int32_t line[THREADS],
                          void *(*run)(void *))
{
    for (int32_t t = 0; t < THREADS; t++) {
        line[t] = 1 + t / 2; /* two threads each */
        if (pthread_create(&thread[t], NULL, run, &line[t]) != 0)
            failures++;
    }
}

static void end_threads(pthread_t thread[THREADS])
{
    for (int32_t t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
}

static bool has_site(void *user, const bl_warning_site *site)
{
    int64_t *const exact = user;

    *exact += site->file && strcmp(site->file, "thread.c") == 0 &&
              site->count == 2 * CALLS && site->line >= 1 && site->line <= THREADS / 2;
    return true;
}

static void check_threads(void)
{
    pthread_t thread[THREADS];
    int32_t line[THREADS];
    int64_t exact = 0;

    bl_warnings_reset();
    start_threads(thread, line, call_in_thread);
    end_threads(thread);
    bl_warnings_visit(has_site, &exact);
    tap_ok(failures == 0 && counted() == THREADS * CALLS && exact == THREADS / 2,
           "threads that ended are counted, each site");

    pthread_barrier_init(&half_way, NULL, THREADS + 1);
    pthread_barrier_init(&at_end, NULL, THREADS + 1);
    bl_warnings_reset();
    start_threads(thread, line, call_twice);
    pthread_barrier_wait(&half_way);
    tap_ok(counted() == THREADS * CALLS, "threads that wait are counted");
    bl_warnings_reset();
    tap_ok(counted() == 0, "nothing is after a reset");
    pthread_barrier_wait(&half_way);
    pthread_barrier_wait(&at_end);
    exact = 0;
    bl_warnings_visit(has_site, &exact);
    tap_ok(counted() == THREADS * CALLS && exact == THREADS / 2,
           "what comes after it is");
    pthread_barrier_wait(&at_end);
    end_threads(thread);
    tap_ok(failures == 0 && counted() == THREADS * CALLS, "and stays so at their end");
    pthread_barrier_destroy(&half_way);
    pthread_barrier_destroy(&at_end);
}

/* ---- places ---- */

static bool add_count(void *user, const bl_warning_site *site)
{
    *(int64_t *)user += site->count == 3;
    return true;
}

static void check_places(void)
{
    enum { PLACES = 500 };
    int64_t threes = 0;

    bl_warnings_reset();
    for (int32_t i = 0; i < 3 * PLACES; i++)
        failures += !call_from("many.c", 1 + i % PLACES);
    bl_warnings_visit(add_count, &threes);
    tap_ok(failures == 0 && counted() == 3 * PLACES && threes == PLACES,
           "%d places, more than are kept", PLACES);
}

/* ---- a child ---- */

static void check_fork(void)
{
    int status = 1;
    pid_t child;

    bl_warnings_reset();
    for (int32_t i = 0; i < 10; i++)
        failures += !call_from("fork.c", 1);
    child = fork();
    if (child == 0) {
        for (int32_t i = 0; i < 5; i++)
            failures += !call_from("fork.c", 1);
        _exit(failures == 0 && counted() == 5 ? 0 : 1);
    }
    tap_ok(child > 0 && waitpid(child, &status, 0) == child && status == 0,
           "a child counts its own calls alone");
    tap_ok(counted() == 10, "and its parent those that it made");
}

static bool add_all(void *user, const bl_warning_site *site)
{
    *(int64_t *)user += site->count;
    return true;
}

/*
 * Counts that threads cache which the child does not have are discarded with the rest.
 */
static void check_fork_of_threads(void)
{
    pthread_t thread[THREADS];
    int32_t line[THREADS];
    int status = 1;
    pid_t child;

    pthread_barrier_init(&half_way, NULL, THREADS + 1);
    pthread_barrier_init(&at_end, NULL, THREADS + 1);
    bl_warnings_reset();
    start_threads(thread, line, call_twice);
    pthread_barrier_wait(&half_way);
    child = fork();
    if (child == 0) {
        int64_t before = 0, after = 0;

        bl_warnings_visit(add_all, &before);
        failures += !call_from("thread.c", 1);
        bl_warnings_visit(add_all, &after);
        _exit(failures == 0 && before == 0 && after == 1 && counted() == 1 ? 0 : 1);
    }
    tap_ok(child > 0 && waitpid(child, &status, 0) == child && status == 0,
           "nor those of its parent's threads");
    pthread_barrier_wait(&half_way);
    pthread_barrier_wait(&at_end);
    tap_ok(counted() == 2 * THREADS * CALLS, "which the parent goes on counting");
    pthread_barrier_wait(&at_end);
    end_threads(thread);
    pthread_barrier_destroy(&half_way);
    pthread_barrier_destroy(&at_end);
}

/* A child of a process whose other threads were calling. */
static void check_fork_beside_threads(void)
{
    pthread_t thread[THREADS];
    int32_t line[THREADS];
    int lost = 0;

    bl_warnings_reset();
    start_threads(thread, line, call_in_thread);
    for (int k = 0; k < 20; k++) {
        const pid_t child = fork();
        int status = 1;

        if (child == 0)
            _exit(call_from("child.c", 1) && counted() == 1 ? 0 : 1);
        lost += child < 0 || waitpid(child, &status, 0) != child || status != 0;
    }
    end_threads(thread);
    tap_ok(lost == 0, "children of a process whose threads were calling");
    tap_ok(counted() == THREADS * CALLS, "which lost no count by it");
}

/* ---- scopes, and what is reported ---- */

static void count_reported(void *user, const bl_warning *warning)
{
    (void)warning;
    ++*(int32_t *)user;
}

static void check_reported(void)
{
    int32_t reported = 0;

    bl_warnings_reset();
    for (int32_t i = 0; i < 3; i++)
        failures += !call_from("reported.c", 1);
    bl_warnings_suppress_begin();
    failures += !call_from("reported.c", 1);
    bl_warnings_suppress_end();
    tap_ok(counted() == 3, "a scope without warnings counts none");
    bl_warnings_set_handler(count_reported, &reported);
    for (int32_t i = 0; i < 3; i++)
        failures += !call_from("reported.c", 1);
    tap_ok(reported == 1 && counted() == 6,
           "a handler that comes later is reported once");
    bl_warnings_set_handler(NULL, NULL);
    tap_ok(bl_warnings_filter(BL_WARNING_ERROR, BL_CHANGE_SHAPE, NULL) == BL_OK &&
               !call_from("reported.c", 1) && counted() == 7,
           "a filter that comes later refuses");
}

/* A call that a thread has cached as raising nothing is asked about again. */
static void check_generation(void)
{
    const bl_rules_operand operand[] = {{{1, vector}, 0, NULL}, {{2, row}, 0, NULL}};
    const bl_rules_query query = {.size = sizeof query,
                                  .axis = BL_AXIS_LAST,
                                  .count = 2,
                                  .operand = operand,
                                  .function = "TH_TENSOR_APPLY2"};
    int64_t count[2];

    bl_warnings_reset();
    for (int i = 0; i < 4; i++) {
        if (i == 2)
            failures += bl_backcompat_broadcast_warning_set_predicate(
                            BL_PREDICATE_EXACT) != BL_OK;
        failures += bl_warnings_raise_pointwise(&query, "cached.c", 1, NULL) != BL_OK;
        count[i / 2] = bl_warnings_count(BL_CHANGE_VALUE);
    }
    tap_ok(failures == 0 && count[0] == 0 && count[1] == 2,
           "what raised nothing raises under another predicate");
}

int main(void)
{
    tap_plan();
    bl_backcompat_broadcast_warning_set_enabled(true);
    tap_ok(bl_backcompat_broadcast_warning_set_predicate(BL_PREDICATE_PRECISE) == BL_OK,
           "warnings of what changes");
    check_threads();
    check_places();
    check_fork();
    check_fork_of_threads();
    check_fork_beside_threads();
    check_reported();
    check_generation();
    return tap_done();
}
