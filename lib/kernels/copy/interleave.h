/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Interleaving of a few rows: planes of red, green and blue to pixels. This is a
 * transposition of fewer rows than 16 bytes hold elements. Three rows of 4 bytes: 9 to
 * 15 bytes a cycle, an element at a time 3; of one byte: 6, and 0.6.
 */
#ifndef BLI_INTERLEAVE_H
#define BLI_INTERLEAVE_H

#include "kernels/copy/broadcast_copy.h"
#include "kernels/copy/transpose.h"

/*
 * Interleave BLI_WIDE bytes of each of `rows` rows, padded to `padded` rows (a power of
 * two) with the last one; the permutation `index` removes the padding. Writes up to 8
 * bytes after the result.
 */
BLI_INLINE void interleave_block(char *r, const char *a, int64_t a_step, int32_t rows,
                                 int32_t padded, const uint8_t *index, int64_t size)
{
    const int32_t bytes = 16 * rows / padded;
    bli_wide from[16], v[16];

#pragma GCC unroll 16
    for (int32_t i = 0; i < padded; i++)
        memcpy(&from[i], a + (i < rows ? i : rows - 1) * a_step, BLI_WIDE);
    transpose_turns(v, from, padded, size);
    if (rows < padded && padded * size < 16) {
        bli_wide at;

        memcpy(&at, index, sizeof at);
#pragma GCC unroll 16
        for (int32_t i = 0; i < padded; i++)
            v[i] = BLI_PERMUTE(v[i], at);
    }
#pragma GCC unroll 4
    for (int32_t k = 0; k < BLI_LANES; k++)
#pragma GCC unroll 16
        for (int32_t i = 0; i < padded; i++)
            move_lane(r + (k * padded + i) * bytes, v[i], k);
}

/*
 * Interleave `inner` rows. Blocks are in ascending order: each overwrites the bytes
 * that the one before it wrote after its end; the last one is staged.
 */
BLI_INLINE void interleave_rows(const struct bli_move *m, int32_t padded, int64_t size)
{
    const int64_t row = m->inner * size;
    const int64_t most = BLI_WIDE / size;
    uint8_t index[BLI_WIDE];
    char block[BLI_WIDE * 16 + 16];

    for (int32_t k = 0; k < BLI_WIDE; k++) {
        const int32_t column = (int32_t)((uint32_t)(k & 15) * bli_inverse[row] >> 16);

        index[k] = (uint8_t)(column * padded * size + (k & 15) - column * row);
    }
    for (int64_t j = 0; j < m->outer; j += most) {
        const int64_t at = j <= m->outer - most ? j : m->outer - most;
        const bool is_last = (at + most) * row + 8 > m->outer * row;
        char *const r = is_last ? block : m->r + at * row;

        interleave_block(r, m->a + at * size, m->a_step, (int32_t)m->inner, padded,
                         index, size);
        if (is_last)
            memcpy(m->r + at * row, block, (size_t)(most * row));
    }
}

/*
 * Whether interleave() can be used: the rows are contiguous, few and long enough, and
 * padding, if there is any, is removed by one instruction.
 */
BLI_INLINE bool is_interleaved(const struct bli_move *m, int64_t size)
{
    const int64_t row = m->inner * size;
    const bool is_padded = (m->inner & (m->inner - 1)) != 0 && row <= 8;

    return m->a_next == size && m->r_next == row && row < 16 && m->inner > 1 &&
           m->outer >= BLI_WIDE / size && (BLI_PERMUTES || !is_padded);
}

/*
 * Interleave m->inner rows, for a_next == r_step == size, r_next == inner * size < 16
 * and outer >= BLI_WIDE / size.
 */
BLI_INLINE void interleave(const struct bli_move *m, int64_t size)
{
    if (size == 4)
        m->inner == 2 ? interleave_rows(m, 2, 4) : interleave_rows(m, 4, 4);
    else if (size == 2 && m->inner == 2)
        interleave_rows(m, 2, 2);
    else if (size == 2)
        m->inner <= 4 ? interleave_rows(m, 4, 2) : interleave_rows(m, 8, 2);
    else if (m->inner <= 4)
        m->inner == 2 ? interleave_rows(m, 2, 1) : interleave_rows(m, 4, 1);
    else
        m->inner <= 8 ? interleave_rows(m, 8, 1) : interleave_rows(m, 16, 1);
}

#endif
