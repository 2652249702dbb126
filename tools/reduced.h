/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions in expressions.
 */
#ifndef REDUCED_H
#define REDUCED_H

#include "expr.h"
#include "value.h"

/*
 * Whether a step that is no plain function is a reduction for these arguments: max(a,
 * b) of two arrays, and of two numbers, is none.
 */
bool reduces(const struct expr_step *step, const struct value *argument);

/*
 * Do it: numbers behind the array are dimensions; of dist, the last one the norm.  The
 * value takes the place of the first argument.  BL_ERR_DTYPE for arguments that it does
 * not take.
 */
bl_status reduce(bl_context *ctx, const struct expr_step *step, struct value *argument);

#endif
