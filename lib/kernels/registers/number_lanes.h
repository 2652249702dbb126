/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers of f32 and f64 from i32 and f32, and from f64 to f32: compilers build wide
 * registers from halves that they take through memory.
 */
#ifndef BLI_REGISTER_NUMBERS_H
#define BLI_REGISTER_NUMBERS_H

#include "kernels/simd_lanes.h"

BLI_INLINE vector_f32 lanes_load_i32_f32(const char *at)
{
    truth_f32 x;

    memcpy(&x, at, sizeof x);
    return __builtin_convertvector(x, vector_f32);
}

#if BLI_WIDE == 64
BLI_INLINE vector_f64 lanes_load_i32_f64(const char *at)
{
    return (vector_f64)_mm512_cvtepi32_pd(_mm256_loadu_si256((const void *)at));
}

BLI_INLINE vector_f64 lanes_load_f32_f64(const char *at)
{
    return (vector_f64)_mm512_cvtps_pd(_mm256_loadu_ps((const void *)at));
}

BLI_INLINE void lanes_store_f32_f64(char *at, vector_f64 x)
{
    _mm256_storeu_ps((void *)at, _mm512_cvtpd_ps((__m512d)x));
}
#elif BLI_WIDE == 32 && defined(__SSE2__)
BLI_INLINE vector_f64 lanes_load_i32_f64(const char *at)
{
    return (vector_f64)_mm256_cvtepi32_pd(_mm_loadu_si128((const void *)at));
}

BLI_INLINE vector_f64 lanes_load_f32_f64(const char *at)
{
    return (vector_f64)_mm256_cvtps_pd(_mm_loadu_ps((const void *)at));
}

BLI_INLINE void lanes_store_f32_f64(char *at, vector_f64 x)
{
    _mm_storeu_ps((void *)at, _mm256_cvtpd_ps((__m256d)x));
}
#elif defined(__SSE2__)
BLI_INLINE vector_f64 lanes_load_i32_f64(const char *at)
{
    return (vector_f64)_mm_cvtepi32_pd(_mm_loadl_epi64((const void *)at));
}

BLI_INLINE vector_f64 lanes_load_f32_f64(const char *at)
{
    return (vector_f64)_mm_cvtps_pd((__m128)_mm_loadl_epi64((const void *)at));
}

BLI_INLINE void lanes_store_f32_f64(char *at, vector_f64 x)
{
    _mm_storel_epi64((void *)at, (__m128i)_mm_cvtpd_ps((__m128d)x));
}
#else
#define BLI_F64_LOAD(name, type)                                                       \
    BLI_INLINE vector_f64 lanes_load_##name##_f64(const char *at)                      \
    {                                                                                  \
        type p[BLI_WIDE / 8];                                                          \
        vector_f64 x;                                                                  \
                                                                                       \
        memcpy(p, at, sizeof p);                                                       \
        for (int32_t k = 0; k < BLI_WIDE / 8; k++)                                     \
            x[k] = (double)p[k];                                                       \
        return x;                                                                      \
    }
BLI_F64_LOAD(i32, int32_t)
BLI_F64_LOAD(f32, float)

BLI_INLINE void lanes_store_f32_f64(char *at, vector_f64 x)
{
    float s[BLI_WIDE / 8];

    for (int32_t k = 0; k < BLI_WIDE / 8; k++)
        s[k] = (float)x[k];
    memcpy(at, s, sizeof s);
}
#endif

#endif
