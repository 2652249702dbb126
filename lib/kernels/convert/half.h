/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions of narrow floating-point types to and from binary32, rounded to nearest
 * even, by the machine's own instruction where it has one.
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

/* ---- a format of IEEE 754's kind: sign, exponent, fraction ---- */

/*
 * The bits `x` of a format whose significand has `digits` bits, of which the first is
 * not stored, and whose smallest normal number is 2^lowest, as binary32. It is narrower
 * than binary32, and its subnormal numbers are normal there.
 */
BLI_INLINE float bli_f32_of_narrow(uint32_t x, int digits, int lowest)
{
    const int shift = 24 - digits;
    const uint32_t infinity = (uint32_t)(3 - 2 * lowest) << (digits - 1);
    const uint32_t sign_bit = infinity + (UINT32_C(1) << (digits - 1));
    const uint32_t magnitude = x & (sign_bit - 1);
    const uint32_t sign = (x & sign_bit) << (31 - __builtin_ctz(sign_bit));
    const uint32_t rebias = magnitude < infinity ? (uint32_t)(126 + lowest) << 23
                                                 : 0x7f800000 - (infinity << shift);
    const uint32_t quiet = magnitude > infinity ? 0x00400000 : 0;
    const uint32_t normal = ((magnitude << shift) + rebias) | quiet;
    /* Subnormals are integer multiples of the smallest: exact. */
    const float unit = bli_f32_of_bits((uint32_t)(128 + lowest - digits) << 23);
    const uint32_t small = bli_bits_of_f32((float)(int32_t)magnitude * unit);
    const bool is_small = magnitude < UINT32_C(1) << (digits - 1);

    return bli_f32_of_bits(bli_choose_u32(is_small, small, normal) | sign);
}

/* The bits in such a format of `x`, rounded to nearest even. */
BLI_INLINE uint32_t bli_narrow_of_f32(float x, int digits, int lowest)
{
    const int shift = 24 - digits;
    const uint32_t infinity = (uint32_t)(3 - 2 * lowest) << (digits - 1);
    const uint32_t sign_bit = infinity + (UINT32_C(1) << (digits - 1));
    const uint32_t rebias = (uint32_t)(126 + lowest) << 23;
    const uint32_t bits = bli_bits_of_f32(x);
    const uint32_t magnitude = bits & 0x7fffffff;
    const uint32_t sign = bits >> (31 - __builtin_ctz(sign_bit)) & sign_bit;
    const bool is_small = magnitude < (uint32_t)(127 + lowest) << 23;

    /* Normal: a carry out of the fraction is the exponent's next value. */
    const uint32_t below_half = UINT32_MAX >> (33 - shift);
    const uint32_t up = magnitude + below_half + (magnitude >> shift & 1);
    const uint32_t normal =
        up < (uint32_t)(129 - lowest) << 23 ? (up - rebias) >> shift : infinity;

    /*
     * Subnormal: integer multiples of the smallest; both the scaling and the rest are
     * exact.
     */
    const float per_unit = bli_f32_of_bits((uint32_t)(126 - lowest + digits) << 23);
    const float scaled =
        bli_f32_of_bits(bli_choose_u32(is_small, magnitude, 0)) * per_unit;
    const int32_t whole = (int32_t)scaled;
    const float rest = scaled - (float)whole;
    const uint32_t above = rest > 0.5f;
    const uint32_t tie = rest == 0.5f;
    const uint32_t small = (uint32_t)whole + (above | (tie & (uint32_t)whole));

    const uint32_t quiet = UINT32_C(1) << (digits - 2);
    const uint32_t nan = infinity | quiet | (magnitude >> shift & (quiet - 1));
    const uint32_t number = bli_choose_u32(is_small, small, normal);
    const uint32_t all = bli_choose_u32(magnitude > 0x7f800000, nan, number);

    return all | sign;
}

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
    return bli_f32_of_narrow(half, 11, -14);
}

static inline uint16_t bli_f16_of_f32(float x)
{
    return (uint16_t)bli_narrow_of_f32(x, 11, -14);
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
