/* SPDX-License-Identifier: BSD-3-Clause */
/* What the values are that computing halves as f32 makes. */
#include "expr/half_steps.h"

bl_node bli_expr_value_node(const bl_expr_plan *plan, int32_t v)
{
    return v < plan->nodes                   ? v
           : v < bli_expr_widened(plan, 0)   ? plan->expr->output[v - plan->nodes]
           : v < bli_expr_unrounded(plan, 0) ? v - bli_expr_widened(plan, 0)
                                             : v - bli_expr_unrounded(plan, 0);
}

bool bli_expr_is_split(const bl_expr_plan *plan, bl_node n)
{
    return plan->splits && plan->value[bli_expr_unrounded(plan, n)].step >= 0;
}

bool bli_expr_is_copy(const bl_expr_plan *plan, int32_t v)
{
    return v < plan->nodes ? bli_expr_is_split(plan, v)
                           : v < bli_expr_unrounded(plan, 0);
}

bool bli_expr_is_conversion(const bl_expr_plan *plan, int32_t v)
{
    return plan->splits && bli_expr_is_copy(plan, v) &&
           (v < plan->nodes || v >= bli_expr_widened(plan, 0));
}

int32_t bli_expr_computed(const bl_expr_plan *plan, bl_node n)
{
    return bli_expr_is_split(plan, n) ? bli_expr_unrounded(plan, n) : n;
}
