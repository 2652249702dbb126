/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exported operation, into memory that exists or into a new tensor.
 */
#include "api/api.h"

bl_status bli_run(const struct bli_resolved *resolved, bl_context *ctx, void *out,
                  const bl_array *const *inputs)
{
    struct bl_plan plan;
    struct bli_bound bound;
    const void *data[BL_MAX_INPUTS];

    for (int32_t k = 0; k < resolved->problem.inputs; k++)
        data[k] = inputs[k]->data;
    BL_TRY(bli_plan_make(&plan, &resolved->problem));
    BL_TRY(bli_bind(&bound, &plan, ctx, out, data));
    bli_exec_run(&plan, &bound.binding, &ctx->team);
    bli_unbind(&bound);
    return BL_OK;
}

/* Calls that have alpha. */
static bl_status apply_scaled(bl_context *ctx, const struct bli_call *call)
{
    struct bli_scaled scaled;

    BL_TRY(bli_scaled_make(&scaled, call));
    return bl_apply(ctx, scaled.call.op, scaled.call.count, scaled.inputs, call->out,
                    &scaled.options);
}

static bl_status apply_scaled_new(bl_context *ctx, const struct bli_call *call,
                                  bl_tensor **out)
{
    struct bli_scaled scaled;

    BL_TRY(bli_scaled_make(&scaled, call));
    return bl_apply_new(ctx, scaled.call.op, scaled.call.count, scaled.inputs, out,
                        &scaled.options);
}

bl_status bl_apply(bl_context *ctx, bl_op op, int32_t count,
                   const bl_array *const *inputs, const bl_array *out,
                   const bl_options *options)
{
    const struct bli_call call = {op, count, inputs, out, options};
    struct bli_resolved resolved;

    if (!out)
        return bl_error_set(BL_ERR_ARGUMENT, "out is null");
    if (bli_has_alpha(options))
        return apply_scaled(ctx, &call);
    ctx = bli_context(ctx);
    BL_TRY(bli_resolve(&resolved, ctx, &call, true));

    const bl_status status = bli_run(&resolved, ctx, out->data, inputs);

    return status == BL_OK ? BL_OK : bli_fail_in_call(status, &call);
}

bl_status bl_apply_new(bl_context *ctx, bl_op op, int32_t count,
                       const bl_array *const *inputs, bl_tensor **out,
                       const bl_options *options)
{
    const struct bli_call call = {op, count, inputs, NULL, options};
    struct bli_resolved resolved;
    bl_tensor *result;

    if (!out)
        return bl_error_set(BL_ERR_ARGUMENT, "out is null");
    if (bli_has_alpha(options))
        return apply_scaled_new(ctx, &call, out);
    ctx = bli_context(ctx);
    BL_TRY(bli_resolve(&resolved, ctx, &call, true));

    bl_status status =
        bli_tensor_new(ctx, resolved.problem.dtype[0], resolved.answer.rank,
                       resolved.answer.extent, NULL, &result);

    if (status != BL_OK)
        return bli_fail_in_call(status, &call);
    status = bli_run(&resolved, ctx, bl_tensor_array(result)->data, inputs);
    if (status != BL_OK) {
        bl_tensor_release(result);
        return bli_fail_in_call(status, &call);
    }
    *out = result;
    return BL_OK;
}

bl_status bl_cast(bl_context *ctx, const bl_array *from, bl_dtype dtype,
                  bl_tensor **out)
{
    bl_options options = BL_OPTIONS_DEFAULT;

    if (!bli_dtype_is_valid(dtype))
        return bl_error_set(BL_ERR_ARGUMENT, "dtype: %d is no dtype", (int)dtype);
    options.dtype = dtype;
    return bl_apply_new(ctx, BL_OP_COPY, 1, &from, out, &options);
}
