/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loop of a kernel that writes lines of its result with non-temporal stores, from
 * the registers in which they were computed; by kernels without it, and for other rows,
 * pieces of a result are written (nt_rows.h).
 */
#ifndef BLI_NT_LINES_H
#define BLI_NT_LINES_H

#include "kernels/copy/non_temporal.h"
#include "kernels/loops/blocks.h"

/*
 * Whether a kernel has that loop: where a block of the result is a register of elements
 * of 4 or 8 bytes, at least as wide as the inputs'.  Zen 3, results of 100 MB, one and
 * two threads: sqrt and division take .82 to .95 of the time that they take by pieces,
 * sums and products .85 to .98, floor as long; comparisons would take 1.03, products of
 * complex numbers as long, and so would sums with a number; addcdiv, with its factor,
 * takes .72 to .9, addcmul .86 to .95.  Zen 4, 512 bits, results of 64 MB, one thread:
 * sums .82 to .87, division .78, where .68, sqrt .92.  Of halves see loops_half.h.
 */
#define BLI_HAS_NT_LINES(least, size, input)                                           \
    (BLI_WIDE >= 32 && (size) >= 4 && (size) >= (input) && (size) * (least) == BLI_WIDE)

/*
 * Compute lines of a result at an aligned address; prefetches would take 1.0 to 1.15 of
 * the time.
 */
BLI_INLINE void nt_lines(bli_apply *block, const struct bli_layout o, char *const *data,
                         int64_t inner)
{
    char *const r = bli_address(data, 0);
    const char *p[4] = {NULL};
    int64_t step[4] = {0};
    struct bli_block held;
    const bool has_parts = o.least * o.size[0] < BLI_WIDE;

#pragma GCC unroll 4
    for (int32_t k = 0; k < o.inputs; k++) {
        const bool is_scalar = (BLI_NT_SCALARS(o.inputs) >> k & 1) != 0;

        p[k] = bli_address(data, 1 + k);
        step[k] = is_scalar ? 0 : o.size[1 + k];
        if (is_scalar)
            p[k] = splat_block(&held, p[k], o.size[1 + k], o.least);
    }
    for (int64_t j = 0; j < inner; j += BLI_ALIGNMENT / o.size[0]) {
        struct bli_line line;

#pragma GCC unroll 2
        for (int64_t i = 0; i < BLI_ALIGNMENT / o.size[0]; i += o.least)
            block(line.bytes + i * o.size[0], p[0] + (j + i) * step[0],
                  p[1] + (j + i) * step[1], p[2] + (j + i) * step[2],
                  p[3] + (j + i) * step[3]);
        if (has_parts)
            bli_nt_store_parts(r + j * o.size[0], line.bytes, BLI_ALIGNMENT);
        else
            bli_nt_store_lines(r + j * o.size[0], line.bytes, BLI_ALIGNMENT);
    }
}

/* Compute rows that are such lines; whether they are. */
BLI_INLINE bool nt_lines_rows(bli_apply *block, const struct bli_layout o,
                              char *const *data, int64_t inner, uint32_t scalars)
{
    const bool has = BLI_HAS_NT_LINES(o.least, o.size[0], o.size[1]);

    if (has && scalars == BLI_NT_LINES)
        nt_lines(block, o, data, inner);
    return has && scalars == BLI_NT_LINES;
}

#endif
