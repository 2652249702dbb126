/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reference of reductions, written without the library's code: every result by a
 * loop over its elements, in extended precision, and a bound on its error.
 */
#ifndef TESTS_REDUCE_MODEL_H
#define TESTS_REDUCE_MODEL_H

#include <broadloom.h>

/*
 * Compute the shape of `in` with a set of axes reduced: returns its rank, sets its
 * extents.
 */
int32_t reduce_shape(const bl_array *in, uint64_t axes, bool keepdim, int64_t *extent);

/*
 * Dtype of the result for `dtype`; BL_DTYPE_NONE where the reduction does not take it.
 */
bl_dtype reduce_dtype(bl_reduction op, bl_dtype dtype);

/*
 * Whether `got`, compact and of the result's dtype, is the reduction's result: exactly,
 * or for sums, means and products of inexact dtypes within the bound that
 * <broadloom/reduce.h> states.  Notes which result is wrong.
 */
bool reduce_is_right(bl_reduction op, const bl_array *in, uint64_t axes,
                     const void *got);

#endif
