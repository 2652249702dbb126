/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exported operation: bl_apply, into existing memory, bl_apply_new, into a new
 * tensor, and bl_cast.
 */
#include "call/aligned.h"
#include "call/plan_cache.h"
#include "call/shadow.h"
#include "core/lend.h"

/* Bind a plan to memory and run it. */
static inline bl_status bind_and_run(const struct bl_plan *plan, bl_context *ctx,
                                     void *out, const void *const *data)
{
    struct bli_bound bound;

    BL_TRY(bli_bind(&bound, plan, ctx, out, data));
    bli_exec_run(plan, &bound.binding, &ctx->team);
    bli_unbind(&bound);
    return BL_OK;
}

/* The same in a shadow run. */
BLI_OWN_FRAME static bl_status run_watched(const struct bl_plan *plan, bl_context *ctx,
                                           const struct bli_call *call,
                                           const bl_array *out, const void *const *data)
{
    static const struct bli_shadow_functions functions = {bl_apply, bl_apply_new};
    bl_shadow *const shadow =
        bli_shadow_has_due() ? bli_shadow_open(ctx, call, plan->dtype[0], &functions)
                             : NULL;
    const bl_status status = bind_and_run(plan, ctx, out->data, data);

    if (shadow)
        bl_shadow_end(shadow, status == BL_OK ? out : NULL);
    else if (status == BL_OK)
        bli_shadow_carry_plan(plan, out->data, data);
    return status;
}

/* Run a call's plan on its arrays' memory. */
static bl_status run(const struct bl_plan *plan, bl_context *ctx,
                     const struct bli_call *call, const bl_array *out)
{
    const void *data[BL_MAX_INPUTS];

    for (int32_t k = 0; k < plan->inputs; k++)
        data[k] = call->inputs[k]->data;
    return bli_shadow_watches() ? run_watched(plan, ctx, call, out, data)
                                : bind_and_run(plan, ctx, out->data, data);
}

/* Make the plan of a call that is not in the plan cache. */
static bl_status make_plan(bl_context *ctx, const struct bli_call *call,
                           struct bli_plan_loan *loan)
{
    struct bli_resolved resolved;
    bl_status status;

    BL_TRY(bli_resolve(&resolved, ctx, call, true));
    if (!bli_plan_cache_reserve(ctx, call, loan))
        return BL_ERR_MEMORY;
    status = bli_plan_make(loan->plan, &resolved.problem);
    if (status != BL_OK) {
        bli_plan_cache_release(loan);
        return status;
    }
    bli_plan_cache_commit(loan, ctx, call, &resolved.answer);
    return BL_OK;
}

/*
 * Refuse a call as it runs.  Arrays of a call whose plan was cached are checked only
 * now: what is wrong with them has their names.
 */
BLI_OWN_FRAME static bl_status refuse_run(bl_status status, const struct bli_call *call)
{
    if (status == BL_ERR_ARGUMENT)
        (void)bli_check_arrays(call, true);
    return bli_refuse_call(status, call, NULL);
}

static bl_status apply(bl_context *ctx, const struct bli_call *call);
static bl_status apply_new(bl_context *ctx, const struct bli_call *call,
                           bl_tensor **out);

/*
 * Run a call on aligned copies of its operands, into its result, or into a new tensor
 * where `out` is not NULL.
 */
BLI_OWN_FRAME static bl_status
apply_aligned(bl_context *ctx, const struct bli_call *call, bl_tensor **out)
{
    struct bli_call inner = *call;
    const char *names[BL_MAX_INPUTS];
    struct bli_aligned aligned;
    bl_status status = bli_check_call(call);

    for (int32_t k = 0; status == BL_OK && k < call->count; k++)
        names[k] = bli_input_name(call, k);
    if (status == BL_OK)
        status = bli_aligned_open(&aligned, ctx, names, bli_call_result(call),
                                  call->out, call->count, call->inputs,
                                  bli_is_sequential(ctx, call->options));
    if (status != BL_OK)
        return bli_refuse_call(status, call, NULL);
    inner.out = aligned.out;
    inner.inputs = aligned.inputs;
    status = bli_aligned_close(&aligned,
                               out ? apply_new(ctx, &inner, out) : apply(ctx, &inner));
    return status == BL_OK ? BL_OK : bli_refuse_call(status, call, NULL);
}

/* Run a call without alpha, into its result. */
static bl_status apply(bl_context *ctx, const struct bli_call *call)
{
    struct bli_plan_loan loan;
    bl_status status;

    ctx = bli_context(ctx);
    if (!bli_plan_cache_lookup(ctx, call, &loan)) {
        if (bli_any_unaligned(call->out, call->count, call->inputs))
            return apply_aligned(ctx, call, NULL);
        status = make_plan(ctx, call, &loan);
        if (status != BL_OK)
            return bli_refuse_call(status, call, NULL);
    }
    status = run(loan.plan, ctx, call, call->out);
    bli_plan_cache_release(&loan);
    return status == BL_OK ? BL_OK : refuse_run(status, call);
}

/* Run a call without alpha, into a new tensor. */
static bl_status apply_new(bl_context *ctx, const struct bli_call *call,
                           bl_tensor **out)
{
    struct bli_plan_loan loan;
    bl_tensor *result;
    bl_status status;

    ctx = bli_context(ctx);
    if (!bli_plan_cache_lookup(ctx, call, &loan)) {
        if (bli_any_unaligned(NULL, call->count, call->inputs))
            return apply_aligned(ctx, call, out);
        status = make_plan(ctx, call, &loan);
        if (status != BL_OK)
            return bli_refuse_call(status, call, NULL);
    }
    status = bli_tensor_new(ctx, loan.plan->dtype[0], loan.plan->rank,
                            loan.plan->extent, NULL, &result);
    if (status == BL_OK) {
        status = run(loan.plan, ctx, call, bl_tensor_array(result));
        if (status == BL_OK)
            *out = result;
        else
            bl_tensor_release(result);
    }
    bli_plan_cache_release(&loan);
    return status == BL_OK ? BL_OK : refuse_run(status, call);
}

/* Refuse a call whose existing result is null. */
static bl_status refuse_out(struct bli_call *call)
{
    call->lacks_out = true;
    return bli_refuse_call(bli_error_null(bli_call_result(call)), call, NULL);
}

bl_status bli_apply_from(const void *address, bl_context *ctx, bl_op op,
                         const bl_array *out, int32_t count,
                         const bl_array *const *inputs, const bl_options *options)
{
    struct bli_call call = {.op = op,
                            .count = count,
                            .inputs = inputs,
                            .out = out,
                            .address = address,
                            .can_compare = true};
    struct bli_alpha_call scaled;
    bl_options known;
    bl_status status;

    if (!out)
        return refuse_out(&call);
    status = bli_options_known(&options, &known);
    if (status != BL_OK)
        return bli_refuse_call(status, &call, NULL);
    call.options = options;
    if (!bli_has_alpha(options))
        return apply(ctx, &call);
    status = bli_alpha_call_make(&scaled, &call);
    return status == BL_OK ? apply(ctx, &scaled.call)
                           : bli_refuse_call(status, &call, NULL);
}

bl_status bli_apply_new_from(const void *address, bl_context *ctx, bl_op op,
                             int32_t count, const bl_array *const *inputs,
                             const bl_options *options, bl_tensor **out)
{
    struct bli_call call = {.op = op,
                            .count = count,
                            .inputs = inputs,
                            .address = address,
                            .can_compare = true};
    struct bli_alpha_call scaled;
    bl_options known;
    bl_status status;

    status = bli_options_known(&options, &known);
    if (status != BL_OK)
        return bli_refuse_call(status, &call, NULL);
    call.options = options;
    if (!out)
        return bli_refuse_call(bli_error_null("out"), &call, NULL);
    if (!bli_has_alpha(options))
        return apply_new(ctx, &call, out);
    status = bli_alpha_call_make(&scaled, &call);
    return status == BL_OK ? apply_new(ctx, &scaled.call, out)
                           : bli_refuse_call(status, &call, NULL);
}

bl_status bl_apply(bl_context *ctx, bl_op op, const bl_array *out, int32_t count,
                   const bl_array *const *inputs, const bl_options *options)
{
    return bli_apply_from(BLI_RETURN_ADDRESS, ctx, op, out, count, inputs, options);
}

bl_status bl_apply_new(bl_context *ctx, bl_op op, int32_t count,
                       const bl_array *const *inputs, const bl_options *options,
                       bl_tensor **out)
{
    return bli_apply_new_from(BLI_RETURN_ADDRESS, ctx, op, count, inputs, options, out);
}

static bl_status cast(bl_context *ctx, const bl_array *from, bl_dtype dtype,
                      bl_tensor **out)
{
    static const char *const names[] = {"from"};
    bl_options options = BL_OPTIONS_DEFAULT;

    BL_TRY(bli_dtype_check("dtype", dtype));
    options.dtype = dtype;
    options.names = names;
    return bl_apply_new(ctx, BL_OP_COPY, 1, &from, &options, out);
}

bl_status bl_cast(bl_context *ctx, const bl_array *from, bl_dtype dtype,
                  bl_tensor **out)
{
    BLI_RETURN_CALL(cast(ctx, from, dtype, out), "%A, dtype %t", "from", from, dtype);
}
