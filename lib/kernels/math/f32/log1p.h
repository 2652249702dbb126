/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Logarithms in binary64 to some 30 bits, for functions that round them to f32: log1p
 * here, and the inverse hyperbolic functions.
 */
#ifndef BLI_F32_LOG1P_H
#define BLI_F32_LOG1P_H

#include "kernels/math/f32/loops.h"

/* ---- in binary64 ---- */

/*
 * Split x = 2^n * (1 + f), with sqrt(1/2) <= 1 + f < sqrt(2): u is n, v is f. For x
 * that are not positive and normal they are some finite numbers; no exception is
 * raised.
 */
BLI_INLINE struct stage32 log_split(double x)
{
    const uint64_t root = UINT64_C(0x3fe6a09e667f3bcd); /* sqrt(1/2) */
    const uint64_t bits = bli_bits_of_f64(x) & INT64_MAX;
    const uint64_t moved = bits + (UINT64_C(0x3ff0000000000000) - root);
    const uint64_t biased = moved >> 52;
    const uint64_t scaled = (moved & UINT64_C(0x000fffffffffffff)) + root;

    /* An integer below 2^52 to f64, by its bits: AVX2 has no conversion. */
    return (struct stage32){
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

/* log(x) from log_split(x). */
BLI_INLINE double log_joined(struct stage32 stage)
{
    return stage.u * 0x1.62e42fefa39efp-1 + log1p_small(stage.v);
}

/*
 * log_split() of 1 + x, for x > -1. Where n is 0, f is x itself: exact, not what
 * rounding 1 + x leaves of it.
 */
BLI_INLINE struct stage32 log1p_split(double x)
{
    const struct stage32 stage = log_split(1 + x);
    const uint64_t exponent = bli_bits_of_f64(stage.u) & INT64_MAX;
    const uint64_t is_near = mask_less_u64(exponent, 1);

    return (struct stage32){stage.u, masked_f64(is_near, x, stage.v)};
}

/* ---- log1p ---- */

BLI_INLINE struct stage32 log1p_first(float x)
{
    return log1p_split(x);
}

BLI_INLINE float log1p_last(struct stage32 stage, float x)
{
    return with_sign_f32((float)log_joined(stage), x);
}

/* log1p of any argument: -infinity for -1, NaN below. */
BLI_INLINE float log1p_fix(float value, float x)
{
    const uint32_t bits = bli_bits_of_f32(x);
    const float below = bli_choose_f32(bits == 0xbf800000, -INFINITY, NAN);
    const float special = bli_choose_f32((int32_t)bits > 0, x, below);
    const bool is_ordinary = ((int32_t)bits < 0x7f800000) & (bits < 0xbf800000);

    return bli_choose_f32(is_ordinary, value, special);
}

/* Whether log1p is finite for all arguments. */
BLI_INLINE bool is_calm_log1p(const float *a, int64_t count)
{
    int32_t least = INT32_MAX;
    int32_t most = INT32_MIN;

#pragma omp simd reduction(min : least) reduction(max : most)
    for (int64_t j = 0; j < count; j++) {
        const int32_t order = order_f32(a[j]);

        least = order < least ? order : least;
        most = order > most ? order : most;
    }
    return (least > order_f32(-1)) & (most < 0x7f800000);
}

static inline void bli_log1p_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(is_calm_log1p, log1p_first, log1p_last, same_f32, log1p_fix, r,
                         a, count);
}

#endif
