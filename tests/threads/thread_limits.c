/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls where the system grants no more threads or memory: they run on fewer threads,
 * and the process continues.  Each attempt is a separate process, this program with
 * arguments: thread_limits.t WAY ROOM THREADS, where ROOM more threads are available.
 */
#define _GNU_SOURCE

#include <inttypes.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <broadloom.h>

#include "harness/limits.h"
#include "harness/sanitizer.h"
#include "harness/tap.h"

enum {
    ROWS = 1024,
    COLUMNS = 1024,
    COUNT = ROWS * COLUMNS,
    CALLERS = 3,
    PATIENCE = 30
};

static const int64_t whole[2] = {ROWS, COLUMNS};
static float x[COUNT], y[COLUMNS], result[CALLERS][COUNT];

/* ---- a call, and how many threads worked ---- */

static void note_team(void *user, const bl_trace *trace)
{
    if (trace->kind != BL_TRACE_SLICE)
        *(int32_t *)user = trace->thread;
}

/* Add with a team; returns its size, 0 where the result is wrong. */
static int32_t add(int32_t threads, float *sum)
{
    const int64_t row[1] = {COLUMNS};
    const bl_array a = {x, BL_DTYPE_F32, 2, whole, NULL, 0};
    const bl_array b = {y, BL_DTYPE_F32, 1, row, NULL, 0};
    const bl_array out = {sum, BL_DTYPE_F32, 2, whole, NULL, 0};
    bl_context *ctx = NULL;
    int32_t team = 0;

    memset(sum, 0, sizeof result[0]);
    if (bl_context_create(&ctx) != BL_OK ||
        bl_context_set_threads(ctx, threads) != BL_OK)
        return 0;
    bl_context_set_tracer(ctx, note_team, &team);
    if (bl_add_out(ctx, &out, &a, &b) != BL_OK)
        team = 0;
    bl_context_destroy(ctx);
    for (int64_t i = 0; i < COUNT; i++)
        if (sum[i] != x[i] + y[i % COLUMNS])
            return 0;
    return team;
}

/* ---- limits ---- */

/* Bytes of memory, by the field `word` of /proc/self/statm; -1: unknown. */
static int64_t bytes_used(int word)
{
    FILE *const file = fopen("/proc/self/statm", "r");
    int64_t pages = -1;

    for (int k = 0; file && k <= word; k++)
        if (fscanf(file, "%" SCNd64, &pages) != 1)
            pages = -1;
    if (file)
        fclose(file);
    return pages < 0 ? -1 : pages * sysconf(_SC_PAGESIZE);
}

/* Leave address space for `room` stacks, and some megabytes. */
static bool limit_space(int resource, int32_t room)
{
    const int64_t used = bytes_used(resource == RLIMIT_AS ? 0 : 5);
    pthread_attr_t attributes;
    size_t stack = 0;

    if (used < 0 || pthread_attr_init(&attributes) != 0)
        return false;
    (void)pthread_attr_getstacksize(&attributes, &stack);
    return limits_set(resource, used + room * ((int64_t)stack + 65536) + (6 << 20));
}

/* Limit tasks; a user's other processes are not counted, so they leave no room. */
static bool limit_tasks(int32_t *room)
{
    if (geteuid() != 0)
        *room = 0;
    return limits_become_user() && limits_set(RLIMIT_NPROC, limits_tasks() + *room);
}

/* ---- ways ---- */

static bool is_between(int32_t team, int32_t room, int32_t threads)
{
    const int32_t most = room + 1 < threads ? room + 1 : threads;

    if (team < most || team > threads)
        printf("# a team of %" PRId32 ", not %" PRId32 " to %" PRId32 "\n", team, most,
               threads);
    return team >= most && team <= threads;
}

static bool call_in_space(int32_t room, int32_t threads)
{
    return limit_space(RLIMIT_AS, room) &&
           is_between(add(threads, result[0]), room, threads) &&
           is_between(add(threads, result[0]), room, threads);
}

static bool call_in_data(int32_t room, int32_t threads)
{
    return limit_space(RLIMIT_DATA, room) &&
           is_between(add(threads, result[0]), room, threads);
}

/* The team that the library reports is the one that it uses. */
static bool call_as_user(int32_t room, int32_t threads)
{
    bl_topology_info info = {.size = sizeof info};

    if (!limit_tasks(&room) || bl_context_set_threads(NULL, threads) != BL_OK ||
        bl_topology_query(NULL, &info) != BL_OK)
        return false;
    return add(threads, result[0]) == info.team &&
           is_between(info.team, room, threads) && info.team <= room + 1 &&
           (info.limit == BL_TEAM_LIMIT_SYSTEM) == (info.team < threads);
}

/* Limits that are set later, and threads that end because fewer are needed. */
static bool call_again(int32_t room, int32_t threads)
{
    const int before = limits_tasks();
    int few = 0;

    if (!limit_tasks(&room) || add(threads, result[0]) < 1)
        return false;
#pragma omp parallel num_threads(2) if (room > 0) reduction(+ : few)
    few++;
    for (int k = 0; k < 1000 && limits_tasks() > before + 1; k++)
        usleep(1000);
    return limits_set(RLIMIT_NPROC, 1) && add(threads, result[0]) >= 1 &&
           add(2 * threads, result[0]) >= 1;
}

/* Two executions that have begun, and a call between them; the first one ends last. */
static bool call_begun(int32_t room, int32_t threads)
{
    const bl_array a = {x, BL_DTYPE_F32, 2, whole, NULL, 0};
    const bl_array out = {result[0], BL_DTYPE_F32, 2, whole, NULL, 0};
    const bl_array *const in[] = {&a, &a};
    const void *const data[] = {x, x};
    bl_plan_begun *begun[2];
    bl_context *ctx;
    bl_plan *plan;

    if (!limit_tasks(&room) || bl_context_create(&ctx) != BL_OK ||
        bl_context_set_threads(ctx, threads) != BL_OK ||
        bl_plan_create(ctx, BL_OP_ADD, &out, 2, in, NULL, &plan) != BL_OK)
        return false;
    for (int k = 0; k < 2; k++)
        if (bl_plan_begin(ctx, plan, result[k], data, &begun[k]) != BL_OK)
            return false;
    const bool pass = add(threads, result[2]) >= 1;

    for (int k = 1; k >= 0; k--)
        bl_plan_finish(begun[k], true);
    bl_plan_destroy(plan);
    bl_context_destroy(ctx);
    for (int64_t i = 0; i < COUNT; i++)
        if (result[0][i] != x[i] + x[i] || result[1][i] != x[i] + x[i])
            return false;
    return pass;
}

struct caller {
    pthread_t thread;
    pthread_barrier_t *all; /* reached by all callers, and called by all */
    int32_t threads, number, team;
};

static void *call_of_thread(void *argument)
{
    struct caller *const caller = argument;

    pthread_barrier_wait(caller->all);
    for (int k = 0; k < 4; k++)
        caller->team = add(caller->threads, result[caller->number]);
    pthread_barrier_wait(caller->all);
    return NULL;
}

/* Several threads of the application find the same room. */
static bool call_at_once(int32_t room, int32_t threads)
{
    struct caller callers[CALLERS];
    pthread_barrier_t all;
    bool pass =
        pthread_barrier_init(&all, NULL, CALLERS + 1) == 0 && limits_become_user();

    for (int k = 0; k < CALLERS; k++) {
        callers[k] = (struct caller){.all = &all, .threads = threads, .number = k};
        if (pthread_create(&callers[k].thread, NULL, call_of_thread, &callers[k]) != 0)
            return false;
    }
    pass = pass && limits_set(RLIMIT_NPROC, limits_tasks() + room);
    pthread_barrier_wait(&all);
    pthread_barrier_wait(&all);
    for (int k = 0; k < CALLERS; k++) {
        pthread_join(callers[k].thread, NULL);
        pass = pass && callers[k].team >= 1 && callers[k].team <= threads;
    }
    return pass;
}

static const struct {
    const char *name;
    bool (*run)(int32_t room, int32_t threads);
    const char *what;
} ways[] = {
    {"space", call_in_space, "RLIMIT_AS"},
    {"data", call_in_data, "RLIMIT_DATA"},
    {"user", call_as_user, "RLIMIT_NPROC"},
    {"again", call_again, "RLIMIT_NPROC lowered after a smaller team"},
    {"begun", call_begun, "RLIMIT_NPROC for executions that have begun"},
    {"at-once", call_at_once, "RLIMIT_NPROC for calls of several threads at once"},
};

static const struct {
    int32_t room, threads;
} sizes[] = {{0, 2}, {0, 16}, {1, 2}, {3, 8}, {5, 16}, {14, 16}, {15, 16}};

/* ---- attempts ---- */

static int try_here(char **argument)
{
    alarm(PATIENCE);
    for (int64_t i = 0; i < COUNT; i++)
        x[i] = (float)(i % 4093);
    for (int64_t i = 0; i < COLUMNS; i++)
        y[i] = (float)(i * 8);
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++)
        if (strcmp(ways[w].name, argument[1]) == 0)
            return ways[w].run(atoi(argument[2]), atoi(argument[3])) ? 0 : 3;
    return 2;
}

static void try_apart(const char *way, const char *what, int32_t room, int32_t threads)
{
    char rooms[12], teams[12];
    int status = -1;
    pid_t child;

    if (IS_SANITIZED) {
        tap_skip("a sanitizer needs memory and threads", "%s", what);
        return;
    }
    snprintf(rooms, sizeof rooms, "%" PRId32, room);
    snprintf(teams, sizeof teams, "%" PRId32, threads);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "room.t", way, rooms, teams, (char *)NULL);
        _exit(127);
    }
    if (child > 0 && waitpid(child, &status, 0) != child)
        status = -1;
    if (!tap_ok(status == 0, "%s, room for %s more: a team of %s", what, rooms, teams))
        tap_note("room.t %s %s %s ended with status %d", way, rooms, teams, status);
}

int main(int argc, char **argv)
{
    if (argc == 4)
        return try_here(argv);
    setenv("OMP_NUM_THREADS", "16", 1);
    tap_plan();
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            try_apart(ways[w].name, ways[w].what, sizes[s].room, sizes[s].threads);
    setenv("OMP_STACKSIZE", "64M", 1);
    try_apart("space", "RLIMIT_AS, stacks of 64 MiB", 0, 16);
    return tap_done();
}
