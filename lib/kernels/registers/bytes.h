/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lanes of a register from and to bytes: the loops that compilers make of this need so
 * many registers that machines would keep their banks in memory.
 *
 * bli_load_bytes_<bits> loads a byte for each lane, bli_store_bytes_<bits> stores the
 * last byte of each lane; lanes are from 0 to 255.
 */
#ifndef BLI_REGISTER_BYTES_H
#define BLI_REGISTER_BYTES_H

#include "kernels/simd_lanes.h"

#if BLI_WIDE == 64
BLI_INLINE bli_wide bli_load_bytes_32(const char *at)
{
    return (bli_wide)_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)at));
}

BLI_INLINE bli_wide bli_load_bytes_64(const char *at)
{
    return (bli_wide)_mm512_cvtepu8_epi64(_mm_loadl_epi64((const void *)at));
}

BLI_INLINE void bli_store_bytes_32(char *at, bli_wide x)
{
    _mm_storeu_si128((__m128i *)(void *)at, _mm512_cvtepi32_epi8((__m512i)x));
}

BLI_INLINE void bli_store_bytes_64(char *at, bli_wide x)
{
    _mm_storel_epi64((__m128i *)(void *)at, _mm512_cvtepi64_epi8((__m512i)x));
}
#elif defined(__SSE2__)
/* The lower and the upper half of a register; the latter has no lanes if that is all.
 */
#if BLI_WIDE == 32
#define BLI_LOWER(x) _mm256_castsi256_si128((__m256i)(x))
#define BLI_UPPER(x) _mm256_extracti128_si256((__m256i)(x), 1)

BLI_INLINE bli_wide bli_load_bytes_32(const char *at)
{
    return (bli_wide)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)at));
}

BLI_INLINE bli_wide bli_load_bytes_64(const char *at)
{
    return (bli_wide)_mm256_cvtepu8_epi64(_mm_loadu_si32(at));
}
#else
#define BLI_LOWER(x) (__m128i)(x)
#define BLI_UPPER(x) _mm_setzero_si128()

BLI_INLINE bli_wide bli_load_bytes_32(const char *at)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i words = _mm_unpacklo_epi8(_mm_loadu_si32(at), zero);

    return (bli_wide)_mm_unpacklo_epi16(words, zero);
}

BLI_INLINE bli_wide bli_load_bytes_64(const char *at)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i words = _mm_unpacklo_epi8(_mm_loadu_si16(at), zero);

    return (bli_wide)_mm_unpacklo_epi32(_mm_unpacklo_epi16(words, zero), zero);
}
#endif

BLI_INLINE void bli_store_bytes_32(char *at, bli_wide x)
{
    const __m128i words = _mm_packs_epi32(BLI_LOWER(x), BLI_UPPER(x));
    const __m128i bytes = _mm_packus_epi16(words, words);

    memcpy(at, &bytes, BLI_WIDE / 4);
}

BLI_INLINE void bli_store_bytes_64(char *at, bli_wide x)
{
    const __m128i longs =
        (__m128i)_mm_shuffle_ps((__m128)BLI_LOWER(x), (__m128)BLI_UPPER(x), 0x88);
    const __m128i words = _mm_packs_epi32(longs, longs);
    const __m128i bytes = _mm_packus_epi16(words, words);

    memcpy(at, &bytes, BLI_WIDE / 8);
}

/* Store 32-bit lanes as 16 bits. */
BLI_INLINE void bli_store_words(char *at, bli_wide x)
{
    const __m128i words = _mm_packs_epi32(BLI_LOWER(x), BLI_UPPER(x));

    memcpy(at, &words, BLI_WIDE / 2);
}
#else
BLI_INLINE void bli_store_words(char *at, bli_wide x)
{
    int32_t lane[BLI_WIDE / 4];

    memcpy(lane, &x, sizeof x);
    for (int32_t k = 0; k < BLI_WIDE / 4; k++)
        ((int16_t *)(void *)at)[k] = (int16_t)lane[k];
}

#define BLI_BYTES(bits)                                                                \
    BLI_INLINE bli_wide bli_load_bytes_##bits(const char *at)                          \
    {                                                                                  \
        uint##bits##_t lane[BLI_WIDE / (bits / 8)];                                    \
        bli_wide x;                                                                    \
                                                                                       \
        for (int32_t k = 0; k < BLI_WIDE / (bits / 8); k++)                            \
            lane[k] = (uint8_t)at[k];                                                  \
        memcpy(&x, lane, sizeof x);                                                    \
        return x;                                                                      \
    }                                                                                  \
    BLI_INLINE void bli_store_bytes_##bits(char *at, bli_wide x)                       \
    {                                                                                  \
        uint##bits##_t lane[BLI_WIDE / (bits / 8)];                                    \
                                                                                       \
        memcpy(lane, &x, sizeof x);                                                    \
        for (int32_t k = 0; k < BLI_WIDE / (bits / 8); k++)                            \
            at[k] = (char)lane[k];                                                     \
    }
BLI_BYTES(32)
BLI_BYTES(64)
#endif

#endif
