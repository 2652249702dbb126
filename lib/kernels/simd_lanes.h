/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The widest register as lanes of 16 bytes, and the few instructions on it that C has
 * no expression for, for each instruction set.
 */
#ifndef BLI_SIMD_LANES_H
#define BLI_SIMD_LANES_H

#include <stdint.h>
#include <string.h>

#include "kernels/bits.h"

#if defined(__AVX512BW__)
#include <immintrin.h>
#define BLI_WIDE 64
#elif defined(__AVX2__)
#include <immintrin.h>
#define BLI_WIDE 32
#else
#define BLI_WIDE 16
#endif
#define BLI_LANES (BLI_WIDE / 16)

typedef uint8_t bli_16 __attribute__((vector_size(16)));
typedef uint8_t bli_32 __attribute__((vector_size(BLI_WIDE < 32 ? BLI_WIDE : 32)));
typedef uint8_t bli_wide __attribute__((vector_size(BLI_WIDE)));

/*
 * BLI_LANE is one lane of v, any lane where v has fewer; BLI_WIDEN a register whose
 * first lane is v; BLI_SPREAD one whose lanes all are v. BLI_UNPACK interleaves
 * elements of v and w, from the lower or upper half of each lane. BLI_PERMUTE selects
 * the bytes of v whose indices are in w, within each lane; BLI_PERMUTES says whether
 * that is one instruction. BLI_PERMUTE_WORDS selects 32-bit words from anywhere in v;
 * not every machine has it. BLI_NT_STORE is a non-temporal store to an aligned address,
 * BLI_NT_STORE_32 of 32 bytes at most; not every machine has them. BLI_CHOOSE has the
 * bytes of v where the byte of w is 0, else the bytes of x. BLI_BLEND has the bytes of
 * v where the bits of c are 1, of w where they are 0; defined where that is an
 * instruction that compilers do not find. BLI_ROUND_32 and BLI_ROUND_64 round f32 and
 * f64 to integers in the direction `how`; not every machine has them.
 *
 * exchange_lanes: vector k of y gets lane k of each of the BLI_LANES vectors of x.
 * join_lanes: a register of the 16 bytes at a, a + step, ... join_pieces: of the
 * `bytes` bytes at a and at b in turns, a power of two from 16 to half a register.
 * choose: the elements of a, `size` bytes each, where the bytes at c are not 0, else of
 * b.
 */
#if BLI_WIDE == 64
#define BLI_LANE(v, lane)     ((bli_16)_mm512_extracti32x4_epi32((__m512i)(v), lane))
#define BLI_WIDEN(v)          ((bli_wide)_mm512_castsi128_si512((__m128i)(v)))
#define BLI_PERMUTES          1
#define BLI_SPREAD(v)         ((bli_wide)_mm512_broadcast_i32x4((__m128i)(v)))
#define BLI_PERMUTE(v, w)     ((bli_wide)_mm512_shuffle_epi8((__m512i)(v), (__m512i)(w)))
#define BLI_NT_STORE(r, v)    _mm512_stream_si512((void *)(r), (__m512i)(v))
#define BLI_NT_STORE_32(r, v) _mm256_stream_si256((__m256i *)(r), (__m256i)(v))
#define BLI_CHOOSE(v, w, x)                                                            \
    ((bli_wide)_mm512_mask_blend_epi8(                                                 \
        _mm512_test_epi8_mask((__m512i)(w), (__m512i)(w)), (__m512i)(v),               \
        (__m512i)(x)))
#define BLI_ROUND_32(v, how) _mm512_roundscale_ps((__m512)(v), how)
#define BLI_ROUND_64(v, how) _mm512_roundscale_pd((__m512d)(v), how)
#define BLI_PERMUTE_WORDS(v, w)                                                        \
    ((bli_wide)_mm512_permutexvar_epi32((__m512i)(w), (__m512i)(v)))
#define BLI_UNPACK(half, bits, v, w)                                                   \
    ((bli_wide)_mm512_unpack##half##_epi##bits((__m512i)(v), (__m512i)(w)))

BLI_INLINE void exchange_lanes(bli_wide *y, const bli_wide *x)
{
    const __m512i a = (__m512i)x[0], b = (__m512i)x[1];
    const __m512i c = (__m512i)x[2], d = (__m512i)x[3];
    const __m512i low_ab = _mm512_shuffle_i32x4(a, b, 0x44);
    const __m512i low_cd = _mm512_shuffle_i32x4(c, d, 0x44);
    const __m512i high_ab = _mm512_shuffle_i32x4(a, b, 0xee);
    const __m512i high_cd = _mm512_shuffle_i32x4(c, d, 0xee);

    y[0] = (bli_wide)_mm512_shuffle_i32x4(low_ab, low_cd, 0x88);
    y[1] = (bli_wide)_mm512_shuffle_i32x4(low_ab, low_cd, 0xdd);
    y[2] = (bli_wide)_mm512_shuffle_i32x4(high_ab, high_cd, 0x88);
    y[3] = (bli_wide)_mm512_shuffle_i32x4(high_ab, high_cd, 0xdd);
}

BLI_INLINE bli_wide join_lanes(const char *a, int64_t step)
{
    const __m512i v = _mm512_castsi128_si512(_mm_loadu_si128((const void *)a));
    const __m512i w =
        _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(a + step)), 1);
    const __m512i x =
        _mm512_inserti32x4(w, _mm_loadu_si128((const void *)(a + 2 * step)), 2);

    return (bli_wide)_mm512_inserti32x4(
        x, _mm_loadu_si128((const void *)(a + 3 * step)), 3);
}

BLI_INLINE bli_wide join_pieces(const char *a, const char *b, int64_t bytes)
{
    if (bytes == 16)
        return (bli_wide)_mm512_broadcast_i64x4(
            _mm256_loadu2_m128i((const void *)b, (const void *)a));
    return (bli_wide)_mm512_inserti64x4(
        _mm512_castsi256_si512(_mm256_loadu_si256((const void *)a)),
        _mm256_loadu_si256((const void *)b), 1);
}
#elif BLI_WIDE == 32
#define BLI_LANE(v, lane)  ((bli_16)_mm256_extracti128_si256((__m256i)(v), (lane)&1))
#define BLI_WIDEN(v)       ((bli_wide)_mm256_castsi128_si256((__m128i)(v)))
#define BLI_PERMUTES       1
#define BLI_SPREAD(v)      ((bli_wide)_mm256_broadcastsi128_si256((__m128i)(v)))
#define BLI_PERMUTE(v, w)  ((bli_wide)_mm256_shuffle_epi8((__m256i)(v), (__m256i)(w)))
#define BLI_NT_STORE(r, v) _mm256_stream_si256((__m256i *)(r), (__m256i)(v))
#define BLI_NT_STORE_32    BLI_NT_STORE
#define BLI_CHOOSE(v, w, x)                                                            \
    ((bli_wide)_mm256_blendv_epi8((__m256i)(x), (__m256i)(v), (__m256i)((w) == 0)))
#define BLI_BLEND(c, v, w)   _mm256_blendv_epi8((__m256i)(w), (__m256i)(v), (__m256i)(c))
#define BLI_ROUND_32(v, how) _mm256_round_ps((__m256)(v), how)
#define BLI_ROUND_64(v, how) _mm256_round_pd((__m256d)(v), how)
#define BLI_PERMUTE_WORDS(v, w)                                                        \
    ((bli_wide)_mm256_permutevar8x32_epi32((__m256i)(v), (__m256i)(w)))
#define BLI_UNPACK(half, bits, v, w)                                                   \
    ((bli_wide)_mm256_unpack##half##_epi##bits((__m256i)(v), (__m256i)(w)))

BLI_INLINE void exchange_lanes(bli_wide *y, const bli_wide *x)
{
    const __m256i a = (__m256i)x[0], b = (__m256i)x[1];

    y[0] = (bli_wide)_mm256_permute2x128_si256(a, b, 0x20);
    y[1] = (bli_wide)_mm256_permute2x128_si256(a, b, 0x31);
}

BLI_INLINE bli_wide join_lanes(const char *a, int64_t step)
{
    const __m256i v = _mm256_castsi128_si256(_mm_loadu_si128((const void *)a));

    return (bli_wide)_mm256_inserti128_si256(
        v, _mm_loadu_si128((const void *)(a + step)), 1);
}

BLI_INLINE bli_wide join_pieces(const char *a, const char *b, int64_t bytes)
{
    (void)bytes;
    return join_lanes(a, b - a);
}
#else
#define BLI_LANE(v, lane)            (v)
#define BLI_WIDEN(v)                 (v)
#define BLI_SPREAD(v)                (v)
#define BLI_UNPACK(half, bits, v, w) unpack_##half##_##bits(v, w)
#define BLI_CHOOSE(v, w, x)                                                            \
    (((v) & (bli_wide)((w) == 0)) | ((x) & ~(bli_wide)((w) == 0)))
#if defined(__aarch64__)
#include <arm_neon.h>
#define BLI_PERMUTE(v, w) ((bli_wide)vqtbl1q_u8((uint8x16_t)(v), (uint8x16_t)(w)))
#define BLI_PERMUTES      1
#else
#define BLI_PERMUTES      0
#define BLI_PERMUTE(v, w) permute(v, w)
#endif
#if defined(__SSE2__)
#include <emmintrin.h>
#define BLI_NT_STORE(r, v) _mm_stream_si128((__m128i *)(r), (__m128i)(v))
#define BLI_NT_STORE_32    BLI_NT_STORE
#endif

BLI_INLINE void exchange_lanes(bli_wide *y, const bli_wide *x)
{
    y[0] = x[0];
}

BLI_INLINE bli_wide join_lanes(const char *a, int64_t step)
{
    bli_wide v;

    (void)step;
    memcpy(&v, a, sizeof v);
    return v;
}

BLI_INLINE bli_wide join_pieces(const char *a, const char *b, int64_t bytes)
{
    (void)bytes;
    return join_lanes(a, b - a);
}

BLI_INLINE bli_16 permute(bli_16 v, bli_16 w)
{
    bli_16 x;

    for (int32_t k = 0; k < 16; k++)
        x[k] = v[w[k] & 15];
    return x;
}

BLI_INLINE bli_16 unpack_lo_8(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,
                                   22, 7, 23);
}

BLI_INLINE bli_16 unpack_hi_8(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                                   14, 30, 15, 31);
}

BLI_INLINE bli_16 unpack_lo_16(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7,
                                   22, 23);
}

BLI_INLINE bli_16 unpack_hi_16(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29,
                                   14, 15, 30, 31);
}

BLI_INLINE bli_16 unpack_lo_32(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21,
                                   22, 23);
}

BLI_INLINE bli_16 unpack_hi_32(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15,
                                   28, 29, 30, 31);
}

BLI_INLINE bli_16 unpack_lo_64(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21,
                                   22, 23);
}

BLI_INLINE bli_16 unpack_hi_64(bli_16 v, bli_16 w)
{
    return __builtin_shufflevector(v, w, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27,
                                   28, 29, 30, 31);
}
#endif

#endif
