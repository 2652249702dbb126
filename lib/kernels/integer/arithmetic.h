/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the expressions of ops.def call for integers: one inline function of an element
 * per operator and dtype, without branches, so that loops over them are vectorized.
 * Division is in integer_division.h.
 */
#ifndef BLI_INTEGER_ARITHMETIC_H
#define BLI_INTEGER_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/bits.h"

/* The function for the integer dtype of `a`; for other types the one for i32. */
#define BLI_OF_INTEGER(a, function)                                                    \
    _Generic((a), uint8_t                                                              \
             : function##_u8, int8_t                                                   \
             : function##_i8, uint16_t                                                 \
             : function##_u16, int16_t                                                 \
             : function##_i16, uint32_t                                                \
             : function##_u32, uint64_t                                                \
             : function##_u64, int64_t                                                 \
             : function##_i64, default                                                 \
             : function##_i32)

/* The absolute value; the smallest integer stays as it is: kernels wrap. */
static inline int32_t bli_abs_i32(int32_t a)
{
    return a < 0 ? -a : a;
}

static inline int64_t bli_abs_i64(int64_t a)
{
    return a < 0 ? -a : a;
}

#define BLI_DEFINE_SIGN(name, type, is_below)                                          \
    static inline bool bli_is_negative_##name(type a)                                  \
    {                                                                                  \
        (void)a;                                                                       \
        return is_below;                                                               \
    }                                                                                  \
    static inline type bli_sign_##name(type a)                                         \
    {                                                                                  \
        return (type)((type)(a != 0) - (type)2 * (type)(is_below));                    \
    }

BLI_DEFINE_SIGN(u8, uint8_t, 0)
BLI_DEFINE_SIGN(i8, int8_t, a < 0)
BLI_DEFINE_SIGN(u16, uint16_t, 0)
BLI_DEFINE_SIGN(i16, int16_t, a < 0)
BLI_DEFINE_SIGN(u32, uint32_t, 0)
BLI_DEFINE_SIGN(i32, int32_t, a < 0)
BLI_DEFINE_SIGN(u64, uint64_t, 0)
BLI_DEFINE_SIGN(i64, int64_t, a < 0)

#undef BLI_DEFINE_SIGN

/*
 * Shifts by any count: a negative count, or one not less than the width, shifts out all
 * bits, and a right shift leaves the sign.  AVX2 shifts 64 bits without a sign only.
 */
#define BLI_DEFINE_SHIFTS(name, type, bits, is_negative)                               \
    static inline type bli_left_shift_##name(type a, type b)                           \
    {                                                                                  \
        const bool fits = (uint##bits##_t)b < bits;                                    \
        const type shifted = (type)((uint##bits##_t)a << (b & (bits - 1)));            \
                                                                                       \
        return fits ? shifted : 0;                                                     \
    }                                                                                  \
    static inline type bli_right_shift_##name(type a, type b)                          \
    {                                                                                  \
        const bool fits = (uint##bits##_t)b < bits;                                    \
        const type sign = (type)(0 - (type)(is_negative)), n = b & (bits - 1);         \
        const type shifted =                                                           \
            bits < 64 ? (type)(a >> n)                                                 \
                      : (type)((type)((uint##bits##_t)(a ^ sign) >> n) ^ sign);        \
                                                                                       \
        return fits ? shifted : sign;                                                  \
    }

BLI_DEFINE_SHIFTS(u16, uint16_t, 16, 0)
BLI_DEFINE_SHIFTS(i16, int16_t, 16, a < 0)
BLI_DEFINE_SHIFTS(u32, uint32_t, 32, 0)
BLI_DEFINE_SHIFTS(i32, int32_t, 32, a < 0)
BLI_DEFINE_SHIFTS(u64, uint64_t, 64, 0)
BLI_DEFINE_SHIFTS(i64, int64_t, 64, a < 0)

#undef BLI_DEFINE_SHIFTS

/*
 * Shifts of bytes, by 4, 2 and 1 as the bits of the count say: no instruction of AVX2
 * shifts bytes by counts of their own, and as 32-bit numbers they take twice as long.
 */
#define BLI_DEFINE_BYTE_SHIFTS(name, type, most)                                       \
    static inline type bli_left_shift_##name(type a, type b)                           \
    {                                                                                  \
        const uint8_t count = (uint8_t)b, x = (uint8_t)a;                              \
        const uint8_t y = count & 4 ? (uint8_t)(x << 4) : x;                           \
        const uint8_t z = count & 2 ? (uint8_t)(y << 2) : y;                           \
        const uint8_t shifted = count & 1 ? (uint8_t)(z << 1) : z;                     \
                                                                                       \
        return (type)(count < 8 ? shifted : 0);                                        \
    }                                                                                  \
    static inline type bli_right_shift_##name(type a, type b)                          \
    {                                                                                  \
        const uint8_t count = (uint8_t)b < most ? (uint8_t)b : most;                   \
        const type x = count & 4 ? (type)(a >> 4) : a;                                 \
        const type y = count & 2 ? (type)(x >> 2) : x;                                 \
        const type shifted = count & 1 ? (type)(y >> 1) : y;                           \
                                                                                       \
        return (type)(count < 8 ? shifted : 0);                                        \
    }

BLI_DEFINE_BYTE_SHIFTS(u8, uint8_t, 8)
BLI_DEFINE_BYTE_SHIFTS(i8, int8_t, 7)

#undef BLI_DEFINE_BYTE_SHIFTS

/*
 * a to the power of b < 2^steps modulo 2^32, by squaring. It takes `steps` steps
 * whatever b is, so that a loop over it is vectorized.
 */
static inline uint32_t bli_power_32(uint32_t a, uint32_t b, int steps)
{
    uint32_t power = 1;

    for (int step = 0; step < steps; step++) {
        power *= bli_choose_u32((b & 1) != 0, a, 1);
        a *= a;
        b >>= 1;
    }
    return power;
}

/*
 * a to the power of b modulo 2^64. From 32 bits on, one element at a time takes as many
 * steps as its exponent has significant bits: as vectors 32 steps take 1.4 ns with
 * AVX-512, but 2.9 with AVX2; 3 steps here take 1.3.
 */
static inline uint64_t bli_power_64(uint64_t a, uint64_t b, int steps)
{
    uint64_t power = 1;

    (void)steps;
    for (; b != 0; b >>= 1, a *= a)
        power *= (b & 1) != 0 ? a : 1;
    return power;
}

/*
 * With a negative exponent only the powers of 1 and -1 are integers; the others are 0.
 */
#define BLI_DEFINE_POW(bits, wide)                                                     \
    static inline uint##bits##_t bli_pow_one_u##bits(uint##bits##_t a,                 \
                                                     uint##bits##_t b)                 \
    {                                                                                  \
        return (uint##bits##_t)bli_power_##wide(a, b, bits);                           \
    }                                                                                  \
    static inline int##bits##_t bli_pow_one_i##bits(int##bits##_t a, int##bits##_t b)  \
    {                                                                                  \
        const bool is_unit = (a == 1) | (a == -1);                                     \
        const uint##bits##_t whole = (uint##bits##_t)(b & (-(b >= 0) | 1));            \
        const uint##wide##_t power =                                                   \
            bli_power_##wide((uint##wide##_t)a, whole, bits - 1);                      \
                                                                                       \
        return (int##bits##_t)(power & -(uint##wide##_t)((b >= 0) | is_unit));         \
    }

BLI_DEFINE_POW(8, 32)
BLI_DEFINE_POW(16, 32)
BLI_DEFINE_POW(32, 64)
BLI_DEFINE_POW(64, 64)

#undef BLI_DEFINE_POW

#endif
