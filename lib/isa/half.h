/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The 16-bit floating-point types to and from binary32, rounded to nearest even, by the
 * machine's own instruction where it has one.
 *
 * Otherwise branch-free, so that loops over them become vector code on every
 * instruction set, and the same bits whatever the rounding mode and flush-to-zero
 * settings of the caller. NaN stays NaN: it becomes quiet and keeps its sign and the
 * top bits of its payload.
 */
#ifndef BLI_HALF_H
#define BLI_HALF_H

#include "isa/bits.h"

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

/* As many of `count` as are whole sixteens, where registers have room for those. */
#if defined(__AVX512F__)
static inline int64_t widen_sixteens(float *to, const char *from, int64_t count)
{
    for (int64_t j = 0; j + 16 <= count; j += 16) {
        const __m256i sixteen = _mm256_loadu_si256((const __m256i *)(from + 2 * j));

        _mm512_storeu_ps(to + j, _mm512_cvtph_ps(sixteen));
    }
    return count & ~INT64_C(15);
}

static inline int64_t narrow_sixteens(char *to, const float *from, int64_t count)
{
    for (int64_t j = 0; j + 16 <= count; j += 16, to += 32) {
        const __m512 sixteen = _mm512_loadu_ps(from + j);

        _mm256_storeu_si256((__m256i *)to,
                            _mm512_cvtps_ph(sixteen, _MM_FROUND_TO_NEAREST_INT));
    }
    return count & ~INT64_C(15);
}
#else
static inline int64_t widen_sixteens(float *to, const char *from, int64_t count)
{
    (void)to;
    (void)from;
    (void)count;
    return 0;
}

static inline int64_t narrow_sixteens(char *to, const float *from, int64_t count)
{
    (void)to;
    (void)from;
    (void)count;
    return 0;
}
#endif

/* `count` of them, between addresses. */
static inline void bli_widen_f16(float *to, const char *from, int64_t count)
{
    int64_t j = widen_sixteens(to, from, count);

    for (; j + 8 <= count; j += 8) {
        const __m128i eight = _mm_loadu_si128((const __m128i *)(from + 2 * j));

        _mm256_storeu_ps(to + j, _mm256_cvtph_ps(eight));
    }
    for (; j < count; j++)
        to[j] = bli_f32_of_f16(((const uint16_t *)from)[j]);
}

static inline void bli_narrow_f16(char *to, const float *from, int64_t count)
{
    int64_t j = narrow_sixteens(to, from, count);
    char *at = to + 2 * j;

    for (; j + 8 <= count; j += 8, at += 16) {
        const __m256 eight = _mm256_loadu_ps(from + j);

        _mm_storeu_si128((__m128i *)at,
                         _mm256_cvtps_ph(eight, _MM_FROUND_TO_NEAREST_INT));
    }
    for (int32_t k = 0; k < 8 && j < count; k++, j++, at += 2)
        *(uint16_t *)(void *)at = bli_f16_of_f32(from[j]);
}

#else

static inline float bli_f32_of_f16(uint16_t half)
{
    const uint32_t magnitude = half & 0x7fffu;
    const uint32_t sign = (half & 0x8000u) << 16;
    const uint32_t rebias = magnitude < 0x7c00 ? 0x38000000 : 0x70000000;
    const uint32_t quiet = magnitude > 0x7c00 ? 0x00400000 : 0;
    const uint32_t normal = ((magnitude << 13) + rebias) | quiet;
    /* Subnormals are whole multiples of 2^-24: exact, and normal in binary32. */
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

    /* Subnormal: whole multiples of 2^-24; both the scaling and the rest are exact. */
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

static inline void bli_widen_f16(float *to, const char *from, int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        to[j] = bli_f32_of_f16(((const uint16_t *)from)[j]);
}

static inline void bli_narrow_f16(char *to, const float *from, int64_t count)
{
#pragma omp simd
    for (int64_t j = 0; j < count; j++)
        ((uint16_t *)to)[j] = bli_f16_of_f32(from[j]);
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
