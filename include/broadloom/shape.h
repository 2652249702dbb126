/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes and layouts without data: what a broadcast will give, and every view as a pure
 * function of a layout.  Nothing here allocates, and everything is thread-safe.
 *
 * Extents and strides are int64_t; strides count elements, have any sign, and are 0
 * where a dimension repeats.  Dimensions count from 0, or from the end as -1, -2, ...
 * A result may be written over its input: `in == out` is allowed everywhere.
 */
#ifndef BROADLOOM_SHAPE_H
#define BROADLOOM_SHAPE_H

#include <broadloom/base.h>

/* A shape that somebody else owns: borrowed for the call. */
typedef struct bl_shape {
    int32_t rank;          /* 0 to BL_MAX_RANK */
    const int64_t *extent; /* rank of them, none negative; may be NULL at rank 0 */
} bl_shape;

/* How elements lie in memory, relative to the first one's address minus `offset`. */
typedef struct bl_layout {
    int32_t rank;
    int64_t offset; /* of the element (0, ..., 0), in elements */
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK]; /* in elements */
} bl_layout;

BL_BEGIN_DECLS

/*
 * Number of elements of a shape: the product of its extents, 1 at rank 0, 0 where one
 * extent is 0.  BL_ERR_OVERFLOW if it does not fit in int64_t, BL_ERR_ARGUMENT for a
 * negative extent or a rank out of range.
 */
BL_API BL_MUST_CHECK bl_status bl_shape_numel(int32_t rank, const int64_t *extent,
                                              int64_t *count);

/*
 * The shape that `count` shapes broadcast to by the rules of PyTorch and NumPy: aligned
 * at the last dimension, missing dimensions are 1, and 1 meets any extent, 0 included.
 *
 * `*rank` and `extent` (room for BL_MAX_RANK) are written on success only.
 * BL_ERR_SHAPE in PyTorch's words where two shapes do not fit, BL_ERR_OVERFLOW where
 * the result's count does not fit in int64_t.  No shapes at all give ().
 */
BL_API BL_MUST_CHECK bl_status bl_broadcast_shapes(int32_t count,
                                                   const bl_shape *shapes,
                                                   int32_t *rank, int64_t *extent);

/* What a broadcast would cost, before anything is allocated. */
typedef struct bl_broadcast_info {
    int32_t rank;                /* of the result */
    int64_t extent[BL_MAX_RANK]; /* of the result */
    int64_t count;               /* elements of the result */
    int64_t bytes;               /* count times the element size asked about */
    double growth;               /* count over the count of the largest operand */
    uint64_t
        expanded_dims[BL_MAX_INPUTS]; /* bit d set: result dim d repeats the operand */
} bl_broadcast_info;

/*
 * Everything about broadcasting up to BL_MAX_INPUTS shapes to a result of elements of
 * `element_size` bytes.  `growth` is 1 where no result element count exceeds the
 * largest operand's, and 0 for an empty result.  `expanded_dims` has a bit for each
 * dimension of the result along which the operand is repeated, leading new ones of
 * extent > 1 included: the dimensions that the adjoint (sum to shape) sums over. Errors
 * as bl_broadcast_shapes, and BL_ERR_OVERFLOW where the bytes do not fit in int64_t.
 */
BL_API BL_MUST_CHECK bl_status bl_broadcast_query(int32_t count, const bl_shape *shapes,
                                                  size_t element_size,
                                                  bl_broadcast_info *info);

/*
 * The shape that summing `from` to `to` gives, which is `to`: fails with BL_ERR_SHAPE
 * in PyTorch's words unless `to` can be expanded to `from`.
 */
BL_API BL_MUST_CHECK bl_status bl_sum_to_shape_check(bl_shape from, bl_shape to);

/* Compact row-major layout of a shape, offset 0.  Errors as bl_shape_numel. */
BL_API BL_MUST_CHECK bl_status bl_layout_compact(int32_t rank, const int64_t *extent,
                                                 bl_layout *out);

/*
 * Layout of given strides; NULL means compact.  BL_ERR_OVERFLOW where an element's
 * offset would not fit in int64_t.
 */
BL_API BL_MUST_CHECK bl_status bl_layout_strided(int32_t rank, const int64_t *extent,
                                                 const int64_t *stride, int64_t offset,
                                                 bl_layout *out);

/* Number of elements: the product of the extents, which is known to fit; 0 of NULL. */
BL_API int64_t bl_layout_numel(const bl_layout *layout);

/*
 * True for row-major order without gaps; strides of extents of 1 do not matter.  False
 * for NULL.
 */
BL_API bool bl_layout_is_contiguous(const bl_layout *layout);

/*
 * Lowest and highest offset, in elements, that the layout reaches; false if it is empty
 * and reaches none, or an argument is NULL.
 */
BL_API bool bl_layout_span(const bl_layout *layout, int64_t *lowest, int64_t *highest);

/*
 * The views.  Each writes `*out` on success only and fails with BL_ERR_SHAPE or
 * BL_ERR_ARGUMENT, in PyTorch's words where PyTorch has the same function.
 */

/*
 * Repeat dimensions of extent 1, and add leading ones, up to the target; -1 keeps an
 * extent.  Strides as PyTorch's expand gives them (a new leading dimension of extent 1
 * has the stride that continues the one after it).
 */
BL_API BL_MUST_CHECK bl_status bl_layout_expand(const bl_layout *in, int32_t rank,
                                                const int64_t *extent, bl_layout *out);

/* The same for a target without -1, as NumPy's broadcast_to. */
BL_API BL_MUST_CHECK bl_status bl_layout_broadcast_to(const bl_layout *in, int32_t rank,
                                                      const int64_t *extent,
                                                      bl_layout *out);

/* Insert a dimension of extent 1 at `dim`, -(rank+1) to rank. */
BL_API BL_MUST_CHECK bl_status bl_layout_unsqueeze(const bl_layout *in, int32_t dim,
                                                   bl_layout *out);

/* Drop dimension `dim` if its extent is 1, else change nothing. */
BL_API BL_MUST_CHECK bl_status bl_layout_squeeze(const bl_layout *in, int32_t dim,
                                                 bl_layout *out);

/* Drop every dimension of extent 1. */
BL_API BL_MUST_CHECK bl_status bl_layout_squeeze_all(const bl_layout *in,
                                                     bl_layout *out);

/* Dimension d of the result is dimension dims[d] of the input; each named once. */
BL_API BL_MUST_CHECK bl_status bl_layout_permute(const bl_layout *in,
                                                 const int32_t *dims, bl_layout *out);

/* Swap two dimensions. */
BL_API BL_MUST_CHECK bl_status bl_layout_transpose(const bl_layout *in, int32_t first,
                                                   int32_t second, bl_layout *out);

/* The slice at `index` (negative counts from the end) of `dim`, which is dropped. */
BL_API BL_MUST_CHECK bl_status bl_layout_select(const bl_layout *in, int32_t dim,
                                                int64_t index, bl_layout *out);

/* `length` elements of `dim` from `start` (negative counts from the end). */
BL_API BL_MUST_CHECK bl_status bl_layout_narrow(const bl_layout *in, int32_t dim,
                                                int64_t start, int64_t length,
                                                bl_layout *out);

/*
 * Elements start, start + step, ... of `dim`, up to but not including `stop`, by
 * Python's rules: negative ends count from the end, ends out of range are clamped, step
 * is not 0 and may be negative.  BL_SLICE_END stands for an end left out, at either
 * side.
 */
#define BL_SLICE_END INT64_MIN
BL_API BL_MUST_CHECK bl_status bl_layout_slice(const bl_layout *in, int32_t dim,
                                               int64_t start, int64_t stop,
                                               int64_t step, bl_layout *out);

/* Reverse dimension `dim`: its stride changes sign. */
BL_API BL_MUST_CHECK bl_status bl_layout_flip(const bl_layout *in, int32_t dim,
                                              bl_layout *out);

/*
 * Another shape of the same elements in the same order; one extent may be -1 and is
 * derived.  BL_ERR_SHAPE where the strides do not allow it without a copy.
 */
BL_API BL_MUST_CHECK bl_status bl_layout_view(const bl_layout *in, int32_t rank,
                                              const int64_t *extent, bl_layout *out);

/*
 * Place each dimension d of the input at dimension dims[d] of a layout of `rank`
 * dimensions; the others get extent 1.  dims must rise.  How a vector per channel is
 * told which axis it belongs to.
 */
BL_API BL_MUST_CHECK bl_status bl_layout_place_dims(const bl_layout *in, int32_t rank,
                                                    const int32_t *dims,
                                                    bl_layout *out);

BL_END_DECLS

#endif
