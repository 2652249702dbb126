/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views that select, restrict or reverse one axis: select, narrow, slice, flip.
 */
#include "shape/layout.h"

#include <inttypes.h>

/*
 * Compute the offset of index `index` along `axis`; an empty layout keeps its offset,
 * since it has no elements.
 */
static bl_status find_offset(const bl_layout *in, int64_t axis, int64_t index,
                             int64_t *offset)
{
    *offset = in->offset;
    if (bli_layout_is_empty(in))
        return BL_OK;
    if (!bli_offset_after(in->offset, index, in->stride[axis], offset))
        return bl_error_set(BL_ERR_OVERFLOW,
                            "offsets of elements do not fit in 64 bits");
    return BL_OK;
}

static bl_status select_index(const bl_layout *in, int32_t axis, int64_t index,
                              bl_layout *out)
{
    char text[BLI_SHAPE_TEXT];
    int64_t at, offset;

    BL_TRY(bli_layout_check(in, out));
    if (in->rank == 0)
        return bli_fault_operand(
            bl_error_set(BL_ERR_ARGUMENT,
                         "select() cannot be applied to a 0-dim tensor."),
            1);
    BL_TRY(bli_wrap_index("axis", axis, in->rank, &at));
    if (index < -in->extent[at] || index >= in->extent[at])
        return bli_fault_axis(
            bl_error_set(BL_ERR_ARGUMENT,
                         "select(): index %" PRId64 " out of range for tensor of size "
                         "%s at dimension %" PRId64,
                         index, bli_shape_text(text, in->rank, in->extent), at),
            "index", at, in->extent[at]);
    if (index < 0)
        index += in->extent[at];
    BL_TRY(find_offset(in, at, index, &offset));
    bli_layout_drop(in, at, offset, out);
    return BL_OK;
}

bl_status bl_layout_select(const bl_layout *in, int32_t axis, int64_t index,
                           bl_layout *out)
{
    BLI_RETURN_CALL(select_index(in, axis, index, out), "%L, axis %d, index %l",
                    "layout", in, (int)axis, index);
}

static bl_status narrow(const bl_layout *in, int32_t axis, int64_t start,
                        int64_t length, bl_layout *out)
{
    int64_t at;
    int64_t offset;

    BL_TRY(bli_layout_check(in, out));
    if (in->rank == 0)
        return bli_fault_operand(
            bl_error_set(BL_ERR_ARGUMENT,
                         "narrow() cannot be applied to a 0-dim tensor."),
            1);
    if (length < 0)
        return bli_error_argument("length", "narrow(): length must be non-negative.");
    BL_TRY(bli_wrap_index("axis", axis, in->rank, &at));

    const int64_t extent = in->extent[at];

    if (start != extent) /* the end is a valid start, but not an index */
        BL_TRY(bli_wrap_index("start", start, extent, &start));
    if (start > extent - length)
        return bli_fault_axis(bl_error_set(BL_ERR_ARGUMENT,
                                           "start (%" PRId64 ") + length (%" PRId64
                                           ") exceeds dimension size (%" PRId64 ").",
                                           start, length, extent),
                              "length", at, extent);
    offset = in->offset;
    if (length > 0)
        BL_TRY(find_offset(in, at, start, &offset));
    bli_layout_copy(in, out);
    out->offset = offset;
    out->extent[at] = length;
    return BL_OK;
}

bl_status bl_layout_narrow(const bl_layout *in, int32_t axis, int64_t start,
                           int64_t length, bl_layout *out)
{
    BLI_RETURN_CALL(narrow(in, axis, start, length, out),
                    "%L, axis %d, start %l, length %l", "layout", in, (int)axis, start,
                    length);
}

/*
 * Resolve one end of a slice by Python's rules, clamped to where a step of that sign
 * may stop.
 */
static int64_t clamp_end(int64_t end, int64_t extent, bool is_reverse)
{
    if (end < 0)
        end += extent;
    if (end < 0)
        return is_reverse ? -1 : 0;
    if (end >= extent)
        return is_reverse ? extent - 1 : extent;
    return end;
}

static bl_status slice(const bl_layout *in, int32_t axis, int64_t start, int64_t stop,
                       int64_t step, bl_layout *out)
{
    int64_t at, offset, length;
    int64_t stride = 0;

    BL_TRY(bli_layout_check(in, out));
    if (in->rank == 0)
        return bli_fault_operand(
            bl_error_set(BL_ERR_ARGUMENT,
                         "slice() cannot be applied to a 0-dim tensor."),
            1);
    BL_TRY(bli_wrap_index("axis", axis, in->rank, &at));
    if (step == 0)
        return bli_error_argument("step", "slice step cannot be zero");
    if (step == INT64_MIN)
        step++; /* at most one element in both cases, and -step fits */

    const int64_t extent = in->extent[at];
    const bool is_reverse = step < 0;
    const int64_t first = start == BL_SLICE_END ? (is_reverse ? extent - 1 : 0)
                                                : clamp_end(start, extent, is_reverse);
    const int64_t last = stop == BL_SLICE_END ? (is_reverse ? -1 : extent)
                                              : clamp_end(stop, extent, is_reverse);
    const int64_t distance = is_reverse ? first - last : last - first;

    length = distance > 0 ? (distance - 1) / (is_reverse ? -step : step) + 1 : 0;
    offset = in->offset;
    if (length > 0)
        BL_TRY(find_offset(in, at, first, &offset));
    /* The stride of one element, or of none, does not matter. */
    if (!bli_mul_i64(in->stride[at], step, &stride) && length > 1 &&
        !bli_layout_is_empty(in))
        return bli_fault_argument(bl_error_set(BL_ERR_OVERFLOW,
                                               "stride %" PRId64 " times step %" PRId64
                                               " does not fit in 64 bits",
                                               in->stride[at], step),
                                  "step");
    bli_layout_copy(in, out);
    out->offset = offset;
    out->extent[at] = length;
    out->stride[at] = stride;
    return BL_OK;
}

bl_status bl_layout_slice(const bl_layout *in, int32_t axis, int64_t start,
                          int64_t stop, int64_t step, bl_layout *out)
{
    BLI_RETURN_CALL(slice(in, axis, start, stop, step, out),
                    "%L, axis %d, start %l, stop %l, step %l", "layout", in, (int)axis,
                    start, stop, step);
}

static bl_status flip(const bl_layout *in, int32_t axis, bl_layout *out)
{
    BL_TRY(bli_layout_check(in, out));
    if (in->rank > 0)
        return bl_layout_slice(in, axis, BL_SLICE_END, BL_SLICE_END, -1, out);

    int64_t at;

    BL_TRY(bli_wrap_index("axis", axis, in->rank, &at));
    bli_layout_copy(in, out);
    return BL_OK;
}

bl_status bl_layout_flip(const bl_layout *in, int32_t axis, bl_layout *out)
{
    BLI_RETURN_CALL(flip(in, axis, out), "%L, axis %d", "layout", in, (int)axis);
}
