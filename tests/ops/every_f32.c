/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of one input on every f32 in the long run, or on the share of them that
 * BROADLOOM_TEST_SHARE names, and on one in thousands otherwise: every instruction set
 * has the same bits, even and odd functions have them for negative arguments too, and
 * the error is within the reference's bound.  Results are compared with the C library's
 * in double precision, or with a polynomial that is close enough to them to detect an
 * error beyond rounding (smooth.h), and the worst of those with exact values.  With the
 * name of an operator, tests only that one.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy.h"
#include "harness/problem.h"
#include "harness/tap.h"
#include "smooth.h"

/* Arguments of one call, which stay in the L2 cache with their results. */
enum { CHUNK = 8192 };

/* Chunks of positive arguments, each with its negative ones; the quick run's step. */
static const int32_t chunks = (int32_t)((INT64_C(1) << 31) / CHUNK), quick_step = 4099;

static bl_context *isa[ACCURACY_ISAS];

static double quick_sigmoid(double a)
{
    return 1 / (1 + exp(-a));
}

static double quick_gelu(double a)
{
    return a / 2 * erfc(-a * sqrt(0.5));
}

static double quick_silu(double a)
{
    return a / (1 + exp(-a));
}

static double quick_rsqrt(double a)
{
    return 1 / sqrt(a);
}

enum parity { NONE, EVEN, ODD };

/* `bound`: of the error in units, if not the reference's. */
static const struct row {
    bl_op op;
    double (*quick)(double a);
    enum parity parity;
    double bound;
} rows[] = {
    {BL_OP_EXP, exp, NONE, 0},
    {BL_OP_EXP2, exp2, NONE, 0},
    {BL_OP_EXPM1, expm1, NONE, 0},
    {BL_OP_LOG, log, NONE, 0},
    {BL_OP_LOG2, log2, NONE, 0},
    {BL_OP_LOG10, log10, NONE, 0},
    {BL_OP_LOG1P, log1p, NONE, 0},
    {BL_OP_SIN, sin, ODD, 0},
    {BL_OP_COS, cos, EVEN, 0},
    {BL_OP_TAN, tan, ODD, 0},
    {BL_OP_ASIN, asin, ODD, 0},
    {BL_OP_ACOS, acos, NONE, 0},
    {BL_OP_ATAN, atan, ODD, 0},
    {BL_OP_SINH, sinh, ODD, 0},
    {BL_OP_COSH, cosh, EVEN, 0},
    {BL_OP_TANH, tanh, ODD, 0},
    {BL_OP_ASINH, asinh, ODD, 0},
    {BL_OP_ACOSH, acosh, NONE, 0},
    {BL_OP_ATANH, atanh, ODD, 0},
    {BL_OP_ERF, erf, ODD, 0},
    {BL_OP_ERFC, erfc, NONE, 0},
    {BL_OP_LGAMMA, lgamma, NONE, 0},
    {BL_OP_SIGMOID, quick_sigmoid, NONE, 0},
    {BL_OP_GELU, quick_gelu, NONE, 0},
    {BL_OP_SILU, quick_silu, NONE, 0},
    {BL_OP_RSQRT, quick_rsqrt, NONE, 1.5},
};

struct chunk {
    float in[CHUNK], result[CHUNK], mirrored[CHUNK], other[CHUNK];
};

static bool apply(bl_context *ctx, bl_op op, float *in, float *result)
{
    static const int64_t extent = CHUNK;
    const bl_array a = {
        .data = in, .dtype = BL_DTYPE_F32, .rank = 1, .extent = &extent};
    const bl_array out = {
        .data = result, .dtype = BL_DTYPE_F32, .rank = 1, .extent = &extent};
    const bl_array *const input[] = {&a};

    return bl_apply(ctx, op, &out, 1, input, NULL) == BL_OK;
}

/* Compute the results by every instruction set; false where they disagree. */
static bool apply_all(bl_op op, struct chunk *c, float *result)
{
    for (int32_t k = 0; k < ACCURACY_ISAS; k++) {
        float *const to = k == 0 ? result : c->other;

        if (isa[k] == NULL)
            continue;
        if (!apply(isa[k], op, c->in, to) || memcmp(result, to, sizeof c->in) != 0)
            return false;
    }
    return true;
}

/* Whether one result is another, rounded. */
static bool is_rounded(double want, float got)
{
    return (float)want == got || (isnan(want) && isnan(got));
}

/* Keep the worst results of a block. */
static void measure_block(const struct row *row, const float *in, const float *result,
                          struct worst *worst)
{
    double x[SMOOTH_BLOCK], value[SMOOTH_BLOCK], least;
    int32_t odd = 0;

    for (int32_t i = 0; i < SMOOTH_BLOCK; i++)
        x[i] = (double)in[i];
    const bool is_smooth = smooth_values(row->quick, x, value, &least);
    /* Smaller differences are not among the worst. */
    const double small =
        ref_unit(BL_DTYPE_F32, least) * (worst->distance[WORST_KEPT - 1] - 0x1p-10);

#pragma omp simd reduction(+ : odd)
    for (int32_t i = 0; i < SMOOTH_BLOCK; i++)
        odd += (float)value[i] != result[i];
    for (int32_t i = 0; odd > 0 && i < SMOOTH_BLOCK; i++) {
        const double arguments[ACCURACY_INPUTS] = {x[i]}, got = (double)result[i];

        if (is_rounded(value[i], result[i]) || fabs(value[i] - got) < small)
            continue;
        const double want = is_smooth ? row->quick(x[i]) : value[i];

        if (!is_rounded(want, result[i]))
            worst_add(worst,
                      accuracy_distance(row->op, BL_DTYPE_F32, arguments, want, got),
                      arguments, got);
    }
}

static void measure(const struct row *row, const struct chunk *c, const float *result,
                    struct worst *worst)
{
    for (int32_t i = 0; i < CHUNK; i += SMOOTH_BLOCK)
        measure_block(row, c->in + i, result + i, worst);
}

/* Whether results are those of the absolute values, with the sign restored if odd. */
static bool is_mirrored(enum parity parity, const float *result, const float *mirrored)
{
    for (int32_t i = 0; i < CHUNK; i++) {
        const float want = parity == ODD ? -result[i] : result[i];

        if (memcmp(&want, &mirrored[i], sizeof want) != 0 &&
            !(isnan(want) && isnan(mirrored[i])))
            return false;
    }
    return true;
}

/* Test one chunk of patterns; false where instruction sets or signs disagree. */
static bool try_chunk(const struct row *row, int32_t number, struct chunk *c,
                      struct worst *worst)
{
    for (uint32_t i = 0; i < CHUNK; i++) {
        const uint32_t bits = (uint32_t)number * CHUNK + i;

        memcpy(&c->in[i], &bits, sizeof bits);
    }
    if (!apply_all(row->op, c, c->result))
        return false;
    measure(row, c, c->result, worst);
    for (int32_t i = 0; i < CHUNK; i++)
        c->in[i] = -c->in[i];
    if (!apply_all(row->op, c, c->mirrored))
        return false;
    if (row->parity != NONE)
        return is_mirrored(row->parity, c->result, c->mirrored);
    measure(row, c, c->mirrored, worst);
    return true;
}

/* Test chunks `part`, `part` + `parts`, ... */
static void try_row(const struct row *row, struct test_share share)
{
    const double bound = row->bound > 0 ? row->bound : ref_rows[row->op]->ulp;
    struct worst worst = {.distance = {0}};
    double x[ACCURACY_INPUTS] = {0};
    bool pass = true;

#pragma omp parallel
    {
        struct worst own = {.distance = {0}};
        struct chunk *const c = malloc(sizeof *c);

#pragma omp for schedule(dynamic, 16) reduction(&& : pass)
        for (int32_t number = share.part; number < chunks; number += share.parts)
            pass = c != NULL && try_chunk(row, number, c, &own) && pass;
#pragma omp critical
        for (int32_t k = 0; k < WORST_KEPT; k++)
            worst_add(&worst, own.distance[k], own.x[k], own.got[k]);
        free(c);
    }
    const double error = worst_exact(&worst, row->op, BL_DTYPE_F32, x);

    tap_ok(pass && error <= bound,
           "%s of one f32 in %" PRId32
           ", the same on every instruction set: %.4f units, "
           "at %a",
           ref_name(row->op), share.parts, fmax(error, 0.5), x[0]);
}

int main(int argc, char **argv)
{
    const struct test_share share =
        test_is_long() ? test_share() : (struct test_share){0, quick_step};

    tap_plan();
    accuracy_isa_open(isa);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (argc < 2 || strcmp(argv[1], ref_name(rows[i].op)) == 0)
            try_row(&rows[i], share);
    accuracy_isa_close(isa);
    return tap_done();
}
