/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hyperbolic functions of f32 and their inverses: sinh, cosh, tanh, asinh, acosh,
 * atanh.
 */
#ifndef BLI_F32_HYPERBOLIC_H
#define BLI_F32_HYPERBOLIC_H

#include "kernels/math/f32/exp.h"
#include "kernels/math/f32/log1p.h"

/* ---- sinh, cosh ---- */

/*
 * Parts of sinh and cosh: with e^x = 2^n * e^q and |q| <= log(2) / 2, from
 * exp_split(x), the halves of 2^n + 2^-n and of 2^n - 2^-n, and the hyperbolic cosine
 * and sine of q, with relative errors below 2^-34.5 and 2^-37.7. The polynomials are in
 * r * r, minimax.
 */
struct hyper32 {
    double sum;
    double difference;
    double cosine;
    double sine;
};

BLI_INLINE struct hyper32 hyper_parts(struct stage32 stage)
{
    const uint64_t two = UINT64_C(2046) << 52;
    const double up = stage.v / 2;
    const double down = bli_f64_of_bits(two - bli_bits_of_f64(stage.v)) / 2;
    const double r = stage.u;
    const double z = r * r;
    const double zz = z * z;
    const double c0 = 0x1.ffffffffa99d3p-1 + 0x1.ebfbe0a7258d8p-3 * z;
    const double c1 = 0x1.3b29daa5e9894p-7 + 0x1.446b3229d7fbdp-13 * z;
    const double s0 = 0x1.62e42fef9cd71p-1 + 0x1.c6b08da6c280cp-5 * z;
    const double s1 = 0x1.5d8775fb520afp-10 + 0x1.00c0a2c98d85bp-16 * z;

    return (struct hyper32){up + down, up - down, c0 + zz * c1, r * (s0 + zz * s1)};
}

/* Last stage of sinh, after exp_split(x). */
BLI_INLINE float sinh_last(struct stage32 stage, float x)
{
    const struct hyper32 parts = hyper_parts(stage);
    const double value = parts.difference * parts.cosine + parts.sum * parts.sine;

    return with_sign_f32((float)value, x);
}

/* Last stage of cosh, after exp_split(x). */
BLI_INLINE float cosh_last(struct stage32 stage, float x)
{
    const struct hyper32 parts = hyper_parts(stage);

    (void)x;
    return (float)(parts.sum * parts.cosine + parts.difference * parts.sine);
}

BLI_INLINE float cosh_fix(float value, float x)
{
    return value + absolute_f32(special_f32(x));
}

/* ---- tanh ---- */

/*
 * Whether tanh_calm takes all arguments: from |x| = 9.1 on tanh is 1, also for
 * infinities.
 */
BLI_INLINE bool is_calm_tanh(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) <= 0x4111999a;
}

/*
 * tanh for |a| <= 9.1: the minimax quotient of polynomials in x * x, times x; relative
 * error below 2^-29.8.
 */
BLI_INLINE float tanh_calm(float a)
{
    const double x = a;
    const double z = x * x;
    const double zz = z * z;
    const double p0 = 0x1.fffffff7007adp-1 + 0x1.1a3ed4fd8a49ap-3 * z;
    const double p1 = 0x1.06614eff8c938p-8 + 0x1.0817b0c8b3657p-15 * z;
    const double p = p0 + zz * (p1 + zz * 0x1.b0d188acad8b9p-25);
    const double q0 = 1 + 0x1.e274bf250d0ebp-2 * z;
    const double q1 = 0x1.c6292db7720e9p-6 + 0x1.b83f84dbad3cap-12 * z;
    const double q2 = 0x1.aff79c53898d3p-20 + 0x1.9141cdef2e573p-31 * z;

    return (float)(x * p / (q0 + zz * (q1 + zz * q2)));
}

BLI_INLINE float tanh_any(float x)
{
    return bli_choose_f32(is_nan_f32(x), x, tanh_calm(within_f32(x, 9.1f)));
}

/* ---- inverses ---- */

/*
 * First stage of asinh: log(|x| + sqrt(x^2 + 1)), arranged so that nothing cancels for
 * small x.
 */
BLI_INLINE struct stage32 asinh_first(float x)
{
    const double size = absolute_f32(x);
    const double square = size * size;

    return log1p_split(size + square / (1 + sqrt(square + 1)));
}

/*
 * First stage of acosh: log(x + sqrt(x^2 - 1)), arranged so that nothing cancels near
 * 1.
 */
BLI_INLINE struct stage32 acosh_first(float x)
{
    const double above = (double)x - 1;

    return log1p_split(above + sqrt(above * (above + 2)));
}

/* Whether acosh is a finite number. */
BLI_INLINE bool is_in_acosh(float x)
{
    const int32_t bits = (int32_t)bli_bits_of_f32(x);

    return (bits >= 0x3f800000) & (bits < 0x7f800000);
}

BLI_INLINE float acosh_guard(float x)
{
    return bli_choose_f32(is_in_acosh(x), x, 1);
}

/* acosh of any argument: NaN below 1. */
BLI_INLINE float acosh_fix(float value, float x)
{
    const bool is_above = (int32_t)bli_bits_of_f32(x) >= 0x7f800000;

    return bli_choose_f32(is_in_acosh(x), value, bli_choose_f32(is_above, x, NAN));
}

/* Whether acosh is finite for all arguments: 1 <= x < infinity. */
BLI_INLINE bool is_calm_acosh(const float *a, int64_t count)
{
    const struct range32 range = range_f32(a, count);

    return (range.least >= 0x3f800000) & (range.most < 0x7f800000);
}

/*
 * First stage of atanh: log((1 + |x|) / (1 - |x|)), accurate for small x; the last
 * stage halves it.
 */
BLI_INLINE struct stage32 atanh_first(float x)
{
    const double size = absolute_f32(x);

    return log1p_split(2 * size / (1 - size));
}

BLI_INLINE float atanh_last(struct stage32 stage, float x)
{
    return with_sign_f32((float)(log_joined(stage) / 2), x);
}

BLI_INLINE float atanh_guard(float x)
{
    return bli_choose_f32(magnitude_f32(x) < 0x3f800000, x, 0);
}

/* atanh of any argument: infinite for +-1, NaN beyond. */
BLI_INLINE float atanh_fix(float value, float x)
{
    const int32_t magnitude = magnitude_f32(x);
    const float special = bli_choose_f32(magnitude == 0x3f800000, INFINITY, NAN);

    return bli_choose_f32(magnitude < 0x3f800000, value, with_sign_f32(special, x));
}

/* ---- blocks ---- */

static inline void bli_sinh_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(all_moderate_f32, expm1_first, sinh_last, moderate_f32,
                         or_special_f32, r, a, count);
}

static inline void bli_cosh_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(all_moderate_f32, expm1_first, cosh_last, moderate_f32,
                         cosh_fix, r, a, count);
}

static inline void bli_tanh_f32(float *r, const float *a, int64_t count)
{
    each_calm_f32(is_calm_tanh, tanh_calm, tanh_any, r, a, count);
}

static inline void bli_asinh_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(all_finite_f32, asinh_first, log1p_last, finite_f32,
                         or_special_f32, r, a, count);
}

static inline void bli_acosh_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(is_calm_acosh, acosh_first, log1p_last, acosh_guard, acosh_fix,
                         r, a, count);
}

static inline void bli_atanh_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(all_below_one_f32, atanh_first, atanh_last, atanh_guard,
                         atanh_fix, r, a, count);
}

#endif
