/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of expressions that are not element-wise: reductions, sums to a shape,
 * distances, selection by masks.
 */
#ifndef EXTRA_FUNCTIONS_H
#define EXTRA_FUNCTIONS_H

#include "eval/expr.h"
#include "eval/value.h"

/*
 * The function `name` of `count` arguments; NULL where there is none, or it is a
 * reduction.
 */
const struct extra_function *extra_function_find(const char *name, int32_t count);

/*
 * Whether a step is, for these arguments, a reduction or another function of this file:
 * max(a, b) of two arrays or of two scalars is not, it is an operator.
 */
bool is_extra_function(const struct expr_step *step, const struct value *argument);

/*
 * Apply the function; the value replaces the first argument.  Scalars after a
 * reduction's array are axes.  BL_ERR_ARGUMENT for arguments that the function does not
 * take.
 */
bl_status extra_function_apply(bl_context *ctx, const struct expr_step *step,
                               struct value *argument);

#endif
