/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of expressions of two arrays a and b, and of a + b. */
#ifndef REMEMBER_H
#define REMEMBER_H

#include <broadloom.h>
#include <broadloom/compat.h>
#include <broadloom/expr.h>

#include <stdlib.h>

enum { SIDE = 4, COUNT = SIDE * SIDE };

static const int64_t square[] = {SIDE, SIDE};
static const float a[COUNT] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const float b[COUNT] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

static inline bl_array view(const float *data, int32_t rank, const int64_t *extent,
                            const int64_t *stride)
{
    return (bl_array){(void *)(uintptr_t)data, BL_DTYPE_F32, rank, extent, stride, 0};
}

static inline bl_expr *parse(const char *text)
{
    static const char *const names[] = {"a", "b"};
    bl_expr *expr = NULL;

    if (bl_expr_parse(NULL, text, 2, names, &expr) != BL_OK)
        abort();
    return expr;
}

static inline bl_status run(bl_context *ctx, bl_expr *expr, const bl_array *x,
                            const bl_array *y, const bl_expr_options *options,
                            float *out, const bl_array *like)
{
    const bl_array *const inputs[] = {x, y};
    bl_array array = like ? *like : view(out, 2, square, NULL);
    const bl_array *const outs[] = {&array};

    array.data = out;
    return bl_expr_run(ctx, expr, outs, inputs, options);
}

static inline bool is_sum(const float *sum)
{
    for (int k = 0; k < COUNT; k++)
        if (sum[k] != a[k] + b[k])
            return false;
    return true;
}

/* Whether a + b of two squares is that. */
static inline bool adds(bl_context *ctx, bl_expr *expr)
{
    const bl_array x = view(a, 2, square, NULL), y = view(b, 2, square, NULL);
    float sum[COUNT] = {0};

    return run(ctx, expr, &x, &y, NULL, sum, NULL) == BL_OK && is_sum(sum);
}

#endif
