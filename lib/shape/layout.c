/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Layouts: construction from shapes and strides, and queries.  Offsets of elements are
 * checked here once; a view never reaches beyond the layout it is taken of.
 */
#include "shape/layout.h"

#include <inttypes.h>
#include <string.h>

bl_status bli_layout_check(const bl_layout *in, const bl_layout *out)
{
    if (in == NULL || out == NULL)
        return bli_error_null(in ? "out" : "layout");
    if (in->element_bytes < 0)
        return bli_error_argument("layout",
                                  "layout: element_bytes %" PRId32 " is negative",
                                  in->element_bytes);
    return bli_shape_check("layout", in->rank, in->extent);
}

bl_status bli_wrap_index(const char *name, int64_t index, int64_t count,
                         int64_t *wrapped)
{
    const int64_t range = count > 0 ? count : 1;

    if (index < -range || index >= range)
        return bli_fault_axis(
            bl_error_set(BL_ERR_ARGUMENT,
                         "Dimension out of range (expected to be in range of [%" PRId64
                         ", %" PRId64 "], but got %" PRId64 ")",
                         -range, range - 1, index),
            name, index, -1);
    *wrapped = index < 0 ? index + range : index;
    return BL_OK;
}

bool bli_offset_after(int64_t offset, int64_t steps, int64_t stride, int64_t *after)
{
    const uint64_t from = (uint64_t)offset, step = (uint64_t)stride;
    const uint64_t room =
        stride < 0 ? from - (uint64_t)INT64_MIN : (uint64_t)INT64_MAX - from;
    const uint64_t size = stride < 0 ? -step : step;

    if (steps > 0 && size > room / (uint64_t)steps)
        return false;
    *after = (int64_t)(from + (uint64_t)steps * step);
    return true;
}

int64_t bli_stride_before(int64_t extent, int64_t stride)
{
    int64_t product = 0;

    (void)bli_mul_i64(extent, stride, &product);
    return product;
}

bool bli_layout_is_empty(const bl_layout *layout)
{
    for (int32_t d = 0; d < layout->rank; d++)
        if (layout->extent[d] == 0)
            return true;
    return false;
}

void bli_layout_store(bl_layout *out, const bl_layout *in, int32_t rank,
                      const int64_t *extent, const int64_t *stride)
{
    out->rank = rank;
    out->element_bytes = in->element_bytes;
    out->offset = in->offset;
    memcpy(out->extent, extent, (size_t)rank * sizeof *extent);
    memcpy(out->stride, stride, (size_t)rank * sizeof *stride);
}

void bli_layout_copy(const bl_layout *in, bl_layout *out)
{
    if (in != out)
        bli_layout_store(out, in, in->rank, in->extent, in->stride);
}

void bli_layout_drop(const bl_layout *in, int64_t axis, int64_t offset, bl_layout *out)
{
    bli_layout_copy(in, out);
    for (int32_t d = (int32_t)axis; d < out->rank - 1; d++) {
        out->extent[d] = out->extent[d + 1];
        out->stride[d] = out->stride[d + 1];
    }
    out->rank--;
    out->offset = offset;
}

/*
 * Lowest and highest offset of a layout that is not empty; false if one does not fit.
 */
static bool find_span(int32_t rank, const int64_t *extent, const int64_t *stride,
                      int64_t offset, int64_t *lowest, int64_t *highest)
{
    int64_t low = offset;
    int64_t high = offset;

    for (int32_t d = 0; d < rank; d++) {
        int64_t *end = stride[d] < 0 ? &low : &high;

        if (!bli_offset_after(*end, extent[d] - 1, stride[d], end))
            return false;
    }
    *lowest = low;
    *highest = high;
    return true;
}

/*
 * Compute row-major strides for elements `unit` apart; dimensions of extent 0 count as
 * 1, as in PyTorch.
 */
static void fill_compact(int32_t rank, const int64_t *extent, int64_t unit,
                         int64_t *stride)
{
    int64_t next = unit;

    for (int32_t d = rank - 1; d >= 0; d--) {
        stride[d] = next;
        next = bli_stride_before(extent[d] > 0 ? extent[d] : 1, next);
    }
}

bl_status bli_layout_make(int32_t rank, const int64_t *extent, const int64_t *stride,
                          int64_t offset, int32_t element_bytes, bl_layout *out)
{
    int64_t own_extent[BL_MAX_RANK], own_stride[BL_MAX_RANK];
    int64_t count, lowest, highest;

    if (out == NULL)
        return bli_error_null("out");
    BL_TRY(bl_shape_numel(rank, extent, &count));
    if (rank > 0) {
        memcpy(own_extent, extent, (size_t)rank * sizeof *extent);
        if (stride != NULL)
            memcpy(own_stride, stride, (size_t)rank * sizeof *stride);
        else
            fill_compact(rank, own_extent, element_bytes > 0 ? element_bytes : 1,
                         own_stride);
    }
    if (count > 0 &&
        !find_span(rank, own_extent, own_stride, offset, &lowest, &highest))
        return bli_fault_argument(
            bl_error_set(BL_ERR_OVERFLOW, "offsets of elements do not fit in 64 bits"),
            "stride");
    out->rank = rank;
    out->element_bytes = element_bytes;
    out->offset = offset;
    memcpy(out->extent, own_extent, (size_t)rank * sizeof *out->extent);
    memcpy(out->stride, own_stride, (size_t)rank * sizeof *out->stride);
    return BL_OK;
}

bl_status bl_layout_strided(int32_t rank, const int64_t *extent, const int64_t *stride,
                            int64_t offset, bl_layout *out)
{
    BLI_RETURN_CALL(bli_layout_make(rank, extent, stride, offset, 0, out),
                    "extent %S, stride %S, offset %l", (int)rank, extent, (int)rank,
                    stride, offset);
}

bl_status bl_layout_compact(int32_t rank, const int64_t *extent, bl_layout *out)
{
    BLI_RETURN_CALL(bli_layout_make(rank, extent, NULL, 0, 0, out), "extent %S",
                    (int)rank, extent);
}

int64_t bl_layout_numel(const bl_layout *layout)
{
    int64_t count = INT64_MAX;

    if (layout == NULL)
        return 0;
    (void)bli_shape_numel(layout->rank, layout->extent, &count);
    return count;
}

bool bl_layout_is_contiguous(const bl_layout *layout)
{
    int64_t next;

    if (layout == NULL)
        return false;
    if (bli_layout_is_empty(layout))
        return true;
    next = bli_layout_unit(layout);
    for (int32_t d = layout->rank - 1; d >= 0; d--) {
        if (layout->extent[d] == 1)
            continue;
        if (layout->stride[d] != next)
            return false;
        next = bli_stride_before(layout->extent[d], next);
    }
    return true;
}

bool bl_layout_span(const bl_layout *layout, int64_t *lowest, int64_t *highest)
{
    if (layout == NULL || lowest == NULL || highest == NULL ||
        bli_layout_is_empty(layout))
        return false;
    if (!find_span(layout->rank, layout->extent, layout->stride, layout->offset, lowest,
                   highest)) {
        /* A layout that was not made by these functions: it may reach anywhere. */
        *lowest = INT64_MIN;
        *highest = INT64_MAX;
    }
    return true;
}
