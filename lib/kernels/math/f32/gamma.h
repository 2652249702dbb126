/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The logarithm of the gamma function of f32: lgamma.
 *
 * All of it is computed to the bits of binary64, less what cancels: to the left of -2
 * the function has zeros that no f32 is equal to, and near them its value is the small
 * difference of a few terms of size 1.
 */
#ifndef BLI_F32_GAMMA_H
#define BLI_F32_GAMMA_H

#include "kernels/math/f32/extra_precision.h"

/* ---- positive arguments ---- */

/*
 * lgamma(u) for 1 <= u <= 2: it is 0 at both ends, whose zeros are factors here, so
 * that the error is relative. The polynomial in y = u - 3/2 is minimax, to 2^-53.8.
 */
BLI_INLINE double lgamma_middle(double u)
{
    const double y = u - 1.5;
    const double yy = y * y;
    const double y4 = yy * yy;
    const double p0 = 0x1.eeb95b094c191p-2 - 0x1.2aed059bd6085p-3 * y;
    const double p1 = 0x1.01af62a2929bdp-4 - 0x1.007aa83cefa34p-5 * y;
    const double p2 = 0x1.133423527f817p-6 - 0x1.34dbda1285736p-7 * y;
    const double p3 = 0x1.64f0664c00a6bp-8 - 0x1.a503537a6fbe2p-9 * y;
    const double p4 = 0x1.f814bad4d6b47p-10 - 0x1.313e527d758f4p-10 * y;
    const double p5 = 0x1.750a753a73699p-11 - 0x1.cb50457de8a1cp-12 * y;
    const double p6 = 0x1.1c7e7f050761cp-12 - 0x1.618405375338bp-13 * y;
    const double p7 = 0x1.b9de21fd65226p-14 - 0x1.1cfc7b163056bp-14 * y;
    const double p8 = 0x1.691a9fd43a77ap-15 - 0x1.6836354c511ddp-16 * y;
    const double p9 = 0x1.b93ac86b10525p-17 - 0x1.371766650b793p-16 * y;
    const double q0 = p0 + yy * p1;
    const double q1 = p2 + yy * p3;
    const double q2 = p4 + yy * p5;
    const double q3 = p6 + yy * p7;
    const double q4 = p8 + yy * (p9 + yy * 0x1.9854327a91fd7p-17);
    const double low = q0 + y4 * q1;
    const double high = q2 + y4 * (q3 + y4 * q4);

    return (u - 1) * (u - 2) * (low + y4 * y4 * high);
}

/*
 * lgamma(w) for w >= 8: Stirling's series, with the terms from 1 / (12 w) on replaced
 * by the minimax polynomial in 1 / w^2, to 2^-54.
 */
BLI_INLINE double lgamma_large(double w, double log_of_w)
{
    const double inverse = 1 / w;
    const double z = inverse * inverse;
    const double zz = z * z;
    const double p0 = 0x1.5555555555553p-4 - 0x1.6c16c16bb84e2p-9 * z;
    const double p1 = 0x1.a019fd44dbf53p-11 - 0x1.380ec92fdd70fp-11 * z;
    const double p2 = 0x1.b6fda0c9d098ep-11 - 0x1.b162dfabe1d75p-10 * z;
    const double half_log_of_turn = 0x1.d67f1c864beb5p-1;
    const double tail = inverse * (p0 + zz * (p1 + zz * p2));

    return (w - 0.5) * (log_of_w - 1) + (half_log_of_turn - 0.5 + tail);
}

/*
 * lgamma(x) for positive finite x. For x < 3 it is reduced to [1, 2): from below by
 * lgamma(x) = lgamma(x + 1) - log(x), from above by the reverse. From 3 to 8, x is
 * shifted up by 5 in the same way.
 */
BLI_INLINE double lgamma_positive(double x)
{
    const uint64_t bits = bli_bits_of_f64(x);
    const uint64_t below_1 = mask_less_u64(bits, bli_bits_of_f64(1));
    const uint64_t below_2 = mask_less_u64(bits, bli_bits_of_f64(2));
    const uint64_t below_3 = mask_less_u64(bits, bli_bits_of_f64(3));
    const uint64_t below_8 = mask_less_u64(bits, bli_bits_of_f64(8));
    const double bounded = masked_f64(below_3, x, 1.5);
    const double up = masked_f64(below_1, bounded + 1, bounded);
    const double middle = lgamma_middle(masked_f64(below_2, up, bounded - 1));

    const double near_8 = masked_f64(below_8, x, 3);
    const double square = near_8 * (near_8 + 4);
    const double moving = square * (square + 3) * (near_8 + 2);
    const double moved = masked_f64(below_8, x + 5, x);
    const double large = lgamma_large(moved, log_finest(moved));

    const double low = masked_f64(below_1, x, masked_f64(below_2, 1, x - 1));
    const double high = masked_f64(below_8, moving, 1);
    const double step = log_finest(masked_f64(below_3, low, high));
    const uint64_t is_up = below_3 & ~below_2;
    const double signed_step = masked_f64(is_up, step, bli_negative_f64(step));

    return masked_f64(below_3, middle, large) + signed_step + 0; /* not -0 */
}

/* lgamma of `count` positive finite numbers: one copy of it for all arguments. */
BLI_SHARED void lgamma_positives(double *r, const float *a, int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        r[j] = lgamma_positive(a[j]);
}

/* ---- all arguments ---- */

/* sin(pi * r) for |r| <= 1/2, to 2^-52 of it: minimax. */
BLI_INLINE double sin_turns(double r)
{
    const double z = r * r + BLI_TINY;
    const double zz = z * z;
    const double p0 = 0x1.921fb54442d18p+1 - 0x1.4abbce625be52p+2 * z;
    const double p1 = 0x1.466bc6775aa6ep+1 - 0x1.32d2cce627542p-1 * z;
    const double p2 = 0x1.50783485190b6p-4 - 0x1.e3074ddd1d2c4p-8 * z;
    const double p3 = 0x1.e8f35e9d59d7cp-12 - 0x1.6f79770e35db1p-16 * z;
    const double p4 = p3 + 0x1.9d1b86f1b22d8p-21 * zz;

    return r * ((p0 + zz * p1) + (zz * zz) * (p2 + zz * p4));
}

/* An argument x. */
struct gamma32 {
    float size;        /* |x| */
    float fraction;    /* of |x|, from the nearest integer on; 0 from 2^23 on */
    bool is_plain;     /* neither special nor a pole */
    bool is_reflected; /* plain, and negative */
};

BLI_INLINE struct gamma32 gamma_of(float x)
{
    const float size = absolute_f32(x);
    const float bounded = within_f32(size, 0x1p23f);
    const float fraction = bounded - ((bounded + 0x1p23f) - 0x1p23f);
    const bool is_left = (int32_t)bli_bits_of_f32(x) <= 0;
    const bool is_pole = is_left & (magnitude_f32(fraction) == 0);
    const bool is_plain = !is_pole & !is_special_f32(x);

    return (struct gamma32){size, fraction, is_plain, is_left & is_plain};
}

/* The positive number of which lgamma of any argument is made. */
BLI_INLINE float lgamma_number(float x)
{
    const struct gamma32 of = gamma_of(x);

    return bli_choose_f32(of.is_plain, of.size, 1);
}

/*
 * lgamma of any argument, of its number and lgamma of that. For negative x by
 * reflection: |gamma(x) gamma(-x)| = pi / |x sin(pi x)|. It is infinite at 0, -1, -2,
 * ...; all numbers below -2^23 are such integers.
 */
BLI_INLINE float lgamma_any(float x, double number, double value)
{
    const struct gamma32 of = gamma_of(x);
    const double turn = bli_choose_f32(of.is_reflected, of.fraction, 0.5f);
    const double sine = absolute_f64(sin_turns(turn));
    const double mirror = log_finest(0x1.921fb54442d18p+1 / (number * sine));
    const float left = (float)(mirror - value);
    const float plain = bli_choose_f32(of.is_reflected, left, (float)value);
    const float special = bli_choose_f32(is_nan_f32(x), x, INFINITY);

    return bli_choose_f32(of.is_plain, plain, special);
}

static inline void bli_lgamma_f32(float *r, const float *a, int64_t count)
{
    float number[BLI_LOOK];
    double value[BLI_LOOK];

    for (int64_t i = 0; i < count; i += BLI_LOOK, r += BLI_LOOK, a += BLI_LOOK) {
        const int64_t part = look_f32(i, count);
        const bool is_calm = all_positive_f32(a, part);

        if (!is_calm)
            each_f32(lgamma_number, number, a, part);
        lgamma_positives(value, is_calm ? a : number, part);
        if (is_calm) {
#pragma omp simd
            for (int64_t j = 0; j < part; j++)
                r[j] = (float)value[j];
        } else {
#pragma omp simd
            for (int64_t j = 0; j < part; j++)
                r[j] = lgamma_any(a[j], number[j], value[j]);
        }
    }
}

#endif
