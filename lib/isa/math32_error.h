/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The error function of f32 and its relations: erf, erfc, gelu.
 */
#ifndef BLI_MATH32_ERROR_H
#define BLI_MATH32_ERROR_H

#include "isa/math32_exp.h"

/* ---- in binary64 ---- */

/*
 * e^(x * x) * erfc(x), given 1 / (x + 3), for 0 <= x <= 10.5, with a relative error
 * below 2^-34.4: with t = (x - 3) / (x + 3), a polynomial in t divided by x + 3,
 * minimax.
 */
BLI_INLINE double erfc_scaled(double x, double inverse)
{
    const double t = (x - 3) * inverse;
    const double tt = t * t;
    const double t4 = tt * tt;
    const double p0 = 0x1.12f21ddd9cdafp+0 - 0x1.c44c47227ddf5p-1 * t;
    const double p1 = 0x1.2e32694cee4ebp-1 - 0x1.3deb1e77a83bcp-2 * t;
    const double p2 = 0x1.e995ed40ebd97p-4 - 0x1.b78c2ddd4a8eap-6 * t;
    const double p3 = 0x1.8e30671b45c0ep-9 * t - 0x1.3ddb98a8c0fcbp-10;
    const double p4 = -0x1.1e26fbdeea104p-11 - 0x1.2d5f214360d6cp-12 * t;
    const double p5 = 0x1.921cfd9fcfc7ep-14 + 0x1.4bd58db588d49p-15 * t;
    const double low = p0 + tt * p1;
    const double middle = p2 + tt * p3;
    const double high = p4 + tt * p5;

    return (low + t4 * (middle + t4 * high)) * inverse;
}

/* erf(x) for |x| <= 1/2: minimax in x * x, relative error below 2^-36.2. */
BLI_INLINE double erf_small(double x)
{
    const double z = x * x;
    const double zz = z * z;
    const double p0 = 0x1.20dd75041af1cp+0 - 0x1.8127466e3c9cap-2 * z;
    const double p1 = 0x1.ce2ef1ab83721p-4 - 0x1.b82017668ad71p-6 * z;
    const double p2 = 0x1.54ceb3249891ap-8 - 0x1.9353c54e9365cp-11 * z;

    return x * (p0 + zz * (p1 + zz * p2));
}

/* ---- functions in two steps: e^-x^2 and 1 / (x + 3), then what follows ---- */

BLI_INLINE struct stage32 erf_first(float x)
{
    const double size = absolute_f32(x);

    return (struct stage32){exp32(-(size * size)), 1 / (size + 3)};
}

/* From |x| = 4 on it is 1. */
BLI_INLINE bool is_calm_erf(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) <= 0x40800000;
}

BLI_INLINE float erf_last(struct stage32 stage, float x)
{
    const double size = absolute_f32(x);
    const double large = 1 - stage.u * erfc_scaled(size, stage.v);
    const uint64_t is_small =
        mask_less_u64(bli_bits_of_f64(size), bli_bits_of_f64(0.5));
    const double value = masked_f64(is_small, erf_small(size), large);

    return with_sign_f32((float)value, x);
}

BLI_INLINE float erf_any(float x)
{
    const float bounded = within_f32(x, 4);

    return bli_choose_f32(is_nan_f32(x), x, erf_last(erf_first(bounded), bounded));
}

/* From x = 10.5 on it vanishes. */
BLI_INLINE bool is_calm_erfc(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) <= 0x41280000;
}

BLI_INLINE float erfc_last(struct stage32 stage, float x)
{
    const double right = stage.u * erfc_scaled(absolute_f32(x), stage.v);
    const bool is_left = is_negative_f32(x);
    const double base = bli_choose_f32(is_left, 2, 0);
    const double factor = bli_choose_f32(is_left, -1, 1);

    return (float)(base + factor * right);
}

BLI_INLINE float erfc_any(float x)
{
    const float bounded = within_f32(finite_f32(x), 10.5f);
    const float number = erfc_last(erf_first(bounded), bounded);
    const float limit = bli_choose_f32(is_negative_f32(x), 2, 0);
    const float special = bli_choose_f32(is_nan_f32(x), x, limit);

    return bli_choose_f32(is_special_f32(x), special, number);
}

/*
 * x / 2 * erfc(-x / sqrt(2)), where erfc(-u) is 2 - erfc(u): for positive x it is x
 * less what it is for -x.  From x = -14.8 down it vanishes.
 */
BLI_INLINE bool is_calm_gelu(const float *a, int64_t count)
{
    return most_magnitude_f32(a, count) <= 0x416ccccd;
}

BLI_INLINE struct stage32 gelu_first(float x)
{
    const double size = absolute_f32(x);

    return (struct stage32){
        size / 2 * exp32(size * size * -0.5),
        1 / (size * 0x1.6a09e667f3bcdp-1 + 3),
    };
}

BLI_INLINE float gelu_last(struct stage32 stage, float x)
{
    const double size = absolute_f32(x);
    const double less = stage.u * erfc_scaled(size * 0x1.6a09e667f3bcdp-1, stage.v);
    const double most = bli_choose_f32(is_negative_f32(x), 0, x);

    return with_sign_f32((float)(most - less), x);
}

/* x beyond the limit that is positive is its own value; as the product, of -inf NaN. */
BLI_INLINE float gelu_any(float x)
{
    const float bounded = within_f32(finite_f32(x), 14.8f);
    const float number = gelu_last(gelu_first(bounded), bounded);
    const float value = bli_choose_f32((int32_t)bli_bits_of_f32(x) > 0x416ccccd, x,
                                       with_sign_f32(number, x));
    const bool is_undefined = is_nan_f32(x) | is_minus_infinity_f32(x);

    return bli_choose_f32(is_undefined, NAN, value);
}

/* ---- blocks ---- */

static inline void bli_erf_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(is_calm_erf, erf_first, erf_last, erf_any, r, a, count);
}

static inline void bli_erfc_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(is_calm_erfc, erf_first, erfc_last, erfc_any, r, a, count);
}

static inline void bli_gelu_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(is_calm_gelu, gelu_first, gelu_last, gelu_any, r, a, count);
}

#endif
