/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loop of a kernel that writes lines of its result with non-temporal stores, from
 * the registers in which they were computed; by kernels without it, and for other rows,
 * pieces of a result are written (nt_rows.h).
 */
#ifndef BLI_NT_LINES_H
#define BLI_NT_LINES_H

#include "kernels/copy/non_temporal.h"
#include "kernels/loops/rows.h"

/*
 * Compute an element, or a block of elements, at r from the inputs at a, b, c and d; an
 * operator with fewer inputs does not look at the others.
 */
typedef void bli_apply(char *r, const char *a, const char *b, const char *c,
                       const char *d);

/* The operands of a kernel; all members are constants after inlining. */
struct bli_layout {
    int32_t inputs;
    uint32_t often;                  /* sets of scalars with loops of their own */
    int64_t least;                   /* elements of a block */
    int64_t size[BLI_LOOP_OPERANDS]; /* bytes of an element */
};

/*
 * Whether a kernel has that loop: where a block of the result is a register of elements
 * of 4 or 8 bytes, at least as wide as the inputs'.  Zen 3, results of 100 MB, one and
 * two threads: sqrt and division take .82 to .95 of the time that they take by pieces,
 * sums and products .85 to .98, floor as long; comparisons would take 1.03, products of
 * complex numbers as long, and so would operators with a number.  Of halves see
 * loops_half.h.  Not with 512 bits, where this has not been compared with pieces.
 */
#define BLI_HAS_NT_LINES(least, size, input)                                           \
    (BLI_WIDE == 32 && (size) >= 4 && (size) >= (input) && (size) * (least) == BLI_WIDE)

/*
 * Compute lines of a result at an aligned address, of contiguous operands; prefetches
 * would take 1.0 to 1.15 of the time.
 */
BLI_INLINE void nt_lines(bli_apply *block, const struct bli_layout o, char *const *data,
                         int64_t inner)
{
    char *const r = bli_address(data, 0);
    const char *p[4] = {NULL};

#pragma GCC unroll 4
    for (int32_t k = 0; k < o.inputs; k++)
        p[k] = bli_address(data, 1 + k);
    for (int64_t j = 0; j < inner; j += BLI_ALIGNMENT / o.size[0]) {
        struct bli_line line;

#pragma GCC unroll 2
        for (int64_t i = 0; i < BLI_ALIGNMENT / o.size[0]; i += o.least)
            block(line.bytes + i * o.size[0], p[0] + (j + i) * o.size[1],
                  p[1] + (j + i) * o.size[2], p[2] + (j + i) * o.size[3],
                  p[3] + (j + i) * o.size[4]);
        bli_nt_store_lines(r + j * o.size[0], line.bytes, BLI_ALIGNMENT);
    }
}

#endif
