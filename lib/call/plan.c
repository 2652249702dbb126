/* SPDX-License-Identifier: BSD-3-Clause */
/* The exported plans: the steps of a call, with the plan stored in between. */
#include "call/plan_handle.h"
#include "call/shadow.h"

#include <inttypes.h>

/* The addresses of all inputs of a plan: the caller's, and that of alpha. */
static const void *const *complete(const bl_plan *plan, const void *const *data,
                                   const void *all[3])
{
    const struct bli_plan_handle *const handle = (const struct bli_plan_handle *)plan;

    if (!handle->has_alpha)
        return data;
    all[0] = data[0];
    all[1] = data[1];
    all[2] = &handle->alpha.value;
    return all;
}

/* Create the plan of a call without alpha. */
static bl_status create(bl_context *ctx, const struct bli_call *call, bl_plan **plan)
{
    struct bli_resolved resolved;

    ctx = bli_context(ctx);
    BL_TRY(bli_resolve(&resolved, ctx, call, false));

    struct bli_plan_handle *const handle =
        bli_allocate(&ctx->allocator, sizeof *handle);

    if (!handle)
        return BL_ERR_MEMORY;
    handle->allocator = ctx->allocator;
    handle->has_alpha = false;

    const bl_status status = bli_plan_make(&handle->plan, &resolved.problem);

    if (status != BL_OK) {
        bl_plan_destroy(&handle->plan);
        return status;
    }
    bli_plan_describe(handle);
    *plan = &handle->plan;
    return BL_OK;
}

/* Create the plan of a call that has an alpha, which the plan keeps. */
static bl_status create_scaled(bl_context *ctx, const struct bli_call *call,
                               bl_plan **plan)
{
    struct bli_alpha_call scaled;

    BL_TRY(bli_alpha_call_make(&scaled, call));
    BL_TRY(create(ctx, &scaled.call, plan));

    struct bli_plan_handle *const handle = (struct bli_plan_handle *)*plan;

    handle->has_alpha = true;
    handle->alpha = scaled.alpha;
    return BL_OK;
}

bl_status bl_plan_create(bl_context *ctx, bl_op op, const bl_array *out, int32_t count,
                         const bl_array *const *inputs, const bl_options *options,
                         bl_plan **plan)
{
    struct bli_call call = {.op = op,
                            .count = count,
                            .inputs = inputs,
                            .out = out,
                            .address = BLI_RETURN_ADDRESS};
    bl_options known;
    bl_status status = bli_options_known(&options, &known);

    if (status == BL_OK) {
        call.options = options;
        status = !plan                    ? bli_error_null("plan")
                 : bli_has_alpha(options) ? create_scaled(ctx, &call, plan)
                                          : create(ctx, &call, plan);
    }
    return status == BL_OK ? BL_OK : bli_refuse_call(status, &call, __func__);
}

void bl_plan_destroy(bl_plan *plan)
{
    struct bli_plan_handle *const handle = (struct bli_plan_handle *)plan;

    if (!handle)
        return;
    const bl_allocator allocator = handle->allocator;

    bli_release(&allocator, handle, sizeof *handle);
}

/*
 * Name the call that executes a plan and is refused, with what the plan knows of the
 * operands, and the part of it unless `parts` is 0.  Returns `status`.
 */
BLI_OWN_FRAME static bl_status refuse_execution(bl_status status, const bl_plan *plan,
                                                const char *function, int32_t part,
                                                int32_t parts)
{
    struct bli_text text;

    bli_error_open(&text, status, function);
    bli_text_add(&text, "%s", plan ? bli_ops[plan->op].name : "plan null");
    for (int32_t k = 0; plan && k <= plan->inputs; k++) {
        const bl_array array = {.dtype = plan->dtype[k],
                                .rank = k == 0 ? plan->rank : -1,
                                .extent = k == 0 ? plan->extent : NULL};

        bli_error_operand(&text, k, k == 0 ? "out" : bli_op_names(plan->op)[k - 1],
                          &array);
    }
    if (parts != 0)
        bli_text_add(&text, ", part %" PRId32 " of %" PRId32, part, parts);
    bli_error_op(plan ? plan->op : BL_OP_NONE);
    bli_error_close(&text, 0);
    return status;
}

/* The name is that of the public function. */
static inline __attribute__((always_inline)) bl_status
execute(bl_context *ctx, const bl_plan *plan, void *out, const void *const *data,
        const char *name)
{
    const void *all[3];
    struct bli_bound bound;
    bl_status status;

    if (!plan || !data)
        return refuse_execution(bli_error_null(!plan ? "plan" : "data"), plan, name, 0,
                                0);
    ctx = bli_context(ctx);
    data = complete(plan, data, all);
    status = bli_bind(&bound, plan, ctx, out, data);
    if (status != BL_OK)
        return refuse_execution(status, plan, name, 0, 0);
    bli_exec_run(plan, &bound.binding, &ctx->team);
    bli_unbind(&bound);
    return BL_OK;
}

/* Execute while memory is marked, which costs a call without marks no registers. */
static bl_status __attribute__((noinline))
execute_marked(bl_context *ctx, const bl_plan *plan, void *out, const void *const *data,
               const char *name)
{
    const void *all[3];

    BL_TRY(execute(ctx, plan, out, data, name));
    bli_shadow_carry_plan(plan, out, complete(plan, data, all));
    return BL_OK;
}

bl_status bl_plan_execute(bl_context *ctx, const bl_plan *plan, void *out,
                          const void *const *data)
{
    return bli_shadow_has_marks() ? execute_marked(ctx, plan, out, data, __func__)
                                  : execute(ctx, plan, out, data, __func__);
}

bl_status bl_plan_check(bl_context *ctx, const bl_plan *plan, void *out,
                        const void *const *data)
{
    const void *all[3];
    struct bli_bound bound;

    if (!plan || !data)
        return refuse_execution(bli_error_null(!plan ? "plan" : "data"), plan, __func__,
                                0, 0);
    const bl_status status =
        bli_bind(&bound, plan, bli_context(ctx), out, complete(plan, data, all));

    if (status != BL_OK)
        return refuse_execution(status, plan, __func__, 0, 0);
    bli_unbind(&bound);
    return BL_OK;
}

struct bl_plan_begun {
    struct bli_bound bound;
    const bl_plan *plan;
    bl_context *ctx;
    void *out;
    const void *data[BL_MAX_INPUTS]; /* all, also the alpha of a plan */
};

bl_status bl_plan_begin(bl_context *ctx, const bl_plan *plan, void *out,
                        const void *const *data, bl_plan_begun **out_begun)
{
    const char *const null = !plan ? "plan" : !data ? "data" : "begun";
    bl_plan_begun *begun;
    bl_status status;

    if (!plan || !data || !out_begun)
        return refuse_execution(bli_error_null(null), plan, __func__, 0, 0);
    begun = bli_thread_lend(sizeof *begun);
    if (!begun)
        return refuse_execution(BL_ERR_MEMORY, plan, __func__, 0, 0);
    begun->plan = plan;
    begun->ctx = bli_context(ctx);
    begun->out = out;
    data = complete(plan, data, begun->data);
    for (int32_t k = 0; k < plan->inputs; k++)
        begun->data[k] = data[k];
    status = bli_bind(&begun->bound, plan, begun->ctx, out, begun->data);
    if (status != BL_OK) {
        bli_thread_return(begun);
        return refuse_execution(status, plan, __func__, 0, 0);
    }
    *out_begun = begun;
    return BL_OK;
}

void bl_plan_finish(bl_plan_begun *begun, bool execute)
{
    if (!begun)
        return;
    if (execute) {
        bli_exec_run(begun->plan, &begun->bound.binding, &begun->ctx->team);
        if (bli_shadow_has_marks())
            bli_shadow_carry_plan(begun->plan, begun->out, begun->data);
    }
    bli_unbind(&begun->bound);
    bli_thread_return(begun);
}

static bl_status check_part(const bl_plan *plan, int32_t part, int32_t parts)
{
    if (!plan)
        return bli_error_null("plan");
    if (parts < 1 || part < 0 || part >= parts)
        return bli_error_argument(
            "part", "part %" PRId32 " of %" PRId32 " parts does not exist", part,
            parts);
    return BL_OK;
}

static bl_status execute_part(const bl_plan *plan, void *out, const void *const *data,
                              int32_t part, int32_t parts)
{
    const void *all[3];
    struct bli_bound bound;
    bl_status status = BL_OK;

    BL_TRY(check_part(plan, part, parts));
    if (!data)
        return bli_error_null("data");
    data = complete(plan, data, all);
    const bl_range range = bli_plan_range(plan, part, parts);

    BL_TRY(bli_bind(&bound, plan, NULL, out, data));
    if (bli_has_integer_domain(plan))
        status = bli_integer_domain_check(plan, &bound.binding, NULL, range);
    if (status == BL_OK) {
        bli_exec_range(plan, &bound.binding, range, 0);
        if (bli_shadow_has_marks())
            bli_shadow_carry_plan(plan, out, data);
    }
    bli_unbind(&bound);
    return status;
}

bl_status bl_plan_execute_part(bl_context *ctx, const bl_plan *plan, int32_t part,
                               int32_t parts, void *out, const void *const *data)
{
    (void)ctx; /* a part runs on the calling thread and needs no memory */
    const bl_status status = execute_part(plan, out, data, part, parts);

    return status == BL_OK ? BL_OK
                           : refuse_execution(status, plan, __func__, part, parts);
}

bl_status bl_plan_range(const bl_plan *plan, int32_t part, int32_t parts,
                        bl_range *range)
{
    bl_status status = check_part(plan, part, parts);

    if (status == BL_OK && !range)
        status = bli_error_null("range");
    if (status != BL_OK)
        return refuse_execution(status, plan, __func__, part, parts);
    *range = bli_plan_range(plan, part, parts);
    return BL_OK;
}

bl_status bl_plan_query(const bl_plan *plan, bl_plan_info *info)
{
    const bl_status status = bli_plan_query(plan, info);

    return status == BL_OK ? BL_OK : refuse_execution(status, plan, __func__, 0, 0);
}
