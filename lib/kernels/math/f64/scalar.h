/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mathematical functions of one double, by the C library's long double functions and
 * rounded once. They are used where there are no vector functions, and for elements
 * that vector functions cannot compute. They raise the floating-point exceptions that
 * the C library raises.
 *
 *   BLI_MATH64_UNARY( X(name, expression in the long double x), ... )
 */
#ifndef BLI_F64_SCALAR_H
#define BLI_F64_SCALAR_H

#include <math.h>

#define BLI_SQRT_HALF_L 0.707106781186547524400844362104849039L

/* lgamma without lgammal(), which would write the process's signgam. */
static inline long double bli_lgamma_l(long double x)
{
    int sign;

    return lgammal_r(x, &sign);
}

/*
 * a^b; in the C library of x86 powl(-infinity, -2^63) is infinite, so pow does infinite
 * a.
 */
static inline long double bli_pow_l(long double a, long double b)
{
    return isinf(a) ? pow((double)a, (double)b) : powl(a, b);
}

/* log(e^a + e^b) as the larger argument plus a logarithm that does not overflow. */
static inline long double bli_logaddexp_l(long double a, long double b)
{
    const long double larger = isgreater(a, b) ? a : b;

    return a == b ? a + 0.693147180559945309417232121458176568L
                  : larger + log1pl(expl(-fabsl(a - b)));
}

/*
 * a * 2^b. b is clamped to more than doubles can need, without overflow; an infinite b
 * stays infinite.
 */
static inline long double bli_ldexp_l(long double a, long double b)
{
    const long double most = 8192;

    return a * exp2l(isinf(b)             ? b
                     : isgreater(b, most) ? most
                     : isless(b, -most)   ? -most
                                          : b);
}

#define BLI_MATH64_UNARY(X)                                                            \
    X(exp, expl(x))                                                                    \
    X(exp2, exp2l(x))                                                                  \
    X(expm1, expm1l(x))                                                                \
    X(log, logl(x))                                                                    \
    X(log2, log2l(x))                                                                  \
    X(log10, log10l(x))                                                                \
    X(log1p, log1pl(x))                                                                \
    X(sin, sinl(x))                                                                    \
    X(cos, cosl(x))                                                                    \
    X(tan, tanl(x))                                                                    \
    X(asin, asinl(x))                                                                  \
    X(acos, acosl(x))                                                                  \
    X(atan, atanl(x))                                                                  \
    X(sinh, sinhl(x))                                                                  \
    X(cosh, coshl(x))                                                                  \
    X(tanh, tanhl(x))                                                                  \
    X(asinh, asinhl(x))                                                                \
    X(acosh, acoshl(x))                                                                \
    X(atanh, atanhl(x))                                                                \
    X(erf, erfl(x))                                                                    \
    X(erfc, erfcl(x))                                                                  \
    X(lgamma, bli_lgamma_l(x))                                                         \
    X(sigmoid, 1 / (1 + expl(-x)))                                                     \
    X(silu, x / (1 + expl(-x)))                                                        \
    X(gelu, x / 2 * erfcl(-x * BLI_SQRT_HALF_L))

#define BLI_MATH64_BINARY(X)                                                           \
    X(pow_any, bli_pow_l(x, y))                                                        \
    X(hypot, hypotl(x, y))                                                             \
    X(atan2, atan2l(x, y))                                                             \
    X(ldexp, bli_ldexp_l(x, y))                                                        \
    X(logaddexp, bli_logaddexp_l(x, y))

typedef double bli_unary_one_f64(double a);
typedef double bli_binary_one_f64(double a, double b);

#define BLI_ONE_UNARY(name, expression)                                                \
    static inline double bli_##name##_one_f64(double a)                                \
    {                                                                                  \
        const long double x = a;                                                       \
        return (double)(expression);                                                   \
    }
#define BLI_ONE_BINARY(name, expression)                                               \
    static inline double bli_##name##_one_f64(double a, double b)                      \
    {                                                                                  \
        const long double x = a, y = b;                                                \
        return (double)(expression);                                                   \
    }
BLI_MATH64_UNARY(BLI_ONE_UNARY)
BLI_MATH64_BINARY(BLI_ONE_BINARY)
#undef BLI_ONE_UNARY
#undef BLI_ONE_BINARY

#endif
