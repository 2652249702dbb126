/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the reference: exponentials, logarithms, trigonometry and activation
 * functions, by the C library's functions of long double.  Its complex functions follow
 * Annex G of the C standard for infinities and NaN.
 */
#include "ref_value.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* A complex number from any two parts: I * infinity would make a NaN. */
static long double complex made_of(long double real, long double imaginary)
{
    const long double part[2] = {real, imaginary};
    long double complex number;

    memcpy(&number, part, sizeof number);
    return number;
}

/* Define <name>_complex by an expression in the inputs a and b. */
#define DEFINE_COMPLEX(NAME, EXPRESSION)                                               \
    static void NAME##_complex(bl_dtype dtype, const double(*x)[2],                    \
                               long double *result)                                    \
    {                                                                                  \
        const long double complex a = made_of(x[0][0], x[0][1]);                       \
        const long double complex number = EXPRESSION;                                 \
                                                                                       \
        (void)dtype;                                                                   \
        result[0] = creall(number);                                                    \
        result[1] = cimagl(number);                                                    \
    }

/* Multiply as many factors as the exponent says, modulo 2^64. */
static uint64_t int_power(uint64_t a, uint64_t b, bool is_signed)
{
    uint64_t result = 1;

    if (is_signed && (int64_t)b < 0)
        return a == 1 ? 1 : a == UINT64_MAX ? (b % 2 == 0 ? 1 : a) : 0;
    for (uint64_t bit = UINT64_C(1) << 63; bit != 0; bit >>= 1) {
        result *= result;
        if (b & bit)
            result *= a;
    }
    return result;
}

/* A logarithm to another base, each part separately. */
static long double complex in_base(long double complex a, long double base)
{
    return made_of(creall(a) / logl(base), cimagl(a) / logl(base));
}

/* A power of 2 that is finite leaves 0 and infinity unchanged. */
static long double real_scaled(double a, double b)
{
    return isfinite(b) && (a == 0 || isinf(a)) ? a : a * exp2l(b);
}

static long double real_logaddexp(double a, double b)
{
    const long double larger = a > b ? a : b;

    if (isnan(a) || isnan(b))
        return (long double)NAN;
    return a == b ? a + logl(2) : larger + log1pl(expl(-fabsl((long double)a - b)));
}

/*
 * Works around the GNU C library's powl, which takes some large even powers of
 * -infinity for odd.
 */
static long double real_power(double a, double b)
{
    return isinf(a) ? pow(a, b) : powl(a, b);
}

/* The larger input, since the sum may be near 0 where neither number is. */
static double larger_input(bl_dtype dtype, const struct ref_value *x)
{
    (void)dtype;
    return fmax(fabs(x[0].real), fabs(x[1].real));
}

/*
 * The magnitude for lgamma's error: between its poles left of 0 it passes through 0,
 * where an absolute error is guaranteed, in ulp of this.
 */
static double lgamma_scale(bl_dtype dtype, const struct ref_value *x)
{
    const double absolute = dtype == BL_DTYPE_F64 ? 1e-15 : 1e-8;

    return x[0].real < 0 ? absolute / ref_unit(dtype, 1) : 0;
}

REF_DEFINE_REAL(exp, expl(a))
DEFINE_COMPLEX(exp, cexpl(a))
REF_DEFINE_REAL(exp2, exp2l(a))
REF_DEFINE_REAL(expm1, expm1l(a))
REF_DEFINE_REAL(log, logl(a))
DEFINE_COMPLEX(log, clogl(a))
REF_DEFINE_REAL(log2, log2l(a))
DEFINE_COMPLEX(log2, in_base(clogl(a), 2))
REF_DEFINE_REAL(log10, log10l(a))
DEFINE_COMPLEX(log10, in_base(clogl(a), 10))
REF_DEFINE_REAL(log1p, log1pl(a))
REF_DEFINE_REAL(sin, sinl(a))
DEFINE_COMPLEX(sin, csinl(a))
REF_DEFINE_REAL(cos, cosl(a))
DEFINE_COMPLEX(cos, ccosl(a))
REF_DEFINE_REAL(tan, tanl(a))
DEFINE_COMPLEX(tan, ctanl(a))
REF_DEFINE_REAL(asin, asinl(a))
DEFINE_COMPLEX(asin, casinl(a))
REF_DEFINE_REAL(acos, acosl(a))
DEFINE_COMPLEX(acos, cacosl(a))
REF_DEFINE_REAL(atan, atanl(a))
DEFINE_COMPLEX(atan, catanl(a))
REF_DEFINE_REAL(atan2, atan2l(a, b))
REF_DEFINE_REAL(sinh, sinhl(a))
DEFINE_COMPLEX(sinh, csinhl(a))
REF_DEFINE_REAL(cosh, coshl(a))
DEFINE_COMPLEX(cosh, ccoshl(a))
REF_DEFINE_REAL(tanh, tanhl(a))
DEFINE_COMPLEX(tanh, ctanhl(a))
REF_DEFINE_REAL(asinh, asinhl(a))
DEFINE_COMPLEX(asinh, casinhl(a))
REF_DEFINE_REAL(acosh, acoshl(a))
DEFINE_COMPLEX(acosh, cacoshl(a))
REF_DEFINE_REAL(atanh, atanhl(a))
DEFINE_COMPLEX(atanh, catanhl(a))
REF_DEFINE_REAL(erf, erfl(a))
REF_DEFINE_REAL(erfc, erfcl(a))
REF_DEFINE_REAL(lgamma, lgammal(a))
REF_DEFINE_REAL(sigmoid, 1 / (1 + expl(-a)))
REF_DEFINE_REAL(gelu, a / 2 * erfcl(-a / sqrtl(2)))
REF_DEFINE_REAL(silu, a / (1 + expl(-a)))
REF_DEFINE_REAL(ldexp, real_scaled(a, b))
REF_DEFINE_REAL(logaddexp, real_logaddexp(a, b))
REF_DEFINE_INTEGER(pow, int_power(a, b, is_signed))
REF_DEFINE_REAL(pow, real_power(a, b))
REF_DEFINE_REAL(hypot, hypotl(a, b))
REF_DEFINE_REAL(sqrt, sqrt(a))
REF_DEFINE_REAL(rsqrt, 1 / ref_round(dtype, sqrt(a)))
DEFINE_COMPLEX(sqrt, csqrtl(a))
DEFINE_COMPLEX(rsqrt, 1 / csqrtl(a))
DEFINE_COMPLEX(pow, cpowl(a, made_of(x[1][0], x[1][1])))

/* Error bounds: one ulp for a real result, and a few for a complex one. */
#define REAL(NAME, COUNT, ULP, LOW, HIGH)                                              \
    REF_ROW(NAME, COUNT, REF_REAL, .real = NAME##_real, .ulp = ULP,                    \
            .contents = {.low = LOW, .high = HIGH})
#define BOTH(NAME, LOW, HIGH)                                                          \
    REF_ROW(NAME, 1, REF_INEXACT, .real = NAME##_real, .pair = NAME##_complex,         \
            .ulp = 1, .complex_ulp = 6, .contents = {.low = LOW, .high = HIGH})

BOTH(exp, -20, 20)
REAL(exp2, 1, 1, -20, 20)
REAL(expm1, 1, 1, -20, 20)
BOTH(log, 0, 1000)
BOTH(log2, 0, 1000)
BOTH(log10, 0, 1000)
REAL(log1p, 1, 1, -1, 1000)
BOTH(sin, -100, 100)
BOTH(cos, -100, 100)
BOTH(tan, -100, 100)
BOTH(asin, -1, 1)
BOTH(acos, -1, 1)
BOTH(atan, -10, 10)
REAL(atan2, 2, 1, -10, 10)
BOTH(sinh, -10, 10)
BOTH(cosh, -10, 10)
BOTH(tanh, -4, 4)
BOTH(asinh, -1000, 1000)
BOTH(acosh, 1, 1000)
BOTH(atanh, -1, 1)
REAL(erf, 1, 1, -3, 3)
REAL(erfc, 1, 1.5, -3, 9)
REF_ROW(lgamma, 1, REF_REAL, .real = lgamma_real, .ulp = 1, .scale = lgamma_scale,
        .contents = {.low = -20, .high = 100})
REAL(sigmoid, 1, 4, -20, 20)
REAL(gelu, 1, 4, -6, 6)
REAL(silu, 1, 4, -20, 20)

REAL(hypot, 2, 1, 0, 0)
REAL(ldexp, 2, 1, -10, 10)
REF_ROW(logaddexp, 2, REF_REAL, .real = logaddexp_real, .ulp = 4, .scale = larger_input,
        .contents = {.low = -20, .high = 20})

/* ---- roots and powers ---- */

REF_ROW(sqrt, 1, REF_INEXACT, .real = sqrt_real, .pair = sqrt_complex, .complex_ulp = 4,
        .contents = {.low = 0, .high = 1000})
REF_ROW(rsqrt, 1, REF_INEXACT, .real = rsqrt_real, .pair = rsqrt_complex,
        .complex_ulp = 8, .contents = {.low = 1, .high = 1000})
REF_ROW(pow, 2, REF_NUMBERS, .integer = pow_integer, .real = pow_real,
        .pair = pow_complex, .ulp = 1, .complex_ulp = 8,
        .contents = {.low = 0.1, .high = 5, .counts = true})
