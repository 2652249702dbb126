/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of tensors: new handles over the same memory.  Each function calls its
 * counterpart for layouts.
 */
#include "tensor/tensor.h"
#include "shape/layout.h"

#include <string.h>

/*
 * Get the layout of a tensor, which is valid by construction; an error if it is NULL.
 */
static bl_status open_view(const bl_tensor *tensor, bl_layout *layout)
{
    const bl_array *const array = bl_tensor_array(tensor);

    if (!array)
        return bl_error_set(BL_ERR_ARGUMENT, "tensor is null");

    const size_t bytes = (size_t)array->rank * sizeof(int64_t);

    layout->rank = array->rank;
    layout->offset = 0;
    memcpy(layout->extent, array->extent, bytes);
    memcpy(layout->stride, array->stride, bytes);
    return BL_OK;
}

bl_status bl_tensor_expand(bl_tensor *tensor, int32_t rank, const int64_t *extent,
                           bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_view(tensor, &layout));
    BL_TRY(bl_layout_expand(&layout, rank, extent, &layout));
    return bli_tensor_view(tensor, &layout, out);
}

bl_status bl_tensor_broadcast_to(bl_tensor *tensor, int32_t rank, const int64_t *extent,
                                 bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_view(tensor, &layout));
    BL_TRY(bl_layout_broadcast_to(&layout, rank, extent, &layout));
    return bli_tensor_view(tensor, &layout, out);
}

bl_status bl_tensor_unsqueeze(bl_tensor *tensor, int32_t axis, bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_view(tensor, &layout));
    BL_TRY(bl_layout_unsqueeze(&layout, axis, &layout));
    return bli_tensor_view(tensor, &layout, out);
}

bl_status bl_tensor_squeeze(bl_tensor *tensor, int32_t axis, bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_view(tensor, &layout));
    BL_TRY(bl_layout_squeeze(&layout, axis, &layout));
    return bli_tensor_view(tensor, &layout, out);
}

bl_status bl_tensor_squeeze_all(bl_tensor *tensor, bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_view(tensor, &layout));
    BL_TRY(bl_layout_squeeze_all(&layout, &layout));
    return bli_tensor_view(tensor, &layout, out);
}

bl_status bl_tensor_permute(bl_tensor *tensor, const int32_t *axes, bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_view(tensor, &layout));
    BL_TRY(bl_layout_permute(&layout, axes, &layout));
    return bli_tensor_view(tensor, &layout, out);
}

bl_status bl_tensor_transpose(bl_tensor *tensor, int32_t first, int32_t second,
                              bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_view(tensor, &layout));
    BL_TRY(bl_layout_transpose(&layout, first, second, &layout));
    return bli_tensor_view(tensor, &layout, out);
}

bl_status bl_tensor_select(bl_tensor *tensor, int32_t axis, int64_t index,
                           bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_view(tensor, &layout));
    BL_TRY(bl_layout_select(&layout, axis, index, &layout));
    return bli_tensor_view(tensor, &layout, out);
}

bl_status bl_tensor_narrow(bl_tensor *tensor, int32_t axis, int64_t start,
                           int64_t length, bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_view(tensor, &layout));
    BL_TRY(bl_layout_narrow(&layout, axis, start, length, &layout));
    return bli_tensor_view(tensor, &layout, out);
}

bl_status bl_tensor_slice(bl_tensor *tensor, int32_t axis, int64_t start, int64_t stop,
                          int64_t step, bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_view(tensor, &layout));
    BL_TRY(bl_layout_slice(&layout, axis, start, stop, step, &layout));
    return bli_tensor_view(tensor, &layout, out);
}

bl_status bl_tensor_flip(bl_tensor *tensor, int32_t axis, bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_view(tensor, &layout));
    BL_TRY(bl_layout_flip(&layout, axis, &layout));
    return bli_tensor_view(tensor, &layout, out);
}

bl_status bl_tensor_view(bl_tensor *tensor, int32_t rank, const int64_t *extent,
                         bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_view(tensor, &layout));
    BL_TRY(bl_layout_view(&layout, rank, extent, &layout));
    return bli_tensor_view(tensor, &layout, out);
}

bl_status bl_tensor_place_dims(bl_tensor *tensor, int32_t rank, const int32_t *axes,
                               bl_tensor **out)
{
    bl_layout layout;

    BL_TRY(open_view(tensor, &layout));
    BL_TRY(bl_layout_place_dims(&layout, rank, axes, &layout));
    return bli_tensor_view(tensor, &layout, out);
}
