/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The logistic function of f32 and its product with the argument: sigmoid, silu.
 */
#ifndef BLI_F32_SIGMOID_H
#define BLI_F32_SIGMOID_H

#include "kernels/math/f32/exp.h"

/* First stage of 1 / (1 + e^-x): the exponential. */
BLI_INLINE struct stage32 sigmoid_first(float x)
{
    return exp_split(-(double)x);
}

BLI_INLINE float sigmoid_last(struct stage32 stage, float x)
{
    (void)x;
    return (float)(1 / (1 + power32(stage)));
}

/* sigmoid of any argument. */
BLI_INLINE float sigmoid_any(float x)
{
    const float number = sigmoid_last(sigmoid_first(within_f32(finite_f32(x), 152)), x);
    const float limit = bli_choose_f32(is_minus_infinity_f32(x), 0, 1);
    const float special = bli_choose_f32(is_nan_f32(x), x, limit);

    return bli_choose_f32(is_special_f32(x), special, number);
}

/* Last stage of silu, x / (1 + e^-x). */
BLI_INLINE float silu_last(struct stage32 stage, float x)
{
    return (float)(x / (1 + power32(stage)));
}

/* silu of any argument, x / (1 + e^-x): NaN for -inf, as that quotient is. */
BLI_INLINE float silu_any(float x)
{
    const float number = finite_f32(x);
    const struct stage32 stage = sigmoid_first(within_f32(number, 600));
    const float quotient = silu_last(stage, number) + special_f32(x);

    return bli_choose_f32(is_minus_infinity_f32(x), NAN, with_sign_f32(quotient, x));
}

/* ---- blocks ---- */

static inline void bli_sigmoid_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(all_moderate_f32, sigmoid_first, sigmoid_last, sigmoid_any, r,
                         a, count);
}

static inline void bli_silu_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(all_moderate_f32, sigmoid_first, silu_last, silu_any, r, a,
                         count);
}

#endif
