/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions of the 16-bit floating-point types to and from binary32, rounded to
 * nearest even, by the machine's own instruction where it has one.
 *
 * Otherwise they are branch-free, so that loops over them are vectorized on every
 * instruction set, and give the same bits whatever the caller's rounding mode and
 * flush-to-zero settings. NaN stays NaN: it becomes quiet and keeps its sign and the
 * top bits of its payload.
 */
#ifndef BLI_HALF_H
#define BLI_HALF_H

#include "kernels/bits.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

/* ---- binary16 ---- */

#if defined(__F16C__)

static inline float bli_f32_of_f16(uint16_t half)
{
    return _cvtsh_ss(half);
}

static inline uint16_t bli_f16_of_f32(float x)
{
    return _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT);
}

#else

static inline float bli_f32_of_f16(uint16_t half)
{
    const uint32_t magnitude = half & 0x7fffu;
    const uint32_t sign = (half & 0x8000u) << 16;
    const uint32_t rebias = magnitude < 0x7c00 ? 0x38000000 : 0x70000000;
    const uint32_t quiet = magnitude > 0x7c00 ? 0x00400000 : 0;
    const uint32_t normal = ((magnitude << 13) + rebias) | quiet;
    /* Subnormals are integer multiples of 2^-24: exact, and normal in binary32. */
    const uint32_t small = bli_bits_of_f32((float)(int32_t)magnitude * 0x1p-24f);

    return bli_f32_of_bits(bli_choose_u32(magnitude < 0x0400, small, normal) | sign);
}

static inline uint16_t bli_f16_of_f32(float x)
{
    const uint32_t bits = bli_bits_of_f32(x);
    const uint32_t magnitude = bits & 0x7fffffff;
    const uint32_t sign = bits >> 16 & 0x8000;
    const bool is_small = magnitude < 0x38800000;

    /* Normal: a carry out of the fraction is the exponent's next value. */
    const uint32_t up = magnitude + 0x0fff + (magnitude >> 13 & 1);
    const uint32_t normal = up < 0x47800000 ? (up - 0x38000000) >> 13 : 0x7c00;

    /*
     * Subnormal: integer multiples of 2^-24; both the scaling and the rest are exact.
     */
    const float scaled =
        bli_f32_of_bits(bli_choose_u32(is_small, magnitude, 0)) * 0x1p24f;
    const int32_t whole = (int32_t)scaled;
    const float rest = scaled - (float)whole;
    const uint32_t above = rest > 0.5f;
    const uint32_t tie = rest == 0.5f;
    const uint32_t small = (uint32_t)whole + (above | (tie & (uint32_t)whole));

    const uint32_t nan = 0x7e00 | (magnitude >> 13 & 0x01ff);
    const uint32_t number = bli_choose_u32(is_small, small, normal);
    const uint32_t all = bli_choose_u32(magnitude > 0x7f800000, nan, number);

    return (uint16_t)(all | sign);
}

#endif

/* ---- bfloat16 ---- */

static inline float bli_f32_of_bf16(uint16_t half)
{
    return bli_f32_of_bits((uint32_t)half << 16);
}

static inline uint16_t bli_bf16_of_f32(float x)
{
    const uint32_t bits = bli_bits_of_f32(x);
    const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    const uint32_t nan = bits >> 16 | 0x0040;

    return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? nan : rounded);
}

#endif
