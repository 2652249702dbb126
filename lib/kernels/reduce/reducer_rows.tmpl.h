/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template, a part of reducer.tmpl.h: reductions of rows, one result per row.
 */

/*
 * Combine four numbers for each lane of a register, from four passes over the lanes. An
 * associative operation may combine them first, so that a lane waits for one operation
 * instead of four.
 */
static inline lanes NAME(join_four_)(const number *x)
{
    const lanes lower = BLI_JOIN(LOAD(x), LOAD(x + PER_BLOCK));
    const lanes upper = BLI_JOIN(LOAD(x + 2 * PER_BLOCK), LOAD(x + 3 * PER_BLOCK));

    return BLI_JOIN(lower, upper);
}

/* Accumulate one number in each lane. */
BLI_INLINE void NAME(take_turn_)(lanes *acc, const number *x)
{
#define BLI_DO(k) acc[k] = BLI_JOIN(acc[k], LOAD(x + (k)*PER_REGISTER));
    BLI_EACH_REGISTER(BLI_DO)
#undef BLI_DO
}

/*
 * Whether some of the lanes can accumulate in registers, by masks, and all be combined
 * afterwards. Otherwise lanes are written to memory one at a time, and should not be
 * read as registers soon after.
 */
#define HAS_MASKS (BLI_REGISTER == BLI_REDUCE_LANES && BLI_IS_NEUTRAL)

/* Accumulate `count` numbers, fewer than there are lanes, from lane `first` on. */
#if HAS_MASKS
BLI_INLINE void NAME(edge_)(BLI_LANE *lane, const number *x, int64_t first,
                            int64_t count)
{
    const uint64_t some = ((UINT64_C(1) << count) - 1) << first;
    const uintptr_t begin = (uintptr_t)x - (uintptr_t)first * sizeof *x;
    const bits whole = load_some((const void *)begin, some, sizeof *x);
    const bits identity = (bits)((lanes){0} + BLI_IDENTITY);
    number elements[PER_BLOCK];

    memcpy(elements, &whole, sizeof elements);

    const bits taken =
        choose_some(identity, (bits)LOAD(elements), some, sizeof(BLI_LANE));

    *(any_lanes *)lane = BLI_JOIN(*(any_lanes *)lane, (lanes)taken);
}
#else
BLI_INLINE void NAME(edge_)(BLI_LANE *lane, const number *x, int64_t first,
                            int64_t count)
{
    for (int64_t l = first; l < PER_BLOCK && l - first < count; l += BLI_PARTS)
        NAME(take_element_)(lane + l, x + l - first);
}
#endif

/* Lanes are no narrower than numbers. */
_Static_assert(PER_LINE % PER_BLOCK == 0, "a line is whole turns of the lanes");

/*
 * Accumulate `count` numbers, from number `first` of a block on, in the lanes of each
 * of `rows` rows, a constant of at most BLI_ROWS, and prefetch what is `ahead` bytes
 * further, the next rows: without prefetching, f32[67108864] takes 1.1 times as long,
 * with one thread or two. Several rows do not wait for each other's sums.
 */
BLI_INLINE void NAME(take_rows_)(BLI_LANE *lane, const char *data, int64_t step,
                                 int64_t rows, int64_t ahead, int64_t first,
                                 int64_t count)
{
    const int64_t used = first % PER_BLOCK;
    const int64_t rest = used > 0 ? PER_BLOCK - used : 0;
    lanes acc[BLI_ROWS][BLI_REGISTERS];
    int64_t i = 0;

#define ROW(r) ((const number *)(const void *)(data + (r)*step) + i)
    if (used > 0) {
        const int64_t some = rest < count ? rest : count;

#pragma GCC unroll 4
        for (int64_t r = 0; r < rows; r++)
            NAME(edge_)(lane + r * PER_BLOCK, ROW(r), used, some);
        i = some;
    }
    memcpy(acc, lane, (size_t)rows * sizeof *acc);
    for (; BLI_ASSOCIATES && i + 4 * PER_BLOCK <= count; i += 4 * PER_BLOCK) {
#pragma GCC unroll 4
        for (int64_t r = 0; r < rows; r++) {
            for (int64_t b = 0; b < 4 * PER_BLOCK; b += PER_LINE)
                __builtin_prefetch((const char *)(ROW(r) + b) + ahead);
#define BLI_DO(k)                                                                      \
    acc[r][k] = BLI_JOIN(acc[r][k], NAME(join_four_)(ROW(r) + (k)*PER_REGISTER));
            BLI_EACH_REGISTER(BLI_DO)
#undef BLI_DO
        }
    }
    for (; i + PER_LINE <= count; i += PER_LINE) {
#pragma GCC unroll 4
        for (int64_t r = 0; r < rows; r++) {
            __builtin_prefetch((const char *)ROW(r) + ahead);
#pragma GCC unroll 4
            for (int64_t b = 0; b < PER_LINE; b += PER_BLOCK)
                NAME(take_turn_)(acc[r], ROW(r) + b);
        }
    }
    for (; i + PER_BLOCK <= count; i += PER_BLOCK) {
#pragma GCC unroll 4
        for (int64_t r = 0; r < rows; r++)
            NAME(take_turn_)(acc[r], ROW(r));
    }
    memcpy(lane, acc, (size_t)rows * sizeof *acc);
    if (i < count) {
#pragma GCC unroll 4
        for (int64_t r = 0; r < rows; r++)
            NAME(edge_)(lane + r * PER_BLOCK, ROW(r), 0, count - i);
    }
#undef ROW
}

/*
 * Reduce the lanes of a block of `count` numbers to a partial result; they may be lost.
 */
BLI_INLINE void NAME(close_one_)(BLI_LANE *partial, BLI_LANE *lane, int64_t count)
{
#pragma GCC unroll 8
    for (int64_t h = PER_BLOCK / 2; h >= BLI_PARTS; h /= 2)
#pragma GCC unroll 8
        for (int64_t l = 0; l < h; l += BLI_PARTS)
            if (HAS_MASKS || l + h < count)
                NAME(take_)(lane + l, lane + l + h);
    memcpy(partial, lane, BLI_PARTS * sizeof *lane);
}

/*
 * Reduce `rows` rows, a constant, that are whole blocks or the only ones of their
 * results.
 */
BLI_INLINE void NAME(some_)(BLI_LANE *partial, const char *data, int64_t step,
                            int64_t rows, int64_t ahead, int64_t count)
{
    _Alignas(BLI_REDUCE_LANES) BLI_LANE lane[BLI_ROWS][PER_BLOCK];

#pragma GCC unroll 4
    for (int64_t r = 0; r < rows; r++)
        NAME(fill_)(lane[r], PER_BLOCK / BLI_PARTS);
    NAME(take_rows_)(lane[0], data, step, rows, ahead, 0, count);
#pragma GCC unroll 4
    for (int64_t r = 0; r < rows; r++)
        NAME(close_one_)(partial + r * BLI_PARTS, lane[r], count);
}

static void NAME(rows_)(void *partial, const char *data, int64_t step, int64_t rows,
                        int64_t count, bool near)
{
    const int64_t most = count * BLI_PARTS, all = BLI_ROWS;
    BLI_LANE *to = partial;
    int64_t r = 0;

    for (; near && r + all <= rows; r += all, to += all * BLI_PARTS)
        NAME(some_)(to, data + r * step, step, all, all * step, most);
    for (; r < rows; r++, to += BLI_PARTS)
        NAME(some_)(to, data + r * step, step, 1, step, most);
}

static void NAME(parts_)(void *lane, const char *data, int64_t step, int64_t rows,
                         int64_t first, int64_t count)
{
    const int64_t most = count * BLI_PARTS, all = BLI_ROWS;
    BLI_LANE *to = lane;
    int64_t r = 0;

    for (; r + all <= rows; r += all, to += all * PER_BLOCK)
        NAME(take_rows_)
    (to, data + r * step, step, all, all * step, first * BLI_PARTS, most);
    for (; r < rows; r++, to += PER_BLOCK)
        NAME(take_rows_)(to, data + r * step, step, 1, step, first * BLI_PARTS, most);
}

static void NAME(close_)(void *partial, const void *lane, int64_t rows, int64_t count)
{
    const BLI_LANE *from = lane;
    BLI_LANE *to = partial;

    for (int64_t r = 0; r < rows; r++, from += PER_BLOCK, to += BLI_PARTS) {
        BLI_LANE all[PER_BLOCK];

        memcpy(all, from, sizeof all);
        NAME(close_one_)(to, all, count * BLI_PARTS);
    }
}

#undef HAS_MASKS
