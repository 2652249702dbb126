/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of another shape with the same elements in the same order, where strides allow.
 */
#include "shape/layout.h"

#include <inttypes.h>
#include <string.h>

/* Resolve a target shape, deriving the extent given as -1, if any, from the numel. */
static bl_status derive_extents(int64_t count, int32_t rank, const int64_t *target,
                                int64_t *extent)
{
    char text[BLI_SHAPE_TEXT];
    int32_t derived = -1;
    int64_t known;

    for (int32_t d = 0; d < rank; d++) {
        if (target[d] < -1)
            return bli_fault_axis(bl_error_set(BL_ERR_ARGUMENT,
                                               "invalid shape dimension %" PRId64,
                                               target[d]),
                                  "extent", d, target[d]);
        if (target[d] == -1 && derived >= 0)
            return bli_error_argument("extent", "only one dimension can be inferred");
        if (target[d] == -1)
            derived = d;
        extent[d] = target[d] == -1 ? 1 : target[d];
    }

    const bool fits = bli_shape_numel(rank, extent, &known);

    if (fits && count == known && (derived < 0 || known > 0))
        return BL_OK;
    if (fits && derived >= 0 && known > 0 && count % known == 0) {
        extent[derived] = count / known;
        return BL_OK;
    }
    if (fits && derived >= 0 && known == 0 && count == 0)
        return bli_fault_argument(
            bl_error_set(BL_ERR_SHAPE,
                         "cannot reshape tensor of 0 elements into shape %s because "
                         "the unspecified dimension size -1 can be any value and is "
                         "ambiguous",
                         bli_shape_text(text, rank, target)),
            "extent");
    return bli_fault_argument(
        bl_error_set(BL_ERR_SHAPE, "shape '%s' is invalid for input of size %" PRId64,
                     bli_shape_text(text, rank, target), count),
        "extent");
}

/*
 * Assign strides to dimensions of the result, from *at downwards, that together cover
 * `count` elements spaced `base` apart; false if no dimensions do.
 */
static bool cover_chunk(const int64_t *extent, int64_t count, int64_t base,
                        int64_t *stride, int32_t *at)
{
    int64_t covered = 1;

    while (*at >= 0 && (covered < count || extent[*at] == 1)) {
        stride[*at] = bli_stride_before(covered, base);
        covered *= extent[(*at)--];
    }
    return covered == count;
}

/*
 * Go through the input from its last dimension in chunks that step evenly through
 * memory, and cover each chunk with dimensions of the result.
 */
bool bli_view_strides(const bl_layout *in, int32_t rank, const int64_t *extent,
                      int64_t *stride)
{
    int32_t at = rank - 1;
    int64_t base = in->rank > 0 ? in->stride[in->rank - 1] : bli_layout_unit(in);
    int64_t count = 1;

    for (int32_t d = in->rank - 1; d >= 0; d--) {
        int64_t next;

        count *= in->extent[d];
        if (d > 0 && (in->extent[d - 1] == 1 ||
                      (bli_mul_i64(count, base, &next) && in->stride[d - 1] == next)))
            continue;
        if (!cover_chunk(extent, count, base, stride, &at))
            return false;
        if (d > 0)
            base = in->stride[d - 1];
        count = 1;
    }
    for (; at >= 0; at--) /* of a 0-d input: extents of 1 */
        stride[at] = base;
    return true;
}

static bl_status view(const bl_layout *in, int32_t rank, const int64_t *extent,
                      bl_layout *out)
{
    int64_t found[BL_MAX_RANK], stride[BL_MAX_RANK];
    int64_t count;

    BL_TRY(bli_layout_check(in, out));
    BL_TRY(bli_rank_check(NULL, rank, extent));
    BL_TRY(bli_result_count(in->rank, in->extent, &count));
    BL_TRY(derive_extents(count, rank, extent, found));
    if (count == 0) {
        const bool same = rank == in->rank &&
                          memcmp(found, in->extent, (size_t)rank * sizeof *found) == 0;

        if (!same)
            return bli_layout_make(rank, found, NULL, in->offset, in->element_bytes,
                                   out);
        bli_layout_copy(in, out);
        return BL_OK;
    }
    if (!bli_view_strides(in, rank, found, stride))
        return bli_fault_operand(
            bl_error_set(BL_ERR_SHAPE,
                         "view size is not compatible with input tensor's size and "
                         "stride (at least one dimension spans across two contiguous "
                         "subspaces). Use .reshape(...) instead."),
            1);
    bli_layout_store(out, in, rank, found, stride);
    return BL_OK;
}

bl_status bl_layout_view(const bl_layout *in, int32_t rank, const int64_t *extent,
                         bl_layout *out)
{
    BLI_RETURN_CALL(view(in, rank, extent, out), "%L, extent %S", "layout", in,
                    (int)rank, extent);
}
