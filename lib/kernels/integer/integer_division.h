/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Division of integers by floating-point division, which vectors have; they have no
 * integer division. 8 and 16 bits are divided in f32, 32 bits in f64: both hold every
 * operand, and with 2^n > a + b for n bits of precision a rounded quotient never
 * reaches the next integer. 64 bits are in integer_division64.h.
 *
 * Nothing traps: a divisor of 0 gives 0, and the smallest integer divided by -1 wraps.
 */
#ifndef BLI_INTEGER_DIVISION_H
#define BLI_INTEGER_DIVISION_H

#include "kernels/bits.h"
#include "kernels/integer/integer_division64.h"

/*
 * bli_divisor_: the divisor, replaced by 1 where division would raise an exception or
 * overflow an int32_t; the results are the same. bli_quotient_: the truncated quotient.
 */
#define BLI_DEFINE_QUOTIENT(name, type, real, least)                                   \
    static inline type bli_divisor_##name(type a, type b)                              \
    {                                                                                  \
        const bool is_one = (b == 0) | (sizeof a == 4 && (a == least) & (b == -1));    \
                                                                                       \
        return (type)((b & -!is_one) | is_one);                                        \
    }                                                                                  \
    static inline type bli_quotient_##name(type a, type b)                             \
    {                                                                                  \
        return (type)(int32_t)((real)a / (real)b);                                     \
    }

BLI_DEFINE_QUOTIENT(i8, int8_t, float, INT8_MIN)
BLI_DEFINE_QUOTIENT(i16, int16_t, float, INT16_MIN)
BLI_DEFINE_QUOTIENT(i32, int32_t, double, INT32_MIN)

#undef BLI_DEFINE_QUOTIENT

static inline uint8_t bli_quotient_u8(uint8_t a, uint8_t b)
{
    return (uint8_t)(int32_t)((float)a / (float)b);
}

static inline uint16_t bli_quotient_u16(uint16_t a, uint16_t b)
{
    return (uint16_t)(int32_t)((float)a / (float)b);
}

/*
 * As the low bits of 2^52 + a: without AVX-512 only signed integers can be converted.
 */
static inline double bli_f64_of_u32(uint32_t a)
{
    return bli_f64_of_bits(UINT64_C(0x433) << 52 | a) - 0x1p52;
}

static inline uint32_t bli_quotient_u32(uint32_t a, uint32_t b)
{
    const double quotient = bli_f64_of_u32(a) / bli_f64_of_u32(b);
    const double shifted = quotient + 0x1p52;
    const uint64_t is_above = shifted - 0x1p52 > quotient;

    return (uint32_t)(bli_bits_of_f64(shifted) - is_above);
}

/* The four operators of signed dtypes, from the truncated quotient. */
#define BLI_DEFINE_SIGNED(name, type)                                                  \
    static inline type bli_trunc_divide_one_##name(type a, type b)                     \
    {                                                                                  \
        const type quotient = bli_quotient_##name(a, bli_divisor_##name(a, b));        \
                                                                                       \
        return (type)(quotient & -(b != 0));                                           \
    }                                                                                  \
    static inline type bli_fmod_one_##name(type a, type b)                             \
    {                                                                                  \
        const type by = bli_divisor_##name(a, b);                                      \
                                                                                       \
        return (type)(a - bli_quotient_##name(a, by) * by);                            \
    }                                                                                  \
    static inline type bli_floor_divide_one_##name(type a, type b)                     \
    {                                                                                  \
        const type by = bli_divisor_##name(a, b);                                      \
        const type quotient = bli_quotient_##name(a, by);                              \
        const type rest = (type)(a - quotient * by);                                   \
        const type below = (type)(quotient - ((rest != 0) & ((rest ^ by) < 0)));       \
                                                                                       \
        return (type)(below & -(b != 0));                                              \
    }                                                                                  \
    static inline type bli_remainder_one_##name(type a, type b)                        \
    {                                                                                  \
        const type rest = bli_fmod_one_##name(a, b);                                   \
                                                                                       \
        return (type)(rest + (((rest != 0) & ((rest ^ b) < 0)) ? b : 0));              \
    }

BLI_DEFINE_SIGNED(i8, int8_t)
BLI_DEFINE_SIGNED(i16, int16_t)
BLI_DEFINE_SIGNED(i32, int32_t)

#undef BLI_DEFINE_SIGNED

#define BLI_DEFINE_UNSIGNED(name, type)                                                \
    static inline type bli_trunc_divide_one_##name(type a, type b)                     \
    {                                                                                  \
        const type quotient = bli_quotient_##name(a, b | (b == 0));                    \
                                                                                       \
        return (type)(quotient & -(b != 0));                                           \
    }                                                                                  \
    static inline type bli_fmod_one_##name(type a, type b)                             \
    {                                                                                  \
        const type by = b | (b == 0);                                                  \
                                                                                       \
        return (type)(a - bli_quotient_##name(a, by) * by);                            \
    }                                                                                  \
    static inline type bli_floor_divide_one_##name(type a, type b)                     \
    {                                                                                  \
        return bli_trunc_divide_one_##name(a, b);                                      \
    }                                                                                  \
    static inline type bli_remainder_one_##name(type a, type b)                        \
    {                                                                                  \
        return bli_fmod_one_##name(a, b);                                              \
    }

BLI_DEFINE_UNSIGNED(u8, uint8_t)
BLI_DEFINE_UNSIGNED(u16, uint16_t)
BLI_DEFINE_UNSIGNED(u32, uint32_t)

#undef BLI_DEFINE_UNSIGNED

#endif
