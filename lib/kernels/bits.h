/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floating-point numbers as bits, and selections that compile without a branch.
 *
 * For `c ? a : b` GCC emits a branch around the code of a or b where that code could
 * raise a floating-point exception, and a loop with a branch is not vectorized. The
 * functions here are opaque enough that both values are computed.
 */
#ifndef BLI_BITS_H
#define BLI_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * For functions that have to be inlined for arguments to become constants and loops to
 * be vectorized.
 */
#define BLI_INLINE static inline __attribute__((always_inline))

/* For functions that every kernel calls and no kernel should inline. */
#define BLI_SHARED static __attribute__((noinline, unused))

static inline uint32_t bli_bits_of_f32(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float bli_f32_of_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t bli_bits_of_f64(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double bli_f64_of_bits(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* bli_choose_<type>: `a` if c, else `b`, without a branch. */
static inline uint32_t bli_choose_u32(bool c, uint32_t a, uint32_t b)
{
    const uint32_t mask = 0 - (uint32_t)c;

    return (a & mask) | (b & ~mask);
}

static inline uint64_t bli_choose_u64(bool c, uint64_t a, uint64_t b)
{
    const uint64_t mask = 0 - (uint64_t)c;

    return (a & mask) | (b & ~mask);
}

static inline float bli_choose_f32(bool c, float a, float b)
{
    return bli_f32_of_bits(bli_choose_u32(c, bli_bits_of_f32(a), bli_bits_of_f32(b)));
}

static inline double bli_choose_f64(bool c, double a, double b)
{
    return bli_f64_of_bits(bli_choose_u64(c, bli_bits_of_f64(a), bli_bits_of_f64(b)));
}

/* bli_negative_<type>: -x, by flipping the sign bit. */
static inline float bli_negative_f32(float x)
{
    return bli_f32_of_bits(bli_bits_of_f32(x) ^ UINT32_C(1) << 31);
}

static inline double bli_negative_f64(double x)
{
    return bli_f64_of_bits(bli_bits_of_f64(x) ^ UINT64_C(1) << 63);
}

#endif
