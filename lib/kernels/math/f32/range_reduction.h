/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sines within half a turn, and of angles so large that their reduction takes more bits
 * of pi than two numbers have.
 */
#ifndef BLI_F32_RANGE_REDUCTION_H
#define BLI_F32_RANGE_REDUCTION_H

#include "kernels/math/f32/loops.h"

/* The bits of 2^20: angles from there on are "far". */
enum { BLI_FAR = 0x49800000 };

/* ---- within half a turn ---- */

/* sin(r) for |r| <= pi / 2: minimax, relative error below 2^-35.4. */
BLI_INLINE double sin_half_turn(double r)
{
    const double z = r * r;
    const double zz = z * z;
    const double p0 = 0x1.ffffffffd17fap-1 - 0x1.5555554176662p-3 * z;
    const double p1 = 0x1.11110b74d05e3p-7 - 0x1.a017a9064b9cfp-13 * z;
    const double p2 = 0x1.716ba5c6bea20p-19 - 0x1.9a0e266a38a21p-26 * z;

    return r * (p0 + zz * (p1 + zz * p2));
}

/* sin(r) for |r| <= pi / 4: minimax, relative error below 2^-37.6. */
BLI_INLINE double sin_quarter_turn(double r)
{
    const double z = r * r;
    const double zz = z * z;
    const double p0 = 0x1.fffffffff5feep-1 - 0x1.55555548e35d5p-3 * z;
    const double p1 = 0x1.111107187493cp-7 - 0x1.a00ec71c77701p-13 * z;

    return r * (p0 + zz * (p1 + zz * 0x1.6cb0a8e4e7144p-19));
}

/* cos(r) for |r| <= pi / 4: minimax, relative error below 2^-34. */
BLI_INLINE double cos_quarter_turn(double r)
{
    const double z = r * r;
    const double zz = z * z;
    const double p0 = 0x1.ffffffff84b9ap-1 - 0x1.ffffffb6648f0p-2 * z;
    const double p1 = 0x1.555538a574438p-5 - 0x1.6c06eb65768b2p-10 * z;

    return p0 + zz * (p1 + zz * 0x1.98e7db45d42bfp-16);
}

/* ---- far angles ---- */

/*
 * |x| / (pi / 2) modulo 4, in units of 2^-62, for finite |x| >= 2^20.
 *
 * |x| is m * 2^e. Bits of 2 / pi with a weight of 2^(2 - e) or more give multiples of
 * 4; of the 96 bits that follow, everything that the product with m moves above 2^-62
 * is in the result. No f32 is nearer than 2^-30 to a multiple of pi / 2, so that the
 * relative error is 2^-32.
 */
static inline uint64_t quarter_turns(float x)
{
    static const uint32_t two_over_pi[] = {
        0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
        0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    };
    const uint32_t bits = bli_bits_of_f32(x);
    const uint64_t m = (bits & 0x007fffff) | 0x00800000;
    const uint32_t from = (bits >> 23 & 0xff) - 150 + 30; /* e + 30 */
    const uint32_t *const word = two_over_pi + from / 32;
    const uint32_t skip = from % 32;
    uint64_t window[3];

    for (int32_t k = 0; k < 3; k++) {
        const uint64_t two = (uint64_t)word[k] << 32 | word[k + 1];

        window[k] = two >> (32 - skip) & UINT32_MAX;
    }
    return (m * window[0] << 32) + m * window[1] + (m * window[2] >> 32);
}

/* sin(quarters * pi / 2), for `quarters` modulo 4 in units of 2^-62. */
static inline double sin_of_quarters(uint64_t quarters)
{
    const uint64_t half = (quarters + (UINT64_C(1) << 62)) >> 63;
    const int64_t rest = (int64_t)(quarters - (half << 63));
    const double r = (double)rest * (0x1.921fb54442d18p+0 * 0x1p-62);

    return half ? -sin_half_turn(r) : sin_half_turn(r);
}

/* sin_far, cos_far, tan_far: for a finite |x| >= 2^20. */
static inline float sin_far(float x)
{
    const double value = sin_of_quarters(quarter_turns(x));

    return (float)(is_negative_f32(x) ? -value : value);
}

static inline float cos_far(float x)
{
    return (float)sin_of_quarters(quarter_turns(x) + (UINT64_C(1) << 62));
}

static inline float tan_far(float x)
{
    const uint64_t quarters = quarter_turns(x);
    const double s = sin_of_quarters(quarters);
    const double c = sin_of_quarters(quarters + (UINT64_C(1) << 62));

    return (float)(is_negative_f32(x) ? -s / c : s / c);
}

/* ---- blocks ---- */

/* r = far(held) where the angle is far; NaN where it is an infinity or NaN. */
static inline void each_far_f32(bli_one_f32 *far, float *r, const float *held,
                                int64_t count)
{
    for (int64_t j = 0; j < count; j++)
        if (is_special_f32(held[j]))
            r[j] = held[j] - held[j];
        else if (magnitude_f32(held[j]) >= BLI_FAR)
            r[j] = far(held[j]);
}

/*
 * Apply `first` and `last` to all angles, with far ones replaced by 0; then `far` to
 * those. The block is copied first, as r may be a. An infinity has no angle, and raises
 * "invalid" as it should.
 */
BLI_INLINE void each_angle_f32(bli_first_f32 *first, bli_last_f32 *last,
                               bli_one_f32 *far, float *r, const float *a,
                               int64_t count)
{
    float held[BLI_LOOK];
    float near[BLI_LOOK];

    for (int64_t start = 0; start < count; start += BLI_LOOK) {
        const int64_t part = look_f32(start, count);
        const bool some_far = most_magnitude_f32(a + start, part) >= BLI_FAR;

        for (int64_t j = 0; j < part && some_far; j++) {
            held[j] = a[start + j];
            near[j] = magnitude_f32(held[j]) >= BLI_FAR ? 0 : held[j];
        }
        each_staged_f32(first, last, r + start, some_far ? near : a + start, part);
        if (some_far)
            each_far_f32(far, r + start, held, part);
    }
}

#endif
