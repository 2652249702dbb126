/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors of the same elements in another shape or order of memory: the tensor itself
 * or a view of it where that will do, else a copy.
 */
#include "ops/ops.h"
#include "shape/layout.h"

#include <string.h>

/* Get the layout of a tensor; an error if it is NULL, or there is no place for another.
 */
static bl_status open_tensor(const bl_tensor *tensor, bl_tensor *const *out,
                             bl_layout *layout)
{
    if (!tensor)
        return bli_error_null("tensor");
    if (!out)
        return bli_error_null("out");
    return bl_array_layout(bl_tensor_array(tensor), layout);
}

static bl_status contiguous(bl_context *ctx, bl_tensor *from, bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_tensor(from, out, &layout));
    if (!bl_layout_is_contiguous(&layout))
        return bl_tensor_clone(ctx, bl_tensor_array(from), out);
    *out = bl_tensor_retain(from);
    return BL_OK;
}

bl_status bl_tensor_contiguous(bl_context *ctx, bl_tensor *from, bl_tensor **out)
{
    BLI_RETURN_CALL(contiguous(ctx, from, out), "%A", "tensor", bl_tensor_array(from));
}

static bl_status reshape(bl_context *ctx, bl_tensor *tensor, int32_t rank,
                         const int64_t *extent, bl_tensor **out)
{
    bl_layout layout, shaped;
    int64_t stride[BL_MAX_RANK];
    bl_tensor *copy;

    BL_TRY(open_tensor(tensor, out, &layout));
    BL_TRY(bl_layout_compact(layout.rank, layout.extent, &shaped));
    BL_TRY(bl_layout_view(&shaped, rank, extent, &shaped));
    if (bl_tensor_numel(tensor) == 0)
        return bli_tensor_view(tensor, &shaped, out);
    if (bli_view_strides(&layout, rank, shaped.extent, stride)) {
        memcpy(shaped.stride, stride, (size_t)rank * sizeof *stride);
        shaped.element_bytes = layout.element_bytes;
        return bli_tensor_view(tensor, &shaped, out);
    }
    BL_TRY(bl_tensor_clone(ctx, bl_tensor_array(tensor), &copy));

    const bl_status status = bli_tensor_view(copy, &shaped, out);

    bl_tensor_release(copy);
    return status;
}

bl_status bl_tensor_reshape(bl_context *ctx, bl_tensor *tensor, int32_t rank,
                            const int64_t *extent, bl_tensor **out)
{
    BLI_RETURN_CALL(reshape(ctx, tensor, rank, extent, out), "%A, extent %S", "tensor",
                    bl_tensor_array(tensor), rank, extent);
}
