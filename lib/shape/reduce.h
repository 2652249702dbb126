/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions as shapes: which dimensions are folded, what is left, and the two nests of
 * loops that make one reduction.  Pure functions.
 */
#ifndef BLI_SHAPE_REDUCE_H
#define BLI_SHAPE_REDUCE_H

#include "shape/shape.h"

/* What is to be folded: bit d of `axes` set for dimension d of an array of this rank.
 */
struct bli_reduction_shape {
    int32_t rank;
    uint64_t axes;
    const int64_t *extent;
    const int64_t *stride;     /* of the array, in elements; NULL: compact */
    const int64_t *out_stride; /* of the result along the array's dimensions; those that
                                  are folded are not looked at */
};

/*
 * The set of these axes, negative ones counted from the end; all of them where `count`
 * is 0.  BL_ERR_ARGUMENT in PyTorch's words for one out of range or named twice.
 */
bl_status bli_reduce_axes(int32_t rank, int32_t count, const int32_t *axes,
                          uint64_t *set);

/*
 * The axes that summing `from` to `to` folds: leading dimensions that `to` lacks, and
 * those where it has extent 1 and `from` has not.  BL_ERR_SHAPE as
 * bl_sum_to_shape_check.
 */
bl_status bli_reduce_to(bl_shape from, bl_shape to, uint64_t *axes);

/*
 * The shape that is left: `rank` and `extent` (room for BL_MAX_RANK), and for each of
 * its dimensions in `*of` the array's.  Where `keepdim`, folded ones stay with
 * extent 1. BL_ERR_OVERFLOW where its count does not fit.
 */
bl_status bli_reduce_shape(const struct bli_reduction_shape *folding, bool keepdim,
                           int32_t *rank, int64_t *extent);

/* Operands of the nests below. */
enum { BLI_REDUCE_IN = 0, BLI_REDUCE_OUT = 1 };

/*
 * The nest of kept dimensions, from element to element of the result: ordered by the
 * array's strides, as reading costs most.  Operand 0 is the array, 1 the result.
 */
void bli_reduce_outer_nest(struct bli_nest *nest,
                           const struct bli_reduction_shape *folding, int32_t size,
                           int32_t out_size);

/*
 * The nest of folded dimensions in logical row-major order, which decides the result's
 * bits.  Operand 1 is the array; operand 0 a compact one of the same elements, of
 * `tile_size` bytes each.
 */
void bli_reduce_reduced_nest(struct bli_nest *nest,
                             const struct bli_reduction_shape *folding, int32_t size,
                             int32_t tile_size);

#endif
