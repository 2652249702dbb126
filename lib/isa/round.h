/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rounding to whole numbers: floor, ceil, trunc, and round (of two the even one).  The
 * machine's instructions where it has them; SSE2 has none, and there the same bits come
 * from adding and taking away a number whose last bit is 1.
 */
#ifndef BLI_ROUND_H
#define BLI_ROUND_H

#include <math.h>

#include "isa/bits.h"

#if defined(__SSE2__) && !defined(__SSE4_1__)

/*
 * Larger numbers than 2^digits are whole, infinite or NaN, and take no part.  The sign
 * is the number's also where the result is 0.
 */
#define BLI_DEFINE_ROUND(name, real, bits, digits)                                     \
    static inline real bli_signed_##name(real size, real x)                            \
    {                                                                                  \
        const uint##bits##_t sign = UINT##bits##_C(1) << (bits - 1);                   \
                                                                                       \
        return bli_##name##_of_bits((bli_bits_of_##name(size) & ~sign) |               \
                                    (bli_bits_of_##name(x) & sign));                   \
    }                                                                                  \
    static inline bool bli_is_small_##name(real x)                                     \
    {                                                                                  \
        return bli_bits_of_##name(bli_signed_##name(x, 1)) <                           \
               bli_bits_of_##name(digits);                                             \
    }                                                                                  \
    static inline real bli_round_##name(real x)                                        \
    {                                                                                  \
        const bool is_small = bli_is_small_##name(x);                                  \
        const real size = bli_choose_##name(is_small, bli_signed_##name(x, 1), 0);     \
        const real whole = bli_signed_##name(size + digits - digits, x);               \
                                                                                       \
        return bli_choose_##name(is_small, whole, x + (real)0);                        \
    }                                                                                  \
    static inline real bli_trunc_##name(real x)                                        \
    {                                                                                  \
        const bool is_small = bli_is_small_##name(x);                                  \
        const real size = bli_choose_##name(is_small, bli_signed_##name(x, 1), 0);     \
        const real near = size + digits - digits;                                      \
        const real below = near - bli_choose_##name(near > size, 1, 0);                \
                                                                                       \
        return bli_choose_##name(is_small, bli_signed_##name(below, x), x + (real)0);  \
    }                                                                                  \
    static inline real bli_floor_##name(real x)                                        \
    {                                                                                  \
        const bool is_small = bli_is_small_##name(x);                                  \
        const real part = bli_choose_##name(is_small, x, 0);                           \
        const real near = bli_round_##name(part);                                      \
        const real below = near - bli_choose_##name(near > part, 1, 0);                \
                                                                                       \
        return bli_choose_##name(is_small, bli_signed_##name(below, x), x + (real)0);  \
    }                                                                                  \
    static inline real bli_ceil_##name(real x)                                         \
    {                                                                                  \
        return bli_negative_##name(bli_floor_##name(bli_negative_##name(x)));          \
    }

BLI_DEFINE_ROUND(f32, float, 32, 0x1p23f)
BLI_DEFINE_ROUND(f64, double, 64, 0x1p52)

#undef BLI_DEFINE_ROUND

#else

#define BLI_DEFINE_ROUND(name, real, suffix)                                           \
    static inline real bli_round_##name(real x)                                        \
    {                                                                                  \
        return rint##suffix(x);                                                        \
    }                                                                                  \
    static inline real bli_trunc_##name(real x)                                        \
    {                                                                                  \
        return trunc##suffix(x);                                                       \
    }                                                                                  \
    static inline real bli_floor_##name(real x)                                        \
    {                                                                                  \
        return floor##suffix(x);                                                       \
    }                                                                                  \
    static inline real bli_ceil_##name(real x)                                         \
    {                                                                                  \
        return ceil##suffix(x);                                                        \
    }

BLI_DEFINE_ROUND(f32, float, f)
BLI_DEFINE_ROUND(f64, double, )

#undef BLI_DEFINE_ROUND

#endif
#endif
