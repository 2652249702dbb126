/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the expressions of ops.def call for real floating-point numbers: one inline
 * function of an element per operator and dtype, without branches. Classes and signs
 * are read from the bits: comparisons would raise an exception for NaN. Rounding to
 * integers is in round.h.
 */
#ifndef BLI_REAL_H
#define BLI_REAL_H

#include <math.h>

#include "kernels/bits.h"

/*
 * b if it is NaN as `checked` says, else `chosen`, by its bits.  Of `checked != checked
 * ? b : chosen` GCC makes comparisons in place of the instruction of `chosen`, in some
 * loops: subnormal operands that are flushed would be 0 in others alone, and with 512
 * bits NaN would raise no exception.
 */
#ifdef __AVX2__
#define BLI_UNLESS_NAN(name, checked, b, chosen)                                       \
    bli_choose_##name(checked != checked, b, chosen)
#else
#define BLI_UNLESS_NAN(name, checked, b, chosen) (checked != checked ? b : chosen)
#endif

/*
 * The one of two that is `than` the other; b if the number `checked`, a or b, is NaN.
 * One instruction gives `chosen`, which is a where either is NaN.
 */
#define BLI_DEFINE_CHOICE(choice, name, real, than, checked)                           \
    static inline real bli_##choice##_##name(real a, real b)                           \
    {                                                                                  \
        const real chosen = b than a ? b : a;                                          \
                                                                                       \
        return BLI_UNLESS_NAN(name, checked, b, chosen);                               \
    }

#define BLI_DEFINE_REAL(name, real, bits, infinity, suffix)                            \
    /* The bits without the sign, ordered like |a|: numbers, infinity, NaN. */         \
    static inline uint##bits##_t bli_size_##name(real a)                               \
    {                                                                                  \
        return bli_bits_of_##name(a) & UINT##bits##_MAX >> 1;                          \
    }                                                                                  \
    static inline uint##bits##_t bli_sign_bit_##name(real a)                           \
    {                                                                                  \
        return bli_bits_of_##name(a) & ~(UINT##bits##_MAX >> 1);                       \
    }                                                                                  \
    static inline bool bli_isnan_##name(real a)                                        \
    {                                                                                  \
        return bli_size_##name(a) > infinity;                                          \
    }                                                                                  \
    static inline bool bli_isinf_##name(real a)                                        \
    {                                                                                  \
        return bli_size_##name(a) == infinity;                                         \
    }                                                                                  \
    static inline bool bli_isfinite_##name(real a)                                     \
    {                                                                                  \
        return bli_size_##name(a) < infinity;                                          \
    }                                                                                  \
    static inline bool bli_signbit_##name(real a)                                      \
    {                                                                                  \
        return bli_sign_bit_##name(a) != 0;                                            \
    }                                                                                  \
    static inline real bli_copysign_##name(real a, real b)                             \
    {                                                                                  \
        return bli_##name##_of_bits(bli_size_##name(a) | bli_sign_bit_##name(b));      \
    }                                                                                  \
    static inline real bli_sqrt_##name(real a)                                         \
    {                                                                                  \
        return sqrt##suffix(a);                                                        \
    }                                                                                  \
    static inline real bli_rsqrt_##name(real a)                                        \
    {                                                                                  \
        return 1 / sqrt##suffix(a);                                                    \
    }                                                                                  \
    static inline real bli_unsigned_##name(real a)                                     \
    {                                                                                  \
        return bli_##name##_of_bits(bli_size_##name(a));                               \
    }                                                                                  \
    /* The sign of a; 0 for NaN, as in PyTorch. */                                     \
    static inline real bli_sign_##name(real a)                                         \
    {                                                                                  \
        const bool has_sign = bli_size_##name(a) - 1 < infinity;                       \
                                                                                       \
        return bli_choose_##name(has_sign, bli_copysign_##name(1, a), 0);              \
    }                                                                                  \
    static inline real bli_heaviside_##name(real a, real b)                            \
    {                                                                                  \
        const real step = bli_choose_##name(bli_signbit_##name(a), 0, 1);              \
        const real other = bli_choose_##name(bli_isnan_##name(a), a, step);            \
                                                                                       \
        return bli_choose_##name(bli_size_##name(a) == 0, b, other);                   \
    }                                                                                  \
    BLI_DEFINE_CHOICE(larger, name, real, >, b)                                        \
    BLI_DEFINE_CHOICE(smaller, name, real, <, b)                                       \
    BLI_DEFINE_CHOICE(fmax, name, real, >, a)                                          \
    BLI_DEFINE_CHOICE(fmin, name, real, <, a)                                          \
    /* The smaller of the larger and c; NaN is replaced last, as above. */             \
    static inline real bli_clamp_##name(real a, real b, real c)                        \
    {                                                                                  \
        const real larger = b > a ? b : a;                                             \
        const real smaller = c < larger ? c : larger;                                  \
        const real chosen = BLI_UNLESS_NAN(name, b, b, smaller);                       \
                                                                                       \
        return BLI_UNLESS_NAN(name, c, c, chosen);                                     \
    }                                                                                  \
    /*                                                                                 \
     * From b where the weight is at least 0.5, so that a weight of 1 gives b exactly. \
     */                                                                                \
    static inline real bli_lerp_##name(real a, real b, real weight)                    \
    {                                                                                  \
        const bool is_near = (int##bits##_t)bli_bits_of_##name(weight) <               \
                             (int##bits##_t)bli_bits_of_##name((real)0.5);             \
        const real base = bli_choose_##name(is_near, a, b);                            \
        const real left = bli_negative_##name(1 - weight);                             \
        const real factor = bli_choose_##name(is_near, weight, left);                  \
                                                                                       \
        return base + factor * (b - a);                                                \
    }                                                                                  \
    static inline bool bli_isclose_##name(real a, real b, real relative,               \
                                          real absolute)                               \
    {                                                                                  \
        const bool is_equal = a == b;                                                  \
        const real difference = fabs##suffix(a - bli_choose_##name(is_equal, 0, b));   \
        const bool is_within = difference <= absolute + relative * fabs##suffix(b);    \
                                                                                       \
        return is_equal | (is_within & bli_isfinite_##name(difference));               \
    }                                                                                  \
    /* The bits count upwards away from 0; b says in which direction to step. */       \
    static inline real bli_nextafter_##name(real a, real b)                            \
    {                                                                                  \
        const uint##bits##_t size = bli_size_##name(a);                                \
        const bool is_nan = (size > infinity) | (bli_size_##name(b) > infinity);       \
        const bool turns = bli_sign_bit_##name(a) != bli_sign_bit_##name(b);           \
        const bool is_less = bli_size_##name(b) < size;                                \
        const uint##bits##_t moved = (turns | is_less) ? size - 1 : size + 1;          \
        const real next =                                                              \
            bli_copysign_##name(bli_##name##_of_bits(size == 0 ? 1 : moved),           \
                                bli_choose_##name(size == 0, b, a));                   \
        const real other = bli_choose_##name(a == b, b, next);                         \
        const real nan = bli_choose_##name(bli_isnan_##name(a), a, b);                 \
                                                                                       \
        return bli_choose_##name(is_nan, nan, other);                                  \
    }

BLI_DEFINE_REAL(f32, float, 32, UINT32_C(0x7f800000), f)
BLI_DEFINE_REAL(f64, double, 64, UINT64_C(0x7ff) << 52, )

#undef BLI_DEFINE_REAL

/* Whether a * b + c with one rounding is an instruction. */
#ifdef __FMA__
#define BLI_HAS_FMA true
#else
#define BLI_HAS_FMA false
#endif

/*
 * a * b + c with one rounding. In f64 the product is exact; the sum, rounded to odd
 * there, then rounds to f32 as the exact sum would.
 */
static inline float bli_fma_f32(float a, float b, float c)
{
    if (BLI_HAS_FMA)
        return fmaf(a, b, c);

    const double product = (double)a * b;
    const double sum = product + c;
    const bool is_finite = bli_isfinite_f64(sum);
    const double p = bli_choose_f64(is_finite, product, 0);
    const double q = bli_choose_f64(is_finite, c, 0);
    const double s = bli_choose_f64(is_finite, sum, 0);
    const double part = s - p;
    const double error = (p - (s - part)) + (q - part);
    const uint64_t is_smaller = (bli_sign_bit_f64(error) ^ bli_sign_bit_f64(sum)) >> 63;
    const uint64_t is_even = ~bli_bits_of_f64(sum) & (error != 0);

    return (float)bli_f64_of_bits(bli_bits_of_f64(sum) + (is_even & 1) -
                                  (is_even & is_smaller) * 2);
}

/*
 * a * b + c with one rounding, by the C library: exact in software too, where the
 * machine lacks the instruction.
 */
static inline double bli_fma_f64(double a, double b, double c)
{
    return fma(a, b, c);
}

#endif
