/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies that repeat the input: a row many times, or each element many times.
 */
#ifndef BLI_BROADCAST_COPY_H
#define BLI_BROADCAST_COPY_H

#include "kernels/copy/copy_rows.h"

/* ---- repeat a row ---- */

/* Store one row `outer` times, width <= bytes <= 2 * width; it stays in registers. */
BLI_INLINE void stamp_pairs(const struct bli_move *m, int64_t bytes, int64_t width)
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
 * A register of a repeated row of at most 16 bytes: bytes at, at + 1, ... of the
 * endless repetition of the row, at < 2 * BLI_WIDE.
 */
BLI_INLINE bli_wide cycle(const char *row, uint32_t bytes, uint32_t at)
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

/*
 * Repeat a row of at most 16 bytes without gaps: as many copies as two registers hold
 * are stored at a time. Rows of 12 bytes: 22 bytes a cycle in AVX2, 30 in AVX-512; one
 * row at a time 8.
 */
BLI_INLINE void repeat_short(const struct bli_move *m, int64_t bytes)
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

/*
 * Repeat a contiguous row of `bytes`: r_step and a_step are the element size, a_next is
 * 0.
 */
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

/* ---- repeat each element ---- */

/*
 * Repeat each element `inner` times, in rows shorter than 16 bytes, contiguous on both
 * sides: 16 bytes of input become inner * 16 of the result, each lane by its own
 * permutation. Rows of 12 bytes: 13 to 17 bytes a cycle, by fill_rows 10; of 2 bytes: 9
 * and 1.
 */
BLI_INLINE void repeat_each(const struct bli_move *m, int64_t size)
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

/*
 * repeat_words repeats each element of one or two 32-bit words, at most BLI_REPEATED
 * times: a register of input becomes `inner` registers of the result. f32[10000,3] plus
 * a column takes 0.80 of the time that it takes with repeat_each in AVX-512, rows of 7
 * take 0.93 of that with fill_rows; c128 1.06. With AVX2 whole lines are better filled:
 * boxes of (a - b) / c, of which b and c are columns beside rows of 64 bytes, take 0.71
 * of the time, rows of 128 0.92; of 32 bytes 1.02, of 96 1.07 (Zen 3).
 */
#if defined(BLI_PERMUTE_WORDS)
#define BLI_REPEATED 16
#else
#define BLI_REPEATED 0
#endif

/* Whether repeat_words takes elements of `size` bytes, `inner` times each. */
BLI_INLINE bool has_words(const struct bli_move *m, int64_t size)
{
    return (size == 4 || size == 8) && m->inner <= BLI_REPEATED &&
           (BLI_WIDE != 32 || m->inner * size % 64 != 0);
}

#if defined(BLI_PERMUTE_WORDS)
static void repeat_words(const struct bli_move *m, int64_t size)
{
    enum { WORDS = BLI_WIDE / 4 };
    const uint32_t shift = size == 4 ? 0 : 1, inverse = bli_inverse[m->inner];
    const int64_t per = BLI_WIDE / size, turn = m->inner * BLI_WIDE;
    uint32_t index[BLI_REPEATED * WORDS];
    struct bli_move tail = *m;
    int64_t i = 0;

#pragma omp simd
    for (uint32_t k = 0; k < m->inner * WORDS; k++)
        index[k] = ((((k >> shift) * inverse) >> 16) << shift) + (k & shift);
    for (; i + per <= m->outer; i += per, tail.r += turn, tail.a += BLI_WIDE) {
        bli_wide v;

        memcpy(&v, tail.a, sizeof v);
        for (int64_t k = 0; k < m->inner; k++) {
            bli_wide at;

            memcpy(&at, index + k * WORDS, sizeof at);
            at = BLI_PERMUTE_WORDS(v, at);
            memcpy(tail.r + k * BLI_WIDE, &at, sizeof at);
        }
    }
    tail.outer -= i;
    fill_rows(&tail, size);
}
#else
BLI_INLINE void repeat_words(const struct bli_move *m, int64_t size)
{
    fill_rows(m, size);
}
#endif

#endif
