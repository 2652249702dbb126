/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions between 64-bit integers and f64.  AVX2 has no instructions for vectors of
 * them, so that here they are made of what it has: .6 ns an element to an integer where
 * one at a time takes 2.1, .3 instead of 1.3 from one.  The rules are in convert.h.
 */
#ifndef BLI_INTEGERS64_H
#define BLI_INTEGERS64_H

#include <math.h>

#include "kernels/bits.h"

/*
 * By the machine's instruction, of one element: what it cannot convert is replaced
 * first.
 */
static inline int64_t bli_i64_of_one(double x)
{
    const bool fits = (x >= -0x1p63) & (x < 0x1p63);

    return (int64_t)bli_choose_f64(fits, x, -0x1p63);
}

static inline uint64_t bli_u64_of_one(double x)
{
    const bool upper = (x >= 0x1p63) & (x < 0x1p64);
    const double rest = x - 0x1p63;

    return (uint64_t)bli_i64_of_one(bli_choose_f64(upper, rest, x)) ^ (uint64_t)upper
                                                                          << 63;
}

/*
 * bli_<real>_whole: a converted unsigned integer.  Clang makes vectors of them by
 * differences, which are -0 for 0 where the caller rounds downward.
 */
#if defined(__clang__)
static inline float bli_f32_whole(float x)
{
    return bli_f32_of_bits(bli_bits_of_f32(x) & INT32_MAX);
}

static inline double bli_f64_whole(double x)
{
    return bli_f64_of_bits(bli_bits_of_f64(x) & INT64_MAX);
}
#else
#define bli_f32_whole(x) (x)
#define bli_f64_whole(x) (x)
#endif

#if defined(__AVX2__) && !defined(__AVX512DQ__)
#define BLI_HAS_INTEGERS64 0

/* The number 2^exponent as bits. */
#define BLI_POWER_BITS(exponent) ((uint64_t)(1023 + (exponent)) << 52)

/*
 * The integer x, for magnitudes whose bits are below `limit`, at most those of 2^64;
 * else 2^63.  A magnitude is rounded to an integer in any mode and split into two
 * halves, which stand in the low bits of sums; one that was rounded up is one less.
 */
static inline uint64_t bli_truncated(double x, uint64_t limit)
{
    const uint64_t sign = (uint64_t)((int64_t)bli_bits_of_f64(x) >> 63);
    const uint64_t size = bli_bits_of_f64(x) & INT64_MAX;
    const bool fits = (int64_t)size < (int64_t)limit;
    const uint64_t kept = bli_choose_u64(fits, size, BLI_POWER_BITS(63));
    const double near = rint(bli_f64_of_bits(kept));
    const double upper = near * 0x1p-32 + 0x1p52;
    const double lower = near - (upper - 0x1p52) * 0x1p32 + 0x1.8p52;
    const bool is_above = (int64_t)bli_bits_of_f64(near) > (int64_t)kept;
    const uint64_t integer = (bli_bits_of_f64(upper) << 32) + bli_bits_of_f64(lower) -
                             bli_bits_of_f64(0x1.8p52) - is_above;

    return bli_choose_u64(fits, (integer ^ sign) - sign, UINT64_C(1) << 63);
}

static inline int64_t bli_i64_of_f64(double x)
{
    return (int64_t)bli_truncated(x, BLI_POWER_BITS(63));
}

/* Magnitudes below 2^64 fit, of negative numbers those below 2^63. */
static inline uint64_t bli_u64_of_f64(double x)
{
    return bli_truncated(x, BLI_POWER_BITS(64) - (bli_bits_of_f64(x) >> 63 << 52));
}

/*
 * Two halves of 32 bits, as the low bits of 2^84 and 2^52, added with one rounding. The
 * sign of 0 depends on the rounding mode.
 */
static inline double bli_sum_of_halves(int64_t x)
{
    const uint64_t high = (uint64_t)x >> 32 ^ UINT64_C(0x4530000080000000);
    const uint64_t low = ((uint64_t)x & UINT32_MAX) | BLI_POWER_BITS(52);

    return bli_f64_of_bits(high) - (0x1p84 + 0x1p63 + 0x1p52) + bli_f64_of_bits(low);
}

static inline double bli_f64_of_i64(int64_t x)
{
    return bli_choose_f64(x != 0, bli_sum_of_halves(x), 0);
}

static inline double bli_f64_of_u64(uint64_t x)
{
    const uint64_t high = x >> 32 | BLI_POWER_BITS(84);
    const uint64_t low = (x & UINT32_MAX) | BLI_POWER_BITS(52);
    const double sum = bli_f64_of_bits(high) - (0x1p84 + 0x1p52) + bli_f64_of_bits(low);

    return bli_f64_of_bits(bli_bits_of_f64(sum) & INT64_MAX);
}

#undef BLI_POWER_BITS

#else
#define BLI_HAS_INTEGERS64 1

static inline int64_t bli_i64_of_f64(double x)
{
    return bli_i64_of_one(x);
}

static inline uint64_t bli_u64_of_f64(double x)
{
    return bli_u64_of_one(x);
}

static inline double bli_f64_of_i64(int64_t x)
{
    return (double)x;
}

static inline double bli_f64_of_u64(uint64_t x)
{
    return bli_f64_whole((double)x);
}

#define bli_sum_of_halves bli_f64_of_i64

#endif

/* ---- rounded to odd, to at most 53 significant bits, which f64 holds ---- */

static inline double bli_odd_of_i64(int64_t x)
{
    const int64_t sticky = (x & ~INT64_C(0x7ff)) | (int64_t)((x & 0x7ff) != 0) << 11;
    const int64_t limit = INT64_C(1) << 53;
    const bool fits = (x >= -limit) & (x <= limit);

    return bli_f64_of_i64(fits ? x : sticky);
}

static inline double bli_odd_of_u64(uint64_t x)
{
    const uint64_t sticky = (x & ~UINT64_C(0x7ff)) | (uint64_t)((x & 0x7ff) != 0) << 11;

    return bli_f64_of_u64(x >> 53 == 0 ? x : sticky);
}

/* ---- as f32, rounded once ---- */

static inline float bli_f32_of_i64(int64_t x)
{
    return BLI_HAS_INTEGERS64 ? (float)x : (float)bli_odd_of_i64(x);
}

static inline float bli_f32_of_u64(uint64_t x)
{
    return BLI_HAS_INTEGERS64 ? bli_f32_whole((float)x) : (float)bli_odd_of_u64(x);
}

#endif
