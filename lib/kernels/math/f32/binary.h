/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of two f32: hypot, ldexp, logaddexp.
 */
#ifndef BLI_F32_BINARY_H
#define BLI_F32_BINARY_H

#include "kernels/math/f32/exp.h"
#include "kernels/math/f32/extra_precision.h"

/*
 * sqrt(x^2 + y^2); the squares are exact in f64. Infinite where either argument is,
 * whatever the other is; compilers may pass on either of two NaN through a sum, so the
 * result for NaN is always NAN.
 */
BLI_INLINE float hypot_f32(float x, float y)
{
    const double a = x;
    const double b = y;
    const int32_t x_size = magnitude_f32(x);
    const int32_t y_size = magnitude_f32(y);
    const bool is_infinite = (x_size == 0x7f800000) | (y_size == 0x7f800000);

    const bool is_nan = (x_size > 0x7f800000) | (y_size > 0x7f800000);
    const float number = bli_choose_f32(is_nan, NAN, (float)sqrt(a * a + b * b));

    return bli_choose_f32(is_infinite, INFINITY, number);
}

/*
 * x * 2^y, rounded once; y beyond +-300 is as good as +-300. An infinite y stays a
 * factor: 0 times infinity is NaN.
 */
BLI_INLINE float ldexp_f32(float x, float y)
{
    const double power = power32(power_split(within_f32(finite_f32(y), 300)));
    const float special = bli_choose_f32(is_minus_infinity_f32(y), 0, y);
    const float factor = bli_choose_f32(is_special_f32(y), special, 1);

    return bli_choose_f32(is_nan_f32(x), x, (float)(x * power) * factor);
}

/* ---- logaddexp ---- */

/* The larger of two numbers; neither is NaN. */
BLI_INLINE float larger_f32(float x, float y)
{
    return bli_choose_f32(order_f32(x) > order_f32(y), x, y);
}

/*
 * First stage of logaddexp, max(x, y) + log(1 + e^-difference), for finite arguments:
 * the exponential. The two terms may cancel, so the second one has all the bits of
 * binary64.
 */
BLI_INLINE struct stage32 logaddexp_first(float x, float y)
{
    const double difference = absolute_f64((double)x - (double)y);

    return (struct stage32){exp_finest(-within_f64(difference, 152)), 0};
}

/* Last stage of logaddexp: the larger argument plus the logarithm. */
BLI_INLINE float logaddexp_last(struct stage32 stage, float x, float y)
{
    return (float)(larger_f32(x, y) + log1p_finest(stage.u));
}

/*
 * logaddexp of any arguments. With an infinity it is the larger one; + 0 makes -0 into
 * 0.
 */
BLI_INLINE float logaddexp_any(float x, float y)
{
    const int32_t x_size = magnitude_f32(x);
    const int32_t y_size = magnitude_f32(y);
    const bool is_special = (x_size >= 0x7f800000) | (y_size >= 0x7f800000);
    const bool is_nan = (x_size > 0x7f800000) | (y_size > 0x7f800000);
    const float a = bli_choose_f32(is_special, 0, x);
    const float b = bli_choose_f32(is_special, 0, y);
    const float number = logaddexp_last(logaddexp_first(a, b), a, b);
    const float special = bli_choose_f32(is_nan, NAN, larger_f32(x, y) + 0);

    return bli_choose_f32(is_special, special, number);
}

/* ---- blocks ---- */

static inline void bli_hypot_f32(float *r, const float *a, const float *b,
                                 int64_t count)
{
    each_two_f32(hypot_f32, r, a, b, count);
}

static inline void bli_ldexp_f32(float *r, const float *a, const float *b,
                                 int64_t count)
{
    each_two_f32(ldexp_f32, r, a, b, count);
}

static inline void bli_logaddexp_f32(float *r, const float *a, const float *b,
                                     int64_t count)
{
    for (int64_t j = 0; j < count; j += BLI_LOOK) {
        const int64_t part = look_f32(j, count);

        if (all_finite_f32(a + j, part) && all_finite_f32(b + j, part))
            each_two_staged_f32(logaddexp_first, logaddexp_last, r + j, a + j, b + j,
                                part);
        else
            each_two_f32(logaddexp_any, r + j, a + j, b + j, part);
    }
}

#endif
