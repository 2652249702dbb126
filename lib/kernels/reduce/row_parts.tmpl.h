/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template, a part of rows.tmpl.h: numbers of rows in registers, whole ones, their
 * ends, and lanes in other places.
 */

/*
 * Register k of the numbers from x on. Pairs are read by twos, so that all even lanes
 * are in the first register and all odd ones in the second: see load_even_bf16.
 */
#if BLI_HAS_PAIRS
#define READ(x, k) ((vector)((k) == 0 ? load_even_bf16(x) : load_odd_bf16(x)))
BLI_INLINE void NAME(to_pairs_)(vector *acc)
{
    const vector lower = acc[0], upper = acc[1];

    acc[0] = __builtin_shufflevector(lower, upper, 0, 2, 4, 6);
    acc[1] = __builtin_shufflevector(lower, upper, 1, 3, 5, 7);
}

BLI_INLINE void NAME(from_pairs_)(vector *acc)
{
    const vector even = acc[0], odd = acc[1];

    acc[0] = __builtin_shufflevector(even, odd, 0, 4, 1, 5);
    acc[1] = __builtin_shufflevector(even, odd, 2, 6, 3, 7);
}
#else
#define READ(x, k) LOAD((x) + (k)*PER_REGISTER)
BLI_INLINE void NAME(to_pairs_)(vector *acc)
{
    (void)acc;
}

BLI_INLINE void NAME(from_pairs_)(vector *acc)
{
    (void)acc;
}
#endif

/* Accumulate `turns` times as many numbers as there are lanes, of one of `rows` rows.
 */
BLI_INLINE void NAME(take_)(vector *acc, const number *x, int64_t turns, int64_t rows)
{
#pragma GCC unroll 8
    for (int64_t t = 0; t < turns; t++)
#pragma GCC unroll 4
        for (int64_t k = 0; k < BLI_REGISTERS; k++)
            acc[k] = rows > ROWS ? BLI_TAKE(acc[k], READ(x + t * PER_BLOCK, k))
                                 : BLI_JOIN(acc[k], READ(x + t * PER_BLOCK, k));
}

/*
 * Accumulate four times as many numbers as there are lanes, which are combined first,
 * so that a lane waits for one operation instead of four.
 */
BLI_INLINE void NAME(take_groups_)(vector *acc, const number *x)
{
#pragma GCC unroll 4
    for (int64_t k = 0; k < BLI_REGISTERS; k++) {
        const number *const at = x + k * PER_REGISTER;
        const vector lower = BLI_JOIN(LOAD(at), LOAD(at + PER_BLOCK));
        const vector upper =
            BLI_JOIN(LOAD(at + 2 * PER_BLOCK), LOAD(at + 3 * PER_BLOCK));

        acc[k] = BLI_JOIN(acc[k], BLI_JOIN(lower, upper));
    }
}

/* Accumulate `count` numbers, fewer than there are lanes, from lane `first` on. */
BLI_INLINE void NAME(take_edge_)(const struct bli_reducer *how, vector *acc,
                                 const number *x, int64_t first, int64_t count)
{
    _Alignas(BLI_EDGE) number some[BLI_EDGE / sizeof(number)];
    lane_number before[PER_BLOCK], after[PER_BLOCK];

    load_edge(some, x, first, count, PER_BLOCK, sizeof *x, how->padding);
    memcpy(before, acc, sizeof before);
    for (int64_t k = 0; k < BLI_REGISTERS; k++)
        acc[k] = BLI_JOIN(acc[k], LOAD(some + k * PER_REGISTER));
    if (BLI_IS_NEUTRAL)
        return;
    memcpy(after, acc, sizeof after);
    memcpy(before + first, after + first, (size_t)count * sizeof *after);
    memcpy(acc, before, sizeof before);
}

/* Accumulate such an edge of each row in its lanes in memory. */
BLI_SHARED void NAME(edges_)(const struct bli_reducer *how, lane_number *lane,
                             const char *data, int64_t step, int64_t rows,
                             int64_t first, int64_t count)
{
    for (int64_t r = 0; r < rows; r++, lane += PER_BLOCK) {
        vector acc[BLI_REGISTERS];

        memcpy(acc, lane, sizeof acc);
        NAME(take_edge_)
        (how, acc, (const number *)(const void *)(data + r * step), first, count);
        memcpy(lane, acc, sizeof acc);
    }
}

/*
 * Whether what is left of a row is read with what is before it: see load_end. With 256
 * bits sums of bf16[10000,100] take .64 of the time that they take with a copy of each
 * number, of f16[3000,300] .81 (Zen 4).
 */
#define HAS_ENDS                                                                       \
    (BLI_HAS_ENDS && BLI_ORDER == ORDER_TREE && BLI_IS_NEUTRAL &&                      \
     sizeof(number) == 2 && PER_BLOCK == 8)

/* Accumulate the last `count` numbers of each of `rows` rows, from `data` on. */
BLI_INLINE void NAME(take_ends_)(const struct bli_reducer *how, vector *acc,
                                 const char *data, int64_t step, int64_t rows,
                                 int64_t count)
{
#pragma GCC unroll 8
    for (int64_t r = 0; r < rows; r++) {
        const char *const end = data + r * step + count * (int64_t)sizeof(number);
        number some[PER_BLOCK];

        load_end(some, end, count, how->padding);
        NAME(take_)(acc + r * BLI_REGISTERS, some, 1, 1);
    }
}

/*
 * Whether rows that do not begin in the first lane are reduced in lanes that have other
 * places meanwhile; else their first numbers are reduced apart. Sums of f32[32,256,7,7]
 * by the second axis take .42 of the time so, f32[153,62,55] .46, f32[32,128,14,14]
 * .82 (Zen 4).
 */
#define ROTATES                                                                        \
    (BLI_ROTATES && BLI_ORDER == ORDER_TREE && BLI_IS_NEUTRAL && PER_BLOCK == 8)

/* Move lane l + `by` of each of `rows` rows to lane l, modulo their number. */
BLI_INLINE void NAME(rotate_)(vector *acc, int64_t rows, int64_t by)
{
#pragma GCC unroll 8
    for (int64_t r = 0; ROTATES && r < rows; r++) {
        bits v[BLI_REGISTERS];

        memcpy(v, acc + r * BLI_REGISTERS, sizeof v);
        rotate_lanes(v, by);
        memcpy(acc + r * BLI_REGISTERS, v, sizeof v);
    }
}
