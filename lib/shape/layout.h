/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the views share: checks of their arguments, dimensions that count from the end,
 * and writing a layout that may be the one it came from.
 */
#ifndef BLI_LAYOUT_H
#define BLI_LAYOUT_H

#include "shape/broadcast.h"

/* BL_ERR_ARGUMENT unless both are given and `in` has a rank and extents in range. */
bl_status bli_layout_check(const bl_layout *in, const bl_layout *out);

/*
 * `index` in [-count, count) as one in [0, count); a count of 0 is taken as 1, as
 * PyTorch takes the dimensions of a 0-d tensor.  BL_ERR_ARGUMENT in PyTorch's words.
 */
bl_status bli_wrap_index(int64_t index, int64_t count, int64_t *wrapped);

/*
 * Stride of a dimension of extent 1 that continues one of `extent` and `stride`: the
 * product, or 0 where that does not fit, since no element is ever that far away.
 */
int64_t bli_stride_before(int64_t extent, int64_t stride);

/* True where an extent is 0. */
bool bli_layout_is_empty(const bl_layout *layout);

/*
 * Strides of a view of another shape of as many elements, of which there is at least
 * one; false, with no error set, where the input's strides allow no view.
 */
bool bli_view_strides(const bl_layout *in, int32_t rank, const int64_t *extent,
                      int64_t *stride);

/* Write a layout from parts that do not lie in `out`. */
void bli_layout_store(bl_layout *out, int32_t rank, int64_t offset,
                      const int64_t *extent, const int64_t *stride);

/* Copy a layout; `in == out` is allowed. */
void bli_layout_copy(const bl_layout *in, bl_layout *out);

/* Copy all dimensions but one, with another offset; `in == out` is allowed. */
void bli_layout_drop(const bl_layout *in, int64_t dim, int64_t offset, bl_layout *out);

#endif
