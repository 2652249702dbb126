/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the reference: moving, arithmetic, division, and operators composed of them.
 * Real sums, products, quotients and square roots are computed in double: for narrower
 * types the second rounding does no harm.
 */
#include "ref_value.h"

#include <math.h>

/* ---- of integers and real numbers ---- */

static uint64_t int_floor_divide(uint64_t a, uint64_t b, bool is_signed)
{
    const int64_t x = (int64_t)a;
    const int64_t y = (int64_t)b;

    if (b == 0)
        return 0;
    if (!is_signed)
        return a / b;
    if (y == -1)
        return ~a + 1;
    return (uint64_t)(x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0));
}

static uint64_t int_trunc_divide(uint64_t a, uint64_t b, bool is_signed)
{
    if (b == 0)
        return 0;
    if (!is_signed)
        return a / b;
    return b == UINT64_MAX ? ~a + 1 : (uint64_t)((int64_t)a / (int64_t)b);
}

/* Python's rule: the remainder has the divisor's sign, and the quotient matches it. */
static long double real_remainder(double a, double b)
{
    const double rest = fmod(a, b);

    return rest != 0 && (rest < 0) != (b < 0) ? (long double)(rest + b) : rest;
}

/* The floor quotient from the remainder, rounded at each step as in other libraries. */
static double real_floor_divide(bl_dtype dtype, double a, double b)
{
    const double rest = fmod(a, b);
    double quotient = ref_round(dtype, ref_round(dtype, a - rest) / b);

    if (b == 0)
        return a / b;
    if (rest != 0 && (rest < 0) != (b < 0))
        quotient = ref_round(dtype, quotient - 1);
    if (quotient == 0)
        return copysign(0, a / b);
    const double below = floor(quotient);
    return quotient - below > 0.5 ? ref_round(dtype, below + 1) : below;
}

/* The next number of the dtype, by a step of one ulp. */
static long double real_next(bl_dtype dtype, double a, double b)
{
    if (isnan(a) || isnan(b))
        return (long double)NAN;
    if (a == b)
        return b;
    if (dtype == BL_DTYPE_F64)
        return nextafter(a, b);
    if (dtype == BL_DTYPE_F32)
        return (long double)nextafterf((float)a, (float)b);
    if (isinf(a))
        return copysign((double)ref_top(dtype) - ref_unit(dtype, a), a);

    const double size = fabs(a);
    const bool is_outwards = a == 0 || (b > a) == (a > 0);
    const double unit = ref_unit(dtype, size);
    const double inner = ref_unit(dtype, size - unit / 4);
    const double next = is_outwards ? size + unit : size - inner;

    return copysign(next, a == 0 ? b : a);
}

REF_DEFINE_INTEGER(neg, ~a + 1)
REF_DEFINE_REAL(neg, copysign(a, signbit(a) ? 1.0 : -1.0))
REF_DEFINE_INTEGER(abs, ref_is_less(a, 0, is_signed) ? ~a + 1 : a)
REF_DEFINE_REAL(abs, copysign(a, 1.0))
REF_DEFINE_INTEGER(sign, a == 0 ? 0 : ref_is_less(a, 0, is_signed) ? UINT64_MAX : 1)
REF_DEFINE_REAL(sign, isgreater(a, 0) ? 1 : isless(a, 0) ? -1 : 0)
REF_DEFINE_TRUTH(add, a ? true : b)
REF_DEFINE_INTEGER(add, a + b)
REF_DEFINE_REAL(add, a + b)
REF_DEFINE_INTEGER(sub, a + (~b + 1))
REF_DEFINE_REAL(sub, a - b)
REF_DEFINE_TRUTH(mul, a ? b : false)
REF_DEFINE_INTEGER(mul, a *b)
REF_DEFINE_REAL(mul, a *b)
REF_DEFINE_REAL(div, a / b)
REF_DEFINE_INTEGER(floor_divide, int_floor_divide(a, b, is_signed))
REF_DEFINE_REAL(floor_divide, real_floor_divide(dtype, a, b))
REF_DEFINE_INTEGER(trunc_divide, int_trunc_divide(a, b, is_signed))
REF_DEFINE_REAL(trunc_divide, trunc(ref_round(dtype, a / b)))
REF_DEFINE_INTEGER(remainder, a - b * int_floor_divide(a, b, is_signed))
REF_DEFINE_REAL(remainder, real_remainder(a, b))
REF_DEFINE_INTEGER(fmod, a - b * int_trunc_divide(a, b, is_signed))
REF_DEFINE_REAL(fmod, fmod(a, b))
REF_DEFINE_REAL(reciprocal, 1 / a)
REF_DEFINE_INTEGER(square, a *a)
REF_DEFINE_REAL(square, a *a)
REF_DEFINE_REAL(fma, dtype == BL_DTYPE_F64 ? fma(a, b, c)
                                           : (double)fmaf((float)a, (float)b, (float)c))
REF_DEFINE_INTEGER(add_scaled, a + b * c)
REF_DEFINE_REAL(add_scaled, ref_round(dtype, a + ref_round(dtype, b *c)))
REF_DEFINE_INTEGER(sub_scaled, a + (~(b * c) + 1))
REF_DEFINE_REAL(sub_scaled, ref_round(dtype, a - ref_round(dtype, b *c)))
REF_DEFINE_INTEGER(addcmul, a + b * c * d)
REF_DEFINE_REAL(addcmul,
                ref_round(dtype, a + ref_round(dtype, ref_round(dtype, d *b) * c)))
REF_DEFINE_REAL(addcdiv,
                ref_round(dtype, a + ref_round(dtype, ref_round(dtype, d *b) / c)))
REF_DEFINE_REAL(lerp,
                ref_round(dtype,
                          c < 0.5 ? a + ref_round(dtype, c *ref_round(dtype, b - a))
                                  : b - ref_round(dtype, ref_round(dtype, b - a) *
                                                             ref_round(dtype, 1 - c))))
REF_DEFINE_REAL(copysign, copysign(a, b))
REF_DEFINE_REAL(nextafter, real_next(dtype, a, b))
REF_DEFINE_TRUTH(heaviside, a ? true : b)
REF_DEFINE_INTEGER(heaviside, a == 0 ? b : ref_is_less(a, 0, is_signed) ? 0 : 1)
REF_DEFINE_REAL(heaviside, isnan(a) ? a : a == 0 ? b : a < 0 ? 0 : 1)

/* ---- rows ---- */

/* Magnitudes of the terms of sums, whose last places an exact quotient changes. */
static double first_input(bl_dtype dtype, const struct ref_value *x)
{
    (void)dtype;
    return fmax(fabs(x[0].real), fabs(x[0].imaginary)); /* one of them may be NaN */
}

/* Products of complex numbers, and their sums, may cancel. */
static double lerp_scale(bl_dtype dtype, const struct ref_value *x)
{
    const double way = hypot(x[1].real - x[0].real, x[1].imaginary - x[0].imaginary);

    (void)dtype;
    return fmax(first_input(dtype, x),
                fmax(hypot(x[1].real, x[1].imaginary),
                     way * (1 + hypot(x[2].real, x[2].imaginary))));
}

#define OF_NUMBERS(NAME)                                                               \
    .integer = NAME##_integer, .real = NAME##_real, .pair = ref_##NAME##_complex
#define OF_ORDERED(NAME) .integer = NAME##_integer, .real = NAME##_real
#define OF_INEXACT(NAME) .real = NAME##_real, .pair = ref_##NAME##_complex

REF_ROW(copy, 1, REF_ALL, .picks = true)
REF_ROW(where, 3, REF_ALL, .picks = true, .selects = true)
REF_ROW(neg, 1, REF_NUMBERS, OF_NUMBERS(neg))
REF_ROW(abs, 1, REF_NUMBERS, OF_NUMBERS(abs), .result = REF_AS_REAL_PART,
        .complex_ulp = 1.5)
REF_ROW(sign, 1, REF_NUMBERS, OF_NUMBERS(sign), .complex_ulp = 3)
REF_ROW(add, 2, REF_ALL, OF_NUMBERS(add), .truth = add_truth)
REF_ROW(sub, 2, REF_NUMBERS, OF_NUMBERS(sub))
REF_ROW(mul, 2, REF_ALL, OF_NUMBERS(mul), .truth = mul_truth)
REF_ROW(div, 2, REF_INEXACT, OF_INEXACT(div), .complex_ulp = 8)
REF_ROW(floor_divide, 2, REF_ORDERED, OF_ORDERED(floor_divide),
        .contents = {.divides = true})
REF_ROW(trunc_divide, 2, REF_ORDERED, OF_ORDERED(trunc_divide),
        .contents = {.divides = true})
REF_ROW(remainder, 2, REF_ORDERED, OF_ORDERED(remainder), .contents = {.divides = true})
REF_ROW(fmod, 2, REF_ORDERED, OF_ORDERED(fmod), .contents = {.divides = true})
REF_ROW(reciprocal, 1, REF_INEXACT, OF_INEXACT(reciprocal), .complex_ulp = 8)
REF_ROW(square, 1, REF_NUMBERS, OF_NUMBERS(square))
REF_ROW(fma, 3, REF_REAL, .real = fma_real)
REF_ROW(add_scaled, 3, REF_NUMBERS, OF_NUMBERS(add_scaled))
REF_ROW(sub_scaled, 3, REF_NUMBERS, OF_NUMBERS(sub_scaled))
REF_ROW(addcmul, 4, REF_NUMBERS, OF_NUMBERS(addcmul))
REF_ROW(addcdiv, 4, REF_INEXACT, OF_INEXACT(addcdiv), .complex_ulp = 8,
        .scale = first_input)
REF_ROW(lerp, 3, REF_INEXACT, OF_INEXACT(lerp), .complex_ulp = 4, .scale = lerp_scale)
REF_ROW(copysign, 2, REF_REAL, .real = copysign_real)
REF_ROW(nextafter, 2, REF_REAL, .real = nextafter_real)
REF_ROW(heaviside, 2, REF_REALS, OF_ORDERED(heaviside), .truth = heaviside_truth)
