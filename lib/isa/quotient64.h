/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Division of 64-bit integers in f64.  A first quotient is right to some 51 bits, what
 * is left of the dividend is then divided again, which is right to one; its sign says
 * which. Without AVX2, whose comparisons of 64 bits this needs, the machine's division.
 *
 * Nothing traps: a divisor of 0 gives 0, and the smallest number by -1 wraps.
 */
#ifndef BLI_QUOTIENT64_H
#define BLI_QUOTIENT64_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/bits.h"

#if defined(__AVX512DQ__)

static inline double bli_f64_of_i64(int64_t x)
{
    return (double)x;
}

static inline double bli_f64_of_u64(uint64_t x)
{
    return (double)x;
}

/* The whole number towards 0, modulo 2^64; of -2^63 <= x <= 2^64. */
static inline uint64_t bli_whole_of_f64(double x)
{
    const double upper = x - 0x1p64;

    return (uint64_t)(int64_t)bli_choose_f64(x >= 0x1p63, upper, x);
}

/* For positive numbers the nearest. */
static inline uint64_t bli_near_of_f64(double x)
{
    return bli_whole_of_f64(x + 0.5);
}

#else

/* Two halves of 32 bits, as the low bits of 2^84 and 2^52, added with one rounding. */
static inline double bli_f64_of_i64(int64_t x)
{
    const uint64_t high = (uint64_t)x >> 32 ^ UINT64_C(0x4530000080000000);
    const uint64_t low = ((uint64_t)x & UINT32_MAX) | UINT64_C(0x433) << 52;

    return bli_f64_of_bits(high) - (0x1p84 + 0x1p63 + 0x1p52) + bli_f64_of_bits(low);
}

static inline double bli_f64_of_u64(uint64_t x)
{
    const uint64_t high = x >> 32 | UINT64_C(0x453) << 52;
    const uint64_t low = (x & UINT32_MAX) | UINT64_C(0x433) << 52;

    return bli_f64_of_bits(high) - (0x1p84 + 0x1p52) + bli_f64_of_bits(low);
}

/* The nearest whole number, modulo 2^64; of -2^63 <= x <= 2^64. */
static inline uint64_t bli_whole_of_f64(double x)
{
    const double high = x * 0x1p-32 + 0x1.8p52;
    const double rest = x - (high - 0x1.8p52) * 0x1p32;
    const double low = rest + 0x1.8p52;

    return (bli_bits_of_f64(high) << 32) + bli_bits_of_f64(low) -
           (UINT64_C(0x4338) << 48);
}

static inline uint64_t bli_near_of_f64(double x)
{
    return bli_whole_of_f64(x);
}

#endif

/* The nearest whole number, of |x| < 2^51. */
static inline uint64_t bli_small_of_f64(double x)
{
    return bli_bits_of_f64(x + 0x1.8p52) - (UINT64_C(0x4338) << 48);
}

#if defined(__AVX2__)

struct bli_division_i64 {
    int64_t quotient; /* rounded to nearest, of a divisor that is not 0 */
    int64_t rest;
};

static inline struct bli_division_i64 bli_divide_i64(int64_t a, int64_t b)
{
    const double inverse = 1 / bli_f64_of_i64(b);
    const uint64_t first = bli_whole_of_f64(bli_f64_of_i64(a) * inverse);
    const int64_t left = (int64_t)((uint64_t)a - first * (uint64_t)b);
    const uint64_t second = bli_small_of_f64(bli_f64_of_i64(left) * inverse);

    return (struct bli_division_i64){(int64_t)(first + second),
                                     (int64_t)((uint64_t)left - second * (uint64_t)b)};
}

static inline int64_t bli_trunc_divide_i64(int64_t a, int64_t b)
{
    const struct bli_division_i64 nearest = bli_divide_i64(a, b | (b == 0));
    const bool is_beyond = (nearest.rest != 0) & ((nearest.rest ^ a) < 0);
    const int64_t back = (a ^ b) < 0 ? 1 : -1;
    const int64_t quotient = nearest.quotient + (is_beyond ? back : 0);

    return quotient & -(b != 0);
}

static inline int64_t bli_fmod_i64(int64_t a, int64_t b)
{
    const int64_t rest = bli_divide_i64(a, b | (b == 0)).rest;
    const bool is_beyond = (rest != 0) & ((rest ^ a) < 0);
    const int64_t back = (rest ^ b) < 0 ? b : -b;

    return rest + (is_beyond ? back : 0);
}

static inline int64_t bli_floor_divide_i64(int64_t a, int64_t b)
{
    const struct bli_division_i64 nearest = bli_divide_i64(a, b | (b == 0));
    const bool is_above = (nearest.rest != 0) & ((nearest.rest ^ b) < 0);
    const int64_t quotient = nearest.quotient - is_above;

    return quotient & -(b != 0);
}

static inline int64_t bli_remainder_i64(int64_t a, int64_t b)
{
    const int64_t rest = bli_divide_i64(a, b | (b == 0)).rest;
    const bool is_beyond = (rest != 0) & ((rest ^ b) < 0);

    return rest + (is_beyond ? b : 0);
}

struct bli_division_u64 {
    uint64_t quotient; /* rounded down, of a divisor that is not 0 */
    uint64_t rest;
};

/* By 2^63 or more the quotient is 0 or 1; less keeps what is left in 63 bits. */
static inline struct bli_division_u64 bli_divide_u64(uint64_t a, uint64_t b)
{
    const bool is_huge = (int64_t)b < 0;
    const uint64_t is_one = is_huge & (a >= b);
    const uint64_t by = bli_choose_u64(is_huge, 1, b);
    const double inverse = 1 / bli_f64_of_u64(by);
    const uint64_t first = bli_near_of_f64(bli_f64_of_u64(a) * inverse);
    const int64_t left = (int64_t)(a - first * by);
    const uint64_t second = bli_small_of_f64(bli_f64_of_i64(left) * inverse);
    const int64_t rest = (int64_t)((uint64_t)left - second * by);
    const uint64_t is_above = rest < 0;
    const uint64_t quotient = first + second - is_above;
    const uint64_t positive = (uint64_t)rest + ((0 - is_above) & by);

    return (struct bli_division_u64){
        bli_choose_u64(is_huge, is_one, quotient),
        bli_choose_u64(is_huge, a - ((0 - is_one) & b), positive)};
}

static inline uint64_t bli_trunc_divide_u64(uint64_t a, uint64_t b)
{
    const uint64_t quotient = bli_divide_u64(a, b | (b == 0)).quotient;

    return quotient & (0 - (uint64_t)(b != 0));
}

static inline uint64_t bli_fmod_u64(uint64_t a, uint64_t b)
{
    return bli_divide_u64(a, b | (b == 0)).rest;
}

#else

/* The smallest number by -1 traps; it is its own negative. */
static inline int64_t bli_trunc_divide_i64(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? -a : a / b;
}

static inline int64_t bli_fmod_i64(int64_t a, int64_t b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

static inline int64_t bli_floor_divide_i64(int64_t a, int64_t b)
{
    const int64_t rest = bli_fmod_i64(a, b);

    return bli_trunc_divide_i64(a, b) - ((rest != 0) & ((rest ^ b) < 0));
}

static inline int64_t bli_remainder_i64(int64_t a, int64_t b)
{
    const int64_t rest = bli_fmod_i64(a, b);

    return rest + (((rest != 0) & ((rest ^ b) < 0)) ? b : 0);
}

static inline uint64_t bli_trunc_divide_u64(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : a / b;
}

static inline uint64_t bli_fmod_u64(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : a % b;
}

#endif

static inline uint64_t bli_floor_divide_u64(uint64_t a, uint64_t b)
{
    return bli_trunc_divide_u64(a, b);
}

static inline uint64_t bli_remainder_u64(uint64_t a, uint64_t b)
{
    return bli_fmod_u64(a, b);
}

#endif
