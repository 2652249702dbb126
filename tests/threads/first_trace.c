/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The first call that is traced in a process: what is done once, as finding out about
 * the machine, is in no slice and no region.
 */
#include <broadloom.h>

#include <time.h>

#include "harness/same.h"
#include "harness/tap.h"

static int64_t traced[2]; /* nanoseconds by kind: slices, regions */

static void trace(void *user, const bl_trace *event)
{
    (void)user;
    traced[event->kind == BL_TRACE_REGION] += event->end_ns - event->begin_ns;
}

static int64_t clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int main(void)
{
    enum { LITTLE = 1000000 }; /* ns, more than four additions and less than the rest */

    static const int64_t extent[] = {4};
    float numbers[4] = {1, 2, 3, 4}, sums[4];
    const bl_array in = {numbers, BL_DTYPE_F32, 1, extent, NULL, 0};
    const bl_array out = {sums, BL_DTYPE_F32, 1, extent, NULL, 0};
    bl_context *ctx;
    int64_t all;

    tap_plan();
    must(bl_context_create(&ctx));
    must(bl_context_set_threads(ctx, 1));
    bl_context_set_tracer(ctx, trace, NULL);
    all = clock_ns();
    must(bl_add_out(ctx, &out, &in, &in));
    all = clock_ns() - all;
    tap_ok(sums[3] == 8 && traced[0] > 0 && (traced[0] < LITTLE || traced[0] < all / 2),
           "%d of %d us are in a slice", (int)(traced[0] / 1000), (int)(all / 1000));
    tap_ok(traced[1] >= traced[0] && (traced[1] < LITTLE || traced[1] < all / 2),
           "%d us in its region", (int)(traced[1] / 1000));
    bl_context_destroy(ctx);
    return tap_done();
}
