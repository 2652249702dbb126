/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands whose dimensions are permuted in memory in every order, too large for one
 * tile: tiles over two and three loops, the last tiles, parts that begin within them.
 */
#include <inttypes.h>

#include "harness/problem.h"
#include "harness/sanitizer.h"
#include "reference/ref.h"
#include "harness/tap.h"

static struct setting settings[SETTINGS];

/* Permutation `number` of `rank` dims. */
static struct problem_layout order_of(int32_t rank, int32_t number, uint32_t reversed)
{
    struct problem_layout layout = problem_compact();
    bool is_taken[PROBLEM_RANK] = {false};
    int32_t orders = 1;

    for (int32_t d = 2; d <= rank; d++)
        orders *= d;
    number %= orders;
    for (int32_t d = 0; d < rank; d++) {
        int32_t dim = 0, skip;

        orders /= rank - d;
        skip = number / orders;
        number %= orders;
        while (is_taken[dim] || skip-- > 0)
            dim++;
        is_taken[dim] = true;
        layout.order[d] = dim;
    }
    layout.reversed = reversed;
    return layout;
}

static bool check(bl_dtype dtype, int32_t rank, const int64_t *extent, int32_t a,
                  int32_t b, uint32_t reversed)
{
    const struct problem_layout compact = problem_compact();
    const struct problem_layout first = order_of(rank, a, reversed);
    const struct problem_layout second = order_of(rank, b, 0);
    struct problem problem = {.op = BL_OP_SUB, .dtype = dtype, .inputs = 2};
    bool pass;

    problem_describe(&problem.out, dtype, rank, extent, &compact);
    problem_describe(&problem.in[0], dtype, rank, extent, &first);
    problem_describe(&problem.in[1], dtype, rank, extent, &second);
    problem_open(&problem);
    pass = settings_run(settings, &problem, false);
    problem_close(&problem);
    return pass;
}

static const struct {
    const char *what;
    int32_t rank;
    int64_t extent[4];
    uint32_t reversed;
} shapes[] = {
    {"powers of two", 3, {64, 32, 64, 0}, 0},
    {"odd extents", 3, {37, 45, 71, 0}, 0},
    {"short rows", 4, {40, 9, 50, 5}, 0},
    {"four dimensions", 4, {18, 20, 17, 19}, 0},
    {"two of them backwards", 4, {18, 20, 17, 19}, 1 << 1 | 1 << 3},
};

int main(void)
{
    static const bl_dtype dtypes[] = {BL_DTYPE_I8, BL_DTYPE_I16, BL_DTYPE_F32,
                                      BL_DTYPE_F64};

    tap_plan();
    settings_open(settings);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        /* Threads have parts of the same kind whatever the dtype: two of them. */
        for (size_t t = 0; t < sizeof dtypes / sizeof dtypes[0];
             t += HAS_THREAD_SANITIZER ? 3 : 1) {
            const int32_t orders = shapes[s].rank == 3 ? 6 : 24;
            bool pass = true;

            for (int32_t a = 0; pass && a<orders; a += orders> 6 ? 5 : 1)
                pass = check(dtypes[t], shapes[s].rank, shapes[s].extent, a,
                             a * 7 + (int32_t)t, shapes[s].reversed);
            tap_ok(pass, "operands in every order, %s, %s", shapes[s].what,
                   bl_dtype_name(dtypes[t]));
        }
    settings_close(settings);
    return tap_done();
}
