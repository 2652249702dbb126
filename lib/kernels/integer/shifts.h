/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shifts of a register of 64-bit integers.  The instructions take counts as
 * BLI_LEFT_SHIFT and BLI_RIGHT_SHIFT do: from 64 on, and negative ones, they shift out
 * all bits.  Of the expressions compilers make counts of 32 bits and comparisons: with
 * AVX2 1000 u64 take 1.4 to 1.6 times as long (Zen 4).
 */
#ifndef BLI_SHIFTS_H
#define BLI_SHIFTS_H

#include "kernels/simd_lanes.h"

/* bli_block_<operator>_<dtype>: r = the integers at a, shifted by those at b. */
#define BLI_DEFINE_SHIFT(name, ...)                                                    \
    BLI_INLINE void bli_block_##name(char *r, const char *a, const char *b)            \
    {                                                                                  \
        bli_wide v, n;                                                                 \
                                                                                       \
        memcpy(&v, a, sizeof v);                                                       \
        memcpy(&n, b, sizeof n);                                                       \
        v = (bli_wide)(__VA_ARGS__);                                                   \
        memcpy(r, &v, sizeof v);                                                       \
        (void)n;                                                                       \
    }

#if BLI_WIDE == 64
#define BLI_SHIFT_LEFT  _mm512_sllv_epi64((__m512i)v, (__m512i)n)
#define BLI_SHIFT_RIGHT _mm512_srlv_epi64((__m512i)v, (__m512i)n)
#define BLI_SHIFT_SIGN  _mm512_srav_epi64((__m512i)v, (__m512i)n)
#elif BLI_WIDE == 32
#define BLI_SHIFT_LEFT  _mm256_sllv_epi64((__m256i)v, (__m256i)n)
#define BLI_SHIFT_RIGHT _mm256_srlv_epi64((__m256i)v, (__m256i)n)
/* The bits that differ from the sign, of which AVX2 has no shift. */
#define BLI_SIGNS       _mm256_cmpgt_epi64(_mm256_setzero_si256(), (__m256i)v)
#define BLI_SHIFT_SIGN  _mm256_srlv_epi64((__m256i)v ^ BLI_SIGNS, (__m256i)n) ^ BLI_SIGNS
#else
#define BLI_SHIFT_LEFT  v
#define BLI_SHIFT_RIGHT v
#define BLI_SHIFT_SIGN  v
#endif

/* Whether those are what they say, and not only compiled. */
#define BLI_HAS_SHIFTS (BLI_WIDE > 16)

BLI_DEFINE_SHIFT(left_shift_u64, BLI_SHIFT_LEFT)
BLI_DEFINE_SHIFT(left_shift_i64, BLI_SHIFT_LEFT)
BLI_DEFINE_SHIFT(right_shift_u64, BLI_SHIFT_RIGHT)
BLI_DEFINE_SHIFT(right_shift_i64, BLI_SHIFT_SIGN)

#undef BLI_DEFINE_SHIFT
#undef BLI_SHIFT_LEFT
#undef BLI_SHIFT_RIGHT
#undef BLI_SHIFT_SIGN
#undef BLI_SIGNS

#endif
