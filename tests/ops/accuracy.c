/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accuracy of results: the maximum error over many arguments of every operator that
 * rounds more than once, for each dtype and instruction set, compared with the bound in
 * the reference's row.  With --table, prints the maximum errors as tab-separated
 * values, from which the manual's table is made; with the name of an operator, tests
 * only that one.  every_f32.c goes through all arguments of functions of f32.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy.h"
#include "harness/problem.h"
#include "harness/sanitizer.h"
#include "harness/tap.h"

/*
 * Operators; the bound is the reference's, or this one where the reference compares
 * bits.
 */
static const struct {
    bl_op op;
    double bound;
} measured[] = {
    {BL_OP_DIV, 0.5},   {BL_OP_RECIPROCAL, 0.5}, {BL_OP_SQRT, 0.5},
    {BL_OP_RSQRT, 1.5}, {BL_OP_FMA, 0.5},        {BL_OP_POW, 0},
    {BL_OP_HYPOT, 0},   {BL_OP_LDEXP, 0},        {BL_OP_LOGADDEXP, 0},
    {BL_OP_EXP, 0},     {BL_OP_EXP2, 0},         {BL_OP_EXPM1, 0},
    {BL_OP_LOG, 0},     {BL_OP_LOG2, 0},         {BL_OP_LOG10, 0},
    {BL_OP_LOG1P, 0},   {BL_OP_SIN, 0},          {BL_OP_COS, 0},
    {BL_OP_TAN, 0},     {BL_OP_ASIN, 0},         {BL_OP_ACOS, 0},
    {BL_OP_ATAN, 0},    {BL_OP_ATAN2, 0},        {BL_OP_SINH, 0},
    {BL_OP_COSH, 0},    {BL_OP_TANH, 0},         {BL_OP_ASINH, 0},
    {BL_OP_ACOSH, 0},   {BL_OP_ATANH, 0},        {BL_OP_ERF, 0},
    {BL_OP_ERFC, 0},    {BL_OP_LGAMMA, 0},       {BL_OP_SIGMOID, 0},
    {BL_OP_GELU, 0},    {BL_OP_SILU, 0},
};
static const bl_dtype dtypes[] = {BL_DTYPE_F16, BL_DTYPE_BF16, BL_DTYPE_F32,
                                  BL_DTYPE_F64};
static bl_context *isa[ACCURACY_ISAS];
static bool is_table;

/*
 * What the distance from a reference of long double, off by one or two of its units of
 * 2^-11, may exceed a bound by where there is no MPFR: tanh of f64 is 1 + 2^-11 from
 * it where it is 1 from the exact value.
 */
static double inexact;

static void tell(bl_op op, bl_dtype dtype, int32_t k, double error, double bound,
                 const double *x)
{
    if (is_table)
        printf("%s\t%s\t%s\t%.3f\t%g\t%a\t%a\t%a\n", ref_name(op),
               ref_dtype_name(dtype), accuracy_isa_name[k], error, bound, x[0], x[1],
               x[2]);
    else
        tap_ok(error <= bound + inexact,
               "%s of %s on %s: %.4f of %g units, at %a, %a, %a", ref_name(op),
               ref_dtype_name(dtype), accuracy_isa_name[k], error, bound, x[0], x[1],
               x[2]);
}

/*
 * Error bound in ulp: half a unit from rounding to 16 bits, plus little from single
 * precision.
 */
static double bound_of(size_t i, bl_dtype dtype)
{
    const double ulp =
        measured[i].bound > 0 ? measured[i].bound : ref_rows[measured[i].op]->ulp;

    return ref_size(dtype) == 2 ? 0.5 + ulp * 0x1p-13 : ulp;
}

/* ---- samples ---- */

/* The exact value, except for a few last places of long double. */
static long double near_value(bl_op op, bl_dtype dtype, const double *x)
{
    switch (op) {
    case BL_OP_DIV:
        return (long double)x[0] / x[1];
    case BL_OP_RECIPROCAL:
        return 1 / (long double)x[0];
    case BL_OP_SQRT:
        return sqrtl(x[0]);
    case BL_OP_RSQRT:
        return 1 / sqrtl(x[0]);
    case BL_OP_FMA:
        return fmal(x[0], x[1], x[2]);
    default:
        return ref_rows[op]->real(dtype, x);
    }
}

/*
 * Compute the operator's results with a context: elements of the dtype; false if
 * refused.
 */
static bool results_of(bl_context *ctx, bl_op op, bl_dtype dtype,
                       const struct arguments *arguments, unsigned char *result)
{
    const size_t size = ref_size(dtype);
    const int64_t extent = arguments->count;
    bl_array in[ACCURACY_INPUTS];
    const bl_array *input[ACCURACY_INPUTS];
    const bl_array out = {.data = result, .dtype = dtype, .rank = 1, .extent = &extent};

    for (int32_t k = 0; k < ref_inputs(op); k++) {
        unsigned char *data = malloc(size * (size_t)extent);

        if (data == NULL)
            abort();
        for (int64_t i = 0; i < extent; i++)
            ref_store_real(dtype, arguments->value[k][i], 0, data + (size_t)i * size);
        in[k] = (bl_array){.data = data, .dtype = dtype, .rank = 1, .extent = &extent};
        input[k] = &in[k];
    }
    const bl_status status = bl_apply(ctx, op, &out, ref_inputs(op), input, NULL);

    for (int32_t k = 0; k < ref_inputs(op); k++)
        free(in[k].data);
    if (status != BL_OK)
        tap_note("%s: %s", ref_name(op), bl_error_message());
    return status == BL_OK;
}

static void get_arguments(const struct arguments *arguments, int64_t i, double *x)
{
    for (int32_t k = 0; k < ACCURACY_INPUTS; k++)
        x[k] = arguments->value[k][i];
}

/* The largest error of the results, with its arguments in `x`. */
static double error_of(bl_op op, bl_dtype dtype, const struct arguments *arguments,
                       const long double *want, const unsigned char *result, double *x)
{
    struct worst worst = {.distance = {0}};

    for (int64_t i = 0; i < arguments->count; i++) {
        const double got = ref_load(dtype, result + (size_t)i * ref_size(dtype)).real;

        get_arguments(arguments, i, x);
        worst_add(&worst, accuracy_distance(op, dtype, x, want[i], got), x, got);
    }
    return worst_exact(&worst, op, dtype, x);
}

static void measure(size_t number, bl_dtype dtype, int64_t count)
{
    const bl_op op = measured[number].op;
    struct arguments arguments;
    double x[ACCURACY_INPUTS] = {0}, error = -1;

    arguments_open(&arguments, op, dtype, count);
    const size_t bytes = (size_t)arguments.count * ref_size(dtype);
    long double *const want = malloc((size_t)arguments.count * sizeof *want);
    unsigned char *const result = malloc(2 * bytes), *const before = result + bytes;

    if (want == NULL || result == NULL)
        abort();
    for (int64_t i = 0; i < arguments.count; i++) {
        get_arguments(&arguments, i, x);
        want[i] = near_value(op, dtype, x);
    }
    for (int32_t k = 0; k < ACCURACY_ISAS; k++) {
        if (isa[k] == NULL)
            continue;
        if (!results_of(isa[k], op, dtype, &arguments, result))
            error = (double)INFINITY;
        else if (error < 0 || memcmp(result, before, bytes) != 0)
            error = error_of(op, dtype, &arguments, want, result, x);
        memcpy(before, result, bytes); /* mostly, the next one's bits are the same */
        tell(op, dtype, k, error, bound_of(number, dtype), x);
    }
    free(want);
    free(result);
    arguments_close(&arguments);
}

/* ---- complex numbers ---- */

/* Measure every operator whose error is bounded normwise, at a sample. */
static void measure_complex(bl_op op, bl_dtype dtype, int64_t count)
{
    for (int32_t k = 0; k < ACCURACY_ISAS; k++) {
        double x[ACCURACY_INPUTS] = {0};

        if (isa[k] == NULL)
            continue;
        const double error = accuracy_complex(isa[k], op, dtype, count, x);
        tell(op, dtype, k, error, ref_rows[op]->complex_ulp, x);
    }
}

int main(int argc, char **argv)
{
    /* Threads are not what makes results more or less accurate. */
    const int64_t count = HAS_THREAD_SANITIZER ? 6000 : test_times(60000, 1000000);
    const char *only = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;

    is_table = argc > 1 && strcmp(argv[1], "--table") == 0;
    if (!is_table)
        tap_plan();
    accuracy_isa_open(isa);
    if (accuracy_error(BL_OP_SQRT, BL_DTYPE_F64, (double[]){4, 0, 0}, 2) < 0)
        inexact = 0x1p-10;
    if (!is_table && inexact > 0)
        tap_skip("no MPFR here", "the worst confirmed by exact values");
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        if (only != NULL && strcmp(only, ref_name(measured[i].op)) != 0)
            continue;
        for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++)
            measure(i, dtypes[d], count);
    }
    for (int32_t op = REF_OPS_BEGIN; op < ref_ops_end(); op++)
        for (int32_t dtype = BL_DTYPE_C64; dtype <= BL_DTYPE_C128; dtype++)
            if (ref_is_normwise((bl_op)op, (bl_dtype)dtype) &&
                (only == NULL || strcmp(only, ref_name((bl_op)op)) == 0))
                measure_complex((bl_op)op, (bl_dtype)dtype, count / 10);
    accuracy_isa_close(isa);
    return is_table ? 0 : tap_done();
}
