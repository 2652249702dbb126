/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values that integer operators refuse, divisors of 0 and negative exponents, looked
 * for before a fusion computes anything.  They are in memory: a fusion has no step that
 * refuses what another one of it computes.
 */
#include "expr/execute.h"
#include "expr/literals.h"

bl_status bli_expr_check_literals(const bl_expr_plan *plan,
                                  const struct bli_expr_step *step, bl_op op,
                                  bl_dtype dtype)
{
    for (int32_t k = op == BL_OP_WHERE; k < step->count; k++) {
        const struct bli_expr_node *const node =
            step->operand[k] < plan->nodes ? bli_expr_node(plan->expr, step->operand[k])
                                           : NULL;

        if (node && node->flags & BLI_NODE_LITERAL)
            BL_TRY(bli_literal_check(&node->number, dtype));
    }
    return BL_OK;
}

bool bli_expr_may_refuse(const bl_expr_plan *plan, const struct bli_expr_step *step)
{
    const struct bl_plan *const call = step->plan;
    struct bli_binding binding = {.nest = &call->nest};
    const struct bli_expr_node *node;

    if (!bli_has_integer_domain(call) ||
        (call->op == BL_OP_POW && (call->scalars & 2) == 0))
        return false;
    if (step->operand[1] >= plan->nodes)
        return true;
    node = bli_expr_node(plan->expr, step->operand[1]);
    binding.data[2] = (char *)(uintptr_t)&node->number.value; /* only read */
    return node->kind != BLI_NODE_NUMBER ||
           bli_integer_domain_check(call, &binding, NULL,
                                    (bl_range){0, call->nest.count}) != BL_OK;
}

/*
 * Whether a step of an earlier phase refuses what this one does: both go through all of
 * one divisor or exponent.  This one then need not: it may be rehearsed before that is
 * computed.
 */
static bool is_checked_before(const bl_expr_plan *plan,
                              const struct bli_expr_step *step)
{
    const struct bl_plan *const call = step->plan;
    const int32_t phase = plan->value[step->value].phase;
    bool is_checked = false;

    for (int32_t s = 0; step->refuses && s < plan->steps && !is_checked; s++) {
        const struct bli_expr_step *const other = &plan->step[s];

        is_checked = other->refuses && plan->value[other->value].phase < phase &&
                     other->operand[1] == step->operand[1] &&
                     (other->plan->op == BL_OP_POW) == (call->op == BL_OP_POW) &&
                     other->plan->computed[2] == call->computed[2] &&
                     other->plan->nest.count > 0;
    }
    return is_checked && call->nest.needs_linear_copy == 0 && !call->is_sequential;
}

bool bli_expr_take_check(const bl_expr_plan *plan, struct bli_expr_step *step)
{
    if (!is_checked_before(plan, step))
        return false;
    step->plan->is_checked = true;
    if (step->direct)
        step->direct->is_checked = true;
    return true;
}

/* Name the step that refuses values, once the error of these is set. */
static bl_status refuse(struct bli_expr_execution *run, int32_t s, bl_status status)
{
    run->is_named = true;
    if (status == BL_ERR_ARGUMENT)
        run->refused = s;
    return bli_expr_refuse(status, run->plan, run->plan->step[s].value, run->function);
}

bl_status bli_expr_refuse_values(struct bli_expr_execution *run, int32_t s)
{
    return refuse(run, s, bli_integer_domain_refuse(run->plan->step[s].plan->op));
}

static bl_status check_step(struct bli_expr_execution *run, int32_t s)
{
    const struct bli_expr_step *const step = &run->plan->step[s];
    const struct bli_expr_part *const part = run->part;
    const struct bl_plan *const call = step->plan;
    struct bli_binding binding = {.nest = &call->nest};
    bl_status status;

    binding.data[2] = bli_expr_address(run, step->operand[1]);
    status =
        bli_integer_domain_check(call, &binding, part ? NULL : &run->ctx->team,
                                 part ? bli_plan_range(call, part->part, part->parts)
                                      : (bl_range){0, call->nest.count});
    return status == BL_OK ? BL_OK : refuse(run, s, status);
}

bl_status bli_expr_check_values(struct bli_expr_execution *run, int32_t p,
                                bool are_inputs)
{
    const struct bli_expr_phase *const phase = &run->plan->phase[p];

    for (int32_t i = 0; (phase->fusion || run->part) && i < phase->count; i++)
        if (run->plan->step[phase->step[i]].refuses &&
            bli_expr_is_checked_first(run->plan, phase->step[i]) == are_inputs)
            BL_TRY(check_step(run, phase->step[i]));
    return BL_OK;
}
