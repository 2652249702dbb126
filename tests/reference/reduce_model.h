/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions as they should come out, written without a line of the library's: every
 * result by a walk over its elements, in extended precision, and a bound on its error.
 */
#ifndef TESTS_REDUCE_MODEL_H
#define TESTS_REDUCE_MODEL_H

#include <broadloom.h>

/* Shape left of `in` when the axes in the set are folded: its rank, and extents. */
int32_t reduce_shape(const bl_array *in, uint64_t axes, bool keepdim, int64_t *extent);

/* Dtype of the result of `dtype`; BL_DTYPE_NONE where the reduction does not take it.
 */
bl_dtype reduce_dtype(bl_reduction op, bl_dtype dtype);

/*
 * Whether `got`, compact and of the result's dtype, is what the reduction should give:
 * exactly, or for sums, means and products of inexact dtypes within the bound that
 * <broadloom/reduce.h> states.  Says in a note which result is wrong.
 */
bool reduce_is_right(bl_reduction op, const bl_array *in, uint64_t axes,
                     const void *got);

#endif
