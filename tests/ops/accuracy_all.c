/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every f32: results are compared with the C library's in double precision, which are
 * close enough to detect an error beyond rounding.  For even and odd functions, results
 * of negative arguments are compared with those of positive ones.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy.h"

enum { CHUNK = 65536, CHUNKS = 65536, POSITIVE = CHUNKS / 2 };

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

static const struct row {
    bl_op op;
    double (*quick)(double a);
    enum parity parity;
} rows[] = {
    {BL_OP_EXP, exp, NONE},
    {BL_OP_EXP2, exp2, NONE},
    {BL_OP_EXPM1, expm1, NONE},
    {BL_OP_LOG, log, NONE},
    {BL_OP_LOG2, log2, NONE},
    {BL_OP_LOG10, log10, NONE},
    {BL_OP_LOG1P, log1p, NONE},
    {BL_OP_SIN, sin, ODD},
    {BL_OP_COS, cos, EVEN},
    {BL_OP_TAN, tan, ODD},
    {BL_OP_ASIN, asin, ODD},
    {BL_OP_ACOS, acos, NONE},
    {BL_OP_ATAN, atan, ODD},
    {BL_OP_SINH, sinh, ODD},
    {BL_OP_COSH, cosh, EVEN},
    {BL_OP_TANH, tanh, ODD},
    {BL_OP_ASINH, asinh, ODD},
    {BL_OP_ACOSH, acosh, NONE},
    {BL_OP_ATANH, atanh, ODD},
    {BL_OP_ERF, erf, ODD},
    {BL_OP_ERFC, erfc, NONE},
    {BL_OP_LGAMMA, lgamma, NONE},
    {BL_OP_SIGMOID, quick_sigmoid, NONE},
    {BL_OP_GELU, quick_gelu, NONE},
    {BL_OP_SILU, quick_silu, NONE},
    {BL_OP_RSQRT, quick_rsqrt, NONE},
};

static const struct row *row_of(bl_op op)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].op == op)
            return &rows[i];
    return NULL;
}

bool accuracy_has_all(bl_op op)
{
    return row_of(op) != NULL;
}

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

/* Whether results are those of the absolute values, with the sign restored if odd. */
static bool is_mirrored(const struct row *row, bl_context *ctx, float *in,
                        const float *result, float *mirrored)
{
    for (int32_t i = 0; i < CHUNK; i++)
        in[i] = -in[i];
    if (!apply(ctx, row->op, in, mirrored))
        return false;
    for (int32_t i = 0; i < CHUNK; i++) {
        const float want = row->parity == ODD ? -mirrored[i] : mirrored[i];

        if (memcmp(&want, &result[i], sizeof want) != 0 &&
            !(isnan(want) && isnan(result[i])))
            return false;
    }
    return true;
}

/* Test one chunk of patterns; false where instruction sets or signs disagree. */
static bool try_chunk(bl_context *const *isa, int32_t isas, const struct row *row,
                      int32_t chunk, struct worst *worst)
{
    float *const in = malloc(3 * CHUNK * sizeof *in);
    bool pass = true;

    if (in == NULL)
        return false;
    float *const result = in + CHUNK, *const other = result + CHUNK;

    for (uint32_t i = 0; pass && i < CHUNK; i++) {
        const uint32_t bits = (uint32_t)chunk * CHUNK + i;

        memcpy(&in[i], &bits, sizeof bits);
    }
    for (int32_t k = 0; pass && k < isas; k++)
        pass = isa[k] == NULL ||
               (apply(isa[k], row->op, in, k == 0 ? result : other) &&
                (k == 0 || memcmp(result, other, CHUNK * sizeof *result) == 0));
    if (pass && chunk >= POSITIVE && row->parity != NONE) {
        pass = is_mirrored(row, isa[0], in, result, other);
        free(in);
        return pass;
    }
    for (int32_t i = 0; pass && i < CHUNK; i++) {
        const double x[ACCURACY_INPUTS] = {(double)in[i]};
        const double want = row->quick((double)in[i]);

        if ((float)want == result[i] || (isnan(want) && isnan(result[i])))
            continue; /* half a unit at most */
        worst_add(worst,
                  accuracy_distance(row->op, BL_DTYPE_F32, x, want, (double)result[i]),
                  x, (double)result[i]);
    }
    free(in);
    return pass;
}

bool accuracy_all(bl_context *const *isa, int32_t isas, bl_op op, struct worst *worst)
{
    const struct row *const row = row_of(op);
    bool pass = true;

#pragma omp parallel
    {
        struct worst own = {.distance = {0}};

#pragma omp for schedule(dynamic, 16) reduction(&& : pass)
        for (int32_t chunk = 0; chunk < CHUNKS; chunk++)
            pass = try_chunk(isa, isas, row, chunk, &own) && pass;
#pragma omp critical
        for (int32_t k = 0; k < WORST_KEPT; k++)
            worst_add(worst, own.distance[k], own.x[k], own.got[k]);
    }
    return pass;
}
