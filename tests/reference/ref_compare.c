/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the reference: maximum and minimum, comparisons, classification of numbers,
 * and logical operators.
 */
#include "ref_value.h"

#include <math.h>

/* ---- maximum and minimum ---- */

/* The larger number; of equal numbers, including zeros of either sign, the first. */
static double larger(double a, double b)
{
    return isless(a, b) ? b : a;
}

static double smaller(double a, double b)
{
    return isgreater(a, b) ? b : a;
}

static uint64_t int_clamp(uint64_t a, uint64_t b, uint64_t c, bool is_signed)
{
    const uint64_t least = ref_is_less(a, b, is_signed) ? b : a;

    return ref_is_less(c, least, is_signed) ? c : least;
}

REF_DEFINE_TRUTH(maximum, a ? true : b)
REF_DEFINE_INTEGER(maximum, ref_is_less(a, b, is_signed) ? b : a)
REF_DEFINE_REAL(maximum, isunordered(a, b) ? (double)NAN : larger(a, b))
REF_DEFINE_REAL(fmax, isnan(a) ? b : larger(a, b))
REF_DEFINE_TRUTH(minimum, a ? b : false)
REF_DEFINE_INTEGER(minimum, ref_is_less(b, a, is_signed) ? b : a)
REF_DEFINE_REAL(minimum, isunordered(a, b) ? (double)NAN : smaller(a, b))
REF_DEFINE_REAL(fmin, isnan(a) ? b : smaller(a, b))
REF_DEFINE_TRUTH(clamp, (a ? true : b) ? c : false)
REF_DEFINE_INTEGER(clamp, int_clamp(a, b, c, is_signed))
REF_DEFINE_REAL(clamp,
                isunordered(a, b) || isnan(c) ? (double)NAN : smaller(larger(a, b), c))
REF_DEFINE_INTEGER(relu, ref_is_less(a, 0, is_signed) ? 0 : a)
REF_DEFINE_REAL(relu, isnan(a) ? a : isgreater(a, 0) ? a : 0)

#define PAIRED(NAME) .integer = NAME##_integer, .real = NAME##_real

REF_ROW(maximum, 2, REF_REALS, PAIRED(maximum), .truth = maximum_truth)
REF_ROW(minimum, 2, REF_REALS, PAIRED(minimum), .truth = minimum_truth)
REF_ROW(fmax, 2, REF_REALS, .truth = maximum_truth, .integer = maximum_integer,
        .real = fmax_real)
REF_ROW(fmin, 2, REF_REALS, .truth = minimum_truth, .integer = minimum_integer,
        .real = fmin_real)
REF_ROW(clamp, 3, REF_REALS, PAIRED(clamp), .truth = clamp_truth)
REF_ROW(relu, 1, REF_ORDERED, PAIRED(relu))

/* ---- comparisons ---- */

static bool eq_holds(enum ref_order order)
{
    return order == REF_EQUAL;
}

static bool ne_holds(enum ref_order order)
{
    return order != REF_EQUAL;
}

static bool lt_holds(enum ref_order order)
{
    return order == REF_LESS;
}

static bool le_holds(enum ref_order order)
{
    return order == REF_LESS || order == REF_EQUAL;
}

static bool gt_holds(enum ref_order order)
{
    return order == REF_GREATER;
}

static bool ge_holds(enum ref_order order)
{
    return order == REF_GREATER || order == REF_EQUAL;
}

#define COMPARISON(NAME, CLASSES)                                                      \
    REF_ROW(NAME, 2, CLASSES, .result = REF_AS_TRUTH, .holds = NAME##_holds,           \
            .contents = {.few = true})
COMPARISON(eq, REF_ALL)
COMPARISON(ne, REF_ALL)
COMPARISON(lt, REF_REALS)
COMPARISON(le, REF_REALS)
COMPARISON(gt, REF_REALS)
COMPARISON(ge, REF_REALS)

/* ---- classification ---- */

static bool is_inexact(bl_dtype dtype)
{
    return (ref_class(dtype) & REF_INEXACT) != 0;
}

static double isnan_test(bl_dtype dtype, const struct ref_value *x)
{
    return is_inexact(dtype) && (isnan(x[0].real) || isnan(x[0].imaginary));
}

static double isinf_test(bl_dtype dtype, const struct ref_value *x)
{
    return is_inexact(dtype) && (isinf(x[0].real) || isinf(x[0].imaginary));
}

static double isfinite_test(bl_dtype dtype, const struct ref_value *x)
{
    return !is_inexact(dtype) || (isfinite(x[0].real) && isfinite(x[0].imaginary));
}

static double signbit_test(bl_dtype dtype, const struct ref_value *x)
{
    if (ref_class(dtype) == REF_SIGNED)
        return (int64_t)x[0].integer < 0;
    return ref_class(dtype) == REF_REAL && signbit(x[0].real);
}

/*
 * Equal, or finite and no farther apart than the second tolerance plus the first one
 * times b.  Complex numbers are compared by modulus, whose rounding decides where the
 * two differ only in the last places.
 */
static double isclose_test(bl_dtype dtype, const struct ref_value *x)
{
    const struct ref_value a = x[0], b = x[1], c = x[2], d = x[3];

    if (a.real == b.real && a.imaginary == b.imaginary)
        return 1;
    if (ref_class(dtype) == REF_REAL) {
        const double apart = fabs(ref_round(dtype, a.real - b.real));
        const double part = ref_round(dtype, c.real * fabs(b.real));

        return isfinite(apart) && apart <= ref_round(dtype, d.real + part);
    }
    const long double apart = hypotl(ref_round(dtype, a.real - b.real),
                                     ref_round(dtype, a.imaginary - b.imaginary));
    const long double allowed = d.real + c.real * hypotl(b.real, b.imaginary);
    const long double doubt = 8 * ref_unit(dtype, (double)fmaxl(apart, allowed));

    if (!isfinite(ref_round(dtype, apart)))
        return 0;
    if (!isfinite(ref_round(dtype, allowed - d.real)) || !isfinite(d.real))
        return REF_EITHER; /* infinities of either sign may have resulted */
    return fabsl(apart - allowed) <= doubt ? REF_EITHER : apart <= allowed;
}

#define KIND(NAME, COUNT, CLASSES)                                                     \
    REF_ROW(NAME, COUNT, CLASSES, .result = REF_AS_TRUTH, .test = NAME##_test,         \
            .contents = {.few = true})
KIND(isnan, 1, REF_ALL)
KIND(isinf, 1, REF_ALL)
KIND(isfinite, 1, REF_ALL)
KIND(signbit, 1, REF_REALS)
KIND(isclose, 4, REF_INEXACT)

/* ---- logical operators ---- */

static bool is_true(bl_dtype dtype, struct ref_value x)
{
    if (ref_class(dtype) == REF_TRUTH)
        return x.truth;
    return is_inexact(dtype) ? !(x.real == 0 && x.imaginary == 0) : x.integer != 0;
}

static double logical_and_test(bl_dtype dtype, const struct ref_value *x)
{
    return is_true(dtype, x[0]) ? is_true(dtype, x[1]) : 0;
}

static double logical_or_test(bl_dtype dtype, const struct ref_value *x)
{
    return is_true(dtype, x[0]) ? 1 : is_true(dtype, x[1]);
}

static double logical_xor_test(bl_dtype dtype, const struct ref_value *x)
{
    return is_true(dtype, x[0]) ? !is_true(dtype, x[1]) : is_true(dtype, x[1]);
}

static double logical_not_test(bl_dtype dtype, const struct ref_value *x)
{
    return is_true(dtype, x[0]) ? 0 : 1;
}

KIND(logical_and, 2, REF_ALL)
KIND(logical_or, 2, REF_ALL)
KIND(logical_xor, 2, REF_ALL)
KIND(logical_not, 1, REF_ALL)
