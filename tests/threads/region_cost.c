/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a call of little work opens a parallel region: by what a region costs, given
 * or measured.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include <broadloom/context.h>
#include <broadloom/ops.h>

#include "exec/bind/bind.h"
#include "plan/cost.h"

#include "harness/tap.h"

enum { THREADS = 2, COUNT = 100000 };

/* Threads of a call with work for `grains`, two at most, by a region of so many ns. */
static int32_t size(int32_t region_ns, int32_t grains)
{
    const struct bli_team team = {.threads = THREADS, .region_ns = region_ns};

    return bli_team_size_for(&team, THREADS, grains);
}

static void given(void)
{
    /* Two threads save half of the work, of which a region may cost four fifths. */
    const int32_t grain = BLI_GRAIN_NS / 2 / 5 * 4;

    for (int32_t grains = 2; grains <= 12; grains++)
        tap_ok(size(grain * grains, grains) == THREADS &&
                   size(grain * grains + 1, grains) == 1,
               "a call with work for %d has two threads where a region takes %d ns, "
               "one where "
               "it takes longer",
               (int)grains, (int)(grain * grains));
    tap_ok(size(INT32_MAX, 34) == THREADS && size(INT32_MAX, 33) == 1,
           "a region counts as 20 us at most");
    tap_ok(size(1, 1) == THREADS && size(1, 0) == 1, "nothing is saved of no work");
}

/* ---- measured ---- */

static void note_team(void *user, const bl_trace *trace)
{
    if (trace->kind == BL_TRACE_REGION)
        *(int32_t *)user = trace->thread;
}

/* Add twice as the environment says; the teams' sizes. */
static void add_twice(int32_t *first, int32_t *second)
{
    static float in[COUNT], sum[COUNT];
    const int64_t extent[1] = {COUNT};
    const bl_array a = {in, BL_DTYPE_F32, 1, extent, NULL, 0};
    const bl_array out = {sum, BL_DTYPE_F32, 1, extent, NULL, 0};
    bl_context *ctx = NULL;

    *first = *second = 0;
    if (bl_context_create(&ctx) != BL_OK ||
        bl_context_set_threads(ctx, THREADS) != BL_OK)
        return;
    bl_context_set_tracer(ctx, note_team, first);
    if (bl_add_out(ctx, &out, &a, &a) != BL_OK)
        *first = 0;
    bl_context_set_tracer(ctx, note_team, second);
    if (bl_add_out(ctx, &out, &a, &a) != BL_OK)
        *second = 0;
    bl_context_destroy(ctx);
}

static void measured(void)
{
    int32_t first, second, usual;

    unsetenv("BROADLOOM_REGION_NS");
    add_twice(&first, &second);
    tap_ok(first >= 1 && first == second, "a measured cost stays: teams of %d and %d",
           (int)first, (int)second);
    usual = first;
    tap_ok(size(0, 1000) == THREADS, "much work has a team whatever a region costs");
    setenv("BROADLOOM_REGION_NS", "1", 1);
    add_twice(&first, &second);
    tap_ok(first == THREADS && second == THREADS,
           "BROADLOOM_REGION_NS=1: teams of two");
    setenv("BROADLOOM_REGION_NS", "1000000", 1);
    add_twice(&first, &second);
    tap_ok(first == 1 && second == 1, "BROADLOOM_REGION_NS=1000000: no teams");
    setenv("BROADLOOM_REGION_NS", "x", 1);
    add_twice(&first, &second);
    tap_ok(first == usual && second == usual, "what is no number is ignored");
}

/* ---- where there is no region ---- */

static void run_parts(void *user, int32_t parts, void (*part)(void *, int32_t),
                      void *argument)
{
    (void)user;
    for (int32_t k = 0; k < parts; k++)
        part(argument, k);
}

static void elsewhere(void)
{
    const struct bli_team own = {
        .threads = THREADS, .region_ns = INT32_MAX, .run = run_parts};
    int32_t inside = 0;

    tap_ok(bli_team_size_for(&own, THREADS, 2) == THREADS,
           "the program's own loop is not asked what it costs");
#pragma omp parallel num_threads(THREADS) reduction(max : inside)
    inside = size(0, 2);
    tap_ok(inside == 1, "inside a region nothing is measured");
}

int main(void)
{
    given();
    measured();
    elsewhere();
    return tap_done();
}
