/* SPDX-License-Identifier: BSD-3-Clause */
/* What executions do besides computing: warnings of calls, and marks of shadow runs. */
#include "expr/execute.h"
#include "expr/half_steps.h"

/* ---- warnings ---- */

/*
 * Raise the warnings of the calls that the nodes stand for, in order.  A filter or an
 * observer may refuse one.
 */
BLI_OWN_FRAME static bl_status raise_value(struct bli_expr_execution *run, int32_t v)
{
    struct bli_expr_call made;
    bl_rules_answer answer;
    const struct bli_call *call;
    bl_status status;

    status = bli_expr_call_make(&made, run->plan, v, false, &call);
    if (status == BL_OK) {
        struct bli_call *const own =
            call == &made.call ? &made.call : &made.scaled.call;

        own->is_quiet = false;
        own->address = run->address;
        own->has_default_names = true;
        status = bli_broadcast_call(&answer, run->ctx, own);
    }
    if (status == BL_OK)
        return BL_OK;
    run->is_named = true;
    return bli_expr_refuse(status, run->plan, v, run->function);
}

bl_status bli_expr_raise_warnings(struct bli_expr_execution *run)
{
    const bl_expr_plan *const plan = run->plan;
    const bool warns = (bli_warnings_generation() & BLI_WARN_BROADCAST) != 0;

    for (bl_node n = 0; (warns || plan->raises) && n < plan->nodes; n++) {
        const struct bli_expr_node *const node = bli_expr_node(plan->expr, n);
        const int32_t v = bli_expr_computed(plan, node->same);

        if (plan->is_needed[n] && node->kind == BLI_NODE_APPLY &&
            (warns || plan->step[plan->value[v].step].raises))
            BL_TRY(raise_value(run, v));
    }
    return BL_OK;
}

/* ---- marks of shadow runs ---- */

/* Carry the marks of all inputs to each output. */
BLI_OWN_FRAME void bli_expr_carry_marks(const struct bli_expr_execution *run)
{
    const bl_expr_plan *const plan = run->plan;
    struct bli_bytes in[BL_MAX_SLOTS];
    bl_array array;

    for (int32_t i = 0; i < plan->reads; i++) {
        const int32_t n = plan->read[i];

        array = bli_expr_value_array(
            plan, n, (void *)(uintptr_t)run->data[bli_expr_node(plan->expr, n)->what]);
        in[i] = bli_array_bytes(&array);
    }
    for (int32_t k = 0; k < plan->outputs; k++) {
        const struct bli_expr_out *const out = &plan->out[k];
        const struct bli_bytes result = {
            (uintptr_t)run->outs[k] + (uintptr_t)out->begin,
            (uintptr_t)run->outs[k] + (uintptr_t)out->end, out->is_compact};

        bli_marks_carry(&result, plan->reads, in);
    }
}
