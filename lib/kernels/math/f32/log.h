/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Logarithms of f32: log, log2, log10.
 */
#ifndef BLI_F32_LOG_H
#define BLI_F32_LOG_H

#include "kernels/math/f32/log1p.h"

/* ---- in binary32 ---- */

/*
 * x = 2^(n + shift) * (1 + f) with 0.695 <= 1 + f < 1.39, for positive normal x; and
 * log(1 + f) = f + rest. With sqrt(2) as the limit, rest would be larger, and log2
 * wrong by 1.01 ULP. The polynomial is the minimax one of (log(1 + f) - f) / f^2; the
 * error it leaves in log(1 + f) is below 2^-27.7 of that.
 */
BLI_INLINE struct parts32 log_parts(float x, float shift)
{
    const uint32_t least = 0x3f31eb85; /* 0.695f */
    const uint32_t moved = bli_bits_of_f32(x) - least;
    const float n = (float)((int32_t)moved >> 23) - shift;
    const float f = bli_f32_of_bits((moved & 0x007fffff) + least) - 1;
    const float ff = f * f;
    const float p0 = 0x1.555528p-2f - 0x1.00034cp-2f * f;
    const float p1 = 0x1.99ba08p-3f - 0x1.546984p-3f * f;
    const float p2 = 0x1.20b1a4p-3f - 0x1.0ad93ap-3f * f;
    const float p3 = 0x1.12fb3cp-3f - 0x1.6c355cp-4f * f;
    const float p = (p0 + ff * p1) + (ff * ff) * (p2 + ff * p3);

    return (struct parts32){n, f, ff * (f * p - 0x1.fffffap-2f)};
}

/*
 * n * log(2) + f + rest, within 0.87 ULP: the leading part of log(2) has 15 bits, so
 * that its product with n is exact, and the rounding error of the sum with f is added
 * to the rest.
 */
BLI_INLINE float log_of_parts(struct parts32 parts)
{
    const float high = parts.n * 0x1.62e4p-1f;
    const float sum = high + parts.f;
    const float lost = (high - sum) + parts.f;

    return sum + (parts.rest + (lost + parts.n * 0x1.7f7d1cp-20f));
}

/*
 * (f + rest) / log(2) + n: the leading 12 bits of both factors have an exact product,
 * and rounding errors are added at the end.
 */
BLI_INLINE float log2_of_parts(struct parts32 parts)
{
    const float high = parts.f + parts.rest;
    const float low = (parts.f - high) + parts.rest;
    const float top = bli_f32_of_bits(bli_bits_of_f32(high) & 0xfffff000);
    const float exact = top * 0x1.716p+0f;
    const float sum = parts.n + exact;
    const float lost = (parts.n - sum) + exact;
    const float more = ((high - top) + low) * 0x1.716p+0f - high * 0x1.7135a8p-13f;

    return sum + (lost + more);
}

/* log(x) for positive normal x. */
BLI_INLINE float log_calm(struct parts32 parts, float x)
{
    (void)x;
    return log_of_parts(parts);
}

/* ---- functions ---- */

/*
 * `value`, a logarithm of x, or the special value where x is no positive finite number.
 */
BLI_INLINE float log_or_special(float value, float x)
{
    const float negative = bli_choose_f32(magnitude_f32(x) == 0, -INFINITY, NAN);
    const float special = bli_choose_f32((int32_t)bli_bits_of_f32(x) > 0, x, negative);
    const bool is_ordinary = bli_bits_of_f32(x) - 1 < 0x7f7fffff;

    return bli_choose_f32(is_ordinary, value, special);
}

/* log_parts() of any x; subnormal x are scaled to normal ones. */
BLI_INLINE struct parts32 log_parts_any(float x)
{
    const bool is_small = magnitude_f32(x) < 0x00800000;
    const float factor = bli_choose_f32(is_small, 0x1p23f, 1);

    return log_parts(x * factor, bli_choose_f32(is_small, 23, 0));
}

/* log(x) for any x. */
BLI_INLINE float log_any(struct parts32 parts, float x)
{
    return log_or_special(log_of_parts(parts), x);
}

/* log2(x) for positive normal x: two loops take 0.86 of the time of one. */
BLI_INLINE struct parts32 log_split_calm(float x)
{
    return log_parts(x, 0);
}

BLI_INLINE float log2_calm(struct parts32 parts, float x)
{
    (void)x;
    return log2_of_parts(parts);
}

/* log2(x) for any x. */
BLI_INLINE float log2_any(struct parts32 parts, float x)
{
    return log_or_special(log2_of_parts(parts), x);
}

/* ---- log10, in binary64, so that powers of ten have exact logarithms ---- */

BLI_INLINE struct stage32 log10_first(float x)
{
    return log_split(x);
}

BLI_INLINE float log10_last(struct stage32 stage, float x)
{
    (void)x;
    return (float)(log_joined(stage) * 0x1.bcb7b1526e50ep-2);
}

/* ---- blocks ---- */

static inline void bli_log_f32(float *r, const float *a, int64_t count)
{
    each_calm_parts_f32(all_positive_f32, log_split_calm, log_calm, log_parts_any,
                        log_any, r, a, count);
}

static inline void bli_log2_f32(float *r, const float *a, int64_t count)
{
    each_calm_parts_f32(all_positive_f32, log_split_calm, log2_calm, log_parts_any,
                        log2_any, r, a, count);
}

static inline void bli_log10_f32(float *r, const float *a, int64_t count)
{
    each_calm_staged_f32(all_positive_f32, log10_first, log10_last, same_f32,
                         log_or_special, r, a, count);
}

#endif
