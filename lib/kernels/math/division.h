/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fmod, remainder and floor_divide of blocks of floating-point numbers, each as PyTorch
 * defines it.
 *
 * The remainder a - q * b, where q is the truncated quotient, is a number of the type,
 * and exact here. Where q has few enough bits it comes from a division; elsewhere
 * (operands too far apart) from the C library, bit by bit. No exception is raised for
 * infinities and NaN, and by a divisor of 0 none in computing the remainder.
 */
#ifndef BLI_DIVISION_H
#define BLI_DIVISION_H

#include <math.h>

#include "kernels/math/real.h"
#include "kernels/math/round.h"

/* Elements per piece: their remainders are kept in a buffer. */
#define BLI_DIVIDE_PIECE 128

/*
 * The remainder of |a| by |b|, both finite, b not 0, |a| < 2^29 * |b|: in f64 the
 * product has at most 53 bits, and a quotient of two 24-bit numbers does not round up
 * to the next integer of 29 bits.
 */
static inline float bli_rest_f32(float a, float b)
{
    const double x = fabs((double)a);
    const double y = fabs((double)b);

    return (float)(x - (double)(int32_t)(x / y) * y);
}

/* x with only the upper 26 bits of its significand. */
static inline double bli_upper_f64(double x)
{
    return bli_f64_of_bits(bli_bits_of_f64(x) & ~(uint64_t)0 << 27);
}

/*
 * The remainder of |a| by |b|, both finite, b not 0, |a| < 2^52 * |b| and |a| < 2^1022.
 * The quotient may be one too large; the product is computed as two numbers whose sum
 * is exact, by halves of the factors.
 */
static inline double bli_rest_f64(double a, double b)
{
    const double x = fabs(a);
    const double y = fabs(b);
    const double q = bli_trunc_f64(x / y);
    const double q_upper = bli_upper_f64(q), q_lower = q - q_upper;
    const double y_upper = bli_upper_f64(y), y_lower = y - y_upper;
    const double product = q * y;
    const double most = q_upper * y_upper - product;
    const double error =
        most + q_upper * y_lower + q_lower * y_upper + q_lower * y_lower;
    const double rest = (x - product) - error;

    return rest + bli_choose_f64(rest < 0, y, 0);
}

/* SSE2 has no 64-bit integer comparison, so that the C library is five times faster. */
#if defined(__SSE2__) && !defined(__SSE4_2__)
#define BLI_DIVIDE_F64_BY_VECTORS 0
#else
#define BLI_DIVIDE_F64_BY_VECTORS 1
#endif

#define BLI_DIVIDE_REAL       float
#define BLI_DIVIDE_BITS       int32_t
#define BLI_DIVIDE_INFINITY   INT32_C(0x7f800000)
#define BLI_DIVIDE_NORMAL     INT32_C(0x00800000)
#define BLI_DIVIDE_APART      (29 * BLI_DIVIDE_NORMAL)
#define BLI_DIVIDE_LIMIT      BLI_DIVIDE_INFINITY
#define BLI_DIVIDE_BY(a, b)   fmodf(a, b)
#define BLI_DIVIDE_BY_VECTORS 1
#define BLI_DIVIDE_NAME(name) bli_##name##_f32
#include "kernels/math/division.tmpl.h"

#define BLI_DIVIDE_REAL       double
#define BLI_DIVIDE_BITS       int64_t
#define BLI_DIVIDE_INFINITY   INT64_C(0x7ff0000000000000)
#define BLI_DIVIDE_NORMAL     INT64_C(0x0010000000000000)
#define BLI_DIVIDE_APART      (52 * BLI_DIVIDE_NORMAL)
#define BLI_DIVIDE_LIMIT      INT64_C(0x7fd0000000000000)
#define BLI_DIVIDE_BY(a, b)   fmod(a, b)
#define BLI_DIVIDE_BY_VECTORS BLI_DIVIDE_F64_BY_VECTORS
#define BLI_DIVIDE_NAME(name) bli_##name##_f64
#include "kernels/math/division.tmpl.h"

#undef BLI_DIVIDE_F64_BY_VECTORS

#endif
