/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads and stores of elements as the types that expressions compute in, and
 * conversions from one dtype to another. The rules of conversion give the same bits on
 * every instruction set:
 *
 * - to bool: whether the value is not 0.  NaN is true; a complex number is true if
 *   either part is not 0; loaded bools are true for any byte except 0.
 * - int to int: modulo 2^n.
 * - int to float: rounded once, also from 64 bits to 16.
 * - float to float: rounded once, also from f64 to f16 and bf16.  To f16 and bf16 it
 *   rounds to nearest, to f32 and f64 in the current rounding mode.
 * - float to int: truncated.  NaN and values that do not fit give,
 *   in i8, u8, i16, u16 and i32: within i32 modulo 2^n, else -2^31 modulo 2^n;
 *   in u32 and i64: within i64 modulo 2^n, else -2^63 modulo 2^n;
 *   in u64: 2^63, except that negative values down to -2^63 wrap.
 * - complex to real: the imaginary part is dropped.
 * - real to complex: the imaginary part is +0.
 * - to the same dtype: the element's bytes, unchanged.
 *
 * Every function is free of undefined behaviour for every value and has no branch.
 */
#ifndef BLI_CONVERT_H
#define BLI_CONVERT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/core.h"
#include "kernels/convert/half.h"
#include "kernels/convert/integers64.h"

/* ---- bli_load_<dtype>, bli_store_<dtype>: an element at an aligned address ---- */

#define BL_DTYPE(name, value, class, stored, computed, load, store, ...)               \
    static inline computed bli_load_##name(const char *at)                             \
    {                                                                                  \
        const stored x = *(const stored *)at;                                          \
        return load;                                                                   \
    }                                                                                  \
    static inline void bli_store_##name(char *at, computed x)                          \
    {                                                                                  \
        *(stored *)at = store;                                                         \
    }
#include "core/tables/dtypes.def"
#undef BL_DTYPE

/* ---- float to int ---- */

/* Values that the machine's instruction cannot convert are replaced first. */

static inline int32_t bli_i32_of_f32(float x)
{
    const bool fits = (x >= -0x1p31f) & (x < 0x1p31f);

    return (int32_t)bli_choose_f32(fits, x, -0x1p31f);
}

static inline int32_t bli_i32_of_f64(double x)
{
    const bool fits = (x > -0x1p31 - 1) & (x < 0x1p31);

    return (int32_t)bli_choose_f64(fits, x, -0x1p31);
}

/* ---- one rounding on the way to 16 bits ---- */

/*
 * Convert `x` to binary32, rounded to odd: an inexact value gets the neighbour whose
 * last bit is set, so that a second rounding to fewer bits gives the result of a single
 * one.
 */
static inline float bli_odd_of_f64(double x)
{
    const float near = (float)x;
    const double back = (double)near;
    const double size = fabs(x);
    const double near_size = fabs(back);
    const uint32_t toward_zero = bli_bits_of_f32(near) - (uint32_t)(near_size > size);
    const uint32_t inexact = back != x;

    return bli_f32_of_bits(toward_zero | inexact);
}

/* Round integers to odd, to at most 24 significant bits, which f32 holds. */
static inline float bli_odd_of_i32(int32_t x)
{
    const int32_t sticky = (x & ~0xff) | (int32_t)((x & 0xff) != 0) << 8;
    const bool fits = (x ^ x >> 31) >> 24 == 0;

    return (float)(int32_t)bli_choose_u32(fits, (uint32_t)x, (uint32_t)sticky);
}

static inline float bli_odd_of_u32(uint32_t x)
{
    const uint32_t sticky = (x & ~UINT32_C(0xff)) | (uint32_t)((x & 0xff) != 0) << 8;

    return bli_f32_whole((float)bli_choose_u32(x >> 24 == 0, x, sticky));
}

/* ---- BLI_CAST_<class>(stored, computed, x): x as the computed type of a dtype ---- */

/* `wide`: f64, or one for complex elements, which compilers make no vectors of. */
#define BLI_TRUNCATE_WIDE(type, wide, x)                                               \
    (sizeof(type) == 8 && (type)-1 > (type)0 ? (type)bli_u64_of_##wide(x)              \
                                             : (type)bli_i64_of_##wide(x))
#define BLI_TRUNCATE(type, real, wide, x)                                              \
    (sizeof(type) == 8 || (sizeof(type) == 4 && (type)-1 > (type)0)                    \
         ? BLI_TRUNCATE_WIDE(type, wide, x)                                            \
         : (type)bli_i32_of_##real(x))

#define BLI_CAST_BOOL(stored, computed, x) ((x) != 0)
#define BLI_CAST_INT(stored, computed, x)                                              \
    _Generic((x), float                                                                \
             : BLI_TRUNCATE(stored, f32, f64, (float)(x)), double                      \
             : BLI_TRUNCATE(stored, f64, f64, (double)(x)), float _Complex             \
             : BLI_TRUNCATE(stored, f32, one, (float)(x)), double _Complex             \
             : BLI_TRUNCATE(stored, f64, one, (double)(x)), default                    \
             : (stored)(x))
#define BLI_CAST_ODD(x)                                                                \
    _Generic((x), int32_t                                                              \
             : bli_odd_of_i32((int32_t)(x)), uint32_t                                  \
             : bli_odd_of_u32((uint32_t)(x)), int64_t                                  \
             : bli_odd_of_f64(bli_odd_of_i64((int64_t)(x))), uint64_t                  \
             : bli_odd_of_f64(bli_odd_of_u64((uint64_t)(x))), double                   \
             : bli_odd_of_f64((double)(x)), double _Complex                            \
             : bli_odd_of_f64((double)(x)), default                                    \
             : (float)(x))
/*
 * A truth as a number: GCC 12 makes no vectors of conversions of _Bool to float.  With
 * AVX2 products of f32 and truths take .15 to .3 of the time so, of bf16 .1 to .15, of
 * f64 .6; those of complex numbers would take 5 times as long.
 */
#define BLI_AS_NUMBER(x) _Generic((x), _Bool : ((x) ? 1.0f : 0.0f), default : (x))
/* A number as `type`, the C type of f32 or f64; `real` is which. */
#define BLI_AS_REAL(real, type, x)                                                     \
    _Generic((x), int64_t                                                              \
             : bli_##real##_of_i64((int64_t)(x)), uint64_t                             \
             : bli_##real##_of_u64((uint64_t)(x)), uint32_t                            \
             : bli_##real##_whole((type)(uint32_t)(x)), default                        \
             : BLI_AS_NUMBER(x))
#define BLI_CAST_FLOAT(stored, computed, x)                                            \
    (sizeof(stored) < 4   ? (computed)BLI_CAST_ODD(BLI_AS_NUMBER(x))                   \
     : sizeof(stored) > 4 ? (computed)BLI_AS_REAL(f64, double, x)                      \
                          : (computed)BLI_AS_REAL(f32, float, x))
#define BLI_CAST_COMPLEX(stored, computed, x) ((computed)(x))

#endif
