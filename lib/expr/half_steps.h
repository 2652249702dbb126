/* SPDX-License-Identifier: BSD-3-Clause */
/* Halves, f16 and bf16, that are computed as f32, and the values that this makes. */
#ifndef BLI_EXPR_HALF_STEPS_H
#define BLI_EXPR_HALF_STEPS_H

#include "expr/plan.h"

/* Whether halves are computed as f32, and which dtypes these are. */
static inline bool bli_expr_is_wide(const bl_expr_plan *plan)
{
    return (plan->flags & BL_EXPR_WIDE_HALVES) != 0;
}

static inline bool bli_expr_is_half(bl_dtype dtype)
{
    return dtype == BL_DTYPE_F16 || dtype == BL_DTYPE_BF16;
}

/*
 * What a half's value is converted to, what its function is before it is rounded, and
 * the node that a value is of.
 */
static inline int32_t bli_expr_widened(const bl_expr_plan *plan, int32_t v)
{
    return plan->nodes + plan->outputs + v;
}

static inline int32_t bli_expr_unrounded(const bl_expr_plan *plan, int32_t v)
{
    return bli_expr_widened(plan, plan->nodes) + v;
}

bl_node bli_expr_value_node(const bl_expr_plan *plan, int32_t v);

/*
 * Convert operands that are halves to f32: once for all that use them.  Split the step
 * that was added last, of node `n`, if it is a function of halves.
 */
bl_status bli_expr_widen(struct bli_expr_making *making, int32_t count,
                         int32_t *operand);
bl_status bli_expr_split(struct bli_expr_making *making, bl_node n, int32_t *operand);

/*
 * Whether functions of halves may be split; and once phases are known, find those that
 * are better whole: false where there are none.  The last time all others are, too.
 */
bool bli_expr_may_split(const bl_expr *expr, const bl_array *const *inputs,
                        uint32_t flags);
bool bli_expr_find_whole(struct bli_expr_making *making, bool is_last);

/* Whether node `n` is split. */
bool bli_expr_is_split(const bl_expr_plan *plan, bl_node n);

/* Whether a value is an operand of a split function, converted, or its value, rounded.
 */
bool bli_expr_is_conversion(const bl_expr_plan *plan, int32_t v);

/*
 * Whether a value is only a copy or a conversion of another one; and the value that the
 * operation of node `n` computes.
 */
bool bli_expr_is_copy(const bl_expr_plan *plan, int32_t v);
int32_t bli_expr_computed(const bl_expr_plan *plan, bl_node n);

#endif
