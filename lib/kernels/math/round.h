/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rounding to integers: floor, ceil, trunc, and round (half to even), with the sign of
 * the argument also where the result is 0. The rounding mode must be to nearest.
 *
 * GCC 12 vectorizes rint() only, and without SSE4.1 not even that: there a number whose
 * last bit is 1 is added and subtracted.  The other functions correct the result of
 * rounding to nearest.
 */
#ifndef BLI_ROUND_H
#define BLI_ROUND_H

#include <math.h>

#include "kernels/math/real.h"

#if defined(__SSE2__) && !defined(__SSE4_1__)

/*
 * Round a number that is not negative. From `limit` on numbers are integers, infinite
 * or NaN, and are returned as they are.
 */
#define BLI_DEFINE_NEAREST(name, real, limit, suffix)                                  \
    static inline real bli_nearest_##name(real size)                                   \
    {                                                                                  \
        const bool is_small = bli_size_##name(size) < bli_bits_of_##name(limit);       \
        const real part = bli_choose_##name(is_small, size, 0);                        \
                                                                                       \
        return bli_choose_##name(is_small, part + limit - limit, size + (real)0);      \
    }

#else

#define BLI_DEFINE_NEAREST(name, real, limit, suffix)                                  \
    static inline real bli_nearest_##name(real size)                                   \
    {                                                                                  \
        return rint##suffix(size);                                                     \
    }

#endif

/*
 * Magnitudes are compared as bits, which raises no exception for NaN, and as signed
 * ones, which AVX2 compares in fewer instructions.
 */
#define BLI_DEFINE_ROUND(name, real, signed_bits)                                      \
    static inline real bli_round_##name(real x)                                        \
    {                                                                                  \
        return bli_copysign_##name(bli_nearest_##name(bli_unsigned_##name(x)), x);     \
    }                                                                                  \
    static inline real bli_trunc_##name(real x)                                        \
    {                                                                                  \
        const real size = bli_unsigned_##name(x);                                      \
        const real near = bli_nearest_##name(size);                                    \
        const bool is_above = (signed_bits)bli_bits_of_##name(near) >                  \
                              (signed_bits)bli_bits_of_##name(size);                   \
                                                                                       \
        return bli_copysign_##name(near - bli_choose_##name(is_above, 1, 0), x);       \
    }

#if defined(__SSE2__) && !defined(__SSE4_1__)

/* Round away from 0 where `outward`, else toward 0. */
#define BLI_DEFINE_FLOOR(name, real, signed_bits, greatest)                            \
    static inline real bli_beside_##name(real x, bool outward)                         \
    {                                                                                  \
        const real size = bli_unsigned_##name(x);                                      \
        const real near = bli_nearest_##name(size);                                    \
        const bool is_above = bli_bits_of_##name(near) > bli_bits_of_##name(size);     \
        const bool is_below = bli_bits_of_##name(near) < bli_bits_of_##name(size);     \
        const real up = bli_choose_##name(outward & is_below, 1, 0);                   \
        const real down = bli_choose_##name(!outward & is_above, 1, 0);                \
                                                                                       \
        return bli_copysign_##name(near + up - down, x);                               \
    }                                                                                  \
    static inline real bli_floor_##name(real x)                                        \
    {                                                                                  \
        return bli_beside_##name(x, bli_signbit_##name(x));                            \
    }                                                                                  \
    static inline real bli_ceil_##name(real x)                                         \
    {                                                                                  \
        return bli_beside_##name(x, !bli_signbit_##name(x));                           \
    }

#else

/*
 * The nearest integer has the sign of x: their bits are in the order of the numbers, in
 * which those of negative ones are turned around.  AVX2: .45 of the time of the above.
 */
#define BLI_DEFINE_FLOOR(name, real, signed_bits, greatest)                            \
    static inline real bli_floor_##name(real x)                                        \
    {                                                                                  \
        const real near = bli_nearest_##name(x);                                       \
        const signed_bits of_x = (signed_bits)bli_bits_of_##name(x);                   \
        const signed_bits of_near = (signed_bits)bli_bits_of_##name(near);             \
        const signed_bits turn = of_x >> (8 * sizeof x - 1) & (greatest);              \
                                                                                       \
        return near - bli_choose_##name((of_near ^ turn) > (of_x ^ turn), 1, 0);       \
    }                                                                                  \
    static inline real bli_ceil_##name(real x)                                         \
    {                                                                                  \
        return -bli_floor_##name(-x);                                                  \
    }

#endif

BLI_DEFINE_NEAREST(f32, float, 0x1p23f, f)
BLI_DEFINE_NEAREST(f64, double, 0x1p52, )
BLI_DEFINE_ROUND(f32, float, int32_t)
BLI_DEFINE_ROUND(f64, double, int64_t)
BLI_DEFINE_FLOOR(f32, float, int32_t, INT32_MAX)
BLI_DEFINE_FLOOR(f64, double, int64_t, INT64_MAX)

#undef BLI_DEFINE_NEAREST
#undef BLI_DEFINE_ROUND
#undef BLI_DEFINE_FLOOR

#endif
