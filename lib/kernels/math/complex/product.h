/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of registers of complex elements, with the bits of bli_mul_<dtype>.
 * Compilers separate the real from the imaginary parts, and join them again: a scalar
 * times 4096 c128 takes twice as long.
 */
#ifndef BLI_COMPLEX_PRODUCT_H
#define BLI_COMPLEX_PRODUCT_H

#include "kernels/simd_lanes.h"

/* Parts of `size` bytes: part k of the result is part (k & keep) ^ exchange of v. */
BLI_INLINE bli_wide complex_parts(bli_wide v, int32_t size, int32_t keep,
                                  int32_t exchange)
{
    bli_wide index;

    for (int32_t k = 0; k < BLI_WIDE; k++)
        index[k] = (uint8_t)((((k / size & keep) ^ exchange) * size + k % size) % 16);
    return BLI_PERMUTE(v, index);
}

/*
 * bli_block_mul_<dtype>: r = a * b, two registers. With a = u + iv, each part of b is
 * multiplied by u, and the other part by -v or v.
 */
#define BLI_DEFINE_PRODUCT(name, real)                                                 \
    typedef real bli_wide_##name __attribute__((vector_size(BLI_WIDE)));               \
    BLI_INLINE void bli_block_mul_##name(char *r, const char *a, const char *b)        \
    {                                                                                  \
        const int32_t size = sizeof(real);                                             \
        bli_wide x, y, minus;                                                          \
                                                                                       \
        for (int32_t k = 0; k < BLI_WIDE; k++)                                         \
            minus[k] = k % (2 * size) == size - 1 ? 0x80 : 0;                          \
        _Pragma("GCC unroll 2") for (int32_t at = 0; at < 2 * BLI_WIDE;                \
                                     at += BLI_WIDE)                                   \
        {                                                                              \
            memcpy(&x, a + at, sizeof x);                                              \
            memcpy(&y, b + at, sizeof y);                                              \
                                                                                       \
            const bli_wide u = complex_parts(x, size, -2, 0);                          \
            const bli_wide v = complex_parts(x, size, -2, 1) ^ minus;                  \
            const bli_wide z = complex_parts(y, size, -1, 1);                          \
            const bli_wide_##name p = (bli_wide_##name)u * (bli_wide_##name)y;         \
            const bli_wide_##name q = (bli_wide_##name)v * (bli_wide_##name)z;         \
            const bli_wide_##name product = p + q;                                     \
                                                                                       \
            memcpy(r + at, &product, sizeof product);                                  \
        }                                                                              \
    }

BLI_DEFINE_PRODUCT(c64, float)
BLI_DEFINE_PRODUCT(c128, double)

#undef BLI_DEFINE_PRODUCT

#endif
