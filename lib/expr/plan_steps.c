/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans the calls that compute the values of an expression. */
#include "expr/half_steps.h"

bl_status bli_expr_refuse_making(struct bli_expr_making *making, bl_status status,
                                 int32_t v)
{
    making->is_named = true;
    return bli_expr_refuse(status, making->plan, v, making->function);
}

/* Find the dtype that a value has without wide halves. */
static bl_status resolve_plain(struct bli_expr_making *making, int32_t v, bool is_cited,
                               struct bli_resolved *resolved,
                               struct bli_expr_call *made)
{
    struct bli_expr_value *const value = &making->plan->value[v];
    const struct bli_call *call;

    if (!bli_expr_is_wide(making->plan) || v >= making->plan->nodes)
        return BL_OK;
    BL_TRY(bli_expr_call_make_plain(made, making->plan, v, is_cited, &call));
    BL_TRY(bli_resolve(resolved, making->ctx, call, false));
    value->plain = resolved->problem.dtype[0];
    return BL_OK;
}

/* Resolve the call of a value, with names in messages where it is cited. */
static bl_status resolve(struct bli_expr_making *making, int32_t v, bool is_cited,
                         struct bli_resolved *resolved, struct bli_expr_call *made)
{
    const bl_expr_plan *const plan = making->plan;
    const struct bli_expr_step *const step = &plan->step[plan->value[v].step];
    const struct bli_call *call;

    BL_TRY(resolve_plain(making, v, is_cited, resolved, made));
    BL_TRY(bli_expr_call_make(made, plan, v, is_cited, &call));
    BL_TRY(bli_resolve(resolved, making->ctx, call, false));
    return bli_expr_check_literals(plan, step, call->op,
                                   call->op == BL_OP_COPY ? resolved->problem.dtype[0]
                                                          : resolved->problem.common);
}

/* Note how the operands of a step are paired with its result. */
static void note_pairing(struct bli_expr_step *step, const struct bli_problem *problem)
{
    step->is_plain = !problem->is_sequential;
    for (int32_t k = 0; k < problem->inputs; k++) {
        const bl_pairing pairing = problem->operand[1 + k].pairing;

        step->is_plain = step->is_plain && pairing.kind == BL_PAIRING_BROADCAST;
        step->shift[k] = pairing.shift;
    }
}

/* Plan the call of an operator, a cast or a copy. */
BLI_OWN_FRAME static bl_status plan_apply(struct bli_expr_making *making, int32_t v)
{
    bl_expr_plan *const plan = making->plan;
    struct bli_expr_value *const value = &plan->value[v];
    struct bli_expr_step *const step = &plan->step[value->step];
    struct bli_expr_call made;
    struct bli_resolved resolved;
    bl_status status = resolve(making, v, false, &resolved, &made);

    if (status != BL_OK) {
        (void)resolve(making, v, true, &resolved, &made);
        return bli_expr_refuse_making(making, status, v);
    }
    step->has_alpha = made.options.alpha != NULL;
    if (step->has_alpha)
        step->alpha = made.scaled.alpha;
    step->raises = resolved.answer.events > 0;
    plan->raises = plan->raises || step->raises;
    status = bli_plan_keep_outline(&step->plan, &plan->allocator, &resolved.problem);
    if (status == BL_ERR_MEMORY)
        return status;
    if (status != BL_OK)
        return bli_expr_refuse_making(making, status, v);
    step->refuses = bli_expr_may_refuse(plan, step);
    plan->refuses = plan->refuses || step->refuses;
    step->is_sure = !step->refuses && step->plan->nest.needs_linear_copy == 0 &&
                    !step->plan->is_sequential;
    note_pairing(step, &resolved.problem);
    value->dtype = step->plan->dtype[0];
    value->rank = step->plan->rank;
    value->extent = step->plan->extent;
    return BL_OK;
}

/* Plan the call of a reduction. */
static bl_status plan_reduce(struct bli_expr_making *making, int32_t v)
{
    bl_expr_plan *const plan = making->plan;
    const bl_expr *const expr = plan->expr;
    const struct bli_expr_node *const node = bli_expr_node(expr, v);
    struct bli_expr_value *const value = &plan->value[v];
    struct bli_expr_step *const step = &plan->step[value->step];
    const bl_array in = bli_expr_value_array(plan, step->operand[0], NULL);
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;
    struct bli_reduce_call *const call =
        bli_allocate_object(&plan->allocator, sizeof *call);
    bl_status status = BL_OK;

    if (!call)
        return BL_ERR_MEMORY;
    step->reduce = call;
    options.dtype = node->dtype;
    options.correction = node->correction;
    *call = (struct bli_reduce_call){.op = (bl_reduction)node->what, .in = &in};
    if (bli_expr_is_wide(plan)) {
        bl_array plain = in;

        plain.dtype = plan->value[step->operand[0]].plain;
        call->in = &plain;
        status = bli_reduce_resolve(call, node->axes, expr->list + node->first + 1,
                                    node->flags & BLI_NODE_KEEPDIM, &options);
        value->plain = call->to;
        options.dtype = bli_expr_asked_dtype(plan, options.dtype);
        call->in = &in;
    }
    if (status == BL_OK)
        status = bli_reduce_resolve(call, node->axes, expr->list + node->first + 1,
                                    node->flags & BLI_NODE_KEEPDIM, &options);
    call->in = NULL;
    if (status != BL_OK)
        return bli_expr_refuse_making(making, status, v);
    value->dtype = call->to;
    value->rank = call->rank;
    value->extent = call->extent;
    return BL_OK;
}

bl_status bli_expr_add_step(struct bli_expr_making *making, int32_t v, bl_node node,
                            int32_t count, const int32_t *operand)
{
    bl_expr_plan *const plan = making->plan;
    struct bli_expr_value *const value = &plan->value[v];
    int64_t numel;

    value->step = plan->steps;
    plan->step[plan->steps++] = (struct bli_expr_step){
        .value = v, .node = node, .count = count, .operand = operand};
    for (int32_t k = 0; k < count; k++)
        plan->value[operand[k]].last = value->step;
    if (v < plan->nodes && bli_expr_node(plan->expr, v)->kind == BLI_NODE_REDUCE)
        BL_TRY(plan_reduce(making, v));
    else
        BL_TRY(plan_apply(making, v));
    if (value->plain == BL_DTYPE_NONE)
        value->plain = value->dtype;
    if (!bli_shape_numel(value->rank, value->extent, &numel) ||
        !bli_mul_i64(numel, bli_dtypes[value->dtype].size, &value->bytes))
        return bli_expr_refuse_making(
            making,
            bl_error_set(BL_ERR_OVERFLOW, "the result's bytes do not fit in 64 bits"),
            v);
    return BL_OK;
}
