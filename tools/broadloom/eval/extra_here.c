/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes calls of functions that are not operators, in this process. */
#include "extra_calls.h"

bl_status extra_norm(bl_context *ctx, const bl_array *argument, double *norm)
{
    const bl_array to = {norm, BL_DTYPE_F64, 0, NULL, NULL, 0};

    *norm = 2;
    if (!argument)
        return BL_OK;
    if (argument->rank != 0)
        return bl_error_set(BL_ERR_ARGUMENT, "the norm must be a number");
    return bl_apply(ctx, BL_OP_COPY, &to, 1, &argument, NULL);
}

bl_status extra_call_here(bl_context *ctx, enum extra_function function,
                          const bl_array *const *array, bl_tensor **out)
{
    double norm;

    switch (function) {
    case EXTRA_MASKED_SCATTER:
        return bl_masked_scatter(ctx, array[0], array[1], array[2], out);
    case EXTRA_MASKED_SELECT:
        return bl_masked_select(ctx, array[0], array[1], out);
    case EXTRA_SUM_TO:
        return bl_sum_to_shape(ctx, array[0], array[1]->rank, array[1]->extent, out);
    default:
        TRY(extra_norm(ctx, array[2], &norm));
        return bl_dist(ctx, array[0], array[1], norm, out);
    }
}

/* The arguments of the next call. */
struct here {
    struct evaluation *evaluation;
    bl_tensor *value[EXTRA_ARGUMENTS];
};

static void release(struct here *here)
{
    for (int32_t k = 0; k < EXTRA_ARGUMENTS; k++) {
        bl_tensor_release(here->value[k]);
        here->value[k] = NULL;
    }
}

static bl_status compute(void *user, bl_expr *expr, int32_t k)
{
    struct here *const here = user;

    return evaluation_run(here->evaluation, expr, NULL, &here->value[k]);
}

static bl_status call(void *user, enum extra_function function, int32_t count,
                      int32_t slot)
{
    struct here *const here = user;
    const bl_array *array[EXTRA_ARGUMENTS] = {NULL};
    bl_status status;

    for (int32_t k = 0; k < count; k++)
        array[k] = bl_tensor_array(here->value[k]);
    status = extra_call_here(here->evaluation->ctx, function, array,
                             &here->evaluation->tensor[slot]);
    release(here);
    return status;
}

bl_status extra_calls_replace_here(struct evaluation *evaluation, char *text)
{
    struct here here = {.evaluation = evaluation};
    const struct extra_backend backend = {&here, compute, call};
    const bl_status status = extra_calls_replace(evaluation, &backend, text);

    release(&here);
    return status;
}
