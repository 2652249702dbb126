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

/* sigmoid of any argument, from that of moderate_f32(x). */
BLI_INLINE float sigmoid_fix(float value, float x)
{
    const float limit = bli_choose_f32(is_minus_infinity_f32(x), 0, 1);
    const float special = bli_choose_f32(is_nan_f32(x), x, limit);

    return bli_choose_f32(is_special_f32(x), special, value);
}

/* Last stage of silu, x / (1 + e^-x). */
BLI_INLINE float silu_last(struct stage32 stage, float x)
{
    return (float)(x / (1 + power32(stage)));
}

/*
 * silu of any argument, from that of moderate_f32(x): x beyond 152, and NaN for -inf,
 * as the quotient x / (1 + e^-x) is.
 */
BLI_INLINE float silu_fix(float value, float x)
{
    const int32_t bits = (int32_t)bli_bits_of_f32(x);
    const bool is_large = (bits > 0x43180000) & (bits < 0x7f800000);
    const float number = with_sign_f32(or_special_f32(value, x), x);
    const float limit = bli_choose_f32(is_minus_infinity_f32(x), NAN, number);

    return bli_choose_f32(is_large, x, limit);
}

/* ---- blocks ---- */

static inline void bli_sigmoid_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(all_moderate_f32, sigmoid_first, sigmoid_last, moderate_f32,
                         sigmoid_fix, r, a, count);
}

static inline void bli_silu_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(all_moderate_f32, sigmoid_first, silu_last, moderate_f32,
                         silu_fix, r, a, count);
}

#endif
