/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nextafter of f16 and bf16, which steps from one number of the dtype to the next: the
 * only operator that cannot be computed in f32.
 */
#ifndef BLI_NEXTAFTER_H
#define BLI_NEXTAFTER_H

#include "core/core.h"
#include "kernels/convert/half.h"

/*
 * nextafter on the bits of 16-bit numbers, where infinity is `infinity`; NaN if either
 * is.
 */
static inline uint16_t bli_next_bits(uint16_t a, uint16_t b, uint32_t infinity)
{
    const uint32_t a_size = a & 0x7fffu;
    const uint32_t b_size = b & 0x7fffu;
    const int32_t a_place = a & 0x8000u ? -(int32_t)a_size : (int32_t)a_size;
    const int32_t b_place = b & 0x8000u ? -(int32_t)b_size : (int32_t)b_size;
    const bool is_nan = (a_size > infinity) | (b_size > infinity);
    const bool grows = (b_place > a_place) == (a_place > 0);
    const uint32_t from_zero = (b & 0x8000u) | 1;
    const uint32_t moved = a_size == 0 ? from_zero : grows ? a + 1u : a - 1u;
    const uint32_t next = a_place == b_place ? b : moved;

    return (uint16_t)(is_nan ? 0x7fffu : next);
}

/* nextafter of two numbers of `dtype`, f16 or bf16, given and returned as f32. */
static inline float bli_nextafter_half(float a, float b, int dtype)
{
    if (dtype == BL_DTYPE_F16)
        return bli_f32_of_f16(
            bli_next_bits(bli_f16_of_f32(a), bli_f16_of_f32(b), 0x7c00));
    return bli_f32_of_bf16(
        bli_next_bits(bli_bf16_of_f32(a), bli_bf16_of_f32(b), 0x7f80));
}

#endif
