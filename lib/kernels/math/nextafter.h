/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nextafter of floating-point types narrower than f32, which steps from one number of
 * the dtype to the next: the only operator that cannot be computed in f32.
 */
#ifndef BLI_NEXTAFTER_H
#define BLI_NEXTAFTER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * nextafter on the bits of numbers whose sign is bit `sign` and where infinity is
 * `infinity`; NaN if either is.
 */
static inline uint32_t bli_next_bits(uint32_t a, uint32_t b, uint32_t sign,
                                     uint32_t infinity)
{
    const uint32_t a_size = a & (sign - 1);
    const uint32_t b_size = b & (sign - 1);
    const int32_t a_place = a & sign ? -(int32_t)a_size : (int32_t)a_size;
    const int32_t b_place = b & sign ? -(int32_t)b_size : (int32_t)b_size;
    const bool is_nan = (a_size > infinity) | (b_size > infinity);
    const bool grows = (b_place > a_place) == (a_place > 0);
    const uint32_t from_zero = (b & sign) | 1;
    const uint32_t moved = a_size == 0 ? from_zero : grows ? a + 1u : a - 1u;
    const uint32_t next = a_place == b_place ? b : moved;

    return is_nan ? sign - 1 : next;
}

#endif
