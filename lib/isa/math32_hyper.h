/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hyperbolic functions of f32 and their inverses: sinh, cosh, tanh, asinh, acosh,
 * atanh.
 */
#ifndef BLI_MATH32_HYPER_H
#define BLI_MATH32_HYPER_H

#include "isa/math32_exp.h"
#include "isa/math32_log.h"

/* ---- in binary64 ---- */

/*
 * e^x = 2^n * 2^r: the halves of 2^n + 2^-n and 2^n - 2^-n, and the hyperbolic cosine
 * and sine of r * log(2), |r| <= 1/2, with relative errors below 2^-34.5 and 2^-37.7.
 */
struct hyper32 {
    double sum;
    double difference;
    double cosine;
    double sine;
};

/* For |x| <= 600; the polynomials are in r * r, minimax. */
BLI_INLINE struct hyper32 hyper_parts(double x)
{
    const double t = x * 0x1.71547652b82fep+0;
    const double shifted = t + 0x1.8p52;
    const uint64_t n = bli_bits_of_f64(shifted) << 52;
    const double up = bli_f64_of_bits((UINT64_C(1022) << 52) + n);
    const double down = bli_f64_of_bits((UINT64_C(1022) << 52) - n);
    const double r = t - (shifted - 0x1.8p52);
    const double z = r * r;
    const double zz = z * z;
    const double c0 = 0x1.ffffffffa99d3p-1 + 0x1.ebfbe0a7258d8p-3 * z;
    const double c1 = 0x1.3b29daa5e9894p-7 + 0x1.446b3229d7fbdp-13 * z;
    const double s0 = 0x1.62e42fef9cd71p-1 + 0x1.c6b08da6c280cp-5 * z;
    const double s1 = 0x1.5d8775fb520afp-10 + 0x1.00c0a2c98d85bp-16 * z;

    return (struct hyper32){up + down, up - down, c0 + zz * c1, r * (s0 + zz * s1)};
}

/* ---- functions ---- */

BLI_INLINE float sinh_f32(float x)
{
    const struct hyper32 parts = hyper_parts(within_f32(finite_f32(x), 152));
    const double value = parts.difference * parts.cosine + parts.sum * parts.sine;

    return with_sign_f32((float)value + special_f32(x), x);
}

BLI_INLINE float cosh_f32(float x)
{
    const struct hyper32 parts = hyper_parts(within_f32(finite_f32(x), 152));
    const double value = parts.sum * parts.cosine + parts.difference * parts.sine;

    return (float)value + absolute_f32(special_f32(x));
}

/* From |x| = 10 on it is 1; of infinities as well. */
BLI_INLINE bool is_calm_tanh(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) <= 0x41200000;
}

/* By e^2x - 1, arranged so that of -0 it is -0. */
BLI_INLINE float tanh_calm(float x)
{
    const struct power32 power = power_of_two(x * 0x1.71547652b82fep+1);
    const double less_one = power.scale * power.part - (1 - power.scale);

    return (float)(less_one / (less_one + 2));
}

BLI_INLINE float tanh_any(float x)
{
    return bli_choose_f32(is_nan_f32(x), x, tanh_calm(within_f32(x, 10)));
}

/* ---- inverses ---- */

/* log(|x| + sqrt(x^2 + 1)), arranged so that nothing cancels where x is small. */
BLI_INLINE float asinh_f32(float x)
{
    const double size = absolute_f32(finite_f32(x));
    const double square = size * size;
    const double value = log1p32(size + square / (1 + sqrt(square + 1)));

    return with_sign_f32((float)value + special_f32(x), x);
}

/* log(x + sqrt(x^2 - 1)), likewise. */
BLI_INLINE float acosh_f32(float x)
{
    const int32_t bits = (int32_t)bli_bits_of_f32(x);
    const bool is_ordinary = (bits >= 0x3f800000) & (bits < 0x7f800000);
    const double above = (double)bli_choose_f32(is_ordinary, x, 1) - 1;
    const float value = (float)log1p32(above + sqrt(above * (above + 2)));
    const float special = bli_choose_f32(bits >= 0x7f800000, x, NAN);

    return bli_choose_f32(is_ordinary, value, special);
}

/* log((1 + |x|) / (1 - |x|)) / 2, likewise. */
BLI_INLINE float atanh_f32(float x)
{
    const int32_t magnitude = magnitude_f32(x);
    const bool is_ordinary = magnitude < 0x3f800000;
    const double size = absolute_f32(bli_choose_f32(is_ordinary, x, 0));
    const float value = (float)(log1p32(2 * size / (1 - size)) / 2);
    const float special = bli_choose_f32(magnitude == 0x3f800000, INFINITY, NAN);

    return with_sign_f32(bli_choose_f32(is_ordinary, value, special), x);
}

/* ---- blocks ---- */

static inline void bli_sinh_f32(float *r, const float *a, int64_t count)
{
    each_f32(sinh_f32, r, a, count);
}

static inline void bli_cosh_f32(float *r, const float *a, int64_t count)
{
    each_f32(cosh_f32, r, a, count);
}

static inline void bli_tanh_f32(float *r, const float *a, int64_t count)
{
    each_calm_f32(is_calm_tanh, tanh_calm, tanh_any, r, a, count);
}

static inline void bli_asinh_f32(float *r, const float *a, int64_t count)
{
    each_f32(asinh_f32, r, a, count);
}

static inline void bli_acosh_f32(float *r, const float *a, int64_t count)
{
    each_f32(acosh_f32, r, a, count);
}

static inline void bli_atanh_f32(float *r, const float *a, int64_t count)
{
    each_f32(atanh_f32, r, a, count);
}

#endif
