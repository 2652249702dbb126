/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes of reductions: which dimensions are reduced, which remain, and the two loop
 * nests that make up a reduction.  Pure functions.
 */
#ifndef BLI_SHAPE_REDUCE_H
#define BLI_SHAPE_REDUCE_H

#include "shape/shape.h"

/* A reduction of an array of this rank: bit d of `axes` is set if axis d is reduced. */
struct bli_reduction_shape {
    int32_t rank;
    uint64_t axes;
    const int64_t *extent;
    const int64_t *stride;     /* of the array, in bytes */
    const int64_t *out_stride; /* of the result, in bytes, along the array's dimensions;
                                  ignored for those that are reduced */
};

/*
 * Convert a list of axes, negative ones counted from the end, to a set; all axes if
 * `count` is 0.  BL_ERR_ARGUMENT in PyTorch's words for one that is out of range or
 * repeated.
 */
bl_status bli_reduce_axes(int32_t rank, int32_t count, const int32_t *axes,
                          uint64_t *set);

/*
 * The axes that summing `from` to `to` reduces: leading dimensions that `to` lacks, and
 * those where `to` has extent 1 and `from` has not.  BL_ERR_SHAPE as from
 * bl_sum_to_shape_check.
 */
bl_status bli_reduce_to(bl_shape from, const char *to_name, bl_shape to,
                        uint64_t *axes);

/*
 * Compute the result's shape in `rank` and `extent` (room for BL_MAX_RANK).  With
 * `keepdim` reduced dimensions remain with extent 1.  BL_ERR_OVERFLOW if its numel does
 * not fit.
 */
bl_status bli_reduce_shape(const struct bli_reduction_shape *folding, bool keepdim,
                           int32_t *rank, int64_t *extent);

/* Operands of the outer nest. */
enum { BLI_REDUCE_IN = 0, BLI_REDUCE_OUT = 1 };

/*
 * The nest of the outer dimensions, which visits the elements of the result: ordered by
 * the array's strides, as reading costs most.  Operand 0 is the array, 1 the result.
 */
void bli_reduce_outer_nest(struct bli_nest *nest,
                           const struct bli_reduction_shape *folding, int32_t size,
                           int32_t out_size);

/*
 * The nest of the outer dimensions in logical order: operand 0 is compact, with
 * elements of `out_size` bytes, 1 the array.
 */
void bli_reduce_results_nest(struct bli_nest *nest,
                             const struct bli_reduction_shape *folding, int32_t size,
                             int32_t out_size);

/*
 * The nest of the reduced dimensions, in logical (row-major) order, which decides the
 * result's bits, or in the order of the array's strides where any order gives the same
 * bits.  Operand 1 is the array; operand 0 is compact, with the same elements of
 * `tile_size` bytes each in the order of the nest.
 */
void bli_reduce_reduced_nest(struct bli_nest *nest,
                             const struct bli_reduction_shape *folding, int32_t size,
                             int32_t tile_size, bool in_any_order);

#endif
