/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trigonometric functions of f32: sin, cos, tan.
 *
 * Arguments below 2^20 are reduced in vector code; larger ones in a block are computed
 * one at a time afterwards (range_reduction.h).
 */
#ifndef BLI_F32_TRIG_H
#define BLI_F32_TRIG_H

#include "kernels/math/f32/range_reduction.h"

/* ---- arguments below 2^20 ---- */

/*
 * x - n * (high + low), where n has at most 20 bits and high at most 33, so that the
 * first product and difference are exact.
 */
BLI_INLINE double less_multiple(double x, double n, double high, double low)
{
    return (x - n * high) - n * low;
}

/* The integer nearest to x, |x| < 2^51; its parity is the last bit of *bits. */
BLI_INLINE double nearest_integer(double x, uint64_t *bits)
{
    const double shifted = x + 0x1.8p52;

    *bits = bli_bits_of_f64(shifted);
    return shifted - 0x1.8p52;
}

/*
 * The angle minus the nearest multiple of pi, negated where that is odd, as sin is
 * then.
 */
BLI_INLINE struct stage32 sin_first(float x)
{
    uint64_t n;
    const double turns = nearest_integer(x * 0x1.45f306dc9c883p-2, &n);
    const double r = less_multiple(x, turns, 0x1.921fb544p+1, 0x1.0b4611a626331p-33);

    return (struct stage32){bli_f64_of_bits(bli_bits_of_f64(r) ^ n << 63), 0};
}

/* Last stage of sin and cos: the sine of the reduced angle. */
BLI_INLINE float sin_last(struct stage32 stage, float x)
{
    (void)x;
    return (float)sin_half_turn(stage.u);
}

/* cos(x) = sin(x + pi / 2): the angle minus the nearest odd multiple of pi / 2. */
BLI_INLINE struct stage32 cos_first(float x)
{
    uint64_t n;
    const double turns = nearest_integer(x * 0x1.45f306dc9c883p-2 - 0.5, &n);
    const double r =
        less_multiple(x, 2 * turns + 1, 0x1.921fb544p+0, 0x1.0b4611a626331p-34);

    return (struct stage32){bli_f64_of_bits(bli_bits_of_f64(r) ^ (n + 1) << 63), 0};
}

/* The angle minus the nearest multiple of pi / 2, whose parity is the last bit of v. */
BLI_INLINE struct stage32 tan_first(float x)
{
    uint64_t n;
    const double turns = nearest_integer(x * 0x1.45f306dc9c883p-1, &n);
    const double r = less_multiple(x, turns, 0x1.921fb544p+0, 0x1.0b4611a626331p-34);

    return (struct stage32){r, bli_f64_of_bits(n)};
}

/* tan from the reduced angle r: for odd multiples of pi / 2, -1 / tan(r). */
BLI_INLINE float tan_last(struct stage32 stage, float x)
{
    const double s = sin_quarter_turn(stage.u);
    const double c = cos_quarter_turn(stage.u);
    const uint64_t is_odd = 0 - (bli_bits_of_f64(stage.v) & 1);
    const double above = masked_f64(is_odd, bli_negative_f64(c), s);

    (void)x;
    return (float)(above / masked_f64(is_odd, s, c));
}

/* ---- blocks ---- */

static inline void bli_sin_f32(float *r, const float *a, int64_t count)
{
    each_angle_f32(sin_first, sin_last, sin_far, r, a, count);
}

static inline void bli_cos_f32(float *r, const float *a, int64_t count)
{
    each_angle_f32(cos_first, sin_last, cos_far, r, a, count);
}

static inline void bli_tan_f32(float *r, const float *a, int64_t count)
{
    each_angle_f32(tan_first, tan_last, tan_far, r, a, count);
}

#endif
