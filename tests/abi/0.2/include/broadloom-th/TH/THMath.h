/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scalar functions that the C library lacks.
 */
#ifndef _THMATH_H
#define _THMATH_H

#include <math.h>

#define TH_MATH_(type, suffix)                                                         \
    static inline type TH_sigmoid##suffix(type value)                                  \
    {                                                                                  \
        return (type)1 / ((type)1 + exp##suffix(-value));                              \
    }                                                                                  \
    static inline type TH_frac##suffix(type value)                                     \
    {                                                                                  \
        return value - trunc##suffix(value);                                           \
    }                                                                                  \
    static inline type TH_rsqrt##suffix(type value)                                    \
    {                                                                                  \
        return (type)1 / sqrt##suffix(value);                                          \
    }                                                                                  \
    static inline type TH_lerp##suffix(type a, type b, type weight)                    \
    {                                                                                  \
        return a + weight * (b - a);                                                   \
    }

TH_MATH_(double, )
TH_MATH_(float, f)

#undef TH_MATH_

#endif
