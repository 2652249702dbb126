/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of an element and of a block that loops are made of, and blocks: as
 * many elements as fill a register, or a few.
 */
#ifndef BLI_BLOCKS_H
#define BLI_BLOCKS_H

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
 * Elements of a block of operands of two sizes: as many as a register has of the
 * narrower; of complex elements as many as it has numbers.
 */
#define BLI_LEAST(one, other, is_complex)                                              \
    (is_complex ? 2 * BLI_WIDE / (other)                                               \
                : BLI_LESSER(BLI_WIDE / BLI_LESSER(one, other),                        \
                             BLI_BLOCK_BYTES / ((one) > (other) ? (one) : (other))))
#define BLI_LESSER(a, b) ((a) < (b) ? (a) : (b))

/* Compute a block with a function of one element; all sizes are constant. */
BLI_INLINE void block_of(bli_apply *one, int64_t least, const int64_t *size, char *r,
                         const char *a, const char *b, const char *c, const char *d)
{
    const int64_t r_size = size[0], a_size = size[1], b_size = size[2];
    const int64_t c_size = size[3], d_size = size[4];

#pragma omp simd
    for (int64_t j = 0; j < least; j++)
        one(r + j * r_size, a + j * a_size, b + j * b_size, c + j * c_size,
            d + j * d_size);
}

/* The instruction set that every machine has has one loop for all rows. */
#define BLI_HAS_FORMS (BLI_WIDE > 16)

/*
 * How often the loop that fills a block is unrolled: whole, so that GCC sees that all
 * of the block is one register, and reads none of it. eq of 40 rows of 100 f64 and a
 * column takes .88 of the time with AVX2, and the library has 27 KB of text less. Not
 * where strides are variables.
 */
enum { BLI_SPLATS = BLI_HAS_FORMS ? BLI_BLOCK_BYTES / BLI_WIDE : 1 };

/* Fill a block with copies of the element at `from`. */
BLI_INLINE const char *splat_block(struct bli_block *held, const char *from,
                                   int64_t size, int64_t least)
{
    const bli_wide v = splat(from, size);

#pragma GCC unroll BLI_SPLATS
    for (int64_t at = 0; at < size * least; at += BLI_WIDE)
        memcpy(held->bytes + at, &v, sizeof v);
    return held->bytes;
}

#endif
