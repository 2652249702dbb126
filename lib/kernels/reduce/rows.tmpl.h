/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template, a part of reducer.tmpl.h: reductions of rows, one result per row.
 */

/*
 * Rows that are reduced at once: with four registers of lanes none waits for another,
 * and with MANY the operation may take longer.
 */
#define ROWS (4 / BLI_REGISTERS)
#define MANY (BLI_CHAINS / BLI_REGISTERS)

/*
 * Turns of the lanes in rows that are read one after another, as is faster, where lanes
 * do not wait long for each other: i64[50000] is summed in 0.64 of the time.
 */
#define LONG_ROW 32

/*
 * With registers of 256 bits that holds for the tree, too, where numbers are as wide as
 * lanes or are widened twice, and rows have more than FEW_NUMBERS together. Zen 3:
 * f64[8192] takes .85 of the time, f64[64,8192] .81, f64[1000000] .88 to .97, f16 .9 to
 * .97; f64[2048] at once .83. f32 in order takes 1.3 to 1.5. Pairs, of which fewer
 * instructions are left to wait for, take .83 at once (bf16[1000000], Zen 4).
 */
#define READS_IN_ORDER                                                                 \
    (BLI_REGISTER == 32 && !BLI_HAS_PAIRS &&                                           \
     (sizeof(number) == 2 || sizeof(number) == 8))
#define FEW_NUMBERS 2048

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

/* Lanes are no narrower than numbers. */
_Static_assert(PER_LINE % PER_BLOCK == 0, "a line is whole turns of the lanes");

/*
 * Bytes between a row that is read from memory alone and what is prefetched. Two rows
 * with AVX-512: on Zen 5 f32[67108864] takes 0.88 of the time that it takes with one.
 * On Zen 3 it takes 0.91 to 0.96 of that of two rows with 1024 bytes, f64[16777216]
 * 0.94 to 0.97 with 512, of which lanes take less time than of as many bytes of f32.
 */
#define AHEAD                                                                          \
    (BLI_REGISTER > 32                       ? 2 * step                                \
     : sizeof(number) == sizeof(lane_number) ? (int64_t)512                            \
                                             : (int64_t)1024)

/*
 * Whether lines of the next rows are prefetched. With 512 bits these loads are too many
 * beside those of numbers that are not converted: f64 in the caches takes .67 to .75 of
 * the time without (Zen 4).
 */
#define ASKS (rows == 1 || BLI_REGISTER < 64 || sizeof(number) < sizeof(lane_number))

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

/*
 * Accumulate `count` numbers, from lane `used` on, in the lanes of each of `rows` rows,
 * a constant, and prefetch the next rows, or where one is read from memory, what is
 * AHEAD.
 */
BLI_INLINE void NAME(take_rows_)(const struct bli_reducer *how, lane_number *lane,
                                 const char *data, int64_t step, int64_t rows,
                                 int64_t used, int64_t count, bool fresh)
{
    const int64_t group = BLI_ORDER == ORDER_GROUPS ? 4 * PER_BLOCK : PER_LINE;
    const int64_t ahead = rows > 1 ? rows * step : AHEAD;
    const vector identity = (vector)identity_of(how);
    vector acc[BLI_CHAINS];
    const char *x = data;
    int64_t i = 0;

#define ROW(r) ((const number *)(const void *)(x + (r)*step))
#define ACC(r) (acc + (r)*BLI_REGISTERS)
#pragma GCC unroll 8
    for (int64_t k = 0; k < rows * BLI_REGISTERS; k++)
        acc[k] = fresh ? identity : (vector)load_bits(lane + k * PER_REGISTER);
    if (used > 0)
        NAME(rotate_)(acc, rows, used);
#pragma GCC unroll 8
    for (int64_t r = 0; r < rows; r++)
        NAME(to_pairs_)(ACC(r));
    for (; i + group <= count; i += group, x += group * (int64_t)sizeof(number)) {
#pragma GCC unroll 8
        for (int64_t r = 0; r < rows; r++) {
            for (int64_t b = 0; ASKS && b < group; b += PER_LINE)
                __builtin_prefetch((const char *)(ROW(r) + b) + ahead);
            if (BLI_ORDER == ORDER_GROUPS)
                NAME(take_groups_)(ACC(r), ROW(r));
            else
                NAME(take_)(ACC(r), ROW(r), PER_LINE / PER_BLOCK, rows);
        }
    }
    for (; group > PER_BLOCK && i + PER_BLOCK <= count; i += PER_BLOCK) {
#pragma GCC unroll 8
        for (int64_t r = 0; r < rows; r++)
            NAME(take_)(ACC(r), ROW(r), 1, rows);
        x += PER_BLOCK * (int64_t)sizeof(number);
    }
    if (HAS_ENDS && i > 0 && i < count) {
        NAME(take_ends_)(how, acc, x, step, rows, count - i);
        i = count;
    }
#pragma GCC unroll 8
    for (int64_t r = 0; r < rows; r++)
        NAME(from_pairs_)(ACC(r));
    if (BLI_REPEATS && i > 0 && i < count) {
        x -= (i + PER_BLOCK - count) * (int64_t)sizeof(number);
#pragma GCC unroll 8
        for (int64_t r = 0; r < rows; r++)
            NAME(take_)(ACC(r), ROW(r), 1, rows);
    } else if (i < count) {
#pragma GCC unroll 8
        for (int64_t r = 0; r < rows; r++)
            NAME(take_edge_)(how, ACC(r), ROW(r), 0, count - i);
    }
    if (used > 0)
        NAME(rotate_)(acc, rows, -used);
#pragma GCC unroll 8
    for (int64_t k = 0; k < rows * BLI_REGISTERS; k++)
        *(any_vector *)(lane + k * PER_REGISTER) = acc[k];
#undef ROW
#undef ACC
}

/* Accumulate rows that begin in lane `used`, which is not the first one. */
BLI_SHARED void NAME(turned_)(const struct bli_reducer *how, lane_number *lane,
                              const char *data, int64_t step, int64_t rows,
                              int64_t used, int64_t count, bool fresh)
{
    const int64_t all = ROWS;
    int64_t r = 0;

    for (; r + all <= rows; r += all, lane += all * PER_BLOCK)
        NAME(take_rows_)(how, lane, data + r * step, step, all, used, count, fresh);
    for (; r < rows; r++, lane += PER_BLOCK)
        NAME(take_rows_)(how, lane, data + r * step, step, 1, used, count, fresh);
}

static void NAME(accumulate_)(const struct bli_reducer *how, void *lane_,
                              const char *data, int64_t step, int64_t rows,
                              int64_t first, int64_t count, bool fresh, bool near)
{
    const int64_t used = first % PER_BLOCK, room = used > 0 ? PER_BLOCK - used : 0;
    const int64_t begin = room < count ? room : count, rest = count - begin;
    const bool is_short =
        rest < LONG_ROW * PER_BLOCK ||
        (BLI_ORDER == ORDER_TREE && (!READS_IN_ORDER || rows * rest <= FEW_NUMBERS));
    const bool at_once = near && is_short;
    const int64_t all = ROWS, many = MANY;
    const char *x = data + begin * (int64_t)sizeof(number);
    lane_number *lane = lane_;
    int64_t r = 0;

    if (ROTATES && used > 0) {
        NAME(turned_)(how, lane, data, step, rows, used, count, fresh);
        return;
    }
    if (begin > 0)
        NAME(edges_)(how, lane, data, step, rows, used, begin);
    for (; many > all && at_once && r + many <= rows;
         r += many, lane += many * PER_BLOCK)
        NAME(take_rows_)(how, lane, x + r * step, step, many, 0, rest, fresh);
    for (; all > 1 && at_once && r + all <= rows; r += all, lane += all * PER_BLOCK)
        NAME(take_rows_)(how, lane, x + r * step, step, all, 0, rest, fresh);
    for (; r < rows; r++, lane += PER_BLOCK)
        NAME(take_rows_)(how, lane, x + r * step, step, 1, 0, rest, fresh);
}

#undef ROWS
#undef MANY
#undef LONG_ROW
#undef READS_IN_ORDER
#undef FEW_NUMBERS
#undef AHEAD
#undef ASKS
#undef HAS_ENDS
#undef ROTATES
#undef READ
