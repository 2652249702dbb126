/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transposition in registers: the input is contiguous across the result's rows, the
 * result along its rows.
 */
#ifndef BLI_TRANSPOSE_H
#define BLI_TRANSPOSE_H

#include <stdbool.h>

#include "kernels/copy/copy_core.h"

/* Vectors 2i and 2i + 1 of one step of a transposition. */
BLI_INLINE void transpose_pair(bli_wide *to, const bli_wide *from, int32_t i,
                               int32_t half, int64_t size)
{
    to[2 * i] = unpack_low(from[i], from[i + half], size);
    to[2 * i + 1] = unpack_high(from[i], from[i + half], size);
}

/*
 * One of the log2(rows) steps that transpose `rows` vectors within each 16 bytes. The
 * position of an element, in bits, is its row index followed by its column index: a
 * step rotates them by one bit.
 */
BLI_INLINE void transpose_turn(bli_wide *to, const bli_wide *from, int32_t rows,
                               int64_t size)
{
#pragma GCC unroll 8
    for (int32_t i = 0; i < rows / 2; i++)
        transpose_pair(to, from, i, rows / 2, size);
}

/* All log2(rows) steps, from v to `to`; v is overwritten. */
BLI_INLINE void transpose_turns(bli_wide *to, bli_wide *v, int32_t rows, int64_t size)
{
    bli_wide w[16];

    transpose_turn(rows == 2 ? to : w, v, rows, size);
    if (rows >= 4)
        transpose_turn(rows == 4 ? to : v, w, rows, size);
    if (rows >= 8)
        transpose_turn(rows == 8 ? to : w, v, rows, size);
    if (rows >= 16)
        transpose_turn(to, w, rows, size);
}

/* Transpose 16 / size rows of `width` bytes, BLI_WIDE or 16, within each 16 bytes. */
BLI_INLINE void transpose_lanes(bli_wide *to, const char *a, int64_t a_step,
                                int64_t size, int64_t width)
{
    const int32_t rows = (int32_t)(16 / size);
    bli_wide v[16];

#pragma GCC unroll 16
    for (int32_t i = 0; i < rows; i++) {
        bli_16 part;

        if (width == BLI_WIDE) {
            memcpy(&v[i], a + i * a_step, BLI_WIDE);
        } else {
            memcpy(&part, a + i * a_step, sizeof part);
            v[i] = BLI_WIDEN(part);
        }
    }
    transpose_turns(to, v, rows, size);
}

/* Transpose 16 / size rows of `width` bytes, 16 or BLI_WIDE, from `a` to `r`. */
BLI_INLINE void transpose_block(char *r, int64_t r_next, const char *a, int64_t a_step,
                                int64_t size, int64_t width)
{
    const int32_t rows = (int32_t)(16 / size);
    bli_wide v[16];

    transpose_lanes(v, a, a_step, size, width);
#pragma GCC unroll 16
    for (int32_t i = 0; i < rows; i++)
        move_lanes(r + i * r_next, rows * r_next, v[i], width);
}

/*
 * Transpose BLI_WIDE / size rows of BLI_WIDE bytes. Elements of 4 bytes: 29 bytes a
 * cycle in AVX-512, by transpose_block 15; for smaller elements there are not enough
 * registers.
 */
BLI_INLINE void transpose_square(char *r, int64_t r_next, const char *a, int64_t a_step,
                                 int64_t size)
{
    const int32_t rows = (int32_t)(16 / size);
    bli_wide v[BLI_LANES][16];

#pragma GCC unroll 4
    for (int32_t i = 0; i < BLI_LANES; i++)
        transpose_lanes(v[i], a + i * rows * a_step, a_step, size, BLI_WIDE);
#pragma GCC unroll 16
    for (int32_t i = 0; i < rows; i++) {
        const bli_wide x[] = {v[0][i], v[BLI_LANES > 1 ? 1 : 0][i],
                              v[BLI_LANES > 2 ? 2 : 0][i], v[BLI_LANES > 3 ? 3 : 0][i]};
        bli_wide y[BLI_LANES];

        exchange_lanes(y, x);
#pragma GCC unroll 4
        for (int32_t k = 0; k < BLI_LANES; k++)
            memcpy(r + (k * rows + i) * r_next, &y[k], BLI_WIDE);
    }
}

/*
 * Transpose BLI_WIDE / size rows of 16 bytes, BLI_LANES rows to a register: with two
 * lanes a load joins them, and nothing is exchanged after.  Zen 3, AVX2, 64x64 in L1
 * and L2: 8 bytes take .65 to .9 of the time of transpose_square, 4 bytes .5 to .7; 2
 * bytes .5 to .65 of that of transpose_block, 1 byte .65 to .75.
 */
BLI_INLINE void transpose_tall(char *r, int64_t r_next, const char *a, int64_t a_step,
                               int64_t size)
{
    const int32_t rows = (int32_t)(16 / size);
    bli_wide from[16], v[16];

#pragma GCC unroll 16
    for (int32_t i = 0; i < rows; i++)
        from[i] = join_lanes(a + i * a_step, rows * a_step);
    transpose_turns(v, from, rows, size);
#pragma GCC unroll 16
    for (int32_t i = 0; i < rows; i++)
        memcpy(r + i * r_next, &v[i], BLI_WIDE);
}

/* ---- adjacent blocks: the last one overlaps the one before it ---- */

enum transpose_kind { TRANSPOSE_SQUARE, TRANSPOSE_BLOCK, TRANSPOSE_TALL };

/*
 * Transpose as many rows as a block of this kind has, of `bytes` bytes each: at least
 * 16.
 */
BLI_INLINE void transpose_strip(char *r, int64_t r_next, const char *a, int64_t a_step,
                                int64_t bytes, int64_t size, enum transpose_kind kind)
{
    const int64_t width = bytes < BLI_WIDE || kind == TRANSPOSE_TALL ? 16 : BLI_WIDE;
    const int64_t further = width / size * r_next;

    for (int64_t left = bytes; left > 0; left -= width) {
        if (left < width) {
            r -= (width - left) / size * r_next;
            a -= width - left;
        }
        if (kind == TRANSPOSE_SQUARE)
            transpose_square(r, r_next, a, a_step, size);
        else if (kind == TRANSPOSE_TALL)
            transpose_tall(r, r_next, a, a_step, size);
        else if (width == BLI_WIDE)
            transpose_block(r, r_next, a, a_step, size, BLI_WIDE);
        else
            transpose_block(r, r_next, a, a_step, size, 16);
        r += further;
        a += width;
    }
}

/*
 * Transpose `rows` rows, strip by strip, so that the input's rows are read
 * sequentially: with rows 16 KiB apart, 64x64 of 4 bytes, 15 bytes a cycle; line by
 * line 7.8.
 */
BLI_INLINE void transpose_strips(char *r, int64_t r_next, const char *a, int64_t a_step,
                                 int64_t rows, int64_t columns, int64_t size)
{
    const int64_t most = BLI_WIDE / size;
    const int64_t least = 16 / size;
    const bool is_tall = BLI_LANES == 2 || columns < most;
    int64_t i = 0;

    if (is_tall || size >= 4)
        for (; i <= rows - most; i += most)
            transpose_strip(r + i * size, r_next, a + i * a_step, a_step,
                            columns * size, size,
                            is_tall ? TRANSPOSE_TALL : TRANSPOSE_SQUARE);
    for (; i < rows; i += least) {
        const int64_t at = i <= rows - least ? i : rows - least;

        transpose_strip(r + at * size, r_next, a + at * a_step, a_step, columns * size,
                        size, TRANSPOSE_BLOCK);
    }
}

/*
 * Transpose blocks of 64 bytes by 64 bytes through a staging buffer on the stack, so
 * that whole cache lines of the result are written at once.
 */
BLI_INLINE void transpose_staged(const struct bli_move *m, int64_t size)
{
    const int64_t most = 64 / size;
    char block[64 * 64];

    for (int64_t j = 0; j < m->outer; j += most)
        for (int64_t i = 0; i < m->inner; i += most) {
            const int64_t row = i <= m->inner - most ? i : m->inner - most;
            const int64_t column = j <= m->outer - most ? j : m->outer - most;
            char *const r = m->r + column * m->r_next + row * size;

            transpose_strips(block, 64, m->a + row * m->a_step + column * size,
                             m->a_step, most, most, size);
            for (int64_t k = 0; k < most; k++)
                move_piece(r + k * m->r_next, block + 64 * k, 64);
        }
}

/*
 * Whether rows of a result, `pitch` bytes apart, do not stay in a cache until their
 * lines are whole: all map to the same few sets of L1, or they are not in L2 together,
 * or not in L1 where elements of less than 4 bytes are written by 16 bytes.
 */
BLI_INLINE bool is_far(int64_t pitch, int64_t rows, int64_t size)
{
    const bool is_narrow = size < 4 || (pitch + 32) % 1024 < 64;

    return pitch * rows > (1 << 19) ||
           (is_narrow && (pitch >= 4096 || pitch * rows >= 32768));
}

/*
 * Transpose `inner` rows, for a_next == r_step == size < 16 and inner and outer of at
 * least 16 / size. A result whose rows are far apart is staged.
 */
BLI_INLINE void transpose(const struct bli_move *m, int64_t size)
{
    const int64_t pitch = m->r_next < 0 ? -m->r_next : m->r_next;

    if (is_far(pitch, m->outer, size) && m->inner * size >= 64 && m->outer * size >= 64)
        transpose_staged(m, size);
    else
        transpose_strips(m->r, m->r_next, m->a, m->a_step, m->inner, m->outer, size);
}

#endif
