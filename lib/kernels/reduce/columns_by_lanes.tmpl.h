/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template, a part of columns_by_tree.tmpl.h: columns of more rows than lanes, one lane
 * after another.
 */

/* The elements of lane l, of `wide` registers, a constant. */
BLI_INLINE void NAME(lane_)(vector *acc, struct NAME(place_) in, int64_t l,
                            int64_t apart, int64_t wide)
{
    const char *x = in.data + l * in.step;

    (void)apart;
#define ROW(k) LOAD((const number *)(const void *)x + (k)*PER_REGISTER)
#pragma GCC unroll 8
    for (int64_t k = 0; k < wide; k++)
        acc[k] = ROW(k);
    for (int64_t r = l + in.turn; r < in.rows; r += in.turn) {
        x += in.turn * in.step;
#pragma GCC unroll 8
        for (int64_t k = 0; k < wide; k++)
            acc[k] = BLI_TAKE(acc[k], ROW(k));
    }
#undef ROW
}

BLI_INLINE void NAME(join_)(vector *acc, const vector *other, int64_t wide)
{
#pragma GCC unroll 8
    for (int64_t k = 0; k < wide; k++)
        acc[k] = BLI_TAKE(acc[k], other[k]);
}

/* `many` lanes from lane l on, `apart` from each other, by the tree. */
#define TREE(many, half)                                                               \
    BLI_INLINE void NAME(many)(vector * acc, struct NAME(place_) in, int64_t l,        \
                               int64_t apart, int64_t wide)                            \
    {                                                                                  \
        vector other[STRIP];                                                           \
                                                                                       \
        NAME(half)(acc, in, l, 2 * apart, wide);                                       \
        NAME(half)(other, in, l + apart, 2 * apart, wide);                             \
        NAME(join_)(acc, other, wide);                                                 \
    }
TREE(two_lanes_, lane_)
TREE(four_lanes_, two_lanes_)
TREE(eight_lanes_, four_lanes_)
#undef TREE

/*
 * Reduce columns by pieces of `wide` registers, a constant, at most STRIP, in the order
 * of the tree, so that a piece of a row is read once: of rows that are a multiple of
 * 4096 bytes apart, L1 holds 8.  Each lane has an element.
 */
BLI_INLINE void NAME(reduce_pieces_)(void *partial, struct NAME(place_) in,
                                     int64_t count, int64_t wide,
                                     const struct bli_finish *finish)
{
    const struct ending end = ending_of(finish);
    const char *const data = in.data;
    const int64_t most = wide * PER_REGISTER;

    for (int64_t i = 0; i < count; i += most) {
        const int64_t at = i < count - most ? i : count - most;
        vector acc[STRIP];

        in.data = data + at * (int64_t)sizeof(number);
        if (in.turn == 8)
            NAME(eight_lanes_)(acc, in, 0, 1, wide);
        else
            NAME(four_lanes_)(acc, in, 0, 1, wide);
#pragma GCC unroll 8
        for (int64_t k = 0; k < wide; k++)
            NAME(put_)(partial, at + k * PER_REGISTER, acc[k], end);
    }
}

/* Most bytes from row to row that are close to each other. */
#define CLOSE_STEP (1 << 14)

/*
 * Reduce columns by pieces of ABREAST registers, with the lanes in memory: of many rows
 * that are close to each other, fewer where they are in few places of L1.  Zen 4, AVX2
 * and AVX-512, of the time by pieces of STRIP: sums of f32[33,48,256 to 2048] .8 to 1.1
 * and .67 to .75, f32[16,48,500] 1.16 and 1.07, f64[12,32,512] .82 and .92, with 80
 * rows and more .9 to 1.0; but with 16 to 24 rows of any length 1.0 to 1.4.
 */
#define ABREAST    8
#define MANY_ROWS  64
#define LEAST_ROWS 32
#define FEW_PLACES 2048

BLI_INLINE bool NAME(is_abreast_)(int64_t rows, int64_t apart, int64_t count)
{
    return apart <= CLOSE_STEP && count >= ABREAST * PER_REGISTER &&
           (rows >= MANY_ROWS || (rows >= LEAST_ROWS && apart % FEW_PLACES == 0));
}

BLI_INLINE void NAME(reduce_abreast_)(void *partial, struct NAME(place_) in,
                                      int64_t count, const struct bli_finish *finish)
{
    const struct ending end = ending_of(finish);
    const char *const data = in.data;
    const int64_t most = ABREAST * PER_REGISTER;

    for (int64_t i = 0; i < count; i += most) {
        const int64_t at = i < count - most ? i : count - most;
        vector lane[8 * ABREAST];

        in.data = data + at * (int64_t)sizeof(number);
        for (int64_t l = 0; l < 8; l++) {
            vector acc[ABREAST];

            NAME(lane_)(acc, in, l, 1, ABREAST);
            memcpy(lane + l * ABREAST, acc, sizeof acc);
        }
        NAME(join_lanes_)(lane, 8, ABREAST);
#pragma GCC unroll 8
        for (int64_t k = 0; k < ABREAST; k++)
            NAME(put_)(partial, at + k * PER_REGISTER, lane[k], end);
    }
}

#undef ABREAST
#undef MANY_ROWS
#undef LEAST_ROWS
#undef FEW_PLACES
