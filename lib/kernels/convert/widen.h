/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads of elements into registers of BLI_REGISTER bytes: as f64, in which most dtypes
 * are reduced, or as f32, in which f16 and bf16 are compared; and masked loads of some
 * of a register's elements, where the machine has masks.
 */
#ifndef BLI_WIDEN_H
#define BLI_WIDEN_H

#include "kernels/convert/half.h"

/* A register as bits, as f64, and as f32. */
typedef int64_t bits __attribute__((vector_size(BLI_REGISTER)));
typedef double parts __attribute__((vector_size(BLI_REGISTER)));
typedef float singles __attribute__((vector_size(BLI_REGISTER)));

/* ---- load_<dtype>: as many elements as a register holds of f64 ---- */

/* For a vector of more than two, GCC 12 emits two conversions and joins them. */
#if BLI_REGISTER == 64
static inline parts load_f32(const float *x)
{
    return (parts)_mm512_cvtps_pd(_mm256_loadu_ps(x));
}
#elif BLI_REGISTER == 32
static inline parts load_f32(const float *x)
{
    return (parts)_mm256_cvtps_pd(_mm_loadu_ps(x));
}
#else
static inline parts load_f32(const float *x)
{
    typedef float floats __attribute__((vector_size(BLI_REGISTER / 2)));
    floats v;

    memcpy(&v, x, sizeof v);
    return __builtin_convertvector(v, parts);
}
#endif

static inline parts load_f64(const double *x)
{
    parts v;

    memcpy(&v, x, sizeof v);
    return v;
}

#define load_c64  load_f32
#define load_c128 load_f64

/* ---- f16 and bf16: load_ as f64, load_singles_ as f32 ---- */

#if BLI_REGISTER == 64 && defined(__F16C__)
#define BLI_WIDENS_HALVES 1

static inline parts load_f16(const uint16_t *x)
{
    return (parts)_mm512_cvtps_pd(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)x)));
}

static inline parts load_bf16(const uint16_t *x)
{
    const __m256i places =
        _mm256_setr_epi8(-1, -1, 0, 1, -1, -1, 2, 3, -1, -1, 4, 5, -1, -1, 6, 7, -1, -1,
                         8, 9, -1, -1, 10, 11, -1, -1, 12, 13, -1, -1, 14, 15);
    const __m256i twice =
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)x));

    return (parts)_mm512_cvtps_pd(
        _mm256_castsi256_ps(_mm256_shuffle_epi8(twice, places)));
}

static inline singles load_singles_f16(const uint16_t *x)
{
    return (singles)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)x));
}

static inline singles load_singles_bf16(const uint16_t *x)
{
    const __m512i all = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)x));

    return (singles)_mm512_slli_epi32(all, 16);
}

#elif BLI_REGISTER == 32 && defined(__F16C__)
#define BLI_WIDENS_HALVES 1

static inline parts load_f16(const uint16_t *x)
{
    return (parts)_mm256_cvtps_pd(_mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)x)));
}

static inline parts load_bf16(const uint16_t *x)
{
    /* One instruction where widening and shifting are two: 0.45 of the time. */
    const __m128i all =
        _mm_unpacklo_epi16(_mm_setzero_si128(), _mm_loadl_epi64((const __m128i *)x));

    return (parts)_mm256_cvtps_pd(_mm_castsi128_ps(all));
}

/*
 * The even and the odd ones of eight, and the eight in order: without an instruction
 * that exchanges places for each four.
 */
static inline parts load_even_bf16(const uint16_t *x)
{
    const __m128i all = _mm_loadu_si128((const __m128i *)x);

    return (parts)_mm256_cvtps_pd(_mm_castsi128_ps(_mm_slli_epi32(all, 16)));
}

static inline parts load_odd_bf16(const uint16_t *x)
{
    const __m128i all = _mm_loadu_si128((const __m128i *)x);
    const __m128i upper = _mm_set1_epi32(-1 * (1 << 16));

    return (parts)_mm256_cvtps_pd(_mm_castsi128_ps(_mm_and_si128(all, upper)));
}

static inline singles load_singles_f16(const uint16_t *x)
{
    return (singles)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)x));
}

static inline singles load_singles_bf16(const uint16_t *x)
{
    const __m256i all = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)x));

    return (singles)_mm256_slli_epi32(all, 16);
}

#else
#define BLI_WIDENS_HALVES 0
#endif

/* ---- masked: bit k of `some` selects element k; `size` is a constant ---- */

#if BLI_REGISTER == 64

/* Load the selected elements, the others are 0. Memory of the others is not read. */
BLI_INLINE bits load_some(const void *x, uint64_t some, size_t size)
{
    return (bits)(size == 1   ? _mm512_maskz_loadu_epi8(some, x)
                  : size == 2 ? _mm512_maskz_loadu_epi16((__mmask32)some, x)
                  : size == 4 ? _mm512_maskz_loadu_epi32((__mmask16)some, x)
                              : _mm512_maskz_loadu_epi64((__mmask8)some, x));
}

/* The selected elements of `b`, the others of `a`. */
BLI_INLINE bits choose_some(bits a, bits b, uint64_t some, size_t size)
{
    const __m512i x = (__m512i)a, y = (__m512i)b;

    return (bits)(size == 1   ? _mm512_mask_blend_epi8(some, x, y)
                  : size == 2 ? _mm512_mask_blend_epi16((__mmask32)some, x, y)
                  : size == 4 ? _mm512_mask_blend_epi32((__mmask16)some, x, y)
                              : _mm512_mask_blend_epi64((__mmask8)some, x, y));
}

#endif

#endif
