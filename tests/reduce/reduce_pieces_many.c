/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions in pieces of many short runs: joined in a time by their number.
 */
#include <broadloom.h>
#include <broadloom/reduce_pieces.h>

#include <time.h>

#include "harness/same.h"
#include "harness/tap.h"

/* Seconds of processor time to join twice `runs` short runs that lie between each
 * other.
 */
static double join_runs(int64_t runs)
{
    static const double number[8];
    const int64_t extent = 8;
    const bl_array run = {(void *)(uintptr_t)number, BL_DTYPE_F64, 1, &extent, NULL, 0};
    const int32_t axis = 0;
    bl_reduce_pieces *pieces[2];
    clock_t begin;

    for (int k = 0; k < 2; k++) {
        must(bl_reduce_pieces_create(NULL, BL_REDUCTION_SUM, BL_DTYPE_F64, 0, NULL,
                                     NULL, &pieces[k]));
        for (int64_t i = 0; i < runs; i++)
            must(bl_reduce_pieces_add(NULL, pieces[k], 64 * i + 32 * k + 1, &run, 1,
                                      &axis));
    }
    begin = clock();
    must(bl_reduce_pieces_join(NULL, pieces[0], pieces[1]));
    const double time = (double)(clock() - begin) / CLOCKS_PER_SEC;

    for (int k = 0; k < 2; k++)
        bl_reduce_pieces_destroy(pieces[k]);
    return time;
}

/* Sixteen times as many runs take 16 times as long, or 256 times where each is moved.
 */
static bool check_many_runs(void)
{
    double few = 1e9, many = 1e9;

    for (int turn = 0; turn < 3; turn++) {
        const double a = join_runs(4000), b = join_runs(64000);

        few = a < few ? a : few;
        many = b < many ? b : many;
    }
    tap_note("4000 runs are joined in %.3f ms, 64000 in %.3f ms", 1e3 * few,
             1e3 * many);
    return many < 64 * few || many < 0.05;
}

int main(void)
{
    tap_plan();
    tap_ok(check_many_runs(), "many short runs are joined in one pass");
    return tap_done();
}
