/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Powers of f32, for pow in squares.h.
 */
#ifndef BLI_F32_POW_H
#define BLI_F32_POW_H

#include "kernels/math/f32/exp.h"
#include "kernels/math/f32/log1p.h"

/*
 * log2(x) for positive x, with a relative error below 2^-37: its product with y, at
 * most 2^7 where it matters, leaves an error of 2^-30 in the power. With s = f / (2 +
 * f), which the first stage divides, log(1 + f) is 2 atanh(s); the polynomial in s * s
 * is the minimax one of 2 atanh(s) / s / log(2) for |s| < 0.1716.
 */
BLI_INLINE struct stage32 log2_first(double x)
{
    const struct stage32 split = log_split(x);

    return (struct stage32){split.u, split.v / (split.v + 2)};
}

BLI_INLINE double log2_last(struct stage32 stage)
{
    const double s = stage.v;
    const double z = s * s;
    const double zz = z * z;
    const double p0 = 0x1.71547652bede5p+1 + 0x1.ec709d12e192ap-1 * z;
    const double p1 = 0x1.27777fda50da3p-1 + 0x1.a58d8fc49d905p-2 * z;

    return stage.u + s * (p0 + zz * (p1 + zz * 0x1.5ce7cd8f69a61p-2));
}

/*
 * The parity of y: 0 for even integers, 1 in magnitude for odd ones, another value for
 * other numbers; infinities are even.
 */
BLI_INLINE float parity_f32(float y)
{
    const float bounded = absolute_f32(within_f32(y, 0x1p24f));

    return bounded - ((bounded + 0x1p24f) - 0x1p24f); /* a step there is 2 */
}

/* 2^t, rounded to f32. */
BLI_INLINE float power_f32(double t)
{
    return (float)power32(power_split(t));
}

/* x^y for positive finite x and finite y. */
BLI_INLINE float pow_positive(double x, double y)
{
    return power_f32(within_f64(y * log2_last(log2_first(x)), 200));
}

/*
 * x^y for any arguments. "Extreme" are x of 0 or infinity, and infinite y: there the
 * power is infinite or 0, except that it is 1 for |x| = 1. Extreme arguments, NaN, and
 * fractional powers of negative numbers are computed as 1^1, so that no exception is
 * raised.
 */
BLI_INLINE float pow_any(float x, float y)
{
    const int32_t one = 0x3f800000;
    const int32_t x_size = magnitude_f32(x);
    const int32_t y_size = magnitude_f32(y);
    const bool is_end = (x_size == 0) | (x_size == 0x7f800000);
    const bool is_limit = (y_size == 0x7f800000) & (x_size != one);
    const bool is_extreme = (is_end | is_limit) & (y_size != 0);

    const int32_t parity = magnitude_f32(parity_f32(y));
    const bool is_minus = is_negative_f32(x);
    const bool is_minus_odd = is_minus & (parity == one);
    const bool is_undefined = is_minus & (parity != 0) & (parity != one) & !is_extreme;
    const bool is_nan = (x_size > 0x7f800000) | (y_size > 0x7f800000) | is_undefined;

    const bool is_special = is_nan | is_end | (y_size == 0x7f800000);
    const float number = pow_positive(bli_choose_f32(is_special, 1, absolute_f32(x)),
                                      bli_choose_f32(is_special, 1, y));
    const bool grows = (x_size > one) ^ is_negative_f32(y);
    const float limit = bli_choose_f32(grows, INFINITY, 0);
    const float size = bli_choose_f32(is_extreme, limit, number);
    const float power = bli_choose_f32(is_minus_odd, bli_negative_f32(size), size);

    const bool is_one = (y_size == 0) | (bli_bits_of_f32(x) == (uint32_t)one);

    return bli_choose_f32(is_one, 1, bli_choose_f32(is_nan, NAN, power));
}

/* ---- blocks ---- */

/*
 * Whether pow_calm() takes all arguments: x is positive and normal, and the largest |y|
 * times the largest |log2(x)| is in the range of power_split().
 */
BLI_INLINE bool is_calm_pow(const float *a, const float *b, int64_t count)
{
    const struct range32 x = range_f32(a, count);
    const int32_t y = most_magnitude_f32(b, count);
    const int32_t down = 127 - (x.least >> 23);
    const int32_t up = (x.most >> 23) - 126;
    const float logarithm = (float)(down > up ? down : up);

    return is_positive_range(x) && y < 0x7f800000 &&
           bli_f32_of_bits((uint32_t)y) <= 1000 / logarithm;
}

/*
 * x^y on the fast path, in three loops: in two it takes 1.15 times as long, as a chain
 * of operations fills the processor's schedulers.
 */
BLI_INLINE void pow_calm(float *r, const float *a, const float *b, int64_t count)
{
    double u[BLI_LOOK], v[BLI_LOOK];

#pragma omp simd
    for (int64_t j = 0; j < count; j++) {
        const struct stage32 stage = log2_first(a[j]);

        u[j] = stage.u;
        v[j] = stage.v;
    }
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        v[j] = b[j] * log2_last((struct stage32){u[j], v[j]});
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        r[j] = power_f32(v[j]);
}

static inline void bli_pow_any_f32(float *r, const float *a, const float *b,
                                   int64_t count)
{
    for (int64_t j = 0; j < count; j += BLI_LOOK) {
        const int64_t part = look_f32(j, count);

        if (is_calm_pow(a + j, b + j, part))
            pow_calm(r + j, a + j, b + j, part);
        else
            each_two_f32(pow_any, r + j, a + j, b + j, part);
    }
}

#endif
