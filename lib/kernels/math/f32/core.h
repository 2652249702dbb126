/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The base of the f32 vector functions: decomposition of arguments without branches.
 *
 * All of it is +, -, *, /, sqrt and bit operations: the results are the same on every
 * instruction set. Most functions are computed in binary64 and rounded once; exp, exp2,
 * log and log2 in binary32 with their rounding errors carried along, which takes a
 * third of the time. Comparisons are of integers, because C's comparisons of floats
 * raise "invalid" for a quiet NaN. Polynomials are evaluated as trees rather than by
 * Horner's rule: chains of additions and multiplications fill the processor's queues
 * before its units.
 */
#ifndef BLI_F32_CORE_H
#define BLI_F32_CORE_H

#include <math.h>

#include "kernels/bits.h"

/*
 * Added to squares whose powers would underflow, in sums with a term near 1: it changes
 * no result.
 */
#define BLI_TINY 0x1p-100

/* ---- classes of numbers ---- */

/* The bits of |x|. */
BLI_INLINE int32_t magnitude_f32(float x)
{
    return (int32_t)(bli_bits_of_f32(x) & 0x7fffffff);
}

BLI_INLINE bool is_nan_f32(float x)
{
    return magnitude_f32(x) > 0x7f800000;
}

/* Whether x is an infinity or NaN. */
BLI_INLINE bool is_special_f32(float x)
{
    return magnitude_f32(x) >= 0x7f800000;
}

BLI_INLINE bool is_minus_infinity_f32(float x)
{
    return bli_bits_of_f32(x) == 0xff800000;
}

/* Whether the sign bit is set, so also for -0. */
BLI_INLINE bool is_negative_f32(float x)
{
    return (int32_t)bli_bits_of_f32(x) < 0;
}

/* An integer in the order of the numbers; for a positive number it is its bits. */
BLI_INLINE int32_t order_f32(float x)
{
    const int32_t bits = (int32_t)bli_bits_of_f32(x);

    return bits ^ (int32_t)((uint32_t)(bits >> 31) >> 1);
}

/* ---- parts of numbers ---- */

/* x, or 0 where it is an infinity or NaN. */
BLI_INLINE float finite_f32(float x)
{
    return bli_choose_f32(is_special_f32(x), 0, x);
}

/*
 * x where it is an infinity or NaN, else -0: added to a function's value, it makes
 * special results special and leaves all others as they are, also -0.
 */
BLI_INLINE float special_f32(float x)
{
    return bli_choose_f32(is_special_f32(x), x, -0.0F);
}

/* `value`, or x where it is an infinity or NaN. */
BLI_INLINE float or_special_f32(float value, float x)
{
    return value + special_f32(x);
}

/* x, which needs no guard. */
BLI_INLINE float same_f32(float x)
{
    return x;
}

/* x clamped to +-limit; NaN becomes +-limit. */
BLI_INLINE float within_f32(float x, float limit)
{
    const int32_t magnitude = magnitude_f32(x);
    const int32_t most = (int32_t)bli_bits_of_f32(limit);
    const int32_t less = magnitude < most ? magnitude : most;

    return bli_f32_of_bits((uint32_t)less | (bli_bits_of_f32(x) & UINT32_C(1) << 31));
}

/* x clamped to +-152, or 0 where it is an infinity or NaN. */
BLI_INLINE float moderate_f32(float x)
{
    return within_f32(finite_f32(x), 152);
}

/*
 * All bits set where a < b, else 0; both below 2^63. SSE2 has no comparison of 64-bit
 * integers, and the mask of a comparison of other types is slow to widen.
 */
BLI_INLINE uint64_t mask_less_u64(uint64_t a, uint64_t b)
{
    return 0 - ((a - b) >> 63);
}

BLI_INLINE double absolute_f64(double x)
{
    return bli_f64_of_bits(bli_bits_of_f64(x) & INT64_MAX);
}

/* a where all bits of the mask are set, b where none is. */
BLI_INLINE double masked_f64(uint64_t mask, double a, double b)
{
    return bli_f64_of_bits((bli_bits_of_f64(a) & mask) | (bli_bits_of_f64(b) & ~mask));
}

/* x clamped to +-limit. */
BLI_INLINE double within_f64(double x, double limit)
{
    const uint64_t magnitude = bli_bits_of_f64(x) & INT64_MAX;
    const uint64_t sign = bli_bits_of_f64(x) & UINT64_C(1) << 63;
    const uint64_t most = bli_bits_of_f64(limit);
    const uint64_t is_less = mask_less_u64(magnitude, most);

    return bli_f64_of_bits((magnitude & is_less) | (most & ~is_less) | sign);
}

/* `value` with the sign of x, also where it is 0: the result of an odd function. */
BLI_INLINE float with_sign_f32(float value, float x)
{
    return bli_f32_of_bits((bli_bits_of_f32(value) & 0x7fffffff) |
                           (bli_bits_of_f32(x) & UINT32_C(1) << 31));
}

BLI_INLINE float absolute_f32(float x)
{
    return bli_f32_of_bits(bli_bits_of_f32(x) & 0x7fffffff);
}

#endif
