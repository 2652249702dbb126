/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exponential functions of f32: exp, exp2, expm1.
 */
#ifndef BLI_F32_EXP_H
#define BLI_F32_EXP_H

#include "kernels/math/f32/loops.h"

/* ---- 2^t in binary64 ---- */

/* Split t = n + r with |r| <= 1/2, for |t| <= 1000: u is r, v is 2^n. */
BLI_INLINE struct stage32 power_split(double t)
{
    const double shifted = t + 0x1.8p52; /* its last bits are t, rounded */
    const uint64_t biased = bli_bits_of_f64(shifted) + 1023;

    return (struct stage32){t - (shifted - 0x1.8p52), bli_f64_of_bits(biased << 52)};
}

/*
 * 2^r - 1 for |r| <= 1/2 with a relative error below 2^-32, also near 0: the polynomial
 * is the minimax one of (2^r - 1) / r.
 */
BLI_INLINE double power_part(double r)
{
    const double rr = r * r;
    const double p0 = 0x1.62e42fefd325fp-1 + 0x1.ebfbe0452f198p-3 * r;
    const double p1 = 0x1.c6b08cb18d129p-5 + 0x1.3b2a1c365d7afp-7 * r;
    const double p2 = 0x1.5d88bd8d041c8p-10 + 0x1.443f625aab938p-13 * r;

    return r * (p0 + rr * (p1 + rr * (p2 + rr * 0x1.ffcc02f880557p-17)));
}

/* 2^t from power_split(t). */
BLI_INLINE double power32(struct stage32 stage)
{
    return stage.v + stage.v * power_part(stage.u);
}

/* 2^t - 1 from power_split(t), accurate near 0; arranged so that t = -0 gives -0. */
BLI_INLINE double power_less_one(struct stage32 stage)
{
    return stage.v * power_part(stage.u) - (1 - stage.v);
}

/* power_split() of x * log2(e), whose power of 2 is e^x, for |x| <= 600. */
BLI_INLINE struct stage32 exp_split(double x)
{
    return power_split(x * 0x1.71547652b82fep+0);
}

/* e^x in binary64, for |x| <= 600. */
BLI_INLINE double exp32(double x)
{
    return power32(exp_split(x));
}

/*
 * ---- exp and exp2 in binary32, in two loops: exp of f32 takes 0.77 of the time of one
 * with AVX2, 0.79 with AVX-512, exp2 0.86 and 0.85 (Zen 5) ----
 */

/* The number 2^n * y, with y in [3/4, 3/2). */
struct exp32 {
    float y;
    int32_t n;
};

/* The integer n from n + 1.5 * 2^23. */
BLI_INLINE int32_t integer_of(float shifted)
{
    return (int32_t)(bli_bits_of_f32(shifted) - 0x4b400000);
}

/*
 * e^x for |x| <= 110, y within 0.9 ULP.
 *
 * f = x - n * log(2) is reduced to [-0.2885, 0.4065] rather than symmetrically, so that
 * y is not in the binade below 1 where f has the largest rounding error; that error is
 * the rest, added back to y. No f is so small that its square underflows. The
 * polynomial is the minimax one of (e^f - 1 - f) / f^2; the error it leaves in e^f is
 * below 2^-28.4.
 */
BLI_INLINE struct parts32 exp_reduce(float x)
{
    const float shifted = (x - 0.0589f) * 0x1.715476p+0f + 0x1.8p23f;
    const float n = shifted - 0x1.8p23f;
    const float high = x - n * 0x1.62e4p-1f; /* exact: the factor has 15 bits */
    const float low = n * 0x1.7f7d1cp-20f;
    const float f = ((high - low) + 0x1p-30f) - 0x1p-30f;

    return (struct parts32){shifted, f, (high - f) - low};
}

BLI_INLINE struct exp32 exp_of_parts(struct parts32 parts)
{
    const float f = parts.f;
    const float ff = f * f;
    const float p0 = 0x1.000006p-1f + 0x1.5554d6p-3f * f;
    const float p1 = 0x1.554384p-5f + 0x1.11f298p-7f * f;
    const float p = p0 + ff * (p1 + ff * 0x1.801a9cp-10f);

    return (struct exp32){1 + (f + (ff * p + parts.rest)), integer_of(parts.n)};
}

/*
 * 2^x for |x| <= 152, y within 0.9 ULP, with f = x - n in [-0.4165, 0.5865] and the
 * minimax polynomial of (2^f - 1 - f * log(2)) / f^2. Half of f is split off: that part
 * is exact.
 */
BLI_INLINE struct parts32 exp2_reduce(float x)
{
    const float shifted = (x - 0.085f) + 0x1.8p23f;
    const float n = shifted - 0x1.8p23f;
    const float high = x - n;

    return (struct parts32){shifted, (high + 0x1p-30f) - 0x1p-30f, x - (high + n)};
}

BLI_INLINE struct exp32 exp2_of_parts(struct parts32 parts)
{
    const float f = parts.f;
    const float ff = f * f;
    const float p0 = 0x1.ebfbecp-3f + 0x1.c6afe4p-5f * f;
    const float p1 = 0x1.3b1a48p-7f + 0x1.5ea944p-10f * f;
    const float p = p0 + ff * (p1 + ff * 0x1.54c3c4p-13f);
    const float rest = ff * p + parts.rest * 0x1.62e430p-1f;

    return (struct exp32){1 + (0.5f * f + (f * 0x1.8b90c0p-3f + rest)),
                          integer_of(parts.n)};
}

/* The float of a power that is normal. */
BLI_INLINE float join_calm(struct exp32 parts)
{
    return bli_f32_of_bits(bli_bits_of_f32(parts.y) + ((uint32_t)parts.n << 23));
}

/*
 * The float of any power, by two factors, of which only the second rounds, overflows or
 * underflows.
 */
BLI_INLINE float join_any(struct exp32 parts)
{
    const int32_t half = parts.n >> 1;
    const int32_t rest = parts.n - half;

    return parts.y * bli_f32_of_bits((uint32_t)(half + 127) << 23) *
           bli_f32_of_bits((uint32_t)(rest + 127) << 23);
}

/* The value of a power of x, or the special one where x is infinite or NaN. */
BLI_INLINE float power_or_special(float value, float x)
{
    return bli_choose_f32(is_minus_infinity_f32(x), 0, or_special_f32(value, x));
}

/* e^x where it is normal. */
BLI_INLINE float exp_calm(struct parts32 parts, float x)
{
    (void)x;
    return join_calm(exp_of_parts(parts));
}

/* e^x of any argument. */
BLI_INLINE struct parts32 exp_reduce_any(float x)
{
    return exp_reduce(within_f32(finite_f32(x), 110));
}

BLI_INLINE float exp_any(struct parts32 parts, float x)
{
    return power_or_special(join_any(exp_of_parts(parts)), x);
}

/* Whether exp_calm takes all arguments: |x| < 87. */
BLI_INLINE bool is_calm_exp(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) < 0x42ae0000;
}

/* 2^x where it is normal. */
BLI_INLINE float exp2_calm(struct parts32 parts, float x)
{
    (void)x;
    return join_calm(exp2_of_parts(parts));
}

/* 2^x of any argument. */
BLI_INLINE struct parts32 exp2_reduce_any(float x)
{
    return exp2_reduce(within_f32(finite_f32(x), 152));
}

BLI_INLINE float exp2_any(struct parts32 parts, float x)
{
    return power_or_special(join_any(exp2_of_parts(parts)), x);
}

/* Whether exp2_calm takes all arguments: |x| < 126. */
BLI_INLINE bool is_calm_exp2(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) < 0x42fc0000;
}

/* ---- expm1, in two stages ---- */

BLI_INLINE struct stage32 expm1_first(float x)
{
    return exp_split(x);
}

BLI_INLINE float expm1_last(struct stage32 stage, float x)
{
    (void)x;
    return (float)power_less_one(stage);
}

/* e^x - 1 of any argument, from that of moderate_f32(x). */
BLI_INLINE float expm1_fix(float value, float x)
{
    const float number = with_sign_f32(or_special_f32(value, x), x);

    return bli_choose_f32(is_minus_infinity_f32(x), -1, number);
}

/* ---- blocks ---- */

static inline void bli_exp_f32(float *r, const float *a, int64_t count)
{
    each_calm_parts_f32(is_calm_exp, exp_reduce, exp_calm, exp_reduce_any, exp_any, r,
                        a, count);
}

static inline void bli_exp2_f32(float *r, const float *a, int64_t count)
{
    each_calm_parts_f32(is_calm_exp2, exp2_reduce, exp2_calm, exp2_reduce_any, exp2_any,
                        r, a, count);
}

static inline void bli_expm1_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(all_moderate_f32, expm1_first, expm1_last, moderate_f32,
                         expm1_fix, r, a, count);
}

#endif
