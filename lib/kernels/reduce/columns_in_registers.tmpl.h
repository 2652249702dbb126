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

/* Store partial results, or the results that `finish` makes of them. */
BLI_INLINE void NAME(put_)(void *partial, int64_t at, vector v,
                           const struct bli_finish *finish)
{
    if (finish && finish->divisor != 1)
        v /= finish->divisor;
    if (finish)
        v = BLI_PICK((bits)(v == v), (vector){0} + (double)NAN, v);
    if (sizeof(number) == sizeof(float) && finish && finish->is_narrow)
        *(any_narrow *)((float *)partial + at) = __builtin_convertvector(v, narrow);
    else
        *(any_vector *)((lane_number *)partial + at) = v;
}

/*
 * Reduce columns with their lanes in registers: only the first `turn` lanes, a
 * constant, as the others have no elements. All of them have some if `full`. What is
 * `ahead` bytes away, a constant, is prefetched; with 0 nothing is.
 */
BLI_INLINE void NAME(reduce_tree_)(const struct bli_reducer *how, void *partial,
                                   const char *data, int64_t step, int64_t rows,
                                   int64_t turn, bool full, int64_t count,
                                   int64_t ahead, const struct bli_finish *finish)
{
    const vector identity = (vector)identity_of(how);

    for (int64_t i = 0; i < count; i += PER_REGISTER) {
        const int64_t at = i < count - PER_REGISTER ? i : count - PER_REGISTER;
        const char *x = data + at * (int64_t)sizeof(number);
        vector acc[BLI_REDUCE_LANES / sizeof(lane_number)];
        int64_t r = turn;

#define NEXT_ROW                                                                       \
    ((ahead > 0 ? __builtin_prefetch(x + ahead) : (void)0), x += step,                 \
     LOAD((const number *)(const void *)(x - step)))
#pragma GCC unroll 8
        for (int64_t l = 0; l < turn; l++)
            acc[l] = full || l < rows ? (vector)BLI_FIRST(NEXT_ROW) : identity;
        for (; full && r + turn <= rows; r += turn) {
#pragma GCC unroll 8
            for (int64_t l = 0; l < turn; l++)
                acc[l] = BLI_TAKE(acc[l], NEXT_ROW);
        }
#pragma GCC unroll 8
        for (int64_t l = 0; l < turn - 1; l++) {
            if (!full || r + l >= rows)
                break;
            acc[l] = BLI_TAKE(acc[l], NEXT_ROW);
        }
#undef NEXT_ROW
#pragma GCC unroll 4
        for (int64_t h = turn / 2; h > 0; h /= 2) {
#pragma GCC unroll 4
            for (int64_t l = 0; l < h; l++)
                acc[l] = BLI_JOIN(acc[l], acc[l + h]);
        }
        NAME(put_)(partial, at, acc[0], finish);
    }
}

/* Reduce columns as many lanes at once as have elements. */
BLI_ON_A_LINE static __attribute__((noinline)) void
NAME(reduce_lanes_)(const struct bli_reducer *how, void *partial, const char *data,
                    int64_t step, int64_t rows, int64_t count,
                    const struct bli_finish *finish)
{
    if (how->lanes <= 4 && rows >= 4)
        NAME(reduce_tree_)(how, partial, data, step, rows, 4, true, count, 0, finish);
    else if (rows == 8)
        NAME(reduce_tree_)(how, partial, data, step, 8, 8, true, count, 0, finish);
    else if (PER_REGISTER < PER_LINE && NAME(is_ahead_)(step, rows))
        NAME(reduce_tree_)
    (how, partial, data, step, rows, 8, true, count, AHEAD, finish);
    else if (rows > 8)
        NAME(reduce_tree_)(how, partial, data, step, rows, 8, true, count, 0, finish);
    else if (rows > 4)
        NAME(reduce_tree_)(how, partial, data, step, rows, 8, false, count, 0, finish);
    else if (rows > 2)
        NAME(reduce_tree_)(how, partial, data, step, rows, 4, false, count, 0, finish);
    else NAME(reduce_tree_)(how, partial, data, step, rows, 2, false, count, 0, finish);
}

/* Registers of neighbouring columns that are reduced abreast. */
#define ABREAST 8

/*
 * Reduce columns one lane after the other: the rows of a lane by registers of
 * neighbouring columns, so that each cache line is read once.
 */
BLI_INLINE void NAME(reduce_abreast_)(void *partial, const char *data, int64_t step,
                                      int64_t rows, int64_t count,
                                      const struct bli_finish *finish)
{
    const int64_t wide = ABREAST * PER_REGISTER, turn = PER_BLOCK;

    for (int64_t i = 0; i < count; i += wide) {
        const int64_t at = i < count - wide ? i : count - wide;
        const char *const first = data + at * (int64_t)sizeof(number);
        vector lane[PER_BLOCK][ABREAST];

#define FROM(k) LOAD((const number *)(const void *)x + (k)*PER_REGISTER)
        for (int64_t l = 0; l < turn; l++) {
            const char *x = first + l * step;
            vector acc[ABREAST];

#pragma GCC unroll 8
            for (int64_t k = 0; k < ABREAST; k++)
                acc[k] = (vector)BLI_FIRST(FROM(k));
            for (int64_t r = l + turn; r < rows; r += turn) {
                x += turn * step;
#pragma GCC unroll 8
                for (int64_t k = 0; k < ABREAST; k++)
                    acc[k] = BLI_TAKE(acc[k], FROM(k));
            }
#pragma GCC unroll 8
            for (int64_t k = 0; k < ABREAST; k++)
                lane[l][k] = acc[k];
        }
#undef FROM
        for (int64_t h = turn / 2; h > 0; h /= 2)
            for (int64_t l = 0; l < h; l++)
#pragma GCC unroll 8
                for (int64_t k = 0; k < ABREAST; k++)
                    lane[l][k] = BLI_JOIN(lane[l][k], lane[l + h][k]);
#pragma GCC unroll 8
        for (int64_t k = 0; k < ABREAST; k++)
            NAME(put_)(partial, at + k * PER_REGISTER, lane[0][k], finish);
    }
}

/*
 * Rows from which columns are reduced abreast, and most bytes from row to row: sums of
 * f32[16,100000], whose rows are read from 16 places of a cache, take 1.1 times as long
 * so, f32[64,10000] 1.4, f32[600,64,512] and f32[300,16,4096] 0.8 (Zen 3).
 */
#define ABREAST_ROWS 16
#define ABREAST_STEP (1 << 14)

/* Bytes that more rows than BLI_REDUCE_STREAMS must lie in to be reduced by lanes. */
#define NEAR_BYTES (1 << 14)

BLI_ON_A_LINE static bool NAME(in_registers_)(const struct bli_reducer *how,
                                              void *partial, const char *data,
                                              int64_t step, int64_t rows, int64_t count,
                                              const struct bli_finish *finish)
{
    const int64_t apart = step < 0 ? -step : step;
    const bool is_wide = count >= ABREAST * PER_REGISTER;

    if (count < PER_REGISTER)
        return false;
    if (how->lanes == PER_BLOCK && rows >= ABREAST_ROWS && apart <= ABREAST_STEP &&
        is_wide)
        NAME(reduce_abreast_)(partial, data, step, rows, count, finish);
    else if (rows <= BLI_REDUCE_STREAMS || rows * apart <= NEAR_BYTES)
        NAME(reduce_lanes_)(how, partial, data, step, rows, count, finish);
    else
        return false;
    return true;
}

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
#undef ABREAST
#undef ABREAST_ROWS
#undef ABREAST_STEP
#undef NEAR_BYTES
#undef AHEAD
#undef AHEAD_ROWS
#undef AHEAD_FROM
#undef AHEAD_STEP
