/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template, a part of reducer.tmpl.h: reductions of columns of few rows, whose lanes
 * are in registers.
 */

/* Registers of neighbouring columns, which do not wait for each other. */
#define STRIP 4

/*
 * Rows beyond which what is read next is prefetched, of so many bytes in all, unless
 * they are further apart: the hardware does not follow so many streams.  Zen 4, one
 * thread and two: sums of f32[63,85189] take .25 of the time, f32[35,200001] .45 to .8,
 * f32[48,100000] .4 to .69, f64[63,50001] .6 and .82, bf16[63,85189] .88 to .93; with
 * 512 bits f32[60,20000] .93, of 4.8 MB, with 256 1.05 to 1.15.  Rows of up to 30 take
 * 1.0 to 1.28, f32[60,500000] with 512 bits 1.15.  Largest of f32[48,100000] take .3
 * with 256 bits, i64[63,50001] .48 (.87 with 512), f64 .6 (.83), f64[64,9999] .83, sums
 * of i32[48,100000] .31 (.83); largest of 4.8 MB of integers would take 1.1.
 */
#define AHEAD      256
#define AHEAD_ROWS 32
#define AHEAD_STEP (1 << 20)
#define AHEAD_FROM                                                                     \
    (BLI_ORDER == (BLI_REGISTER == 64 ? ORDER_TREE : ORDER_GROUPS) ? 1 << 20 : 8 << 20)

BLI_INLINE bool NAME(is_ahead_)(int64_t step, int64_t rows)
{
    const int64_t apart = step < 0 ? -step : step;

    return rows > AHEAD_ROWS && apart <= AHEAD_STEP && rows * apart > AHEAD_FROM;
}

#if BLI_ORDER == ORDER_TREE && BLI_IS_NEUTRAL

#include "kernels/reduce/columns_by_tree.tmpl.h"

#elif BLI_ORDER != ORDER_TREE && BLI_HAS_FEW

/*
 * The tree, grouped otherwise, is the lanes one after another, in the order of their
 * numbers' reversed bits.
 */
BLI_INLINE void NAME(reduce_strips_)(const struct bli_reducer *how,
                                     lane_number *partial, const char *data,
                                     int64_t step, int64_t rows, int64_t count,
                                     int64_t ahead)
{
    const int64_t turn = how->is_free ? 1 : how->lanes, wide = STRIP * PER_REGISTER;
    const vector identity = (vector)identity_of(how);
    int64_t used = turn;

    /* Lanes beyond the rows have no elements, and those before keep their order. */
    while (used > 1 && used / 2 >= rows)
        used /= 2;
    for (int64_t i = 0; i < count; i += wide) {
        const int64_t at = i < count - wide ? i : count - wide;
        const char *const first = data + at * (int64_t)sizeof(number);
        vector acc[STRIP];

#pragma GCC unroll 8
        for (int64_t k = 0; k < STRIP; k++)
            acc[k] = identity;
        for (int64_t l = 0, left = used; left > 0; left--, l = next_reversed(l, used)) {
#pragma GCC unroll 1
            for (int64_t r = l; r < rows; r += turn) {
                const number *const x =
                    (const number *)(const void *)(first + r * step);

#pragma GCC unroll 4
                for (int64_t k = 0; ahead > 0 && k < wide; k += PER_LINE)
                    __builtin_prefetch((const char *)(x + k) + ahead);
#pragma GCC unroll 8
                for (int64_t k = 0; k < STRIP; k++)
                    acc[k] = BLI_JOIN(acc[k], LOAD(x + k * PER_REGISTER));
            }
        }
#pragma GCC unroll 8
        for (int64_t k = 0; k < STRIP; k++)
            *(any_vector *)(partial + at + k * PER_REGISTER) = acc[k];
    }
}

BLI_ON_A_LINE static bool NAME(in_registers_)(const struct bli_reducer *how,
                                              void *partial, const char *data,
                                              int64_t step, int64_t rows, int64_t count,
                                              const struct bli_finish *finish)
{
    (void)finish;
    if (count < STRIP * PER_REGISTER || rows > BLI_REDUCE_STREAMS)
        return false;
    if (NAME(is_ahead_)(step, rows))
        NAME(reduce_strips_)(how, partial, data, step, rows, count, AHEAD);
    else
        NAME(reduce_strips_)(how, partial, data, step, rows, count, 0);
    return true;
}

#endif

#undef STRIP
#undef AHEAD
#undef AHEAD_ROWS
#undef AHEAD_FROM
#undef AHEAD_STEP
