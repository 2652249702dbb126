/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes and layouts without data: the result of a broadcast, and every view as a pure
 * function of a layout.  Nothing here allocates, and everything is thread-safe.
 *
 * Extents and strides are int64_t; strides count elements, or bytes where the layout
 * says so, have any sign, and are 0 where a dimension is repeated.  An axis, the number
 * of a dimension, counts from 0, or from the end as -1, -2, ...  A result may be
 * written over its input: `in == out` is allowed everywhere.
 */
#ifndef BROADLOOM_SHAPE_H
#define BROADLOOM_SHAPE_H

#include <broadloom/base.h>

/* A shape; `extent` is borrowed for the call. */
typedef struct bl_shape {
    int32_t rank;          /* 0 to BL_MAX_RANK */
    const int64_t *extent; /* rank of them, none negative; may be NULL at rank 0 */
} bl_shape;

/*
 * Where elements lie in memory, relative to a base address.  Offset and strides count
 * elements where `element_bytes` is 0; else they count bytes, and elements have so
 * many. Every view of a layout counts as the layout does.
 */
typedef struct bl_layout {
    int32_t rank;
    int32_t element_bytes;
    int64_t offset; /* of element (0, ..., 0) from the base */
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK];
} bl_layout;

BL_BEGIN_DECLS

/*
 * The number of elements of a shape: the product of its extents, 1 at rank 0, 0 where
 * one extent is 0.  BL_ERR_OVERFLOW if it does not fit in int64_t, BL_ERR_ARGUMENT for
 * a negative extent or a rank out of range.
 */
BL_API BL_MUST_CHECK bl_status bl_shape_numel(int32_t rank, const int64_t *extent,
                                              int64_t *numel);

/*
 * The shape that `count` shapes broadcast to by the rules of PyTorch and NumPy: shapes
 * are aligned at the last dimension, missing dimensions have extent 1, and extent 1 is
 * broadcast to any other, 0 included.  No shapes at all give ().
 *
 * `*rank` and `extent` (room for BL_MAX_RANK) are written on success only.
 * BL_ERR_SHAPE in PyTorch's words where two shapes do not fit, BL_ERR_OVERFLOW where
 * the number of elements does not fit in int64_t.
 */
BL_API BL_MUST_CHECK bl_status bl_broadcast_shapes(int32_t count,
                                                   const bl_shape *shapes,
                                                   int32_t *rank, int64_t *extent);

/* The size of a broadcast result, before anything is allocated. */
typedef struct bl_broadcast_info {
    int32_t rank;                /* of the result */
    int64_t extent[BL_MAX_RANK]; /* of the result */
    int64_t numel;               /* elements of the result */
    int64_t bytes;               /* numel times the element size */
    double growth;               /* numel over that of the largest operand */
    /* Bit d set: the operand is repeated along axis d of the result. */
    uint64_t expanded_dims[BL_INPUTS_LIMIT];
} bl_broadcast_info;

/*
 * Describe the broadcast of up to BL_INPUTS_LIMIT shapes to a result with elements of
 * `element_size` bytes.  `growth` is 1 where the result has no more elements than the
 * largest operand, and 0 for an empty result.  `expanded_dims` has a bit for each axis
 * of the result along which the operand is repeated, including new leading ones of
 * extent > 1: the axes that the adjoint (sum to shape) sums over.  Errors as
 * bl_broadcast_shapes(), and BL_ERR_OVERFLOW where the bytes do not fit in int64_t.
 */
BL_API BL_MUST_CHECK bl_status bl_broadcast_query(int32_t count, const bl_shape *shapes,
                                                  size_t element_size,
                                                  bl_broadcast_info *info);

/*
 * Check that `from` can be summed to `to`: BL_ERR_SHAPE in PyTorch's words unless `to`
 * can be expanded to `from`.
 */
BL_API BL_MUST_CHECK bl_status bl_sum_to_shape_check(bl_shape from, bl_shape to);

/*
 * The compact row-major layout of a shape, with offset 0.  Errors as bl_shape_numel().
 */
BL_API BL_MUST_CHECK bl_status bl_layout_compact(int32_t rank, const int64_t *extent,
                                                 bl_layout *out);

/*
 * The layout with the given strides, in elements; NULL means compact.  BL_ERR_OVERFLOW
 * where an element's offset does not fit in int64_t.  For strides and an offset in
 * bytes, set the result's `element_bytes`.
 */
BL_API BL_MUST_CHECK bl_status bl_layout_strided(int32_t rank, const int64_t *extent,
                                                 const int64_t *stride, int64_t offset,
                                                 bl_layout *out);

/* Number of elements, which is known to fit; 0 for NULL. */
BL_API int64_t bl_layout_numel(const bl_layout *layout);

/*
 * Whether a layout is in row-major order without gaps; strides of dimensions of extent
 * 1 do not matter.  False for NULL.
 */
BL_API bool bl_layout_is_contiguous(const bl_layout *layout);

/*
 * The lowest and highest offset of an element of a layout, in what its strides count.
 * Returns false if it is empty and has none, or an argument is NULL.
 */
BL_API bool bl_layout_span(const bl_layout *layout, int64_t *lowest, int64_t *highest);

/*
 * ---- views ----
 *
 * Each function writes `*out` on success only and fails with BL_ERR_SHAPE or
 * BL_ERR_ARGUMENT, in PyTorch's words where PyTorch has that function.
 */

/*
 * Repeat dimensions of extent 1 and add leading ones, to reach the target shape; -1
 * keeps an extent.  Strides are those of PyTorch's expand (a new leading dimension of
 * extent 1 has the stride that continues the one after it).
 */
BL_API BL_MUST_CHECK bl_status bl_layout_expand(const bl_layout *in, int32_t rank,
                                                const int64_t *extent, bl_layout *out);

/* Expand as bl_layout_expand() to a target without -1, as NumPy's broadcast_to. */
BL_API BL_MUST_CHECK bl_status bl_layout_broadcast_to(const bl_layout *in, int32_t rank,
                                                      const int64_t *extent,
                                                      bl_layout *out);

/* Insert a dimension of extent 1 at `axis`, from -(rank + 1) to rank. */
BL_API BL_MUST_CHECK bl_status bl_layout_unsqueeze(const bl_layout *in, int32_t axis,
                                                   bl_layout *out);

/* Drop the dimension `axis` if its extent is 1, else change nothing. */
BL_API BL_MUST_CHECK bl_status bl_layout_squeeze(const bl_layout *in, int32_t axis,
                                                 bl_layout *out);

/* Drop every dimension of extent 1. */
BL_API BL_MUST_CHECK bl_status bl_layout_squeeze_all(const bl_layout *in,
                                                     bl_layout *out);

/* Reorder: axis d of the result is axis axes[d] of the input; each is named once. */
BL_API BL_MUST_CHECK bl_status bl_layout_permute(const bl_layout *in,
                                                 const int32_t *axes, bl_layout *out);

/* Swap two dimensions. */
BL_API BL_MUST_CHECK bl_status bl_layout_transpose(const bl_layout *in, int32_t first,
                                                   int32_t second, bl_layout *out);

/*
 * The part at `index` of `axis`, which is dropped; a negative index counts from the
 * end.
 */
BL_API BL_MUST_CHECK bl_status bl_layout_select(const bl_layout *in, int32_t axis,
                                                int64_t index, bl_layout *out);

/* `length` elements of `axis` from `start`; a negative start counts from the end. */
BL_API BL_MUST_CHECK bl_status bl_layout_narrow(const bl_layout *in, int32_t axis,
                                                int64_t start, int64_t length,
                                                bl_layout *out);

/*
 * Elements of `axis` from `start` in steps of `step`, up to but not including `stop`,
 * by Python's rules: a negative start or stop counts from the end, one out of range is
 * clamped, step is not 0 and may be negative.  BL_SLICE_END stands for a start or stop
 * that is left out.  BL_ERR_OVERFLOW where stride * step of two elements or more does
 * not fit in int64_t.
 */
#define BL_SLICE_END INT64_MIN
BL_API BL_MUST_CHECK bl_status bl_layout_slice(const bl_layout *in, int32_t axis,
                                               int64_t start, int64_t stop,
                                               int64_t step, bl_layout *out);

/* Reverse `axis`: its stride changes sign.  Errors as bl_layout_slice(). */
BL_API BL_MUST_CHECK bl_status bl_layout_flip(const bl_layout *in, int32_t axis,
                                              bl_layout *out);

/*
 * Give the same elements in the same order another shape; one extent may be -1 and is
 * derived.  BL_ERR_SHAPE where the strides do not allow it without a copy.
 */
BL_API BL_MUST_CHECK bl_status bl_layout_view(const bl_layout *in, int32_t rank,
                                              const int64_t *extent, bl_layout *out);

/*
 * Place each axis d of the input at axis axes[d] of a layout of `rank` dimensions; the
 * others get extent 1.  `axes` must increase.  This assigns, for example, a vector of
 * channels to the channel axis.
 */
BL_API BL_MUST_CHECK bl_status bl_layout_place_dims(const bl_layout *in, int32_t rank,
                                                    const int32_t *axes,
                                                    bl_layout *out);

BL_END_DECLS

#endif
