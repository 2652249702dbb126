/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Real and imaginary parts of complex elements: every second number of two registers.
 * As a loop over elements GCC unrolls the block first, and moves some of its numbers
 * one by one: 1000 c64 took 2.0 times as long with AVX2, 1.7 times with 512 bits (Zen
 * 4).
 */
#ifndef BLI_PARTS_H
#define BLI_PARTS_H

#include "kernels/loops/blocks.h"

/* Which part the operators give that have a real number of each element. */
enum { BLI_PART_real, BLI_PART_imag, BLI_PART_abs = -1, BLI_PART_angle = -1 };

typedef float bli_floats __attribute__((vector_size(BLI_WIDE)));
typedef double bli_doubles __attribute__((vector_size(BLI_WIDE)));

#if BLI_WIDE == 64
#define BLI_SECONDS_F32(v, w, k)                                                       \
    __builtin_shufflevector(v, w, k, k + 2, k + 4, k + 6, k + 8, k + 10, k + 12,       \
                            k + 14, k + 16, k + 18, k + 20, k + 22, k + 24, k + 26,    \
                            k + 28, k + 30)
#define BLI_SECONDS_F64(v, w, k)                                                       \
    __builtin_shufflevector(v, w, k, k + 2, k + 4, k + 6, k + 8, k + 10, k + 12, k + 14)
#elif BLI_WIDE == 32
#define BLI_SECONDS_F32(v, w, k)                                                       \
    __builtin_shufflevector(v, w, k, k + 2, k + 4, k + 6, k + 8, k + 10, k + 12, k + 14)
#define BLI_SECONDS_F64(v, w, k) __builtin_shufflevector(v, w, k, k + 2, k + 4, k + 6)
#else
#define BLI_SECONDS_F32(v, w, k) __builtin_shufflevector(v, w, k, k + 2, k + 4, k + 6)
#define BLI_SECONDS_F64(v, w, k) __builtin_shufflevector(v, w, k, k + 2)
#endif

/* The parts of a block, numbers of `size` bytes, which fill a register. */
BLI_INLINE void part_block(int64_t size, int32_t part, char *r, const char *a)
{
    if (size == 4) {
        bli_floats v, w;

        memcpy(&v, a, sizeof v);
        memcpy(&w, a + sizeof v, sizeof w);
        v = part == 0 ? BLI_SECONDS_F32(v, w, 0) : BLI_SECONDS_F32(v, w, 1);
        memcpy(r, &v, sizeof v);
    } else {
        bli_doubles v, w;

        memcpy(&v, a, sizeof v);
        memcpy(&w, a + sizeof v, sizeof w);
        v = part == 0 ? BLI_SECONDS_F64(v, w, 0) : BLI_SECONDS_F64(v, w, 1);
        memcpy(r, &v, sizeof v);
    }
}

#endif
