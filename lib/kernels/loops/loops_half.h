/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of f16 and bf16, which are computed in f32 and rounded once. They are widened,
 * computed and narrowed a register at a time: from the caches, f16 is 3 times and bf16
 * 1.9 times as fast as with staging buffers of f32.
 */
#ifndef BLI_LOOPS_HALF_H
#define BLI_LOOPS_HALF_H

#include "kernels/loops/loops.h"
#include "kernels/convert/half_vector.h"

/*
 * Elements of a block, whose other dtype has `bytes`: as many as a register of halves
 * has, or two of bf16, which are computed as pairs, or one of bytes. BLI_HALF_MOST: the
 * most of them.
 */
#define BLI_HALF_MOST 64
#define BLI_HALF_LEAST(bytes, is_f16)                                                  \
    ((bytes) == 1 && BLI_WIDE > BLI_HALVES ? BLI_WIDE                                  \
     : BLI_HALVES < 16                     ? 16                                        \
     : BLI_PAIRS && !(is_f16)              ? 2 * BLI_HALVES                            \
                                           : BLI_HALVES)

/* Widen a block at `a`. */
BLI_INLINE void widen_block(float *x, const char *a, int64_t least, bool is_f16)
{
#pragma GCC unroll 8
    for (int64_t j = 0; j < least; j += BLI_HALVES) {
        if (is_f16)
            bli_widen_halves_f16(x + j, a + 2 * j);
        else
            bli_widen_halves_bf16(x + j, a + 2 * j);
    }
}

/* Narrow a block to `r`. */
BLI_INLINE void narrow_block(char *r, const float *y, int64_t least, bool is_f16)
{
#pragma GCC unroll 8
    for (int64_t j = 0; BLI_IN_TWOS && j < least; j += 2 * BLI_HALVES) {
        if (is_f16)
            bli_narrow_two_f16(r + 2 * j, y + j);
        else
            bli_narrow_two_bf16(r + 2 * j, y + j);
    }
#pragma GCC unroll 8
    for (int64_t j = 0; !BLI_IN_TWOS && j < least; j += BLI_HALVES) {
        const bli_halves all =
            is_f16 ? bli_narrow_halves_f16(y + j) : bli_narrow_halves_bf16(y + j);

        move_piece(r + 2 * j, (const char *)&all, sizeof all);
    }
}

/*
 * Widen and narrow a block of bf16, whose elements change places in between: maximum
 * from the caches takes .74 of the time with AVX2, add .70.
 */
BLI_INLINE void widen_pairs(float *x, const char *a, int64_t least)
{
#pragma GCC unroll 8
    for (int64_t j = 0; j < least; j += 2 * BLI_HALVES)
        bli_widen_pair_bf16(x + j, a + 2 * j);
}

BLI_INLINE void narrow_pairs(char *r, const float *y, int64_t least)
{
#pragma GCC unroll 8
    for (int64_t j = 0; j < least; j += 2 * BLI_HALVES)
        bli_narrow_pair_bf16(r + 2 * j, y + j);
}

/*
 * Compute a block of halves with a function of `each` elements of f32, one or a
 * register of them; its result is f32, or of one element one byte.  A result of f32 is
 * computed a register at a time: over two registers, GCC leaves a loop of long
 * functions, and x and y in memory.  From the caches addcmul of f16 takes .48 of the
 * time so with AVX2, of bf16 .64, lerp .66, floor and sign .67 to .75 (Zen 4).
 */
BLI_INLINE void half_block(bli_apply *apply, int64_t each, int32_t inputs,
                           int64_t r_size, bool is_f16, char *r, const char *a,
                           const char *b, const char *c, const char *d)
{
    _Alignas(BLI_ALIGNMENT) float x[4][BLI_HALF_MOST], y[BLI_HALF_MOST];
    const int64_t least = BLI_HALF_LEAST(r_size, is_f16);
    const bool has_pairs = BLI_PAIRS && !is_f16 && r_size != 1;
    const int64_t size[] = {r_size == 1 ? 1 : 4, 4, 4, 4, 4};
    const char *const from[] = {a, b, c, d};

#pragma GCC unroll 4
    for (int32_t k = 0; k < inputs; k++) {
        if (has_pairs)
            widen_pairs(x[k], from[k], least);
        else
            widen_block(x[k], from[k], least, is_f16);
    }
    const int64_t lanes = BLI_HAS_FORMS && r_size != 1 ? BLI_WIDE / 4 : least;

#pragma GCC unroll 4
    for (int64_t j = 0; j < least; j += lanes)
        block_of(apply, lanes / each, size, r_size == 1 ? r : (char *)(y + j),
                 (const char *)(x[0] + j), (const char *)(x[1] + j),
                 (const char *)(x[2] + j), (const char *)(x[3] + j));
    if (has_pairs)
        narrow_pairs(r, y, least);
    else if (r_size != 1)
        narrow_block(r, y, least, is_f16);
}

/*
 * Whether a kernel of halves has the loop of nt_lines.h.  Zen 3, results of 33 and 50
 * MB, one and two threads: sums, products and maxima of f16 take .88 to .92 of the time
 * that they take by pieces, sqrt .78 to .85, those of bf16 .70 to .87; addcmul as long.
 * Zen 4, 512 bits, whose blocks are half registers: sums, quotients and maxima of bf16
 * .84 to .88, of f16 .79, sqrt as long.
 */
#define BLI_HALF_HAS_NT_LINES(inputs, least, size)                                     \
    (BLI_WIDE >= 32 && (inputs) <= 2 && (size) == 2 && (size) * (least) >= 32)

/* Compute rows by long_rows, and lines. */
BLI_INLINE void half_rows(bli_apply *block, const struct bli_layout o,
                          BLI_LOOP_PARAMETERS)
{
    if (BLI_HALF_HAS_NT_LINES(o.inputs, o.least, o.size[0]) && scalars == BLI_NT_LINES)
        nt_lines(block, o, data, inner);
    else
        long_rows(block, o, BLI_LOOP_ARGUMENTS);
}

#endif
