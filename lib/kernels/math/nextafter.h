/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nextafter of floating-point types narrower than f32, which steps from one number of
 * the dtype to the next: the only operator that cannot be computed in f32.
 */
#ifndef BLI_NEXTAFTER_H
#define BLI_NEXTAFTER_H

#include "core/core.h"
#include "kernels/convert/convert.h"

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

/*
 * bli_nextafter_narrow(a, b, dtype): nextafter of two numbers of a narrow dtype, given
 * and returned as f32. `dtype` is a constant.
 */
#define BLI_NEXT_BOOL(name, value, stored, digits)
#define BLI_NEXT_INT(name, value, stored, digits)
#define BLI_NEXT_COMPLEX(name, value, stored, digits)
#define BLI_NEXT_FLOAT(name, value, stored, digits)                                    \
    case value: {                                                                      \
        const uint32_t sign = UINT32_C(1) << (8 * sizeof(stored) - 1) % 32;            \
        const uint32_t fraction = (UINT32_C(1) << (digits - 1) % 32) - 1;              \
        stored x, y, next;                                                             \
                                                                                       \
        bli_store_##name((char *)&x, a);                                               \
        bli_store_##name((char *)&y, b);                                               \
        next = (stored)bli_next_bits((uint32_t)x, (uint32_t)y, sign,                   \
                                     (sign - 1) & ~fraction);                          \
        return (float)bli_load_##name((const char *)&next);                            \
    }
#define BL_DTYPE(name, value, class, stored, computed, load, store, digits, ...)       \
    BLI_NEXT_##class(name, value, stored, digits)
static inline float bli_nextafter_narrow(float a, float b, int dtype)
{
    switch (dtype) {
#include "core/tables/dtypes.def"
    default:
        return a;
    }
}
#undef BL_DTYPE

#endif
