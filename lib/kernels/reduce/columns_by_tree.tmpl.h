/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template, a part of columns_in_registers.tmpl.h: columns of numbers of which only the
 * tree gives the same bits.  Lanes start without the identity of sums, which is added
 * at the end: that makes 0 of -0 as well.
 */

/* Store partial results, or the results that become of them. */
BLI_INLINE void NAME(put_)(void *partial, int64_t at, vector v, struct ending end)
{
    v = (vector)BLI_FIRST(v);
    if (end.divides)
        v /= end.divisor;
    if (end.is_result)
        v = BLI_PICK((bits)(v == v), (vector){0} + (double)NAN, v);
    if (sizeof(number) == sizeof(float) && end.is_narrow)
        *(any_narrow *)((float *)partial + at) = __builtin_convertvector(v, narrow);
    else
        *(any_vector *)((lane_number *)partial + at) = v;
}

/* Columns: the first row, bytes from row to row, and the lanes that rows go to. */
struct NAME(place_) {
    const char *data;
    int64_t step;
    int64_t rows;
    int64_t turn; /* lanes, a constant where it is set */
};

/* Join `turn` lanes, a constant, of `wide` registers each, to the first one. */
BLI_INLINE void NAME(join_lanes_)(vector *lane, int64_t turn, int64_t wide)
{
#pragma GCC unroll 4
    for (int64_t half = turn / 2 * wide; half >= wide; half /= 2)
#pragma GCC unroll 32
        for (int64_t k = 0; k < half; k++)
            lane[k] = BLI_TAKE(lane[k], lane[k + half]);
}

/* Reduce columns of so many rows, a constant, in `turn` lanes, a power of 2. */
BLI_INLINE void NAME(reduce_rows_)(const struct bli_reducer *how, void *partial,
                                   struct NAME(place_) in, int64_t count,
                                   const struct bli_finish *finish)
{
    const struct ending end = ending_of(finish);
    const vector identity = (vector)identity_of(how);

    for (int64_t i = 0; i < count; i += PER_REGISTER) {
        const int64_t at = i < count - PER_REGISTER ? i : count - PER_REGISTER;
        const char *x = in.data + at * (int64_t)sizeof(number);
        vector lane[8];

#pragma GCC unroll 8
        for (int64_t l = 0; l < in.turn; l++, x += in.step)
            lane[l] = l < in.rows ? LOAD((const number *)(const void *)x) : identity;
        NAME(join_lanes_)(lane, in.turn, 1);
        NAME(put_)(partial, at, lane[0], end);
    }
}

/* Reduce columns of at most 8 rows. */
static __attribute__((noinline)) void
NAME(reduce_few_)(const struct bli_reducer *how, void *partial, struct NAME(place_) in,
                  int64_t count, const struct bli_finish *finish)
{
#define ROWS(constant, lanes)                                                          \
    case constant:                                                                     \
        in.rows = constant, in.turn = lanes;                                           \
        NAME(reduce_rows_)(how, partial, in, count, finish);                           \
        return;
    switch (in.rows) {
        ROWS(1, 2)
        ROWS(2, 2)
        ROWS(3, 4)
        ROWS(4, 4)
        ROWS(5, 8)
        ROWS(6, 8)
        ROWS(7, 8)
        ROWS(8, 8)
    }
#undef ROWS
}

#include "kernels/reduce/columns_by_lanes.tmpl.h"

/*
 * Reduce columns of many rows a row after another, a register at a time: of rows that
 * are far from each other, each a stream, or have few registers, of which one lane
 * would wait for itself.  What is `ahead` bytes away, a constant, is prefetched; with 0
 * nothing is.
 */
BLI_INLINE void NAME(reduce_streams_)(void *partial, struct NAME(place_) in,
                                      int64_t count, int64_t ahead,
                                      const struct bli_finish *finish)
{
    const struct ending end = ending_of(finish);

    for (int64_t i = 0; i < count; i += PER_REGISTER) {
        const int64_t at = i < count - PER_REGISTER ? i : count - PER_REGISTER;
        const char *x = in.data + at * (int64_t)sizeof(number);
        vector lane[8];
        int64_t r = in.turn;

#define NEXT_ROW                                                                       \
    ((ahead > 0 ? __builtin_prefetch(x + ahead) : (void)0), x += in.step,              \
     LOAD((const number *)(const void *)(x - in.step)))
#pragma GCC unroll 8
        for (int64_t l = 0; l < in.turn; l++)
            lane[l] = NEXT_ROW;
        for (; r + in.turn <= in.rows; r += in.turn)
#pragma GCC unroll 8
            for (int64_t l = 0; l < in.turn; l++)
                lane[l] = BLI_TAKE(lane[l], NEXT_ROW);
#pragma GCC unroll 8
        for (int64_t l = 0; l < in.turn - 1; l++) {
            if (r + l >= in.rows)
                break;
            lane[l] = BLI_TAKE(lane[l], NEXT_ROW);
        }
#undef NEXT_ROW
        NAME(join_lanes_)(lane, in.turn, 1);
        NAME(put_)(partial, at, lane[0], end);
    }
}

/*
 * Whether rows are read as streams.  Zen 4, one thread, of the time by pieces of STRIP
 * registers: sums of arrays of 14 to 28 MB, f32[63,85189] .78, with 512 bits .88,
 * f32[35,200001] .73 and .55, but f64[63,50001] with 512 bits 1.4; from memory
 * f32[40,1000000] .79 and .84, f64[40,500000] .82 and .71, bf16[60,500000] .69 and .76,
 * f32[60,500000] 1.5 and .7.
 */
BLI_INLINE bool NAME(is_streams_)(int64_t rows, int64_t apart)
{
    return rows > AHEAD_ROWS && rows * apart > AHEAD_FROM &&
           (PER_REGISTER < PER_LINE || apart > AHEAD_STEP);
}

/*
 * Rows of few registers that are reduced so.  Zen 4, AVX2, of the time by lanes: sums
 * of f32[n,100,8] .82, f32[n,60,8] .86, c64[n,60,4] .72, but f32[n,40,8] 1.02 and
 * f32[n,30,8] 1.32.
 */
#define SIDE_ROWS 48

BLI_INLINE void NAME(reduce_narrow_)(void *partial, struct NAME(place_) in,
                                     int64_t count, const struct bli_finish *finish)
{
    if (in.rows > SIDE_ROWS)
        NAME(reduce_streams_)(partial, in, count, 0, finish);
    else
        NAME(reduce_pieces_)(partial, in, count, 1, finish);
}

/* Whether lanes may be 4, as those of sums of complex numbers are. */
#define MAY_BE_FOUR (BLI_HAS_BESIDE && sizeof(number) >= sizeof(float))

/* Reduce columns of more rows than lanes, which are 8. */
BLI_INLINE void NAME(reduce_many_)(void *partial, struct NAME(place_) in, int64_t apart,
                                   int64_t count, const struct bli_finish *finish)
{
    if (NAME(is_abreast_)(in.rows, apart, count))
        NAME(reduce_abreast_)(partial, in, count, finish);
    else if (NAME(is_streams_)(in.rows, apart) && apart <= AHEAD_STEP)
        NAME(reduce_streams_)(partial, in, count, AHEAD, finish);
    else if (NAME(is_streams_)(in.rows, apart))
        NAME(reduce_streams_)(partial, in, count, 0, finish);
    else if (count >= STRIP * PER_REGISTER)
        NAME(reduce_pieces_)(partial, in, count, STRIP, finish);
    else
        NAME(reduce_narrow_)(partial, in, count, finish);
}

/*
 * More rows than BLI_REDUCE_STREAMS are reduced so where they are closer to each other,
 * or lie in fewer bytes.
 */
#define NEAR_BYTES (1 << 14)

BLI_ON_A_LINE static bool NAME(in_registers_)(const struct bli_reducer *how,
                                              void *partial, const char *data,
                                              int64_t step, int64_t rows, int64_t count,
                                              const struct bli_finish *finish)
{
    const int64_t apart = step < 0 ? -step : step;
    const bool is_wide = count >= STRIP * PER_REGISTER;
    const bool is_close = how->lanes == 8 && is_wide && apart <= CLOSE_STEP;
    struct NAME(place_) in = {data, step, rows, 8};

    if (count < PER_REGISTER ||
        (rows > BLI_REDUCE_STREAMS && !is_close && rows * apart > NEAR_BYTES))
        return false;
    if (rows <= how->lanes) {
        NAME(reduce_few_)(how, partial, in, count, finish);
    } else if (MAY_BE_FOUR && how->lanes == 4) {
        in.turn = 4;
        if (is_wide)
            NAME(reduce_pieces_)(partial, in, count, STRIP, finish);
        else
            NAME(reduce_narrow_)(partial, in, count, finish);
    } else {
        NAME(reduce_many_)(partial, in, apart, count, finish);
    }
    return true;
}

#undef MAY_BE_FOUR
#undef CLOSE_STEP
#undef NEAR_BYTES
#undef SIDE_ROWS
