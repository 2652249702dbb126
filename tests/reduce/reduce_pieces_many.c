/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions in pieces of many short runs: joined in a time by their number.
 */
#include <broadloom.h>
#include <broadloom/reduce_pieces.h>

#include <time.h>

#include "harness/same.h"
#include "harness/tap.h"

struct times {
    double add, join; /* seconds of processor time */
};

static double seconds_since(clock_t begin)
{
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* Add twice `runs` short runs that lie between each other, and join them. */
static struct times join_runs(int64_t runs)
{
    static const double number[8];
    const int64_t extent = 8;
    const bl_array run = {(void *)(uintptr_t)number, BL_DTYPE_F64, 1, &extent, NULL, 0};
    const int32_t axis = 0;
    bl_reduce_pieces *pieces[2];
    clock_t begin = clock();
    struct times times;

    for (int k = 0; k < 2; k++) {
        must(bl_reduce_pieces_create(NULL, BL_REDUCTION_SUM, BL_DTYPE_F64, 0, NULL,
                                     NULL, &pieces[k]));
        for (int64_t i = 0; i < runs; i++)
            must(bl_reduce_pieces_add(NULL, pieces[k], 64 * i + 32 * k + 1, &run, 1,
                                      &axis));
    }
    times.add = seconds_since(begin);
    begin = clock();
    must(bl_reduce_pieces_join(NULL, pieces[0], pieces[1]));
    times.join = seconds_since(begin);
    for (int k = 0; k < 2; k++)
        bl_reduce_pieces_destroy(pieces[k]);
    return times;
}

/*
 * Sixteen times as many runs take 16 times as long, or 256 times where each is moved.
 * What memory takes that is in no cache, they take as they are added, too.
 */
static bool check_many_runs(void)
{
    struct times few = {1e9, 1e9}, many = few;

    for (int turn = 0; turn < 3; turn++) {
        const struct times a = join_runs(4000), b = join_runs(64000);

        few.join = a.join < few.join ? a.join : few.join;
        few.add = a.add < few.add ? a.add : few.add;
        many.join = b.join < many.join ? b.join : many.join;
        many.add = b.add < many.add ? b.add : many.add;
    }
    tap_note("4000 runs are added in %.3f ms and joined in %.3f, 64000 in %.3f and "
             "%.3f",
             1e3 * few.add, 1e3 * few.join, 1e3 * many.add, 1e3 * many.join);
    return many.join < 64 * few.join || many.join < 2 * many.add;
}

int main(void)
{
    tap_plan();
    tap_ok(check_many_runs(), "many short runs are joined in one pass");
    return tap_done();
}
