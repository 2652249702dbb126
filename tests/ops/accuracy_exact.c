/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact values by MPFR: each operator's with 256 bits, far more than a composition here
 * loses.  Rounding the exact value to the 64 bits of long double is negligible.
 */
#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "accuracy.h"

double accuracy_distance(bl_op op, bl_dtype dtype, const double *x, long double value,
                         double got)
{
    const struct ref_row *row = ref_rows[op];
    const long double top = ref_top(dtype);
    const long double want = fabsl(value) > top ? copysignl(top, value) : value;
    struct ref_value number[ACCURACY_INPUTS] = {{0}};
    double magnitude = fabs((double)value);

    if (isnan(value) || isnan(got))
        return isnan(value) && isnan(got) ? 0 : (double)INFINITY;
    if (isinf(value))
        return value == got ? 0 : (double)INFINITY;
    for (int32_t k = 0; k < row->inputs && k < ACCURACY_INPUTS; k++)
        number[k].real = x[k];
    if (row->scale != NULL && row->complex_ulp == 0)
        magnitude = fmax(magnitude, row->scale(dtype, number));
    /* Infinity counts as the number after the largest. */
    return (double)(fabsl((isinf(got) ? copysignl(top, got) : got) - want) /
                    ref_unit(dtype, magnitude));
}

void worst_add(struct worst *worst, double distance, const double *x, double got)
{
    int32_t k = WORST_KEPT - 1;

    if (!(distance > worst->distance[k]))
        return;
    for (; k > 0 && distance > worst->distance[k - 1]; k--) {
        worst->distance[k] = worst->distance[k - 1];
        worst->got[k] = worst->got[k - 1];
        memcpy(worst->x[k], worst->x[k - 1], sizeof worst->x[k]);
    }
    worst->distance[k] = distance;
    worst->got[k] = got;
    memcpy(worst->x[k], x, sizeof worst->x[k]);
}

double worst_exact(const struct worst *worst, bl_op op, bl_dtype dtype, double *x)
{
    double largest = 0;

    for (int32_t k = 0; k < WORST_KEPT && worst->distance[k] > 0; k++) {
        const double exact = accuracy_error(op, dtype, worst->x[k], worst->got[k]);
        const double error = exact < 0 ? worst->distance[k] : exact;

        if (error <= largest)
            continue;
        largest = error;
        memcpy(x, worst->x[k], sizeof worst->x[k]);
    }
    return largest;
}

#if BLI_HAVE_MPFR
#include <mpfr.h>

enum { BITS = 256 };

typedef int exact_unary(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t round);
typedef int exact_binary(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t round);

static int exact_reciprocal(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t round)
{
    return mpfr_ui_div(r, 1, a, round);
}

static int exact_lgamma(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t round)
{
    int sign;

    return mpfr_lgamma(r, &sign, a, round);
}

/* 1 + exp(-a) */
static int exact_share(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t round)
{
    mpfr_neg(r, a, round);
    mpfr_exp(r, r, round);
    return mpfr_add_ui(r, r, 1, round);
}

static int exact_sigmoid(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t round)
{
    exact_share(r, a, round);
    return mpfr_ui_div(r, 1, r, round);
}

static int exact_silu(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t round)
{
    exact_share(r, a, round);
    return mpfr_div(r, a, r, round);
}

static int exact_gelu(mpfr_ptr r, mpfr_srcptr a, mpfr_rnd_t round)
{
    mpfr_sqrt_ui(r, 2, round);
    mpfr_div(r, a, r, round);
    mpfr_neg(r, r, round);
    mpfr_erfc(r, r, round);
    mpfr_mul(r, r, a, round);
    return mpfr_div_ui(r, r, 2, round);
}

static int exact_ldexp(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t round)
{
    mpfr_exp2(r, b, round);
    return mpfr_mul(r, r, a, round);
}

static int exact_logaddexp(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t round)
{
    const bool is_first = mpfr_greater_p(a, b) != 0;

    mpfr_sub(r, is_first ? b : a, is_first ? a : b, round);
    mpfr_exp(r, r, round);
    mpfr_log1p(r, r, round);
    return mpfr_add(r, r, is_first ? a : b, round);
}

static const struct {
    bl_op op;
    exact_unary *unary;
    exact_binary *binary;
} exact[] = {
    {BL_OP_EXP, mpfr_exp, NULL},          {BL_OP_EXP2, mpfr_exp2, NULL},
    {BL_OP_EXPM1, mpfr_expm1, NULL},      {BL_OP_LOG, mpfr_log, NULL},
    {BL_OP_LOG2, mpfr_log2, NULL},        {BL_OP_LOG10, mpfr_log10, NULL},
    {BL_OP_LOG1P, mpfr_log1p, NULL},      {BL_OP_SIN, mpfr_sin, NULL},
    {BL_OP_COS, mpfr_cos, NULL},          {BL_OP_TAN, mpfr_tan, NULL},
    {BL_OP_ASIN, mpfr_asin, NULL},        {BL_OP_ACOS, mpfr_acos, NULL},
    {BL_OP_ATAN, mpfr_atan, NULL},        {BL_OP_SINH, mpfr_sinh, NULL},
    {BL_OP_COSH, mpfr_cosh, NULL},        {BL_OP_TANH, mpfr_tanh, NULL},
    {BL_OP_ASINH, mpfr_asinh, NULL},      {BL_OP_ACOSH, mpfr_acosh, NULL},
    {BL_OP_ATANH, mpfr_atanh, NULL},      {BL_OP_ERF, mpfr_erf, NULL},
    {BL_OP_ERFC, mpfr_erfc, NULL},        {BL_OP_LGAMMA, exact_lgamma, NULL},
    {BL_OP_SIGMOID, exact_sigmoid, NULL}, {BL_OP_GELU, exact_gelu, NULL},
    {BL_OP_SILU, exact_silu, NULL},       {BL_OP_SQRT, mpfr_sqrt, NULL},
    {BL_OP_RSQRT, mpfr_rec_sqrt, NULL},   {BL_OP_RECIPROCAL, exact_reciprocal, NULL},
    {BL_OP_DIV, NULL, mpfr_div},          {BL_OP_POW, NULL, mpfr_pow},
    {BL_OP_HYPOT, NULL, mpfr_hypot},      {BL_OP_ATAN2, NULL, mpfr_atan2},
    {BL_OP_LDEXP, NULL, exact_ldexp},     {BL_OP_LOGADDEXP, NULL, exact_logaddexp},
};

double accuracy_error(bl_op op, bl_dtype dtype, const double *x, double got)
{
    const int32_t inputs = ref_inputs(op);
    double error = -1;
    mpfr_t number[ACCURACY_INPUTS], r;

    mpfr_init2(r, BITS);
    for (int32_t k = 0; k < ACCURACY_INPUTS; k++) {
        mpfr_init2(number[k], DBL_MANT_DIG);
        mpfr_set_d(number[k], k < inputs ? x[k] : 0, MPFR_RNDN);
    }
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
        if (exact[i].op != op)
            continue;
        if (exact[i].unary != NULL)
            exact[i].unary(r, number[0], MPFR_RNDN);
        else
            exact[i].binary(r, number[0], number[1], MPFR_RNDN);
        error = accuracy_distance(op, dtype, x, mpfr_get_ld(r, MPFR_RNDN), got);
    }
    if (op == BL_OP_FMA) {
        mpfr_fma(r, number[0], number[1], number[2], MPFR_RNDN);
        error = accuracy_distance(op, dtype, x, mpfr_get_ld(r, MPFR_RNDN), got);
    }
    mpfr_clear(r);
    for (int32_t k = 0; k < ACCURACY_INPUTS; k++)
        mpfr_clear(number[k]);
    return error;
}
#else
double accuracy_error(bl_op op, bl_dtype dtype, const double *x, double got)
{
    (void)op, (void)dtype, (void)x, (void)got;
    return -1;
}
#endif
