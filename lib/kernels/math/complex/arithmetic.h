/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the expressions of ops.def call for complex dtypes: one inline function of an
 * element per operator and dtype, without branches. Infinities and NaN are treated as
 * in C99's Annex G for the square root, and as in NumPy for products and quotients.
 */
#ifndef BLI_COMPLEX_ARITHMETIC_H
#define BLI_COMPLEX_ARITHMETIC_H

#include <complex.h>
#include <math.h>

#include "kernels/math/real.h"

/* ---- modulus, direction, square root ---- */

/*
 * |a|, without undue overflow: for c64 computed in f64, where squares are exact and
 * neither too large nor too small. hypot() is not used: it sets errno, and calls keep
 * loops from being vectorized.
 */
static inline float bli_abs_c64(float _Complex a)
{
    const double x = crealf(a);
    const double y = cimagf(a);
    const float modulus = (float)sqrt(x * x + y * y);
    const bool is_wide = bli_isinf_f32(crealf(a));
    const bool is_high = bli_isinf_f32(cimagf(a));

    return bli_choose_f32(is_wide | is_high, INFINITY, modulus);
}

/*
 * A power of 2 that scales both parts so that their squares neither underflow nor
 * overflow.
 */
static inline double bli_scale_c128(double _Complex a)
{
    const uint64_t x = bli_size_f64(creal(a));
    const uint64_t y = bli_size_f64(cimag(a));
    const uint64_t size = x > y ? x : y;
    const bool is_huge = size > bli_bits_of_f64(0x1p500);
    const bool is_tiny = size < bli_bits_of_f64(0x1p-450);
    const double up = bli_choose_f64(is_tiny, 0x1p600, 1);

    return bli_choose_f64(is_huge, 0x1p-600, up);
}

/* |a|, with the parts scaled by a power of 2 so that their squares do not overflow. */
static inline double bli_abs_c128(double _Complex a)
{
    const double scale = bli_scale_c128(a);
    const double back =
        bli_f64_of_bits(2 * bli_bits_of_f64(1) - bli_bits_of_f64(scale));
    const double x = creal(a) * scale;
    const double y = cimag(a) * scale;
    const double modulus = sqrt(x * x + y * y) * back;
    const bool is_wide = bli_isinf_f64(creal(a));
    const bool is_high = bli_isinf_f64(cimag(a));

    return bli_choose_f64(is_wide | is_high, INFINITY, modulus);
}

/* bli_sign_<dtype>: a / |a|, and 0 for 0. */
static inline float _Complex bli_sign_c64(float _Complex a)
{
    const double x = crealf(a);
    const double y = cimagf(a);
    const double modulus = sqrt(x * x + y * y);
    const double by = bli_choose_f64(modulus == 0, 1, modulus);

    return __builtin_complex((float)(x / by), (float)(y / by));
}

static inline double _Complex bli_sign_c128(double _Complex a)
{
    const double scale = bli_scale_c128(a);
    const double x = creal(a) * scale;
    const double y = cimag(a) * scale;
    const double modulus = sqrt(x * x + y * y);
    const double by = bli_choose_f64(modulus == 0, 1, modulus);

    return __builtin_complex(x / by, y / by);
}

/*
 * The square root of x + iy, whose parts are scaled by `up` and whose root by `down`.
 * The larger part of the root is sqrt((|a| + |x|) / 2), the other |y| / 2 divided by
 * it, and neither cancels; the larger one is the real part unless x is negative.
 */
static inline double _Complex bli_root_f64(double x, double y, double up, double down)
{
    const bool is_wide = bli_isinf_f64(x);
    const bool is_high = bli_isinf_f64(y);
    const double u = fabs(bli_choose_f64(is_wide | is_high, 1, x)) * up;
    const double v = fabs(bli_choose_f64(is_high, 1, y)) * up;
    const double larger = sqrt((sqrt(u * u + v * v) + u) * 0.5) * down;
    const double by = bli_choose_f64(larger == 0, 1, 2 * larger);
    const double smaller = fabs(bli_choose_f64(is_high, 1, y)) / by;
    const double p = bli_choose_f64(is_wide | is_high, INFINITY, larger);
    const double of_wide = bli_choose_f64(bli_isnan_f64(y), y, 0);
    const double q = bli_choose_f64(is_wide, of_wide, smaller);
    const double r = bli_choose_f64(is_high, INFINITY, q);
    const bool is_left = bli_signbit_f64(x);

    return __builtin_complex(bli_choose_f64(is_left, r, p),
                             bli_copysign_f64(bli_choose_f64(is_left, p, r), y));
}

/* The square root, computed in f64. */
static inline float _Complex bli_sqrt_c64(float _Complex a)
{
    const double _Complex root = bli_root_f64(crealf(a), cimagf(a), 1, 1);

    return __builtin_complex((float)creal(root), (float)cimag(root));
}

/* The square root, with the parts scaled by a power of 2. */
static inline double _Complex bli_sqrt_c128(double _Complex a)
{
    const double up = bli_scale_c128(a); /* 2^600 has the root 2^300 */
    const uint64_t unit = bli_bits_of_f64(1);
    const uint64_t half = (bli_bits_of_f64(up) - unit) >> 1;
    const bool is_down = bli_bits_of_f64(up) < unit;
    const uint64_t root = is_down ? half | UINT64_C(1) << 63 : half;

    return bli_root_f64(creal(a), cimag(a), up, bli_f64_of_bits(unit - root));
}

/* ---- products, quotients and what is made of them ---- */

/*
 * C's own operator recovers infinities from NaN, slowly. Each part of a product is
 * written as a sum, with a factor negated by its sign bit: GCC 12 makes a difference
 * next to a sum into one vfmaddsub, with or without -ffp-contract=off, which rounds
 * differently.
 */
#define BLI_DEFINE_COMPLEX(name, part, real, real_of, imag_of, abs_of)                 \
    static inline real _Complex bli_mul_##name(real _Complex a, real _Complex b)       \
    {                                                                                  \
        const real ar = real_of(a), ai = imag_of(a);                                   \
        const real br = real_of(b), bi = imag_of(b);                                   \
                                                                                       \
        return __builtin_complex(ar * br + bli_negative_##part(ai) * bi,               \
                                 ar * bi + ai * br);                                   \
    }                                                                                  \
    /* Smith's algorithm in NumPy's form; a zero divisor divides each part by 0. */    \
    static inline real _Complex bli_div_##name(real _Complex a, real _Complex b)       \
    {                                                                                  \
        const real ar = real_of(a), ai = imag_of(a);                                   \
        const real br = real_of(b), bi = imag_of(b);                                   \
        const bool by_real = abs_of(br) >= abs_of(bi);                                 \
        const bool by_zero = (br == 0) & (bi == 0);                                    \
        const real larger = bli_choose_##part(by_real, br, bi);                        \
        const real smaller = bli_choose_##part(by_real, bi, br);                       \
        const real ratio = smaller / bli_choose_##part(by_zero, 1, larger);            \
        const real scale = 1 / (larger + smaller * ratio);                             \
        const real p = bli_choose_##part(by_real, ar, ai);                             \
        const real q = bli_choose_##part(by_real, ai, ar);                             \
        const real pr = p * ratio;                                                     \
        const real plus = bli_choose_##part(by_real, q, pr);                           \
        const real minus = bli_choose_##part(by_real, pr, q);                          \
        const real sum = bli_choose_##part(by_zero, ar, p + q * ratio);                \
        const real difference = bli_choose_##part(by_zero, ai, plus - minus);          \
                                                                                       \
        return __builtin_complex(sum * scale, difference * scale);                     \
    }                                                                                  \
    static inline real _Complex bli_rsqrt_##name(real _Complex a)                      \
    {                                                                                  \
        return bli_div_##name(1, bli_sqrt_##name(a));                                  \
    }                                                                                  \
    static inline real _Complex bli_conj_##name(real _Complex a)                       \
    {                                                                                  \
        return __builtin_complex(real_of(a), bli_negative_##part(imag_of(a)));         \
    }                                                                                  \
    static inline real _Complex bli_lerp_##name(real _Complex a, real _Complex b,      \
                                                real _Complex weight)                  \
    {                                                                                  \
        const real x = real_of(weight), y = imag_of(weight);                           \
        const bool is_near = x * x + y * y < (real)0.25;                               \
        const real _Complex factor = __builtin_complex(                                \
            bli_choose_##part(is_near, x, bli_negative_##part(1 - x)), y);             \
        const real _Complex base =                                                     \
            __builtin_complex(bli_choose_##part(is_near, real_of(a), real_of(b)),      \
                              bli_choose_##part(is_near, imag_of(a), imag_of(b)));     \
                                                                                       \
        return base + bli_mul_##name(factor, b - a);                                   \
    }                                                                                  \
    /* The tolerances are real. */                                                     \
    static inline bool bli_isclose_##name(real _Complex a, real _Complex b,            \
                                          real _Complex relative,                      \
                                          real _Complex absolute)                      \
    {                                                                                  \
        const bool is_equal = (real_of(a) == real_of(b)) & (imag_of(a) == imag_of(b)); \
        const real x = real_of(a) - bli_choose_##part(is_equal, 0, real_of(b));        \
        const real y = imag_of(a) - bli_choose_##part(is_equal, 0, imag_of(b));        \
        const real difference = bli_abs_##name(__builtin_complex(x, y));               \
        const real size = bli_abs_##name(b);                                           \
        const bool is_within =                                                         \
            difference <= real_of(absolute) + real_of(relative) * size;                \
                                                                                       \
        return is_equal | (is_within & bli_isfinite_##part(difference));               \
    }                                                                                  \
    static inline bool bli_isnan_##name(real _Complex a)                               \
    {                                                                                  \
        const bool real_is = bli_isnan_##part(real_of(a));                             \
        const bool imag_is = bli_isnan_##part(imag_of(a));                             \
                                                                                       \
        return real_is | imag_is;                                                      \
    }                                                                                  \
    static inline bool bli_isinf_##name(real _Complex a)                               \
    {                                                                                  \
        const bool real_is = bli_isinf_##part(real_of(a));                             \
        const bool imag_is = bli_isinf_##part(imag_of(a));                             \
                                                                                       \
        return real_is | imag_is;                                                      \
    }                                                                                  \
    static inline bool bli_isfinite_##name(real _Complex a)                            \
    {                                                                                  \
        const bool real_is = bli_isfinite_##part(real_of(a));                          \
        const bool imag_is = bli_isfinite_##part(imag_of(a));                          \
                                                                                       \
        return real_is & imag_is;                                                      \
    }

BLI_DEFINE_COMPLEX(c64, f32, float, crealf, cimagf, fabsf)
BLI_DEFINE_COMPLEX(c128, f64, double, creal, cimag, fabs)

#undef BLI_DEFINE_COMPLEX

#endif
