/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the f32 vector mathematics of math32_*.h stands on: arguments taken apart
 * without branches.
 *
 * All of it is +, -, *, /, sqrt and operations on bits: the results are the same on
 * every instruction set.  Most is computed in binary64 and rounded once; exp, exp2, log
 * and log2 in binary32, with what is lost carried along, which takes a third of the
 * time.  Comparisons are of integers, because those of C raise "invalid" for a quiet
 * NaN.  Polynomials are written as trees rather than by Horner's rule: chains of
 * additions and multiplications fill the processor's queues before its units.
 */
#ifndef BLI_F32_CORE_H
#define BLI_F32_CORE_H

#include <math.h>

#include "kernels/bits.h"

/*
 * Added to squares whose powers would underflow, where 1 is added to those: it changes
 * no result.
 */
#define BLI_TINY 0x1p-100

/* ---- kinds of numbers ---- */

/* The bits of |x|. */
BLI_INLINE int32_t magnitude_f32(float x)
{
    return (int32_t)(bli_bits_of_f32(x) & 0x7fffffff);
}

BLI_INLINE bool is_nan_f32(float x)
{
    return magnitude_f32(x) > 0x7f800000;
}

/* An infinity or NaN. */
BLI_INLINE bool is_special_f32(float x)
{
    return magnitude_f32(x) >= 0x7f800000;
}

BLI_INLINE bool is_minus_infinity_f32(float x)
{
    return bli_bits_of_f32(x) == 0xff800000;
}

/* The sign bit's, so true for -0. */
BLI_INLINE bool is_negative_f32(float x)
{
    return (int32_t)bli_bits_of_f32(x) < 0;
}

/* Ordered as the numbers are; that of a positive number is its bits. */
BLI_INLINE int32_t order_f32(float x)
{
    const int32_t bits = (int32_t)bli_bits_of_f32(x);

    return bits ^ (int32_t)((uint32_t)(bits >> 31) >> 1);
}

/* ---- parts of numbers ---- */

/* x, but 0 where it is an infinity or NaN. */
BLI_INLINE float finite_f32(float x)
{
    return bli_choose_f32(is_special_f32(x), 0, x);
}

/*
 * x, but -0 where it is a number: added to a function's value, it makes that special
 * and else leaves it as it is, -0 too.
 */
BLI_INLINE float special_f32(float x)
{
    return bli_choose_f32(is_special_f32(x), x, -0.0F);
}

/* x moved to within +-limit; NaN becomes +-limit. */
BLI_INLINE float within_f32(float x, float limit)
{
    const int32_t magnitude = magnitude_f32(x);
    const int32_t most = (int32_t)bli_bits_of_f32(limit);
    const int32_t less = magnitude < most ? magnitude : most;

    return bli_f32_of_bits((uint32_t)less | (bli_bits_of_f32(x) & UINT32_C(1) << 31));
}

/*
 * All bits where a < b, else 0; both below 2^63.  SSE2 compares no 64-bit integers, and
 * the truth of a comparison of other numbers is slow to widen.
 */
BLI_INLINE uint64_t mask_less_u64(uint64_t a, uint64_t b)
{
    return 0 - ((a - b) >> 63);
}

BLI_INLINE double absolute_f64(double x)
{
    return bli_f64_of_bits(bli_bits_of_f64(x) & INT64_MAX);
}

/* a where the mask has all bits, b where it has none. */
BLI_INLINE double masked_f64(uint64_t mask, double a, double b)
{
    return bli_f64_of_bits((bli_bits_of_f64(a) & mask) | (bli_bits_of_f64(b) & ~mask));
}

/* x moved to within +-limit. */
BLI_INLINE double within_f64(double x, double limit)
{
    const uint64_t magnitude = bli_bits_of_f64(x) & INT64_MAX;
    const uint64_t sign = bli_bits_of_f64(x) & UINT64_C(1) << 63;
    const uint64_t most = bli_bits_of_f64(limit);
    const uint64_t is_less = mask_less_u64(magnitude, most);

    return bli_f64_of_bits((magnitude & is_less) | (most & ~is_less) | sign);
}

/* The value of an odd function, whose sign is that of x; also where the value is 0. */
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
