/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inverse trigonometric functions of f32: asin, acos, atan, atan2, angle.
 */
#ifndef BLI_F32_INVERSE_TRIG_H
#define BLI_F32_INVERSE_TRIG_H

#include "kernels/math/f32/loops.h"

/* pi / 2 */
#define BLI_QUARTER 0x1.921fb54442d18p+0

/* ---- in binary64 ---- */

/* asin(s) for 0 <= s <= 1/2, square = s * s: minimax, relative error below 2^-35.9. */
BLI_INLINE double asin_small(double s, double square)
{
    const double z = square + BLI_TINY;
    const double zz = z * z;
    const double p0 = 0x1.ffffffffdecf7p-1 + 0x1.55555658bc75cp-3 * z;
    const double p1 = 0x1.33328d4f5a121p-4 + 0x1.6ddf138ecfd91p-5 * z;
    const double p2 = 0x1.ed07e22ce3285p-6 + 0x1.94dfb58e7d68dp-6 * z;
    const double p3 = 0x1.d96b6bf4f12dep-8 + 0x1.1e52d2a60dfc8p-5 * z;

    return s * ((p0 + zz * p1) + (zz * zz) * (p2 + zz * p3));
}

/*
 * atan(s) for 0 <= s <= 1: s times the minimax quotient of polynomials in s * s, with a
 * relative error below 2^-30.
 */
BLI_INLINE double atan_small(double s)
{
    const double z = s * s + BLI_TINY;
    const double zz = z * z;
    const double p0 = 0x1.fffffff8731c5p-1 + 0x1.2109cdfa5f1f6p+0 * z;
    const double p1 = 0x1.25054abf33bd4p-2 + 0x1.2381730cc2d14p-7 * z;
    const double q0 = 1 + 0x1.765f21460a162p+0 * z;
    const double q1 = 0x1.25b15a8c3255fp-1 + 0x1.9d5afc70ef659p-5 * z;

    return s * (p0 + zz * p1) / (q0 + zz * q1);
}

/* ---- arc sine and cosine ---- */

/*
 * Whether |x| >= 1/2, or NaN: there asin and acos are computed from sqrt((1 - |x|) /
 * 2).
 */
BLI_INLINE bool is_steep_arc(float x)
{
    return magnitude_f32(x) >= 0x3f000000;
}

/*
 * First stage of asin and acos. From |x| = 1/2 on, asin|x| = pi / 2 - 2 asin(sqrt((1 -
 * |x|) / 2)); below, the root is that of an exact square. Outside [-1, 1] the root is
 * of a negative number: NaN, "invalid".
 */
BLI_INLINE struct stage32 arc_first(float x)
{
    const float size = absolute_f32(x);
    const double u = bli_choose_f32(is_steep_arc(x), (1 - size) / 2, size);
    const double v = bli_choose_f32(is_steep_arc(x), 1, size);
    const double square = u * v;

    return (struct stage32){sqrt(square), square};
}

/* Last stage of asin. */
BLI_INLINE float asin_last(struct stage32 stage, float x)
{
    const bool is_steep = is_steep_arc(x);
    const double base = bli_choose_f32(is_steep, 1, 0);
    const double factor = bli_choose_f32(is_steep, -2, 1);
    const double part = asin_small(stage.u, stage.v);

    return with_sign_f32((float)(base * BLI_QUARTER + factor * part), x);
}

/* Last stage of acos. */
BLI_INLINE float acos_last(struct stage32 stage, float x)
{
    const bool is_steep = is_steep_arc(x);
    const bool is_negative = is_negative_f32(x);
    const float ends = bli_choose_f32(is_negative, 2, 0);
    const float size = bli_choose_f32(is_steep, 2, -1);
    const double base = bli_choose_f32(is_steep, ends, 1);
    const double factor = bli_choose_f32(is_negative, bli_negative_f32(size), size);
    const double part = asin_small(stage.u, stage.v);

    return (float)(base * BLI_QUARTER + factor * part);
}

/* ---- arc tangent ---- */

/* First stage of atan: |x|, or its inverse where that is smaller. */
BLI_INLINE struct stage32 atan_first(float x)
{
    const float size = absolute_f32(x);
    const bool is_steep = magnitude_f32(x) > 0x3f800000;
    const double above = bli_choose_f32(is_steep, 1, size);
    const double below = bli_choose_f32(is_steep, size, 1);

    return (struct stage32){above / below, 0};
}

/* Last stage of atan. */
BLI_INLINE float atan_last(struct stage32 stage, float x)
{
    const bool is_steep = magnitude_f32(x) > 0x3f800000;
    const double base = bli_choose_f32(is_steep, 1, 0);
    const double factor = bli_choose_f32(is_steep, -1, 1);
    const double part = atan_small(stage.u);

    return with_sign_f32((float)(base * BLI_QUARTER + factor * part), x);
}

/*
 * First stage of atan2: the smaller of |x| and |y| divided by the larger is the tangent
 * of the angle to the nearest axis. It is 1 for two infinities, 0 for two zeros; a NaN
 * counts as larger than anything.
 */
BLI_INLINE struct stage32 atan2_first(float y, float x)
{
    const int32_t x_size = magnitude_f32(x);
    const int32_t y_size = magnitude_f32(y);
    const bool is_steep = y_size > x_size;
    const bool is_infinite = (x_size == 0x7f800000) & (y_size == 0x7f800000);
    const float smaller = absolute_f32(bli_choose_f32(is_steep, x, y));
    const float larger = absolute_f32(bli_choose_f32(is_steep, y, x));
    const bool is_origin = magnitude_f32(larger) == 0;
    const double above = bli_choose_f32(is_infinite, 1, smaller);
    const double below = bli_choose_f32(is_infinite | is_origin, 1, larger);

    return (struct stage32){above / below, 0};
}

/* Last stage of atan2: the angle to the positive x axis, with the sign of y. */
BLI_INLINE float atan2_last(struct stage32 stage, float y, float x)
{
    const bool is_steep = magnitude_f32(y) > magnitude_f32(x);
    const bool is_back = is_negative_f32(x);
    const float along = bli_choose_f32(is_back, 2, 0);
    const double base = bli_choose_f32(is_steep, 1, along);
    const double factor = bli_choose_f32(is_steep ^ is_back, -1, 1);
    const double part = atan_small(stage.u);

    return with_sign_f32((float)(base * BLI_QUARTER + factor * part), y);
}

/* The angle of a real number, as in PyTorch: 0 or pi, NaN for NaN, and 0 for -0. */
BLI_INLINE float angle_f32(float x)
{
    const bool is_back = bli_bits_of_f32(x) > UINT32_C(1) << 31;
    const float angle = bli_choose_f32(is_back, 0x1.921fb6p+1f, 0);

    return bli_choose_f32(is_nan_f32(x), x, angle);
}

/* ---- blocks ---- */

static inline void bli_asin_f32(float *r, const float *a, int64_t count)
{
    all_staged_f32(arc_first, asin_last, r, a, count);
}

static inline void bli_acos_f32(float *r, const float *a, int64_t count)
{
    all_staged_f32(arc_first, acos_last, r, a, count);
}

static inline void bli_atan_f32(float *r, const float *a, int64_t count)
{
    all_staged_f32(atan_first, atan_last, r, a, count);
}

static inline void bli_atan2_f32(float *r, const float *a, const float *b,
                                 int64_t count)
{
    for (int64_t j = 0; j < count; j += BLI_LOOK)
        each_two_staged_f32(atan2_first, atan2_last, r + j, a + j, b + j,
                            look_f32(j, count));
}

static inline void bli_angle_f32(float *r, const float *a, int64_t count)
{
    each_f32(angle_f32, r, a, count);
}

#endif
