/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The error function of f32 and its relations: erf, erfc, gelu.
 */
#ifndef BLI_F32_ERROR_H
#define BLI_F32_ERROR_H

#include "kernels/math/f32/exp.h"

/* ---- erf ---- */

/*
 * Whether erf_calm takes all arguments: from |x| = 4 on erf is 1, also for infinities.
 */
BLI_INLINE bool is_calm_erf(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) <= 0x40800000;
}

/*
 * erf for |a| <= 4: the minimax quotient of polynomials in x * x, times x; relative
 * error below 2^-32.5.
 */
BLI_INLINE float erf_calm(float a)
{
    const double x = a;
    const double z = x * x + BLI_TINY;
    const double zz = z * z;
    const double z4 = zz * zz;
    const double p0 = 0x1.20dd750362ce5p+0 + 0x1.4c66e64923e0bp-2 * z;
    const double p1 = 0x1.3da4c52f718f8p-4 + 0x1.61ab2ea548a58p-7 * z;
    const double p2 = 0x1.d4638bd6c4a29p-11 + 0x1.ff9f2790a97a3p-15 * z;
    const double p = (p0 + zz * p1) + z4 * (p2 + zz * 0x1.1e704ee7ba5ecp-20);
    const double q0 = 1 + 0x1.3df55c7739e58p-1 * z;
    const double q1 = 0x1.67e59b3897e03p-3 + 0x1.e910a41655b92p-6 * z;
    const double q2 = 0x1.b3e00d6ede4edp-9 + 0x1.ff1b222699269p-13 * z;
    const double q3 = 0x1.66aea9c662a04p-17 + 0x1.8414e45a3da91p-25 * z;

    return (float)(x * p / ((q0 + zz * q1) + z4 * (q2 + zz * q3)));
}

/* erf of any argument. */
BLI_INLINE float erf_any(float x)
{
    return bli_choose_f32(is_nan_f32(x), x, erf_calm(within_f32(x, 4)));
}

/* ---- erfc, gelu ---- */

/*
 * e^(x * x) * erfc(x), given 1 / (x + 3), for 0 <= x <= 10.5, with a relative error
 * below 2^-28.6: with t = (x - 3) / (x + 3), a minimax polynomial in t, divided by x +
 * 3.
 */
BLI_INLINE double erfc_scaled(double x, double inverse)
{
    const double t = (x - 3) * inverse;
    const double tt = t * t;
    const double t4 = tt * tt;
    const double p0 = 0x1.12f21de18124dp+0 - 0x1.c44c485bf00a7p-1 * t;
    const double p1 = 0x1.2e3266a528559p-1 - 0x1.3deac58ac9267p-2 * t;
    const double p2 = 0x1.e997a5fc9293ap-4 - 0x1.b7c14e17b778ep-6 * t;
    const double p3 = 0x1.93d687a6507eep-9 * t - 0x1.41fd19e2ce4abp-10;
    const double p4 = -0x1.f6f6ab31c6011p-12 - 0x1.53378e5306111p-12 * t;

    return ((p0 + tt * p1) + t4 * ((p2 + tt * p3) + t4 * p4)) * inverse;
}

/* First stage of erfc: e^-x^2, and 1 / (|x| + 3). */
BLI_INLINE struct stage32 erfc_first(float x)
{
    const double size = absolute_f32(x);

    return (struct stage32){exp32(-(size * size)), 1 / (size + 3)};
}

/* Whether erfc's two stages take all arguments: from x = 10.5 on erfc vanishes. */
BLI_INLINE bool is_calm_erfc(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) <= 0x41280000;
}

/* Last stage of erfc: from the value for |x|, 2 - that for negative x. */
BLI_INLINE float erfc_last(struct stage32 stage, float x)
{
    const double right = stage.u * erfc_scaled(absolute_f32(x), stage.v);
    const bool is_left = is_negative_f32(x);
    const double base = bli_choose_f32(is_left, 2, 0);
    const double factor = bli_choose_f32(is_left, -1, 1);

    return (float)(base + factor * right);
}

BLI_INLINE float erfc_guard(float x)
{
    return within_f32(finite_f32(x), 10.5f);
}

/* erfc of any argument. */
BLI_INLINE float erfc_fix(float value, float x)
{
    const float limit = bli_choose_f32(is_negative_f32(x), 2, 0);
    const float special = bli_choose_f32(is_nan_f32(x), x, limit);

    return bli_choose_f32(is_special_f32(x), special, value);
}

/*
 * gelu is x / 2 * erfc(-x / sqrt(2)), where erfc(-u) is 2 - erfc(u): for positive x it
 * is x minus the value for -x. From x = -14.8 down it vanishes. This says whether its
 * two stages take all arguments.
 */
BLI_INLINE bool is_calm_gelu(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) <= 0x416ccccd;
}

/*
 * First stage of gelu: |x| / 2 * e^(-x^2 / 2), and the inverse that erfc_scaled()
 * takes.
 */
BLI_INLINE struct stage32 gelu_first(float x)
{
    const double size = absolute_f32(x);

    return (struct stage32){
        size / 2 * exp32(size * size * -0.5),
        1 / (size * 0x1.6a09e667f3bcdp-1 + 3),
    };
}

/* Last stage of gelu: x, or 0 for negative x, minus the value for -|x| in size. */
BLI_INLINE float gelu_last(struct stage32 stage, float x)
{
    const double size = absolute_f32(x);
    const double less = stage.u * erfc_scaled(size * 0x1.6a09e667f3bcdp-1, stage.v);
    const double most = bli_choose_f32(is_negative_f32(x), 0, x);

    return with_sign_f32((float)(most - less), x);
}

BLI_INLINE float gelu_guard(float x)
{
    return within_f32(finite_f32(x), 14.8f);
}

/*
 * gelu of any argument. Beyond the limit a positive x is its own value; for -inf it is
 * NaN, as the product is.
 */
BLI_INLINE float gelu_fix(float value, float x)
{
    const bool is_large = (int32_t)bli_bits_of_f32(x) > 0x416ccccd;
    const float finite = bli_choose_f32(is_large, x, with_sign_f32(value, x));
    const float limit = bli_choose_f32(is_minus_infinity_f32(x), NAN, finite);

    return bli_choose_f32(is_nan_f32(x), x, limit);
}

/* ---- blocks ---- */

static inline void bli_erf_f32(float *r, const float *a, int64_t count)
{
    each_calm_f32(is_calm_erf, erf_calm, erf_any, r, a, count);
}

static inline void bli_erfc_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(is_calm_erfc, erfc_first, erfc_last, erfc_guard, erfc_fix, r,
                         a, count);
}

static inline void bli_gelu_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(is_calm_gelu, gelu_first, gelu_last, gelu_guard, gelu_fix, r,
                         a, count);
}

#endif
