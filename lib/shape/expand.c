/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views with more or longer dimensions over the same memory: expand, broadcast_to,
 * place_dims.
 */
#include "shape/layout.h"

#include <inttypes.h>

/*
 * Resolve the extent of the target's dimension d, where -1 keeps the input's; an error
 * in PyTorch's words if the input cannot be expanded to it.
 */
static bl_status target_extent(const bl_layout *in, int32_t rank, const int64_t *target,
                               int32_t d, int64_t *extent)
{
    char target_text[BLI_SHAPE_TEXT], own_text[BLI_SHAPE_TEXT];
    const int32_t from = d - (rank - in->rank);
    const int64_t own = from >= 0 ? in->extent[from] : 1;

    *extent = target[d];
    if (target[d] == -1) {
        if (from < 0)
            return bli_fault_axis(
                bl_error_set(BL_ERR_SHAPE,
                             "The expanded size of the tensor (-1) isn't allowed in a "
                             "leading, non-existing dimension %" PRId32,
                             d),
                "extent", d, -1);
        *extent = own;
    }
    if (*extent != own && own != 1)
        return bl_error_set_extents(
            bl_error_set(BL_ERR_SHAPE,
                         "The expanded size of the tensor (%" PRId64
                         ") must match the existing size (%" PRId64
                         ") at non-singleton dimension %" PRId32
                         ".  Target sizes: %s.  Tensor sizes: %s",
                         target[d], own, d, bli_shape_text(target_text, rank, target),
                         bli_shape_text(own_text, in->rank, in->extent)),
            d, "extent", target[d], NULL, own);
    if (*extent < 0)
        return bli_fault_axis(
            bl_error_set(BL_ERR_ARGUMENT,
                         "Trying to create tensor with negative dimension %" PRId64
                         ": %s",
                         *extent, bli_shape_text(target_text, rank, target)),
            "extent", d, *extent);
    return BL_OK;
}

static bl_status expand(const bl_layout *in, int32_t rank, const int64_t *extent,
                        bl_layout *out)
{
    int64_t found[BL_MAX_RANK], stride[BL_MAX_RANK];
    int64_t count;

    BL_TRY(bli_layout_check(in, out));
    BL_TRY(bli_rank_check(NULL, rank, extent));
    if (rank < in->rank) {
        char target_text[BLI_SHAPE_TEXT], own_text[BLI_SHAPE_TEXT];

        return bli_fault_argument(
            bl_error_set(BL_ERR_SHAPE,
                         "expand(%s, size=%s): the number of sizes provided (%" PRId32
                         ") must be greater or equal to the number of dimensions in "
                         "the tensor (%" PRId32 ")",
                         bli_shape_text(own_text, in->rank, in->extent),
                         bli_shape_text(target_text, rank, extent), rank, in->rank),
            "rank");
    }

    const int32_t shift = rank - in->rank;

    for (int32_t d = rank - 1; d >= 0; d--) {
        BL_TRY(target_extent(in, rank, extent, d, &found[d]));

        const int64_t own = d >= shift ? in->extent[d - shift] : 1;

        if (found[d] != own || in->rank == 0)
            stride[d] = 0;
        else if (d >= shift)
            stride[d] = in->stride[d - shift];
        else
            stride[d] = bli_stride_before(found[d + 1], stride[d + 1]);
    }
    BL_TRY(bli_result_count(rank, found, &count));
    bli_layout_store(out, in, rank, found, stride);
    return BL_OK;
}

bl_status bl_layout_expand(const bl_layout *in, int32_t rank, const int64_t *extent,
                           bl_layout *out)
{
    BLI_RETURN_CALL(expand(in, rank, extent, out), "%L, extent %S", "layout", in,
                    (int)rank, extent);
}

static bl_status broadcast_to(const bl_layout *in, int32_t rank, const int64_t *extent,
                              bl_layout *out)
{
    BL_TRY(bli_layout_check(in, out));
    BL_TRY(bli_rank_check(NULL, rank, extent));
    for (int32_t d = 0; d < rank; d++)
        if (extent[d] < 0)
            return bli_fault_axis(
                bl_error_set(BL_ERR_ARGUMENT,
                             "all elements of broadcast shape must be non-negative, "
                             "but extent %" PRId64 " at dimension %" PRId32,
                             extent[d], d),
                "extent", d, extent[d]);
    return bl_layout_expand(in, rank, extent, out);
}

bl_status bl_layout_broadcast_to(const bl_layout *in, int32_t rank,
                                 const int64_t *extent, bl_layout *out)
{
    BLI_RETURN_CALL(broadcast_to(in, rank, extent, out), "%L, extent %S", "layout", in,
                    (int)rank, extent);
}

static bl_status place_dims(const bl_layout *in, int32_t rank, const int32_t *axes,
                            bl_layout *out)
{
    int64_t extent[BL_MAX_RANK], stride[BL_MAX_RANK];
    int64_t place[BL_MAX_RANK];

    BL_TRY(bli_layout_check(in, out));
    BL_TRY(bli_rank_check(NULL, rank, extent));
    if (in->rank > 0 && axes == NULL)
        return bli_error_null("axes");
    if (in->rank > rank)
        return bli_fault_argument(bl_error_set(BL_ERR_SHAPE,
                                               "place_dims: %" PRId32
                                               " dimensions do not fit in %" PRId32,
                                               in->rank, rank),
                                  "rank");
    for (int32_t d = 0; d < in->rank; d++) {
        BL_TRY(bli_wrap_index("axes", axes[d], rank, &place[d]));
        if (d > 0 && place[d] <= place[d - 1])
            return bli_error_argument("axes",
                                      "place_dims: axes must increase, but %" PRId32
                                      " follows %" PRId32,
                                      axes[d], axes[d - 1]);
    }

    int32_t next = in->rank - 1; /* dimension of the input to place next */

    for (int32_t d = rank - 1; d >= 0; d--) {
        const bool is_placed = next >= 0 && place[next] == d;

        extent[d] = is_placed ? in->extent[next] : 1;
        if (is_placed)
            stride[d] = in->stride[next--];
        else
            stride[d] = d + 1 < rank ? bli_stride_before(extent[d + 1], stride[d + 1])
                                     : bli_layout_unit(in);
    }
    bli_layout_store(out, in, rank, extent, stride);
    return BL_OK;
}

bl_status bl_layout_place_dims(const bl_layout *in, int32_t rank, const int32_t *axes,
                               bl_layout *out)
{
    BLI_RETURN_CALL(place_dims(in, rank, axes, out), "%L, rank %d, axes %X", "layout",
                    in, (int)rank, in ? (int)in->rank : 0, axes);
}
