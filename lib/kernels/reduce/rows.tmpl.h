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

#include "kernels/reduce/row_parts.tmpl.h"

/* Lanes are no narrower than numbers. */
_Static_assert(PER_LINE % PER_BLOCK == 0, "a line is whole turns of the lanes");

/*
 * Bytes between a row that is read from memory alone and what is prefetched. Two rows
 * with AVX-512: on Zen 5 f32[67108864] takes 0.88 of the time that it takes with one.
 * On Zen 3 it takes 0.91 to 0.96 of that of two rows with 1024 bytes, f64[16777216]
 * 0.94 to 0.97 with 512, of which lanes take less time than of as many bytes of f32.
 * Where f32 is added by additions alone, on Emerald Rapids, f32[67108864] takes .80 of
 * the time of 1024 bytes with 4096, two threads .83, f32[30000,1000] .93.
 */
#define AHEAD                                                                          \
    (BLI_REGISTER > 32                       ? 2 * step                                \
     : sizeof(number) == sizeof(lane_number) ? (int64_t)512                            \
     : BLI_ADDS_ALONE                        ? (int64_t)4096                           \
                                             : (int64_t)1024)

/*
 * Whether lines of the next rows are prefetched. With 512 bits these loads are too many
 * beside those of numbers that are not converted: f64 in the caches takes .67 to .75 of
 * the time without (Zen 4).
 */
#define ASKS (rows == 1 || BLI_REGISTER < 64 || sizeof(number) < sizeof(lane_number))

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
