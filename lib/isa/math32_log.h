/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Logarithms of f32: log, log2, log10, log1p.
 */
#ifndef BLI_MATH32_LOG_H
#define BLI_MATH32_LOG_H

#include "isa/math32_core.h"

/* ---- in binary64 ---- */

/* x = 2^exponent * (1 + fraction), with sqrt(1/2) <= 1 + fraction < sqrt(2). */
struct split32 {
    double exponent;
    double fraction;
};

/* Of a positive normal x; of anything else some finite numbers, and no exception. */
BLI_INLINE struct split32 split_power(double x)
{
    const uint64_t root = UINT64_C(0x3fe6a09e667f3bcd); /* sqrt(1/2) */
    const uint64_t bits = bli_bits_of_f64(x) & INT64_MAX;
    const uint64_t moved = bits + (UINT64_C(0x3ff0000000000000) - root);
    const uint64_t biased = moved >> 52;
    const uint64_t scaled = (moved & UINT64_C(0x000fffffffffffff)) + root;

    /* An integer below 2^52, as a number, by bits: AVX2 has no conversion. */
    return (struct split32){
        bli_f64_of_bits(biased | UINT64_C(0x4330000000000000)) - (0x1p52 + 1023),
        bli_f64_of_bits(scaled) - 1,
    };
}

/*
 * log(1 + f) for sqrt(1/2) <= 1 + f < sqrt(2), with a relative error below 2^-30.5: the
 * polynomial is the minimax one of log(1 + f) / f.
 */
BLI_INLINE double log1p_small(double f)
{
    const double ff = f * f;
    const double p0 = 0x1.00000002b5ed0p+0 - 0x1.ffffffc715955p-2 * f;
    const double p1 = 0x1.5555400a68dbfp-2 - 0x1.00001215d7ff7p-2 * f;
    const double p2 = 0x1.99a71b29fe08fp-3 - 0x1.555be4068868bp-3 * f;
    const double p3 = 0x1.23129982affe1p-3 - 0x1.fbf1e28600c15p-4 * f;
    const double p4 = 0x1.e87dd64ee6453p-4 - 0x1.dffeb8db55ee0p-4 * f;
    const double p5 = p4 + 0x1.137eada9bb6e9p-4 * ff;
    const double ffff = ff * ff;

    return f * ((p0 + ff * p1) + ffff * ((p2 + ff * p3) + ffff * p5));
}

/*
 * log(1 + x) for x > -1.  Where 1 + x is near 1, its fraction is x: all of it, not what
 * the sum leaves.
 */
BLI_INLINE double log1p32(double x)
{
    const struct split32 split = split_power(1 + x);
    const uint64_t exponent = bli_bits_of_f64(split.exponent) & INT64_MAX;
    const double fraction = masked_f64(mask_less_u64(exponent, 1), x, split.fraction);

    return split.exponent * 0x1.62e42fefa39efp-1 + log1p_small(fraction);
}

BLI_INLINE double log32(double x)
{
    const struct split32 split = split_power(x);

    return split.exponent * 0x1.62e42fefa39efp-1 + log1p_small(split.fraction);
}

/* ---- log in binary32 ---- */

/*
 * log(x * 2^-shift) of positive normal x, within 0.9 ULP: n * log(2) + log(1 + f), with
 * sqrt(1/2) <= 1 + f < sqrt(2).  The first factor of log(2) has 15 bits, so that its
 * product is exact, and what the sum with f loses is added to the rest.  The polynomial
 * is the minimax one of (log(1 + f) - f) / f^2; the error it leaves in log(1 + f) is
 * below 2^-27.8 of that.
 */
BLI_INLINE float log_normal(float x, float shift)
{
    const uint32_t root = 0x3f3504f3; /* sqrt(1/2) */
    const uint32_t moved = bli_bits_of_f32(x) - root;
    const float n = (float)((int32_t)moved >> 23) - shift;
    const float f = bli_f32_of_bits((moved & 0x007fffff) + root) - 1;
    const float ff = f * f;
    const float p0 = 0x1.555550p-2f - 0x1.000428p-2f * f;
    const float p1 = 0x1.99a3fep-3f - 0x1.5426fep-3f * f;
    const float p2 = 0x1.22705ap-3f - 0x1.0f39f2p-3f * f;
    const float p3 = 0x1.085240p-3f - 0x1.383c2ep-4f * f;
    const float p = (p0 + ff * p1) + (ff * ff) * (p2 + ff * p3);
    const float high = n * 0x1.62e4p-1f;
    const float sum = high + f;
    const float lost = (high - sum) + f;

    return sum + (ff * (f * p - 0x1.fffff8p-2f) + (lost + n * 0x1.7f7d1cp-20f));
}

BLI_INLINE float log_calm(float x)
{
    return log_normal(x, 0);
}

/* ---- functions ---- */

/* `value`, a logarithm of x, but what a logarithm is where x is no positive number. */
BLI_INLINE float log_or_special(float x, float value)
{
    const float negative = bli_choose_f32(magnitude_f32(x) == 0, -INFINITY, NAN);
    const float special = bli_choose_f32((int32_t)bli_bits_of_f32(x) > 0, x, negative);
    const bool is_ordinary = bli_bits_of_f32(x) - 1 < 0x7f7fffff;

    return bli_choose_f32(is_ordinary, value, special);
}

/* Subnormal x are made normal. */
BLI_INLINE float log_any(float x)
{
    const bool is_small = magnitude_f32(x) < 0x00800000;
    const float factor = bli_choose_f32(is_small, 0x1p23f, 1);
    const float shift = bli_choose_f32(is_small, 23, 0);

    return log_or_special(x, log_normal(x * factor, shift));
}

BLI_INLINE float log2_f32(float x)
{
    const struct split32 split = split_power(x);
    const double part = log1p_small(split.fraction) * 0x1.71547652b82fep+0;

    return log_or_special(x, (float)(split.exponent + part));
}

BLI_INLINE float log10_f32(float x)
{
    return log_or_special(x, (float)(log32(x) * 0x1.bcb7b1526e50ep-2));
}

BLI_INLINE float log1p_f32(float x)
{
    const float number = with_sign_f32((float)log1p32(x), x);
    const uint32_t bits = bli_bits_of_f32(x);
    const float below = bli_choose_f32(bits == 0xbf800000, -INFINITY, NAN);
    const float special = bli_choose_f32((int32_t)bits > 0, x, below);
    const bool is_ordinary = ((int32_t)bits < 0x7f800000) & (bits < 0xbf800000);

    return bli_choose_f32(is_ordinary, number, special);
}

/* ---- blocks ---- */

static inline void bli_log_f32(float *r, const float *a, int64_t count)
{
    each_calm_f32(all_positive_f32, log_calm, log_any, r, a, count);
}

static inline void bli_log2_f32(float *r, const float *a, int64_t count)
{
    each_f32(log2_f32, r, a, count);
}

static inline void bli_log10_f32(float *r, const float *a, int64_t count)
{
    each_f32(log10_f32, r, a, count);
}

static inline void bli_log1p_f32(float *r, const float *a, int64_t count)
{
    each_f32(log1p_f32, r, a, count);
}

#endif
