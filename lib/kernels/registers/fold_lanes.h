/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lanes of a sum, to which a machine adds registers in the order of their elements:
 * element i of a row to lane i % 8, as the reducers of f32 and f64 do.
 */
#ifndef BLI_FOLD_LANES_H
#define BLI_FOLD_LANES_H

#include "kernels/reduce/reduce.h"

enum { FOLD_REGISTERS = BLI_REDUCE_LANES / BLI_WIDE };

/* The lower and the upper half of a register of f32. */
#if BLI_WIDE == 64
#define BLI_LOWER_F64(x)                                                               \
    ((vector_f64)_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)(x))))
#define BLI_UPPER_F64(x)                                                               \
    ((vector_f64)_mm512_cvtps_pd((__m256)_mm512_extractf64x4_pd((__m512d)(x), 1)))
#elif BLI_WIDE == 32 && defined(__SSE2__)
#define BLI_LOWER_F64(x)                                                               \
    ((vector_f64)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)(x))))
#define BLI_UPPER_F64(x)                                                               \
    ((vector_f64)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)(x), 1)))
#else
#define BLI_LOWER_F64(x) lanes_load_f32_f64((const char *)&(x))
#define BLI_UPPER_F64(x) lanes_load_f32_f64((const char *)&(x) + BLI_WIDE / 2)
#endif

/* Add register `k` of a bank, a constant. */
BLI_INLINE void lanes_fold_f32(vector_f64 *lanes, vector_f32 x, int32_t k)
{
    const int32_t lower = 2 * k % FOLD_REGISTERS, upper = (2 * k + 1) % FOLD_REGISTERS;

    lanes[lower] += BLI_LOWER_F64(x);
    lanes[upper] += BLI_UPPER_F64(x);
}

BLI_INLINE void lanes_fold_f64(vector_f64 *lanes, vector_f64 x, int32_t k)
{
    lanes[k % FOLD_REGISTERS] += x;
}

/* Add `count` elements at the end of a row, less than a group, from lane 0 on. */
#define BLI_FOLD_REST(type, number)                                                    \
    __attribute__((noinline)) static void fold_rest_##type(                            \
        vector_f64 *lanes, const char *x, int64_t count)                               \
    {                                                                                  \
        enum { PER = BLI_WIDE / sizeof(number), LANES = BLI_REDUCE_LANES / 8 };        \
        int32_t k = 0;                                                                 \
                                                                                       \
        for (; count >= (k + 1) * PER; k++)                                            \
            lanes_fold_##type(lanes, lanes_load_##type(x + k * BLI_WIDE), k);          \
        for (int64_t i = k * PER; i < count; i++) {                                    \
            double *const lane = (double *)lanes + i % LANES;                          \
            number element;                                                            \
                                                                                       \
            memcpy(&element, x + i * (int64_t)sizeof element, sizeof element);         \
            *lane += element;                                                          \
        }                                                                              \
    }
BLI_FOLD_REST(f32, float)
BLI_FOLD_REST(f64, double)

#endif
