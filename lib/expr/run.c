/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans an expression, or remembers its plan, and executes it at once. */
#include "expr/remember.h"

#include "context/context.h"

/* Execute a plan with the addresses of arrays. */
static bl_status execute(const void *address, bl_context *ctx, const bl_expr_plan *plan,
                         const bl_array *const *outs, const bl_array *const *inputs,
                         const char *function, bool *is_named)
{
    void *to[BL_MAX_SLOTS];
    const void *from[BL_MAX_SLOTS];

    for (int32_t k = 0; k < plan->outputs; k++)
        to[k] = outs[k]->data;
    for (int32_t k = 0; k < plan->expr->inputs; k++)
        from[k] = inputs && inputs[k] ? inputs[k]->data : NULL;
    return bli_expr_execute(address, ctx, plan, to, from, function, is_named);
}

static bl_status check_outs(const bl_expr *expr, const bl_array *const *outs)
{
    if (!expr)
        return bli_error_null("expr");
    if (!outs)
        return bli_error_null("outs");
    for (int32_t k = 0; k < expr->outputs; k++)
        if (!outs[k])
            return bli_error_argument("outs", "output %d is null", (int)k);
    return BL_OK;
}

static bl_status run(const void *address, bl_context *ctx, bl_expr *expr,
                     const bl_array *const *outs, const bl_array *const *inputs,
                     const bl_expr_options *options, const char *function,
                     bool *is_named)
{
    struct bli_expr_loan loan;
    bl_status status;

    BL_TRY(check_outs(expr, outs));
    BL_TRY(bli_expr_plan_obtain(ctx, expr, outs, inputs, options, function, is_named,
                                &loan));
    status = execute(address, ctx, loan.plan, outs, inputs, function, is_named);
    bli_expr_plan_return(&loan);
    return status;
}

bl_status bl_expr_run(bl_context *ctx, bl_expr *expr, const bl_array *const *outs,
                      const bl_array *const *inputs, const bl_expr_options *options)
{
    bool is_named = false;
    const bl_status status =
        run(BLI_RETURN_ADDRESS, ctx, expr, outs, inputs, options, __func__, &is_named);

    return status == BL_OK || is_named ? status : bli_error_call(status, __func__, "");
}

/* ---- new tensors ---- */

static bl_status make_tensors(bl_context *ctx, const bl_expr_plan *plan,
                              bl_tensor **made, const bl_array **array)
{
    for (int32_t k = 0; k < plan->outputs; k++) {
        const bl_array *const out = &plan->out[k].array;

        BL_TRY(bli_tensor_new(bli_context(ctx), out->dtype, out->rank, out->extent,
                              NULL, &made[k]));
        array[k] = bl_tensor_array(made[k]);
    }
    return BL_OK;
}

static bl_status run_new(const void *address, bl_context *ctx, bl_expr *expr,
                         const bl_array *const *inputs, const bl_expr_options *options,
                         bl_tensor **outs, const char *function, bool *is_named)
{
    bl_tensor *made[BL_MAX_SLOTS] = {NULL};
    const bl_array *array[BL_MAX_SLOTS];
    struct bli_expr_loan loan;
    bl_status status;

    if (!expr)
        return bli_error_null("expr");
    if (!outs)
        return bli_error_null("outs");
    BL_TRY(bli_expr_plan_obtain(ctx, expr, NULL, inputs, options, function, is_named,
                                &loan));
    status = make_tensors(ctx, loan.plan, made, array);
    if (status == BL_OK)
        status = execute(address, ctx, loan.plan, array, inputs, function, is_named);
    for (int32_t k = 0; k < loan.plan->outputs; k++)
        if (status == BL_OK)
            outs[k] = made[k];
        else
            bl_tensor_release(made[k]);
    bli_expr_plan_return(&loan);
    return status;
}

bl_status bl_expr_run_new(bl_context *ctx, bl_expr *expr, const bl_array *const *inputs,
                          const bl_expr_options *options, bl_tensor **outs)
{
    bool is_named = false;
    const bl_status status = run_new(BLI_RETURN_ADDRESS, ctx, expr, inputs, options,
                                     outs, __func__, &is_named);

    return status == BL_OK || is_named ? status : bli_error_call(status, __func__, "");
}
