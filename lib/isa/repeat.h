/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows that are contiguous on both sides, and results that repeat: each element, or a
 * row.
 */
#ifndef BLI_REPEAT_H
#define BLI_REPEAT_H

#include "isa/pieces.h"

/* ---- rows of bytes ---- */

/* Rows of `width` <= bytes <= 2 * width: two pieces that may lap over each other. */
BLI_MOVE void copy_pair(char *r, const char *a, int64_t bytes, int64_t width)
{
    move_piece(r, a, width);
    if (bytes != width)
        move_piece(r + bytes - width, a + bytes - width, width);
}

/* 1 to 16 bytes. */
BLI_MOVE void copy_short(char *r, const char *a, int64_t bytes)
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

BLI_MOVE void copy_pairs(const struct bli_move *m, int64_t bytes, int64_t width)
{
    const int64_t r_next = m->r_next, a_next = m->a_next;
    char *r = m->r;
    const char *a = m->a;
    int64_t i = 0;

    for (; i + 4 <= m->outer; i += 4, r += 4 * r_next, a += 4 * a_next) {
        copy_pair(r, a, bytes, width);
        copy_pair(r + r_next, a + a_next, bytes, width);
        copy_pair(r + 2 * r_next, a + 2 * a_next, bytes, width);
        copy_pair(r + 3 * r_next, a + 3 * a_next, bytes, width);
    }
    for (; i < m->outer; i++, r += r_next, a += a_next)
        copy_pair(r, a, bytes, width);
}

/* The inner loop is `bytes` contiguous bytes on both sides. */
static void copy_rows(const struct bli_move *m, int64_t bytes)
{
    if (bytes >= 2048)
        for (int64_t i = 0; i < m->outer; i++)
            memcpy(m->r + i * m->r_next, m->a + i * m->a_next, (size_t)bytes);
    else if (bytes > 2 * BLI_WIDE)
        for (int64_t i = 0; i < m->outer; i++)
            move_run(m->r + i * m->r_next, m->a + i * m->a_next, bytes);
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

/* ---- the input stands still along rows ---- */

/* A register of copies of the element at `a`; `size` is constant. */
BLI_MOVE bli_wide splat(const char *a, int64_t size)
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

/* Rows of `width` <= bytes <= 2 * width. */
BLI_MOVE void fill_pairs(const struct bli_move *m, int64_t bytes, int64_t size,
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

/* Rows of more than BLI_WIDE bytes. */
BLI_MOVE void fill_runs(const struct bli_move *m, int64_t bytes, int64_t size)
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

/* r_step == size, a_step == 0. */
BLI_MOVE void fill_rows(const struct bli_move *m, int64_t size)
{
    const int64_t bytes = m->inner * size;

    if (bytes > BLI_WIDE)
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

/* ---- a row again and again ---- */

/* Rows of `width` <= bytes <= 2 * width, which stay in registers. */
BLI_MOVE void stamp_pairs(const struct bli_move *m, int64_t bytes, int64_t width)
{
    bli_wide first = {0}, last = {0};
    char *r = m->r;

    memcpy(&first, m->a, (size_t)width);
    memcpy(&last, m->a + bytes - width, (size_t)width);
#pragma GCC unroll 4
    for (int64_t i = 0; i < m->outer; i++, r += m->r_next) {
        memcpy(r, &first, (size_t)width);
        if (bytes != width)
            memcpy(r + bytes - width, &last, (size_t)width);
    }
}

/* k * bli_inverse[n] >> 16 is k / n for k < 256 and n <= 16. */
static const uint32_t bli_inverse[] = {0,     65537, 32769, 21846, 16385, 13108,
                                       10923, 9363,  8193,  7282,  6554,  5958,
                                       5462,  5042,  4682,  4370,  4097};

/*
 * Bytes of a row of at most 16, from number `at` < 2 * BLI_WIDE on, and from its
 * beginning again after its end.
 */
BLI_MOVE bli_wide cycle(const char *row, uint32_t bytes, uint32_t at)
{
    uint8_t index[BLI_WIDE];
    bli_16 v;
    bli_wide w;

#pragma omp simd
    for (uint16_t k = 0; k < BLI_WIDE; k++) {
        const uint16_t place = (uint16_t)(k + at);
        const uint16_t times = (uint16_t)(place * bli_inverse[bytes] >> 16);

        index[k] = (uint8_t)(place - times * bytes);
    }
    memcpy(&v, row, sizeof v);
    memcpy(&w, index, sizeof w);
    return move_permute(v, w);
}

/* Rows of at most 16 bytes without gaps: as many as two registers hold at a time. */
BLI_MOVE void repeat_short(const struct bli_move *m, int64_t bytes)
{
    const int64_t whole = (2 * BLI_WIDE * bli_inverse[bytes] >> 16) * bytes;
    char *const end = m->r + m->outer * bytes;
    char row[16] = {0};

    copy_short(row, m->a, bytes);
    const bli_wide first = cycle(row, (uint32_t)bytes, 0);
    const bli_wide last = cycle(row, (uint32_t)bytes, (uint32_t)(whole - BLI_WIDE));

    for (char *r = m->r; r < end; r += whole) {
        r = end - r < whole ? end - whole : r;
        memcpy(r, &first, BLI_WIDE);
        memcpy(r + whole - BLI_WIDE, &last, BLI_WIDE);
    }
}

/* r_step and a_step are the element's size, a_next is 0; a row has `bytes`. */
static void repeat_row(const struct bli_move *m, int64_t bytes)
{
    if (bytes < 16 + BLI_PERMUTES && m->r_next == bytes &&
        m->outer * bytes >= 2 * BLI_WIDE)
        repeat_short(m, bytes);
    else if (bytes > 2 * BLI_WIDE || bytes < 16)
        copy_rows(m, bytes);
    else if (bytes > BLI_WIDE)
        stamp_pairs(m, bytes, BLI_WIDE);
    else if (bytes == BLI_WIDE)
        stamp_pairs(m, BLI_WIDE, BLI_WIDE);
    else if (BLI_WIDE > 32 && bytes > 32)
        stamp_pairs(m, bytes, 32);
    else
        stamp_pairs(m, bytes, 16);
}

/* ---- each element again and again ---- */

/*
 * Each element inner times, in rows shorter than 16 bytes, contiguous on both sides: 16
 * bytes of input become inner * 16 of the result, each lane by its own permutation.
 */
BLI_MOVE void repeat_each(const struct bli_move *m, int64_t size)
{
    const int64_t per = 16 / size;
    const int64_t row = m->inner * size;
    const int64_t loops = (row * per + BLI_WIDE - 1) / BLI_WIDE;
    const uint32_t inverse = bli_inverse[m->inner];
    uint8_t index[256];
    struct bli_move tail = *m;
    int64_t i = 0;

#pragma omp simd
    for (uint16_t k = 0; k < loops * BLI_WIDE; k++) {
        const uint16_t element = (uint16_t)((k / size) * inverse >> 16);

        index[k] = (uint8_t)(element * size + k % size);
    }
    for (; i * row + loops * BLI_WIDE <= m->outer * row; i += per) {
        char *const r = m->r + i * row;
        bli_16 v;

        memcpy(&v, m->a + i * size, sizeof v);
        for (int64_t k = 0; k < loops * BLI_WIDE; k += BLI_WIDE) {
            bli_wide at;

            memcpy(&at, index + k, sizeof at);
            at = move_permute(v, at);
            memcpy(r + k, &at, sizeof at);
        }
    }
    tail.r += i * m->r_next;
    tail.a += i * m->a_next;
    tail.outer -= i;
    fill_rows(&tail, size);
}

#endif
