/* SPDX-License-Identifier: BSD-3-Clause */
/* The plans that calls without a plan of their own remember. */
#ifndef BLI_EXPR_REMEMBER_H
#define BLI_EXPR_REMEMBER_H

#include "core/slots.h"
#include "expr/plan.h"

/* A plan that is used for one call. */
struct bli_expr_loan {
    bl_expr_plan *plan;
    struct bli_slot *slot; /* that it is in; NULL: none */
};

/*
 * Find the plan that this thread remembers of an expression, of options and of arrays
 * that look the same, or make one.  Hand it back with bli_expr_plan_return(). Arguments
 * and errors are those of bli_expr_plan_make(); `expr` is not NULL.
 */
bl_status bli_expr_plan_obtain(bl_context *ctx, bl_expr *expr,
                               const bl_array *const *outs,
                               const bl_array *const *inputs,
                               const bl_expr_options *options, const char *function,
                               bool *is_named, struct bli_expr_loan *loan);
void bli_expr_plan_return(const struct bli_expr_loan *loan);

#endif
