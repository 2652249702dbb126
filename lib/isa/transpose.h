/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transposition in registers: the input contiguous from row to row of the result, the
 * result contiguous along its rows.
 */
#ifndef BLI_TRANSPOSE_H
#define BLI_TRANSPOSE_H

#include <stdbool.h>

#include "isa/pieces.h"

/* Vectors 2i and 2i + 1 of the next turn. */
BLI_MOVE void transpose_pair(bli_wide *to, const bli_wide *from, int32_t i,
                             int32_t half, int64_t size)
{
    to[2 * i] = unpack_low(from[i], from[i + half], size);
    to[2 * i + 1] = unpack_high(from[i], from[i + half], size);
}

/*
 * One of the log2(rows) turns that transpose `rows` vectors within each 16 bytes.  Seen
 * as bits, the place of an element is its row's number and then its column's: a turn
 * rotates them by one.
 */
BLI_MOVE void transpose_turn(bli_wide *to, const bli_wide *from, int32_t rows,
                             int64_t size)
{
#pragma GCC unroll 8
    for (int32_t i = 0; i < rows / 2; i++)
        transpose_pair(to, from, i, rows / 2, size);
}

/* Transpose 16 / size rows of `width` bytes: BLI_WIDE, or 16. */
BLI_MOVE void transpose_block(char *r, int64_t r_next, const char *a, int64_t a_step,
                              int64_t size, int64_t width)
{
    const int32_t rows = (int32_t)(16 / size);
    bli_wide v[16], w[16];

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
    transpose_turn(w, v, rows, size);
    if (rows >= 4)
        transpose_turn(v, w, rows, size);
    if (rows >= 8)
        transpose_turn(w, v, rows, size);
    if (rows >= 16)
        transpose_turn(v, w, rows, size);
#pragma GCC unroll 16
    for (int32_t i = 0; i < rows; i++) {
        const bli_wide x = rows == 2 || rows == 8 ? w[i] : v[i];

        move_lanes(r + i * r_next, rows * r_next, x, width);
    }
}

/* ---- units of 64 bytes of columns, or of 16 where there are no more ---- */

/* `r` has `count` >= 16 / size elements a row; the last block laps over others. */
BLI_MOVE void transpose_columns(char *r, int64_t r_next, const char *a, int64_t a_step,
                                int64_t count, int64_t size, int64_t width)
{
    const int64_t rows = 16 / size;

    for (int64_t j = 0; j < count; j += rows) {
        const int64_t at = j <= count - rows ? j : count - rows;

        for (int64_t k = 0; k < width; k += BLI_WIDE)
            transpose_block(r + at * size + k / size * r_next, r_next,
                            a + at * a_step + k, a_step, size,
                            width < BLI_WIDE ? width : BLI_WIDE);
    }
}

/*
 * The same by way of the stack, for rows of the result so far apart that they fall on
 * the same sets of the cache: a line of it is written at once.
 */
BLI_MOVE void transpose_staged(char *r, int64_t r_next, const char *a, int64_t a_step,
                               int64_t count, int64_t size, int64_t width)
{
    const int64_t most = 128 / size;
    char block[64 * 128];

    for (int64_t j = 0; j < count; j += most) {
        const int64_t at = j <= count - most ? j : count - most;

        transpose_columns(block, 128, a + at * a_step, a_step, most, size, width);
        for (int64_t i = 0; i < width / size; i++)
            move_run(r + i * r_next + at * size, block + 128 * i, 128);
    }
}

/*
 * a_next == r_step == size < 16; inner and outer are at least 16 / size.
 */
BLI_MOVE void transpose(const struct bli_move *m, int64_t size)
{
    const int64_t bytes = m->outer * size;
    const int64_t width = bytes < 64 ? 16 : 64;
    const bool is_staged =
        (m->r_next >= 1024 || m->r_next <= -1024) && m->inner * size >= 128;

    for (int64_t i = 0; i < bytes; i += width) {
        const int64_t at = i <= bytes - width ? i : bytes - width;
        char *const r = m->r + at / size * m->r_next;

        if (width == 16)
            transpose_columns(r, m->r_next, m->a + at, m->a_step, m->inner, size, 16);
        else if (is_staged)
            transpose_staged(r, m->r_next, m->a + at, m->a_step, m->inner, size, 64);
        else
            transpose_columns(r, m->r_next, m->a + at, m->a_step, m->inner, size, 64);
    }
}

#endif
