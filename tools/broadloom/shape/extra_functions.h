/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of expressions that do not pair element with element: reductions, sums to a
 * shape, distances, selection by masks.
 */
#ifndef EXTRA_FUNCTIONS_H
#define EXTRA_FUNCTIONS_H

#include "eval/expr.h"
#include "eval/value.h"

/* The function of that name that takes `count` arguments; NULL: none, or a reduction.
 */
const struct extra_function *extra_function_find(const char *name, int32_t count);

/*
 * Whether a step that is no plain function is a reduction, or another function of this
 * file, for these arguments: max(a, b) of two arrays, and of two numbers, is none.
 */
bool is_extra_function(const struct expr_step *step, const struct value *argument);

/*
 * Do it; the value takes the place of the first argument.  Numbers behind a reduction's
 * array are dimensions.  BL_ERR_ARGUMENT for arguments that it does not take.
 */
bl_status extra_function_apply(bl_context *ctx, const struct expr_step *step,
                               struct value *argument);

#endif
