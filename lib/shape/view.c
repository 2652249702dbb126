/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views that drop, insert or reorder dimensions.  Views of part of a dimension are in
 * slice.c, changes of the whole shape in expand.c and reshape.c.
 */
#include "shape/layout.h"

static bl_status unsqueeze(const bl_layout *in, int32_t axis, bl_layout *out)
{
    int64_t at;

    BL_TRY(bli_layout_check(in, out));
    if (in->rank == BL_MAX_RANK)
        return bli_fault_operand(bl_error_set(BL_ERR_ARGUMENT,
                                              "unsqueeze: rank would exceed %d",
                                              BL_MAX_RANK),
                                 1);
    BL_TRY(bli_wrap_index("axis", axis, (int64_t)in->rank + 1, &at));

    const int64_t stride = at < in->rank
                               ? bli_stride_before(in->extent[at], in->stride[at])
                               : bli_layout_unit(in);

    bli_layout_copy(in, out);
    for (int32_t d = out->rank; d > at; d--) {
        out->extent[d] = out->extent[d - 1];
        out->stride[d] = out->stride[d - 1];
    }
    out->rank++;
    out->extent[at] = 1;
    out->stride[at] = stride;
    return BL_OK;
}

bl_status bl_layout_unsqueeze(const bl_layout *in, int32_t axis, bl_layout *out)
{
    BLI_RETURN_CALL(unsqueeze(in, axis, out), "%L, axis %d", "layout", in, (int)axis);
}

static bl_status squeeze(const bl_layout *in, int32_t axis, bl_layout *out)
{
    int64_t at;

    BL_TRY(bli_layout_check(in, out));
    BL_TRY(bli_wrap_index("axis", axis, in->rank, &at));
    if (in->rank > 0 && in->extent[at] == 1)
        bli_layout_drop(in, at, in->offset, out);
    else
        bli_layout_copy(in, out);
    return BL_OK;
}

bl_status bl_layout_squeeze(const bl_layout *in, int32_t axis, bl_layout *out)
{
    BLI_RETURN_CALL(squeeze(in, axis, out), "%L, axis %d", "layout", in, (int)axis);
}

static bl_status squeeze_all(const bl_layout *in, bl_layout *out)
{
    int32_t kept = 0;

    BL_TRY(bli_layout_check(in, out));
    bli_layout_copy(in, out);
    for (int32_t d = 0; d < out->rank; d++) {
        if (out->extent[d] == 1)
            continue;
        out->extent[kept] = out->extent[d];
        out->stride[kept++] = out->stride[d];
    }
    out->rank = kept;
    return BL_OK;
}

bl_status bl_layout_squeeze_all(const bl_layout *in, bl_layout *out)
{
    BLI_RETURN_CALL(squeeze_all(in, out), "%L", "layout", in);
}

static bl_status permute(const bl_layout *in, const int32_t *axes, bl_layout *out)
{
    int64_t extent[BL_MAX_RANK], stride[BL_MAX_RANK];
    uint64_t seen = 0;

    BL_TRY(bli_layout_check(in, out));
    if (in->rank > 0 && axes == NULL)
        return bli_error_null("axes");
    for (int32_t d = 0; d < in->rank; d++) {
        int64_t at;

        BL_TRY(bli_wrap_index("axes", axes[d], in->rank, &at));
        if (seen >> at & 1)
            return bli_fault_axis(
                bl_error_set(BL_ERR_ARGUMENT, "repeated dim in permute"), "axes", at,
                in->extent[at]);
        seen |= UINT64_C(1) << at;
        extent[d] = in->extent[at];
        stride[d] = in->stride[at];
    }
    bli_layout_store(out, in, in->rank, extent, stride);
    return BL_OK;
}

bl_status bl_layout_permute(const bl_layout *in, const int32_t *axes, bl_layout *out)
{
    BLI_RETURN_CALL(permute(in, axes, out), "%L, axes %X", "layout", in,
                    in ? (int)in->rank : 0, axes);
}

static bl_status transpose(const bl_layout *in, int32_t first, int32_t second,
                           bl_layout *out)
{
    int64_t a, b;

    BL_TRY(bli_layout_check(in, out));
    BL_TRY(bli_wrap_index("first", first, in->rank, &a));
    BL_TRY(bli_wrap_index("second", second, in->rank, &b));
    bli_layout_copy(in, out);
    if (out->rank == 0)
        return BL_OK;

    const int64_t extent = out->extent[a];
    const int64_t stride = out->stride[a];

    out->extent[a] = out->extent[b];
    out->stride[a] = out->stride[b];
    out->extent[b] = extent;
    out->stride[b] = stride;
    return BL_OK;
}

bl_status bl_layout_transpose(const bl_layout *in, int32_t first, int32_t second,
                              bl_layout *out)
{
    BLI_RETURN_CALL(transpose(in, first, second, out), "%L, first %d, second %d",
                    "layout", in, (int)first, (int)second);
}
