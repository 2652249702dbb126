/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operators of the reference: one row each, its expected value written for each class
 * of dtype.  An operator of lib/core/ops.def without a row here does not compile.
 */
#include "ref_value.h"

#include <math.h>

enum {
    INTEGERS = REF_UNSIGNED | REF_SIGNED,
    INEXACT = REF_REAL | REF_COMPLEX,
    NUMBERS = INTEGERS | INEXACT,
    ORDERED = REF_TRUTH | INTEGERS | REF_REAL,
    ALL = REF_TRUTH | NUMBERS
};

/* ---- values ---- */

static bool is_less(uint64_t a, uint64_t b, bool is_signed)
{
    return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t neg_integer(uint64_t a, uint64_t b, bool is_signed)
{
    (void)b;
    (void)is_signed;
    return ~a + 1;
}

static double neg_real(double a, double b)
{
    (void)b;
    return copysign(a, signbit(a) ? 1.0 : -1.0);
}

static void neg_complex(bl_dtype dtype, const double *a, const double *b,
                        double *result)
{
    (void)dtype;
    (void)b;
    result[0] = neg_real(a[0], 0);
    result[1] = neg_real(a[1], 0);
}

static uint64_t abs_integer(uint64_t a, uint64_t b, bool is_signed)
{
    (void)b;
    return is_less(a, 0, is_signed) ? ~a + 1 : a;
}

static double abs_real(double a, double b)
{
    (void)b;
    return copysign(a, 1.0);
}

static void abs_complex(bl_dtype dtype, const double *a, const double *b,
                        double *result)
{
    (void)dtype;
    (void)b;
    result[0] = (double)hypotl(a[0], a[1]);
    result[1] = 0;
}

static bool add_truth(bool a, bool b)
{
    return a ? true : b;
}

static uint64_t add_integer(uint64_t a, uint64_t b, bool is_signed)
{
    (void)is_signed;
    return a + b;
}

static double add_real(double a, double b)
{
    return a + b;
}

static void add_complex(bl_dtype dtype, const double *a, const double *b,
                        double *result)
{
    result[0] = ref_round(dtype, a[0] + b[0]);
    result[1] = ref_round(dtype, a[1] + b[1]);
}

static uint64_t sub_integer(uint64_t a, uint64_t b, bool is_signed)
{
    (void)is_signed;
    return a + (~b + 1);
}

static double sub_real(double a, double b)
{
    return a - b;
}

static void sub_complex(bl_dtype dtype, const double *a, const double *b,
                        double *result)
{
    result[0] = ref_round(dtype, a[0] - b[0]);
    result[1] = ref_round(dtype, a[1] - b[1]);
}

static bool mul_truth(bool a, bool b)
{
    return a ? b : false;
}

static uint64_t mul_integer(uint64_t a, uint64_t b, bool is_signed)
{
    (void)is_signed;
    return a * b;
}

static double mul_real(double a, double b)
{
    return a * b;
}

/* Each product and the sum are rounded: no fused operation. */
static void mul_complex(bl_dtype dtype, const double *a, const double *b,
                        double *result)
{
    const double straight[2] = {ref_round(dtype, a[0] * b[0]),
                                ref_round(dtype, a[1] * b[1])};
    const double crossed[2] = {ref_round(dtype, a[0] * b[1]),
                               ref_round(dtype, a[1] * b[0])};

    result[0] = ref_round(dtype, straight[0] - straight[1]);
    result[1] = ref_round(dtype, crossed[0] + crossed[1]);
}

static double div_real(double a, double b)
{
    return a / b;
}

/*
 * In extended precision, whose range lets the squares of f64 be: rounded once.  A zero
 * divides each part, as a zero without a sign.
 */
static void div_complex(bl_dtype dtype, const double *a, const double *b,
                        double *result)
{
    const long double re = b[0];
    const long double im = b[1];
    const long double square = re * re + im * im;

    (void)dtype;
    if (square == 0) {
        result[0] = a[0] / fabs(b[0]);
        result[1] = a[1] / fabs(b[1]);
        return;
    }
    result[0] = (double)((a[0] * re + a[1] * im) / square);
    result[1] = (double)((a[1] * re - a[0] * im) / square);
}

static bool maximum_truth(bool a, bool b)
{
    return a ? true : b;
}

static uint64_t maximum_integer(uint64_t a, uint64_t b, bool is_signed)
{
    return is_less(a, b, is_signed) ? b : a;
}

/* Equal numbers, zeros of either sign among them, give the first. */
static double maximum_real(double a, double b)
{
    if (isnan(a) || isnan(b))
        return (double)NAN;
    return isless(a, b) ? b : a;
}

static bool minimum_truth(bool a, bool b)
{
    return a ? b : false;
}

static uint64_t minimum_integer(uint64_t a, uint64_t b, bool is_signed)
{
    return is_less(b, a, is_signed) ? b : a;
}

static double minimum_real(double a, double b)
{
    if (isnan(a) || isnan(b))
        return (double)NAN;
    return isgreater(a, b) ? b : a;
}

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

/* ---- rows ---- */

/* clang-format off */
static const struct ref_row ref_copy = {
    .name = "copy", .inputs = 1, .classes = ALL, .picks = true };
static const struct ref_row ref_neg = {
    .name = "neg", .inputs = 1, .classes = NUMBERS,
    .integer = neg_integer, .real = neg_real, .complex = neg_complex };
static const struct ref_row ref_abs = {
    .name = "abs", .inputs = 1, .classes = NUMBERS, .result = REF_AS_MAGNITUDE,
    .integer = abs_integer, .real = abs_real, .complex = abs_complex };
static const struct ref_row ref_add = {
    .name = "add", .inputs = 2, .classes = ALL, .truth = add_truth,
    .integer = add_integer, .real = add_real, .complex = add_complex };
static const struct ref_row ref_sub = {
    .name = "sub", .inputs = 2, .classes = NUMBERS,
    .integer = sub_integer, .real = sub_real, .complex = sub_complex };
static const struct ref_row ref_mul = {
    .name = "mul", .inputs = 2, .classes = ALL, .truth = mul_truth,
    .integer = mul_integer, .real = mul_real, .complex = mul_complex };
static const struct ref_row ref_div = {
    .name = "div", .inputs = 2, .classes = INEXACT,
    .real = div_real, .complex = div_complex };
static const struct ref_row ref_maximum = {
    .name = "maximum", .inputs = 2, .classes = ORDERED, .truth = maximum_truth,
    .integer = maximum_integer, .real = maximum_real };
static const struct ref_row ref_minimum = {
    .name = "minimum", .inputs = 2, .classes = ORDERED, .truth = minimum_truth,
    .integer = minimum_integer, .real = minimum_real };
static const struct ref_row ref_eq = {
    .name = "eq", .inputs = 2, .classes = ALL, .result = REF_AS_TRUTH, .holds = eq_holds };
static const struct ref_row ref_ne = {
    .name = "ne", .inputs = 2, .classes = ALL, .result = REF_AS_TRUTH, .holds = ne_holds };
static const struct ref_row ref_lt = {
    .name = "lt", .inputs = 2, .classes = ORDERED, .result = REF_AS_TRUTH,
    .holds = lt_holds };
static const struct ref_row ref_le = {
    .name = "le", .inputs = 2, .classes = ORDERED, .result = REF_AS_TRUTH,
    .holds = le_holds };
static const struct ref_row ref_gt = {
    .name = "gt", .inputs = 2, .classes = ORDERED, .result = REF_AS_TRUTH,
    .holds = gt_holds };
static const struct ref_row ref_ge = {
    .name = "ge", .inputs = 2, .classes = ORDERED, .result = REF_AS_TRUTH,
    .holds = ge_holds };
static const struct ref_row ref_where = {
    .name = "where", .inputs = 3, .classes = ALL, .picks = true };
/* clang-format on */

#define BL_OP(name, value, inputs, domain, result, expression, text)                   \
    [value] = &ref_##name,
const struct ref_row *const ref_rows[] = {
#include "core/ops.def"
};
const int32_t ref_rows_count = sizeof ref_rows / sizeof ref_rows[0];
