/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exponential functions of f32: exp, exp2, expm1, and what follows from exp alone:
 * sigmoid, silu.
 */
#ifndef BLI_MATH32_EXP_H
#define BLI_MATH32_EXP_H

#include "isa/math32_core.h"

/* ---- 2^t in binary64 ---- */

/* 2^t = scale * (1 + part), where part = 2^r - 1 for |r| <= 1/2. */
struct power32 {
    double scale;
    double part;
};

/*
 * For |t| <= 1000.  part has a relative error below 2^-32, also near 0: the polynomial
 * is the minimax one of (2^r - 1) / r on [-1/2, 1/2].
 */
BLI_INLINE struct power32 power_of_two(double t)
{
    const double shifted = t + 0x1.8p52; /* its last bits are t, rounded */
    const double r = t - (shifted - 0x1.8p52);
    const uint64_t biased = bli_bits_of_f64(shifted) + 1023;
    const double rr = r * r;
    const double low = 0x1.62e42fefd325fp-1 + 0x1.ebfbe0452f198p-3 * r;
    const double middle = 0x1.c6b08cb18d129p-5 + 0x1.3b2a1c365d7afp-7 * r;
    const double high = 0x1.5d88bd8d041c8p-10 + 0x1.443f625aab938p-13 * r;
    const double p = low + rr * (middle + rr * (high + rr * 0x1.ffcc02f880557p-17));

    return (struct power32){bli_f64_of_bits(biased << 52), p * r};
}

/* e^x for |x| <= 600. */
BLI_INLINE double exp32(double x)
{
    const struct power32 power = power_of_two(x * 0x1.71547652b82fep+0);

    return power.scale + power.scale * power.part;
}

/* ---- exp in binary32 ---- */

/*
 * e^x = 2^n * y for |x| <= 110, with y in [3/4, 3/2) within 0.9 ULP.
 *
 * r = x - n * log(2) is taken in [-0.2885, 0.4065] rather than symmetrically, so that y
 * is not in the binade below 1 where r loses most; what r loses, y gets back.  No r is
 * so small that its square underflows.  The polynomial is the minimax one of
 * (e^r - 1 - r) / r^2; the error it leaves in e^r is below 2^-28.4.
 */
struct exp32 {
    float y;
    int32_t n;
};

BLI_INLINE struct exp32 exp_parts(float x)
{
    const float shifted = (x - 0.0589f) * 0x1.715476p+0f + 0x1.8p23f;
    const float n = shifted - 0x1.8p23f;
    const float high = x - n * 0x1.62e4p-1f; /* exact: the factor has 15 bits */
    const float low = n * 0x1.7f7d1cp-20f;
    const float r = ((high - low) + 0x1p-30f) - 0x1p-30f;
    const float lost = (high - r) - low;
    const float rr = r * r;
    const float p0 = 0x1.000006p-1f + 0x1.5554d6p-3f * r;
    const float p1 = 0x1.554384p-5f + 0x1.11f298p-7f * r;
    const float p = p0 + rr * (p1 + rr * 0x1.801a9cp-10f);

    return (struct exp32){
        1 + (r + (rr * p + lost)),
        (int32_t)(bli_bits_of_f32(shifted) - 0x4b400000),
    };
}

/* Where the power is normal: all |x| < 87. */
BLI_INLINE bool is_calm_exp(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) < 0x42ae0000;
}

BLI_INLINE float exp_calm(float x)
{
    const struct exp32 parts = exp_parts(x);

    return bli_f32_of_bits(bli_bits_of_f32(parts.y) + ((uint32_t)parts.n << 23));
}

/* By two factors, of which the second alone rounds, overflows or underflows. */
BLI_INLINE float exp_any(float x)
{
    const struct exp32 parts = exp_parts(within_f32(finite_f32(x), 110));
    const int32_t half = parts.n >> 1;
    const int32_t rest = parts.n - half;
    const float number = parts.y * bli_f32_of_bits((uint32_t)(half + 127) << 23) *
                         bli_f32_of_bits((uint32_t)(rest + 127) << 23);

    return bli_choose_f32(is_minus_infinity_f32(x), 0, number + special_f32(x));
}

/* ---- functions ---- */

/* Of t with |t| > 200 the powers overflow or vanish like that of 200. */
BLI_INLINE float exp2_f32(float x)
{
    const struct power32 power = power_of_two(within_f32(finite_f32(x), 200));
    const float number = (float)(power.scale + power.scale * power.part);

    return bli_choose_f32(is_minus_infinity_f32(x), 0, number + special_f32(x));
}

BLI_INLINE float expm1_f32(float x)
{
    const double bounded = within_f32(finite_f32(x), 152);
    const struct power32 power = power_of_two(bounded * 0x1.71547652b82fep+0);
    const double less_one = power.scale * power.part + (power.scale - 1);
    const float number = with_sign_f32((float)less_one + special_f32(x), x);

    return bli_choose_f32(is_minus_infinity_f32(x), -1, number);
}

BLI_INLINE float sigmoid_f32(float x)
{
    const double power = exp32(-(double)within_f32(finite_f32(x), 152));
    const float number = (float)(1 / (1 + power));
    const float limit = bli_choose_f32(is_minus_infinity_f32(x), 0, 1);

    return bli_choose_f32(is_nan_f32(x), x,
                          bli_choose_f32(is_special_f32(x), limit, number));
}

/* As the quotient it is: of -inf NaN. */
BLI_INLINE float silu_f32(float x)
{
    const double number = finite_f32(x);
    const double power = exp32(-(double)within_f32(finite_f32(x), 600));
    const float quotient = (float)(number / (1 + power)) + special_f32(x);

    return bli_choose_f32(is_minus_infinity_f32(x), NAN, with_sign_f32(quotient, x));
}

/* ---- blocks ---- */

static inline void bli_exp_f32(float *r, const float *a, int64_t count)
{
    each_calm_f32(is_calm_exp, exp_calm, exp_any, r, a, count);
}

static inline void bli_exp2_f32(float *r, const float *a, int64_t count)
{
    each_f32(exp2_f32, r, a, count);
}

static inline void bli_expm1_f32(float *r, const float *a, int64_t count)
{
    each_f32(expm1_f32, r, a, count);
}

static inline void bli_sigmoid_f32(float *r, const float *a, int64_t count)
{
    each_f32(sigmoid_f32, r, a, count);
}

static inline void bli_silu_f32(float *r, const float *a, int64_t count)
{
    each_f32(silu_f32, r, a, count);
}

#endif
