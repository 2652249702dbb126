/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of registers of complex elements, and sums with them, with the bits of
 * bli_mul_<dtype>. Compilers separate the real from the imaginary parts, and join them
 * again: a scalar times 4096 c128 takes twice as long.
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
 * bli_product_<dtype>: a * b. With a = u + iv, each part of b is multiplied by u, and
 * the other part by -v or v.
 */
#define BLI_DEFINE_PRODUCT(name, real)                                                 \
    typedef real bli_wide_##name __attribute__((vector_size(BLI_WIDE)));               \
    BLI_INLINE bli_wide_##name bli_product_##name(bli_wide_##name a,                   \
                                                  bli_wide_##name b)                   \
    {                                                                                  \
        const int32_t size = sizeof(real);                                             \
        bli_wide minus;                                                                \
                                                                                       \
        for (int32_t k = 0; k < BLI_WIDE; k++)                                         \
            minus[k] = k % (2 * size) == size - 1 ? 0x80 : 0;                          \
                                                                                       \
        const bli_wide u = complex_parts((bli_wide)a, size, -2, 0);                    \
        const bli_wide v = complex_parts((bli_wide)a, size, -2, 1) ^ minus;            \
        const bli_wide z = complex_parts((bli_wide)b, size, -1, 1);                    \
                                                                                       \
        return (bli_wide_##name)u * b + (bli_wide_##name)v * (bli_wide_##name)z;       \
    }                                                                                  \
    BLI_DEFINE_SUM(mul, BINARY, name, bli_product_##name(a, b))                        \
    BLI_DEFINE_SUM(add_scaled, TERNARY, name, a + bli_product_##name(b, c))            \
    BLI_DEFINE_SUM(sub_scaled, TERNARY, name, a - bli_product_##name(b, c))            \
    BLI_DEFINE_SUM(addcmul, QUATERNARY, name,                                          \
                   a + bli_product_##name(bli_product_##name(d, b), c))

/* The inputs of such an operator, as parameters and in registers. */
#define BLI_PLACES_BINARY     char *r, const char *pa, const char *pb
#define BLI_PLACES_TERNARY    BLI_PLACES_BINARY, const char *pc
#define BLI_PLACES_QUATERNARY BLI_PLACES_TERNARY, const char *pd
#define BLI_REGISTER(name, x)                                                          \
    bli_wide_##name x;                                                                 \
    memcpy(&x, p##x + at, sizeof x);
#define BLI_REGISTERS_BINARY(name)     BLI_REGISTER(name, a) BLI_REGISTER(name, b)
#define BLI_REGISTERS_TERNARY(name)    BLI_REGISTERS_BINARY(name) BLI_REGISTER(name, c)
#define BLI_REGISTERS_QUATERNARY(name) BLI_REGISTERS_TERNARY(name) BLI_REGISTER(name, d)

/* bli_block_<operator>_<dtype>: r = expression, two registers. */
#define BLI_DEFINE_SUM(operator, inputs, name, expression)                             \
    BLI_INLINE void bli_block_##operator##_##name(BLI_PLACES_##inputs)                 \
    {                                                                                  \
        _Pragma("GCC unroll 2") for (int32_t at = 0; at < 2 * BLI_WIDE;                \
                                     at += BLI_WIDE)                                   \
        {                                                                              \
            BLI_REGISTERS_##inputs(name) const bli_wide_##name sum = expression;       \
                                                                                       \
            memcpy(r + at, &sum, sizeof sum);                                          \
        }                                                                              \
    }

BLI_DEFINE_PRODUCT(c64, float)
BLI_DEFINE_PRODUCT(c128, double)

#undef BLI_DEFINE_PRODUCT
#undef BLI_DEFINE_SUM
#undef BLI_REGISTER

#endif
