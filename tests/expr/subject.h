/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays a, b and c with two dimensions, of numbers between -4 and 4, that expressions
 * are planned for.
 */
#ifndef TESTS_SUBJECT_H
#define TESTS_SUBJECT_H

#include <broadloom/expr.h>
#include <broadloom/tensor.h>

#include "harness/problem.h"
#include "harness/same.h"

enum { INPUTS = 3 };

struct subject {
    int64_t extent[INPUTS][2];
    bl_tensor *tensor[INPUTS];
    const bl_array *input[INPUTS];
};

/* A tensor of random numbers, multiples of 1/512. */
static inline bl_tensor *numbers(struct rng *rng, bl_dtype dtype, const int64_t *extent)
{
    bl_tensor *wide, *made;
    double *number;

    must(bl_tensor_empty(NULL, BL_DTYPE_F64, 2, extent, &wide));
    number = bl_tensor_mutable_data(wide);
    for (int64_t i = 0; i < bl_tensor_numel(wide); i++)
        number[i] = (double)(rng_below(rng, 4096) - 2048) / 512;
    must(bl_cast(NULL, bl_tensor_array(wide), dtype, &made));
    bl_tensor_release(wide);
    return made;
}

static inline void release(const struct subject *subject)
{
    for (int32_t k = 0; k < INPUTS; k++)
        bl_tensor_release(subject->tensor[k]);
}

/* The plan of a text whose inputs are a, b and c. */
static inline bl_expr_plan *plan_of(bl_context *ctx, const char *text,
                                    const struct subject *subject, uint32_t flags)
{
    static const char *const names[] = {"a", "b", "c"};
    bl_expr_options options = BL_EXPR_OPTIONS_DEFAULT;
    bl_expr_plan *plan = NULL;
    bl_expr *expr = NULL;

    options.flags = flags;
    must(bl_expr_parse(ctx, text, INPUTS, names, &expr));
    must(bl_expr_plan_create(ctx, expr, NULL, subject->input, &options, &plan));
    bl_expr_destroy(expr);
    return plan;
}

#endif
