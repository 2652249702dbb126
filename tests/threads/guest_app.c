/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An application that makes one large call, for scripts that set up its environment:
 * from its main thread, inside its own parallel region, in a child that was forked
 * after a call or after a team of its own, part by part.
 *
 * usage: guest_app plain|region|nested|bound|fork|child|parts
 *
 * Prints one line: the team and its limit as the library reports them, the most threads
 * that worked on a call, by how many threads the process grew, whether the result is
 * right.  An alarm ends it if it hangs.
 */
#define _GNU_SOURCE

#include <inttypes.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <broadloom.h>

#include "harness/limits.h"

/* Large enough for many threads. */
enum { ROWS = 2048, COLUMNS = 2048, COUNT = ROWS * COLUMNS, CALLERS = 2, PARTS = 5 };

static const int64_t whole[2] = {ROWS, COLUMNS};
static const int64_t row[1] = {COLUMNS};
static float x[COUNT], y[COLUMNS], result[CALLERS][COUNT];
static bl_context *ctx;
static atomic_int most_used;

static void note_threads(void *user, const bl_trace *trace)
{
    int seen = atomic_load(&most_used);

    (void)user;
    if (trace->kind != BL_TRACE_SLICE)
        return;
    while (trace->thread >= seen &&
           !atomic_compare_exchange_weak(&most_used, &seen, trace->thread + 1))
        continue;
}

static bool is_right(const float *sum)
{
    for (int64_t i = 0; i < COUNT; i++)
        if (sum[i] != x[i] + y[i % COLUMNS])
            return false;
    return true;
}

static bool add(float *sum)
{
    const bl_array a = {x, BL_DTYPE_F32, 2, whole, NULL, 0};
    const bl_array b = {y, BL_DTYPE_F32, 1, row, NULL, 0};
    const bl_array out = {sum, BL_DTYPE_F32, 2, whole, NULL, 0};

    memset(sum, 0, sizeof result[0]);
    return bl_add_out(ctx, &out, &a, &b) == BL_OK && is_right(sum);
}

/*
 * Call inside the application's parallel region, whose own threads do not count as
 * growth.
 */
static bool add_in_region(int *before)
{
    bool pass = true;

#pragma omp parallel num_threads(CALLERS) reduction(&& : pass)
    {
#pragma omp barrier
#pragma omp single
        *before = limits_tasks();
        pass = add(result[omp_get_thread_num()]);
    }
    return pass;
}

static bool add_parts(int *before)
{
    const bl_array a = {x, BL_DTYPE_F32, 2, whole, NULL, 0};
    const bl_array b = {y, BL_DTYPE_F32, 1, row, NULL, 0};
    const bl_array *const in[] = {&a, &b};
    const void *const data[] = {x, y};
    bl_plan *plan = NULL;
    bool pass = bl_plan_create(ctx, BL_OP_ADD, NULL, 2, in, NULL, &plan) == BL_OK;

#pragma omp parallel num_threads(CALLERS) reduction(&& : pass)
    {
#pragma omp single
        *before = limits_tasks();
#pragma omp for schedule(dynamic, 1)
        for (int32_t part = 0; part < PARTS; part++)
            pass = pass && bl_plan_execute_part(NULL, plan, part, PARTS, result[0],
                                                data) == BL_OK;
    }
    bl_plan_destroy(plan);
    return pass && is_right(result[0]);
}

static int report(bool pass, int before)
{
    bl_topology_info info = {.size = sizeof info};

    if (bl_topology_query(ctx, &info) != BL_OK)
        pass = false;
    printf("team %" PRId32 " (%s), used %d, grew %d, %s\n", info.team, info.limit_text,
           atomic_load(&most_used), limits_tasks() - before, pass ? "right" : "wrong");
    return pass ? 0 : 1;
}

static bool have_team(void)
{
    int threads = 0;

#pragma omp parallel num_threads(CALLERS) reduction(+ : threads)
    threads++;
    return threads > 0;
}

/*
 * Fork after the parent has had a team, the library's or its own, which the child
 * lacks.
 */
static int fork_and_report(bool called)
{
    int status = 1;
    const bool pass = called ? add(result[0]) : have_team();
    const pid_t child = fork();

    if (child == 0) {
        const int before = limits_tasks();

        alarm(20);
        atomic_store(&most_used, 0);
        status = report(add(result[0]), before);
        fflush(stdout);
        _exit(status);
    }
    waitpid(child, &status, 0);
    return pass && status == 0 && add(result[0]) ? 0 : 1;
}

int main(int argc, char **argv)
{
    const char *const way = argc > 1 ? argv[1] : "plain";
    int before = limits_tasks();
    bool pass;

    alarm(40);
    for (int64_t i = 0; i < COUNT; i++)
        x[i] = (float)(i % 4093);
    for (int64_t i = 0; i < COLUMNS; i++)
        y[i] = (float)(i * 8);
    if (bl_context_create(&ctx) != BL_OK)
        return 2;
    bl_context_set_tracer(ctx, note_threads, NULL);
    bl_context_set_nested_parallelism(ctx, strcmp(way, "nested") == 0);
    bl_context_set_thread_binding(ctx, strcmp(way, "bound") == 0);
    if (strcmp(way, "fork") == 0 || strcmp(way, "child") == 0)
        return fork_and_report(strcmp(way, "fork") == 0);
    if (strcmp(way, "region") == 0 || strcmp(way, "nested") == 0)
        pass = add_in_region(&before);
    else if (strcmp(way, "parts") == 0)
        pass = add_parts(&before);
    else
        pass = add(result[0]);
    return report(pass, before);
}
