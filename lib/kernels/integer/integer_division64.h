/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Division of 64-bit integers in f64. A first quotient is right to some 51 bits; what
 * is left of the dividend is divided again, which is right to within one; the sign of
 * the remainder says which. Without AVX2, whose 64-bit comparisons this needs, it is
 * the machine's division.
 *
 * Nothing traps: a divisor of 0 gives 0, and the smallest integer divided by -1 wraps.
 */
#ifndef BLI_INTEGER_DIVISION64_H
#define BLI_INTEGER_DIVISION64_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/bits.h"
#include "kernels/convert/integers64.h"

#if defined(__AVX2__)

struct bli_division {
    int64_t quotient; /* nearest integer, for a divisor other than 0; modulo 2^64 */
    int64_t rest;     /* at most a little more than half the divisor */
};

/*
 * Divide to the nearest quotient, for b other than 0. The first quotient is rounded to
 * a multiple of 2^12, which adding 1.5 * 2^64 leaves in the low bits. What is left is
 * at most the dividend, and 2^11 divisors, so that its quotient is exact except for the
 * last rounding.
 */
static inline struct bli_division bli_divide_i64(int64_t a, int64_t b)
{
    const double inverse = 1 / bli_sum_of_halves(b);
    const double most = bli_sum_of_halves(a) * inverse + 0x1.8p64;
    const uint64_t first = bli_bits_of_f64(most) << 12 ^ UINT64_C(1) << 63;
    const int64_t left = (int64_t)((uint64_t)a - first * (uint64_t)b);
    const double last = bli_sum_of_halves(left) * inverse + 0x1.8p52;
    const uint64_t second = bli_bits_of_f64(last) - (UINT64_C(0x4338) << 48);

    return (struct bli_division){(int64_t)(first + second),
                                 (int64_t)((uint64_t)left - second * (uint64_t)b)};
}

static inline int64_t bli_trunc_divide_one_i64(int64_t a, int64_t b)
{
    const struct bli_division nearest = bli_divide_i64(a, b | (b == 0));
    const bool is_beyond = (nearest.rest != 0) & ((nearest.rest ^ a) < 0);
    const int64_t back = (a ^ b) < 0 ? 1 : -1;
    const int64_t quotient = nearest.quotient + (is_beyond ? back : 0);

    return quotient & -(b != 0);
}

static inline int64_t bli_fmod_one_i64(int64_t a, int64_t b)
{
    const int64_t rest = bli_divide_i64(a, b | (b == 0)).rest;
    const bool is_beyond = (rest != 0) & ((rest ^ a) < 0);
    const int64_t back = (rest ^ b) < 0 ? b : -b;

    return rest + (is_beyond ? back : 0);
}

static inline int64_t bli_floor_divide_one_i64(int64_t a, int64_t b)
{
    const struct bli_division nearest = bli_divide_i64(a, b | (b == 0));
    const bool is_above = (nearest.rest != 0) & ((nearest.rest ^ b) < 0);
    const int64_t quotient = nearest.quotient - is_above;

    return quotient & -(b != 0);
}

static inline int64_t bli_remainder_one_i64(int64_t a, int64_t b)
{
    const int64_t rest = bli_divide_i64(a, b | (b == 0)).rest;
    const bool is_beyond = (rest != 0) & ((rest ^ b) < 0);

    return rest + (is_beyond ? b : 0);
}

/*
 * Divide, rounding down, for b other than 0. For a divisor of 2^63 or more the quotient
 * is 0 or 1; else the quotient of half the dividend is doubled, and what is left of the
 * dividend is less than two divisors.
 */
static inline struct bli_division bli_divide_u64(uint64_t a, uint64_t b)
{
    const bool is_huge = (int64_t)b < 0;
    const uint64_t is_one = is_huge & (a >= b);
    const int64_t by = (int64_t)bli_choose_u64(is_huge, 1, b);
    const struct bli_division half = bli_divide_i64((int64_t)(a >> 1), by);
    const uint64_t is_above = half.rest < 0;
    const uint64_t below = (uint64_t)half.quotient - is_above;
    const uint64_t part = (uint64_t)half.rest + ((uint64_t)by & (0 - is_above));
    const uint64_t left = 2 * part + (a & 1);
    const uint64_t is_more = left >= (uint64_t)by;
    const uint64_t rest = left - ((uint64_t)by & (0 - is_more));

    return (struct bli_division){
        (int64_t)bli_choose_u64(is_huge, is_one, 2 * below + is_more),
        (int64_t)bli_choose_u64(is_huge, a - (b & (0 - is_one)), rest)};
}

static inline uint64_t bli_trunc_divide_one_u64(uint64_t a, uint64_t b)
{
    const uint64_t quotient = (uint64_t)bli_divide_u64(a, b | (b == 0)).quotient;

    return quotient & (0 - (uint64_t)(b != 0));
}

static inline uint64_t bli_fmod_one_u64(uint64_t a, uint64_t b)
{
    return (uint64_t)bli_divide_u64(a, b | (b == 0)).rest;
}

#else

/* The smallest integer divided by -1 would trap; it is its own negative. */
static inline int64_t bli_trunc_divide_one_i64(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? -a : a / b;
}

static inline int64_t bli_fmod_one_i64(int64_t a, int64_t b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

static inline int64_t bli_floor_divide_one_i64(int64_t a, int64_t b)
{
    const int64_t rest = bli_fmod_one_i64(a, b);

    return bli_trunc_divide_one_i64(a, b) - ((rest != 0) & ((rest ^ b) < 0));
}

static inline int64_t bli_remainder_one_i64(int64_t a, int64_t b)
{
    const int64_t rest = bli_fmod_one_i64(a, b);

    return rest + (((rest != 0) & ((rest ^ b) < 0)) ? b : 0);
}

static inline uint64_t bli_trunc_divide_one_u64(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : a / b;
}

static inline uint64_t bli_fmod_one_u64(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : a % b;
}

#endif

static inline uint64_t bli_floor_divide_one_u64(uint64_t a, uint64_t b)
{
    return bli_trunc_divide_one_u64(a, b);
}

static inline uint64_t bli_remainder_one_u64(uint64_t a, uint64_t b)
{
    return bli_fmod_one_u64(a, b);
}

#endif
