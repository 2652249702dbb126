/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Helpers of the view functions: checks of arguments, axes that count from the end, and
 * storing a layout that may be the input itself.
 */
#ifndef BLI_LAYOUT_H
#define BLI_LAYOUT_H

#include "shape/broadcast.h"

/*
 * Check the arguments of a view function.  BL_ERR_ARGUMENT if either is NULL or `in`
 * has a rank or an extent out of range.
 */
bl_status bli_layout_check(const bl_layout *in, const bl_layout *out);

/*
 * Convert `index` in [-count, count) to [0, count); a count of 0 is taken as 1, as
 * PyTorch does for the axes of a 0-d tensor.  BL_ERR_ARGUMENT of the argument `name` in
 * PyTorch's words if out of range.
 */
bl_status bli_wrap_index(const char *name, int64_t index, int64_t count,
                         int64_t *wrapped);

/*
 * The offset that is `steps` >= 0 strides from another; false if it does not fit.  The
 * distance itself need not: from one end of int64_t to the other it has 65 bits.
 */
bool bli_offset_after(int64_t offset, int64_t steps, int64_t stride, int64_t *after);

/*
 * Stride of a dimension of extent 1 placed outside one of `extent` and `stride`: their
 * product, or 0 if that does not fit, since no element is ever that far away.
 */
int64_t bli_stride_before(int64_t extent, int64_t stride);

/* What the stride of compact elements is: 1, or their bytes if strides count bytes. */
static inline int64_t bli_layout_unit(const bl_layout *layout)
{
    return layout->element_bytes > 0 ? layout->element_bytes : 1;
}

/* Whether some extent is 0. */
bool bli_layout_is_empty(const bl_layout *layout);

/*
 * Compute the strides that view `in` as another shape with as many elements, at least
 * one; false, with no error set, if the input's strides allow no view.
 */
bool bli_view_strides(const bl_layout *in, int32_t rank, const int64_t *extent,
                      int64_t *stride);

/*
 * Store a layout that counts as `in` does, with its offset; `extent` and `stride` must
 * not lie in `out`.
 */
void bli_layout_store(bl_layout *out, const bl_layout *in, int32_t rank,
                      const int64_t *extent, const int64_t *stride);

/*
 * Make the layout with the given strides, NULL for compact; they and the offset count
 * bytes if `element_bytes` is not 0.  Errors as from bl_layout_strided.
 */
bl_status bli_layout_make(int32_t rank, const int64_t *extent, const int64_t *stride,
                          int64_t offset, int32_t element_bytes, bl_layout *out);

/* Copy a layout; `in == out` is allowed. */
void bli_layout_copy(const bl_layout *in, bl_layout *out);

/* Copy all dimensions except `axis`, with another offset; `in == out` is allowed. */
void bli_layout_drop(const bl_layout *in, int64_t axis, int64_t offset, bl_layout *out);

#endif
