/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans the nodes of an expression: which are needed, the dtype and shape of each
 * value, and the call that computes it.
 */
#include "expr/half_steps.h"

#include <string.h>

/* Mark the nodes that outputs need. */
static void mark_needed(bl_expr_plan *plan)
{
    const bl_expr *const expr = plan->expr;

    for (int32_t k = 0; k < expr->outputs; k++)
        plan->is_needed[expr->output[k]] = true;
    for (bl_node n = expr->nodes - 1; n >= 0; n--) {
        const struct bli_expr_node *const node = bli_expr_node(expr, n);

        for (int32_t k = 0; plan->is_needed[n] && k < node->count; k++)
            plan->is_needed[bli_expr_operand(expr, node, k)] = true;
    }
}

/* Check the array that is given for an input. */
static bl_status check_input(const bl_array *array, const char *name)
{
    BL_TRY(bli_array_check(array, name, false));
    if (bli_array_is_unaligned(array))
        return bli_error_argument(
            name, "%s: a plan takes no elements that are not aligned to %d bytes", name,
            (int)bli_dtypes[array->dtype].align);
    return BL_OK;
}

/* Check an input, and keep what its array looks like. */
static bl_status plan_input(struct bli_expr_making *making, bl_node n)
{
    bl_expr_plan *const plan = making->plan;
    const int32_t slot = bli_expr_node(plan->expr, n)->what;
    const char *const name = plan->expr->input[slot];
    const bl_array *const array = making->inputs ? making->inputs[slot] : NULL;
    struct bli_expr_value *const value = &plan->value[n];

    if (!making->inputs)
        return bli_error_null("inputs");

    const bl_status status = check_input(array, name);

    if (status != BL_OK) {
        making->is_named = true;
        (void)bli_error_call(status, making->function, "%A", name, array);
        return bli_fault_position(status, n, -1);
    }

    int64_t *const extent = plan->extent + (size_t)slot * 2 * BL_MAX_RANK;

    value->dtype = value->plain = array->dtype;
    value->rank = array->rank;
    value->flags = array->flags;
    for (int32_t d = 0; d < array->rank; d++) {
        extent[d] = array->extent[d];
        if (array->stride)
            extent[BL_MAX_RANK + d] = array->stride[d];
    }
    value->extent = extent;
    value->stride = array->stride ? extent + BL_MAX_RANK : NULL;
    bli_expr_span(array, &value->begin, &value->end);
    plan->read[plan->reads++] = n;
    return BL_OK;
}

bl_status bli_expr_plan_nodes(struct bli_expr_making *making)
{
    bl_expr_plan *const plan = making->plan;
    const bl_expr *const expr = plan->expr;
    int32_t *operand = plan->list;

    mark_needed(plan);
    for (int32_t v = 0; v < plan->values; v++)
        plan->value[v].step = plan->value[v].phase = plan->value[v].last =
            plan->value[v].output = plan->value[v].lodges = -1;
    for (bl_node n = 0; n < expr->nodes; n++) {
        const struct bli_expr_node *const node = bli_expr_node(expr, n);
        struct bli_expr_value *const value = &plan->value[node->same];

        /* An equal node that is needed makes the first one needed. */
        if (!plan->is_needed[n] || value->dtype != BL_DTYPE_NONE)
            continue;
        if (node->kind == BLI_NODE_INPUT) {
            BL_TRY(plan_input(making, n));
        } else if (node->kind == BLI_NODE_NUMBER) {
            value->dtype = value->plain = node->number.dtype;
        } else {
            const struct bli_expr_node *const first = bli_expr_node(expr, node->same);

            for (int32_t k = 0; k < first->count; k++)
                operand[k] =
                    bli_expr_node(expr, bli_expr_operand(expr, first, k))->same;
            if (bli_expr_is_wide(plan) && first->kind != BLI_NODE_CAST)
                BL_TRY(bli_expr_widen(making, first->count, operand));
            BL_TRY(bli_expr_add_step(making, node->same, node->same, first->count,
                                     operand));
            BL_TRY(bli_expr_split(making, node->same, operand));
            operand += first->count;
        }
    }
    return BL_OK;
}
