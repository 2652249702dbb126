/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The base of all copies: two loops over two operands, and pieces of constant size in
 * registers.
 */
#ifndef BLI_COPY_CORE_H
#define BLI_COPY_CORE_H

#include "kernels/simd_lanes.h"

/*
 * r[i, j] = a[i, j] for i < outer, j < inner. The strides are in bytes: `step` from one
 * j to the next, `next` from one i to the next. Operands do not overlap.
 */
struct bli_move {
    char *r;
    const char *a;
    int64_t inner, outer;
    int64_t r_step, a_step;
    int64_t r_next, a_next;
};

/* Copy `width` bytes, a constant power of two, through registers. */
BLI_INLINE void move_piece(char *r, const char *a, int64_t width)
{
    bli_32 half;
    bli_wide wide;

    if (width == BLI_WIDE) {
        memcpy(&wide, a, sizeof wide);
        memcpy(r, &wide, sizeof wide);
    } else if (width == (int64_t)sizeof half) {
        memcpy(&half, a, sizeof half);
        memcpy(r, &half, sizeof half);
    } else if (width > BLI_WIDE) {
        for (int64_t k = 0; k < width; k += BLI_WIDE) {
            memcpy(&wide, a + k, sizeof wide);
            memcpy(r + k, &wide, sizeof wide);
        }
    } else {
        memcpy(r, a, (size_t)width);
    }
}

/* Copy `bytes` > BLI_WIDE bytes; the last piece overlaps the one before it. */
BLI_INLINE void move_run(char *r, const char *a, int64_t bytes)
{
    int64_t at = 0;

#pragma GCC unroll 4
    for (; at < bytes - BLI_WIDE; at += BLI_WIDE)
        move_piece(r + at, a + at, BLI_WIDE);
    move_piece(r + bytes - BLI_WIDE, a + bytes - BLI_WIDE, BLI_WIDE);
}

/*
 * Interleave elements of v and w, from the lower half of each lane; size < 16 is
 * constant.
 */
BLI_INLINE bli_wide unpack_low(bli_wide v, bli_wide w, int64_t size)
{
    return size == 1   ? BLI_UNPACK(lo, 8, v, w)
           : size == 2 ? BLI_UNPACK(lo, 16, v, w)
           : size == 4 ? BLI_UNPACK(lo, 32, v, w)
                       : BLI_UNPACK(lo, 64, v, w);
}

/* Interleave elements of v and w, from the upper half of each lane. */
BLI_INLINE bli_wide unpack_high(bli_wide v, bli_wide w, int64_t size)
{
    return size == 1   ? BLI_UNPACK(hi, 8, v, w)
           : size == 2 ? BLI_UNPACK(hi, 16, v, w)
           : size == 4 ? BLI_UNPACK(hi, 32, v, w)
                       : BLI_UNPACK(hi, 64, v, w);
}

/* Store the 16 bytes of one lane. */
BLI_INLINE void move_lane(char *r, bli_wide v, int32_t lane)
{
    const bli_16 lanes[] = {BLI_LANE(v, 0), BLI_LANE(v, 1), BLI_LANE(v, 2),
                            BLI_LANE(v, 3)};

    memcpy(r, &lanes[lane], sizeof lanes[lane]);
}

/* Store the 16 bytes of each lane, `next` apart; for a `width` of 16 only the first. */
BLI_INLINE void move_lanes(char *r, int64_t next, bli_wide v, int64_t width)
{
    move_lane(r, v, 0);
    if (width >= 32)
        move_lane(r + next, v, 1);
    if (width >= 64) {
        move_lane(r + 2 * next, v, 2);
        move_lane(r + 3 * next, v, 3);
    }
}

/* The bytes of v whose indices, below 16, are in w. */
BLI_INLINE bli_wide move_permute(bli_16 v, bli_wide w)
{
    return BLI_PERMUTE(BLI_SPREAD(v), w);
}

/* A register of copies of the element at `a`; `size` is constant. */
BLI_INLINE bli_wide splat(const char *a, int64_t size)
{
    typedef uint16_t wide_2 __attribute__((vector_size(BLI_WIDE)));
    typedef uint32_t wide_4 __attribute__((vector_size(BLI_WIDE)));
    typedef uint64_t wide_8 __attribute__((vector_size(BLI_WIDE)));
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    bli_16 sixteen;

    switch (size) {
    case 1:
        return (bli_wide){0} + *(const uint8_t *)a;
    case 2:
        memcpy(&two, a, 2);
        return (bli_wide)((wide_2){0} + two);
    case 4:
        memcpy(&four, a, 4);
        return (bli_wide)((wide_4){0} + four);
    case 8:
        memcpy(&eight, a, 8);
        return (bli_wide)((wide_8){0} + eight);
    default:
        memcpy(&sixteen, a, 16);
        return BLI_SPREAD(sixteen);
    }
}

/*
 * Each of the bytes at c repeated for the bytes of an element of `size` bytes, as many
 * as a register has; those of 2 bytes may be all ones instead, where GCC would repeat
 * byte by byte: 7 to 20 times as long.
 */
BLI_INLINE bli_wide repeat_bytes(const char *c, int64_t size)
{
    typedef uint8_t half __attribute__((vector_size(BLI_WIDE / 2)));
    typedef uint16_t wide_2 __attribute__((vector_size(BLI_WIDE)));
    bli_wide all, index;
    half bytes;

    if (size == 1) {
        memcpy(&all, c, sizeof all);
        return all;
    }
    if (BLI_WIDE / size > 16) { /* not within lanes of 16 bytes */
        memcpy(&bytes, c, sizeof bytes);
        return (bli_wide)(__builtin_convertvector(bytes, wide_2) != 0);
    }
    for (int32_t k = 0; k < BLI_WIDE; k++)
        index[k] = (uint8_t)(k / size % 16);
    return BLI_PERMUTE(splat(c, BLI_WIDE / size), index);
}

/*
 * Select a register of elements of `size` bytes: of a where the byte at c is not 0,
 * else of b.
 */
BLI_INLINE void select_block(char *r, const char *c, const char *a, const char *b,
                             int64_t size)
{
    const bli_wide repeated = repeat_bytes(c, size);
    bli_wide x, y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    x = BLI_CHOOSE(y, repeated, x);
    memcpy(r, &x, sizeof x);
}

#endif
