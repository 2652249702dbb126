/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions of many elements of f16 or bf16 to and from f32: BLI_HALVES at a time,
 * which are one register where the machine has instructions for that. It gives the bits
 * that the single-element functions in half.h give.
 *
 * bli_widen_halves_<dtype> and bli_narrow_halves_<dtype> convert BLI_HALVES elements at
 * any address; bli_nt_store_halves is their non-temporal store to an aligned address.
 */
#ifndef BLI_HALF_VECTOR_H
#define BLI_HALF_VECTOR_H

#include "kernels/convert/half.h"
#include "kernels/copy/non_temporal.h"

/*
 * Keep a result in a register before it is stored: the form of the conversion that
 * stores takes 1.4 times as long on Zen 5.
 */
#define BLI_IN_REGISTER(x) __asm__("" : "+x"(x))

#if defined(__F16C__) && defined(__AVX512BW__)

#define BLI_HALVES 16
typedef __m256i bli_halves;

BLI_INLINE void bli_widen_halves_f16(float *to, const char *from)
{
    _mm512_storeu_ps(to, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)from)));
}

BLI_INLINE bli_halves bli_narrow_halves_f16(const float *from)
{
    bli_halves all = _mm512_cvtps_ph(_mm512_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT);

    BLI_IN_REGISTER(all);
    return all;
}

BLI_INLINE void bli_widen_halves_bf16(float *to, const char *from)
{
    const __m256i halves = _mm256_loadu_si256((const __m256i *)from);

    _mm512_storeu_si512(to, _mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

/* bf16 in the upper half of each 32 bits, of the bits of f32. */
BLI_INLINE __m512i bli_round_bf16(__m512i bits)
{
    const __m512i last =
        _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i half = _mm512_add_epi32(last, _mm512_set1_epi32(0x7fff));
    const __m512i size = _mm512_and_si512(bits, _mm512_set1_epi32(0x7fffffff));
    const __mmask16 nan = _mm512_cmpgt_epi32_mask(size, _mm512_set1_epi32(0x7f800000));

    return _mm512_mask_or_epi32(_mm512_add_epi32(bits, half), nan, bits,
                                _mm512_set1_epi32(0x00400000));
}

BLI_INLINE bli_halves bli_narrow_halves_bf16(const float *from)
{
    return _mm512_cvtepi32_epi16(
        _mm512_srli_epi32(bli_round_bf16(_mm512_loadu_si512(from)), 16));
}

#define BLI_PAIRS 1

/*
 * Two registers at a time, of every second element: no element moves to another lane.
 */
BLI_INLINE void bli_widen_pair_bf16(float *to, const char *from)
{
    const __m512i halves = _mm512_loadu_si512(from);

    _mm512_storeu_si512(to, _mm512_slli_epi32(halves, 16));
    _mm512_storeu_si512(to + BLI_HALVES,
                        _mm512_and_si512(halves, _mm512_set1_epi32(-0x10000)));
}

BLI_INLINE void bli_narrow_pair_bf16(char *to, const float *from)
{
    const __m512i even = bli_round_bf16(_mm512_loadu_si512(from));
    const __m512i odd = bli_round_bf16(_mm512_loadu_si512(from + BLI_HALVES));

    _mm512_storeu_si512(
        to, _mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_srli_epi32(even, 16), odd));
}

BLI_INLINE void bli_nt_store_halves(char *to, bli_halves halves)
{
    _mm256_stream_si256((__m256i *)to, halves);
}

#elif defined(__F16C__) && defined(__AVX2__)

#define BLI_HALVES 8
typedef __m128i bli_halves;

BLI_INLINE void bli_widen_halves_f16(float *to, const char *from)
{
    _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)from)));
}

BLI_INLINE bli_halves bli_narrow_halves_f16(const float *from)
{
    bli_halves all = _mm256_cvtps_ph(_mm256_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT);

    BLI_IN_REGISTER(all);
    return all;
}

BLI_INLINE void bli_widen_halves_bf16(float *to, const char *from)
{
    const __m128i halves = _mm_loadu_si128((const __m128i *)from);

    _mm256_storeu_si256((__m256i *)to,
                        _mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}

/* bf16 in the upper half of each 32 bits, of the bits of f32. */
BLI_INLINE __m256i bli_round_bf16(__m256i bits)
{
    const __m256i last =
        _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i half = _mm256_add_epi32(last, _mm256_set1_epi32(0x7fff));
    const __m256i size = _mm256_and_si256(bits, _mm256_set1_epi32(0x7fffffff));
    const __m256i nan = _mm256_cmpgt_epi32(size, _mm256_set1_epi32(0x7f800000));
    const __m256i quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x00400000));

    return _mm256_blendv_epi8(_mm256_add_epi32(bits, half), quiet, nan);
}

BLI_INLINE bli_halves bli_narrow_halves_bf16(const float *from)
{
    const __m256i all = _mm256_srli_epi32(
        bli_round_bf16(_mm256_loadu_si256((const __m256i *)from)), 16);

    return _mm_packus_epi32(_mm256_castsi256_si128(all),
                            _mm256_extracti128_si256(all, 1));
}

#define BLI_PAIRS   1
#define BLI_IN_TWOS 1

/* Two registers at a time, stored as one: two stores cannot be loaded by one load. */
BLI_INLINE void bli_narrow_two_f16(char *to, const float *from)
{
    const __m256i all = _mm256_set_m128i(bli_narrow_halves_f16(from + BLI_HALVES),
                                         bli_narrow_halves_f16(from));

    _mm256_storeu_si256((__m256i *)to, all);
}

BLI_INLINE void bli_narrow_two_bf16(char *to, const float *from)
{
    const __m256i low = _mm256_srli_epi32(
        bli_round_bf16(_mm256_loadu_si256((const __m256i *)from)), 16);
    const __m256i high = _mm256_srli_epi32(
        bli_round_bf16(_mm256_loadu_si256((const __m256i *)(from + BLI_HALVES))), 16);

    /* Packed within lanes of 128 bits: a quarter of each, in turns. */
    _mm256_storeu_si256((__m256i *)to,
                        _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xd8));
}

/*
 * Two registers at a time, of every second element: no element moves to another lane.
 */
BLI_INLINE void bli_widen_pair_bf16(float *to, const char *from)
{
    const __m256i halves = _mm256_loadu_si256((const __m256i *)from);

    _mm256_storeu_si256((__m256i *)to, _mm256_slli_epi32(halves, 16));
    _mm256_storeu_si256((__m256i *)(to + BLI_HALVES),
                        _mm256_and_si256(halves, _mm256_set1_epi32(-0x10000)));
}

BLI_INLINE void bli_narrow_pair_bf16(char *to, const float *from)
{
    const __m256i even = bli_round_bf16(_mm256_loadu_si256((const __m256i *)from));
    const __m256i odd =
        bli_round_bf16(_mm256_loadu_si256((const __m256i *)(from + BLI_HALVES)));

    _mm256_storeu_si256((__m256i *)to,
                        _mm256_blend_epi16(_mm256_srli_epi32(even, 16), odd, 0xaa));
}

BLI_INLINE void bli_nt_store_halves(char *to, bli_halves halves)
{
    _mm_stream_si128((__m128i *)to, halves);
}

#else

/* Blocks in L1, converted by functions that are shared by all kernels. */
#define BLI_HALVES 32
typedef struct {
    uint16_t half[BLI_HALVES];
} bli_halves;

#define BLI_DEFINE_HALVES(name)                                                        \
    BLI_SHARED void bli_widen_halves_##name(float *to, const char *from)               \
    {                                                                                  \
        _Pragma("omp simd") for (int32_t k = 0; k < BLI_HALVES; k++) to[k] =           \
            bli_f32_of_##name(((const uint16_t *)(const void *)from)[k]);              \
    }                                                                                  \
    BLI_SHARED                                                                         \
    bli_halves bli_narrow_halves_##name(const float *from)                             \
    {                                                                                  \
        bli_halves halves;                                                             \
                                                                                       \
        _Pragma("omp simd") for (int32_t k = 0; k < BLI_HALVES; k++) halves.half[k] =  \
            bli_##name##_of_f32(from[k]);                                              \
        return halves;                                                                 \
    }

BLI_DEFINE_HALVES(f16)
BLI_DEFINE_HALVES(bf16)
#undef BLI_DEFINE_HALVES

BLI_INLINE void bli_nt_store_halves(char *to, bli_halves halves)
{
    bli_nt_store_lines(to, (const char *)halves.half, sizeof halves);
}

#endif

#if !defined(BLI_IN_TWOS)
#define BLI_IN_TWOS                   0
#define bli_narrow_two_f16(to, from)  ((void)(to), (void)(from))
#define bli_narrow_two_bf16(to, from) ((void)(to), (void)(from))
#endif
#if !defined(BLI_PAIRS)
#define BLI_PAIRS                      0
#define bli_widen_pair_bf16(to, from)  bli_widen_halves_bf16(to, from)
#define bli_narrow_pair_bf16(to, from) ((void)(to), (void)(from))
#endif

/* Convert `count` elements of f16 to f32; `from` need not be aligned. */
static inline void bli_widen_f16(float *to, const char *from, int64_t count)
{
    const int64_t whole = count - count % BLI_HALVES;

    for (int64_t j = 0; j < whole; j += BLI_HALVES)
        bli_widen_halves_f16(to + j, from + 2 * j);
#pragma omp simd
    for (int64_t k = whole; k < count; k++)
        to[k] = bli_f32_of_f16(((const uint16_t *)(const void *)from)[k]);
}

/*
 * Convert `count` elements of f32 to f16, rounded to nearest even; `to` need not be
 * aligned.
 */
static inline void bli_narrow_f16(char *to, const float *from, int64_t count)
{
    const int64_t whole = count - count % BLI_HALVES;

    for (int64_t j = 0; j < whole; j += BLI_HALVES) {
        const bli_halves halves = bli_narrow_halves_f16(from + j);

        memcpy(to + 2 * j, &halves, sizeof halves);
    }
#pragma omp simd
    for (int64_t k = whole; k < count; k++)
        ((uint16_t *)(void *)to)[k] = bli_f16_of_f32(from[k]);
}

#endif
