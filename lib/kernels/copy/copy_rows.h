/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows that are contiguous in the result: copied from contiguous ones, or each filled
 * with one element. A row of 1 to 16 bytes is written as two pieces that overlap.
 */
#ifndef BLI_COPY_ROWS_H
#define BLI_COPY_ROWS_H

#include "kernels/copy/copy_core.h"

/* ---- rows of bytes ---- */

/* Copy width <= bytes <= 2 * width bytes, as two pieces that may overlap. */
BLI_INLINE void copy_pair(char *r, const char *a, int64_t bytes, int64_t width)
{
    move_piece(r, a, width);
    if (bytes != width)
        move_piece(r + bytes - width, a + bytes - width, width);
}

/* Copy 1 to 16 bytes. */
BLI_INLINE void copy_short(char *r, const char *a, int64_t bytes)
{
    if (bytes >= 8)
        copy_pair(r, a, bytes, 8);
    else if (bytes >= 4)
        copy_pair(r, a, bytes, 4);
    else if (bytes >= 2)
        copy_pair(r, a, bytes, 2);
    else
        *r = *a;
}

/*
 * Copy rows of width <= bytes <= 2 * width, four at a time, whose addresses do not
 * depend on each other: rows of 16 bytes at 19 bytes a cycle instead of 10. (All such
 * figures: AMD Zen 5, in L1.)
 */
BLI_INLINE void copy_pairs(const struct bli_move *m, int64_t bytes, int64_t width)
{
    const int64_t r_next = m->r_next, a_next = m->a_next;
    char *r = m->r;
    const char *a = m->a;
    int64_t left = m->outer;

    for (; left >= 4; left -= 4, r += 4 * r_next, a += 4 * a_next) {
        copy_pair(r, a, bytes, width);
        copy_pair(r + r_next, a + a_next, bytes, width);
        copy_pair(r + 2 * r_next, a + 2 * a_next, bytes, width);
        copy_pair(r + 3 * r_next, a + 3 * a_next, bytes, width);
    }
    for (; left > 0; left--, r += r_next, a += a_next)
        copy_pair(r, a, bytes, width);
}

/*
 * Copy rows of at most `pieces` registers, a constant, and more than one fewer; the
 * last one overlaps.
 */
BLI_INLINE void copy_pieces(const struct bli_move *m, int64_t bytes, int64_t pieces)
{
    char *r = m->r;
    const char *a = m->a;

    for (int64_t i = 0; i < m->outer; i++, r += m->r_next, a += m->a_next) {
#pragma GCC unroll 6
        for (int64_t k = 0; k < pieces - 1; k++)
            move_piece(r + k * BLI_WIDE, a + k * BLI_WIDE, BLI_WIDE);
        move_piece(r + bytes - BLI_WIDE, a + bytes - BLI_WIDE, BLI_WIDE);
    }
}

/*
 * Copy rows of `bytes` contiguous bytes on both sides. 4000 bytes: 46 a cycle in
 * AVX-512 and 36 in AVX2, where memcpy has 30; memcpy is the faster one in SSE2 and in
 * L2.
 */
static void copy_rows(const struct bli_move *m, int64_t bytes)
{
    if (bytes >= 128 * BLI_WIDE)
        for (int64_t i = 0; i < m->outer; i++)
            memcpy(m->r + i * m->r_next, m->a + i * m->a_next, (size_t)bytes);
    else if (bytes > 6 * BLI_WIDE)
        for (int64_t i = 0; i < m->outer; i++)
            move_run(m->r + i * m->r_next, m->a + i * m->a_next, bytes);
    else if (bytes > 5 * BLI_WIDE)
        copy_pieces(m, bytes, 6);
    else if (bytes > 4 * BLI_WIDE)
        copy_pieces(m, bytes, 5);
    else if (bytes > 3 * BLI_WIDE)
        copy_pieces(m, bytes, 4);
    else if (bytes > 2 * BLI_WIDE)
        copy_pieces(m, bytes, 3);
    else if (bytes > BLI_WIDE)
        copy_pairs(m, bytes, BLI_WIDE);
    else if (BLI_WIDE > 32 && bytes > 32)
        copy_pairs(m, bytes, 32);
    else if (BLI_WIDE > 16 && bytes > 16)
        copy_pairs(m, bytes, 16);
    else if (bytes == 16)
        copy_pairs(m, 16, 16);
    else if (bytes > 8)
        copy_pairs(m, bytes, 8);
    else if (bytes == 8)
        copy_pairs(m, 8, 8);
    else if (bytes >= 4)
        copy_pairs(m, bytes, 4);
    else if (bytes >= 2)
        copy_pairs(m, bytes, 2);
    else
        copy_pairs(m, 1, 1);
}

/* ---- the input has stride 0 along rows ---- */

/* Fill rows of width <= bytes <= 2 * width, each with its element. */
BLI_INLINE void fill_pairs(const struct bli_move *m, int64_t bytes, int64_t size,
                           int64_t width)
{
    char *r = m->r;
    const char *a = m->a;

#pragma GCC unroll 4
    for (int64_t i = 0; i < m->outer; i++, r += m->r_next, a += m->a_next) {
        const bli_wide v = splat(a, size);

        memcpy(r, &v, (size_t)width);
        if (bytes != width)
            memcpy(r + bytes - width, &v, (size_t)width);
    }
}

/* Fill rows of more than BLI_WIDE bytes, each with its element. */
BLI_INLINE void fill_runs(const struct bli_move *m, int64_t bytes, int64_t size)
{
    for (int64_t i = 0; i < m->outer; i++) {
        const bli_wide v = splat(m->a + i * m->a_next, size);
        char *const r = m->r + i * m->r_next;

#pragma GCC unroll 4
        for (int64_t at = 0; at < bytes - BLI_WIDE; at += BLI_WIDE)
            memcpy(r + at, &v, BLI_WIDE);
        memcpy(r + bytes - BLI_WIDE, &v, BLI_WIDE);
    }
}

/*
 * Fill contiguous rows, each with its element: r_step == size, a_step == 0. Rows of 12
 * bytes: 10 bytes a cycle; one of 4000: 30 in SSE2, 55 in AVX2 and AVX-512.
 */
BLI_INLINE void fill_rows(const struct bli_move *m, int64_t size)
{
    const int64_t bytes = m->inner * size;

    if (BLI_WIDE == 32 && bytes == 2 * BLI_WIDE)
        fill_pairs(m, 2 * BLI_WIDE, size, BLI_WIDE);
    else if (bytes > BLI_WIDE)
        fill_runs(m, bytes, size);
    else if (BLI_WIDE > 32 && bytes > 32)
        fill_pairs(m, bytes, size, 32);
    else if (BLI_WIDE > 16 && bytes > 16)
        fill_pairs(m, bytes, size, 16);
    else if (bytes == 16)
        fill_pairs(m, 16, size, 16);
    else if (size <= 8 && bytes > 8)
        fill_pairs(m, bytes, size, 8);
    else if (size <= 8 && bytes == 8)
        fill_pairs(m, 8, size, 8);
    else if (size <= 4 && bytes >= 4)
        fill_pairs(m, bytes, size, 4);
    else if (size <= 2 && bytes >= 2)
        fill_pairs(m, bytes, size, 2);
    else
        fill_pairs(m, size, size, size);
}

#endif
