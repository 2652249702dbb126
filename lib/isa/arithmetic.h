/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ops.def's expressions call: operations that C has no operator for, or whose C
 * operator does more than NumPy and PyTorch do.  Without branches where there is a
 * choice.
 */
#ifndef BLI_ARITHMETIC_H
#define BLI_ARITHMETIC_H

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "isa/bits.h"

/*
 * Modulus without undue overflow, within one unit in the last place.  Not hypot(): that
 * sets errno, and calls keep loops from becoming vector code.  An infinite part makes
 * the result infinite, whatever the other.
 */
static inline float bli_abs_c64(float _Complex a)
{
    const double x = crealf(a);
    const double y = cimagf(a);
    const float modulus = (float)sqrt(x * x + y * y); /* the squares are exact */
    const bool infinite = (fabs(x) > FLT_MAX) | (fabs(y) > FLT_MAX);

    return bli_choose_f32(infinite, INFINITY, modulus);
}

static inline double bli_abs_c128(double _Complex a)
{
    const double x = fabs(creal(a));
    const double y = fabs(cimag(a));
    const double larger = bli_choose_f64(x > y, x, y);
    const bool is_huge = larger > 0x1p500;
    const bool is_tiny = larger < 0x1p-450;
    const double up = bli_choose_f64(is_tiny, 0x1p600, 1);
    const double down = bli_choose_f64(is_tiny, 0x1p-600, 1);
    const double scale = bli_choose_f64(is_huge, 0x1p-600, up);
    const double back = bli_choose_f64(is_huge, 0x1p600, down);
    const double u = x * scale;
    const double v = y * scale;
    const double modulus = sqrt(u * u + v * v) * back;
    const bool infinite = (x > DBL_MAX) | (y > DBL_MAX);

    return bli_choose_f64(infinite, INFINITY, modulus);
}

/* The smallest number stays as it is: kernels wrap. */
static inline int32_t bli_abs_i32(int32_t a)
{
    return a < 0 ? -a : a;
}

static inline int64_t bli_abs_i64(int64_t a)
{
    return a < 0 ? -a : a;
}

/*
 * Products, and sums of them; C's own operator recovers infinities from NaN, slowly.
 * Two sums, with a factor negated as bits: a difference beside a sum GCC 12 makes into
 * one vfmaddsub, -ffp-contract=off or not, which rounds differently.
 */
#define BLI_DEFINE_COMPLEX(name, real, real_of, imag_of, abs_of, choose, negative)     \
    static inline real _Complex bli_mul_##name(real _Complex a, real _Complex b)       \
    {                                                                                  \
        const real ar = real_of(a), ai = imag_of(a);                                   \
        const real br = real_of(b), bi = imag_of(b);                                   \
        return __builtin_complex(ar * br + negative(ai) * bi, ar * bi + ai * br);      \
    }                                                                                  \
    /* Smith's algorithm in NumPy's form; a zero divisor divides each part by 0. */    \
    static inline real _Complex bli_div_##name(real _Complex a, real _Complex b)       \
    {                                                                                  \
        const real ar = real_of(a), ai = imag_of(a);                                   \
        const real br = real_of(b), bi = imag_of(b);                                   \
        const bool by_real = abs_of(br) >= abs_of(bi);                                 \
        const bool by_zero = (br == 0) & (bi == 0);                                    \
        const real larger = choose(by_real, br, bi);                                   \
        const real smaller = choose(by_real, bi, br);                                  \
        const real ratio = smaller / choose(by_zero, 1, larger);                       \
        const real scale = 1 / (larger + smaller * ratio);                             \
        const real p = choose(by_real, ar, ai);                                        \
        const real q = choose(by_real, ai, ar);                                        \
        const real pr = p * ratio;                                                     \
        const real plus = choose(by_real, q, pr);                                      \
        const real minus = choose(by_real, pr, q);                                     \
        const real sum = choose(by_zero, ar, p + q * ratio);                           \
        const real difference = choose(by_zero, ai, plus - minus);                     \
        return __builtin_complex(sum * scale, difference * scale);                     \
    }

BLI_DEFINE_COMPLEX(c64, float, crealf, cimagf, fabsf, bli_choose_f32, bli_negative_f32)
BLI_DEFINE_COMPLEX(c128, double, creal, cimag, fabs, bli_choose_f64, bli_negative_f64)

#undef BLI_DEFINE_COMPLEX

#define BLI_ABS(a)                                                                     \
    _Generic((a), float                                                                \
             : fabsf((float)(a)), double                                               \
             : fabs((double)(a)), float _Complex                                       \
             : bli_abs_c64(a), double _Complex                                         \
             : bli_abs_c128(a), int8_t                                                 \
             : bli_abs_i32((int32_t)(a)), int16_t                                      \
             : bli_abs_i32((int32_t)(a)), int32_t                                      \
             : bli_abs_i32((int32_t)(a)), int64_t                                      \
             : bli_abs_i64((int64_t)(a)), default                                      \
             : (a))
#define BLI_MUL(a, b)                                                                  \
    _Generic((a), float _Complex                                                       \
             : bli_mul_c64(a, b), double _Complex                                      \
             : bli_mul_c128(a, b), default                                             \
             : (a) * (b))
#define BLI_DIV(a, b)                                                                  \
    _Generic((a), float _Complex                                                       \
             : bli_div_c64(a, b), double _Complex                                      \
             : bli_div_c128(a, b), default                                             \
             : (a) / (b))

#endif
