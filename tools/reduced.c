/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of the library's reductions, by their arguments in an expression.
 */
#include "reduced.h"

#include <inttypes.h>

bool reduces(const struct expr_step *step, const struct value *argument)
{
    if (step->kind != EXPR_REDUCE || step->function.op == BL_OP_NONE)
        return true;
    return argument[0].tensor && !argument[1].tensor;
}

/* The arguments behind the array are dimensions. */
static bl_status read_axes(const struct expr_step *step, const struct value *argument,
                           int32_t *count, int32_t axis[BL_MAX_RANK])
{
    *count = step->inputs - 1;
    if (*count > BL_MAX_RANK)
        return bl_error_set(BL_ERR_ARGUMENT, "more than %d dimensions", BL_MAX_RANK);
    for (int32_t k = 0; k < *count; k++) {
        int64_t integer;

        if (!value_integer(&argument[1 + k], &integer) || integer < INT32_MIN ||
            integer > INT32_MAX)
            return bl_error_set(BL_ERR_ARGUMENT,
                                "%s takes an array and the numbers of its dimensions",
                                bl_reduction_name(step->reduction));
        axis[k] = (int32_t)integer;
    }
    return BL_OK;
}

/* The norm of dist: 2 unless a number says otherwise. */
static bl_status read_norm(const struct expr_step *step, const struct value *argument,
                           double *norm)
{
    int64_t integer;

    *norm = 2;
    if (step->inputs < 3)
        return BL_OK;
    if (argument[2].tensor)
        return bl_error_set(BL_ERR_ARGUMENT, "the norm must be a number");
    *norm = value_integer(&argument[2], &integer) ? (double)integer
                                                  : argument[2].number.value.f64;
    return BL_OK;
}

static bl_status call(bl_context *ctx, const struct expr_step *step,
                      const struct value *argument, bl_tensor **out)
{
    int32_t axis[BL_MAX_RANK], count = 0;
    const bl_array *array[2];
    bl_array number[2];
    double norm = 2;

    array[0] = value_array(&argument[0], &number[0]);
    if (step->kind == EXPR_REDUCE) {
        TRY(read_axes(step, argument, &count, axis));
        return bl_reduce_new(ctx, step->reduction, array[0], count, axis, step->keepdim,
                             out, NULL);
    }
    array[1] = value_array(&argument[1], &number[1]);
    if (step->kind == EXPR_SUM_TO)
        return bl_sum_to_shape(ctx, array[0], array[1]->rank, array[1]->extent, out);
    TRY(read_norm(step, argument, &norm));
    return bl_dist(ctx, array[0], array[1], norm, out);
}

bl_status reduce(bl_context *ctx, const struct expr_step *step, struct value *argument)
{
    struct value result = {.exclusive = true};

    TRY(value_settle(ctx, &argument[0]));
    TRY(call(ctx, step, argument, &result.tensor));
    for (int32_t k = 0; k < step->inputs; k++)
        value_clear(&argument[k]);
    argument[0] = result;
    return BL_OK;
}
