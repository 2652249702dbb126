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
        return bli_error_null("tensor");

    const size_t bytes = (size_t)array->rank * sizeof(int64_t);

    layout->rank = array->rank;
    layout->element_bytes = bli_array_element_bytes(array);
    layout->offset = 0;
    memcpy(layout->extent, array->extent, bytes);
    memcpy(layout->stride, array->stride, bytes);
    return BL_OK;
}

/*
 * The body of a function that views `tensor`: `step` turns its layout into the view's.
 * A refusal names the function and its arguments, which the format that follows is for.
 */
#define TENSOR "tensor", bl_tensor_array(tensor)
#define VIEW(step, ...)                                                                \
    do {                                                                               \
        bl_layout layout;                                                              \
        bl_status status = open_view(tensor, &layout);                                 \
                                                                                       \
        if (status == BL_OK)                                                           \
            status = step;                                                             \
        if (status == BL_OK)                                                           \
            status = bli_tensor_view(tensor, &layout, out);                            \
        BLI_RETURN_CALL(status, __VA_ARGS__);                                          \
    } while (0)

bl_status bl_tensor_expand(bl_tensor *tensor, int32_t rank, const int64_t *extent,
                           bl_tensor **out)
{
    VIEW(bl_layout_expand(&layout, rank, extent, &layout), "%A, extent %S", TENSOR,
         (int)rank, extent);
}

bl_status bl_tensor_broadcast_to(bl_tensor *tensor, int32_t rank, const int64_t *extent,
                                 bl_tensor **out)
{
    VIEW(bl_layout_broadcast_to(&layout, rank, extent, &layout), "%A, extent %S",
         TENSOR, (int)rank, extent);
}

bl_status bl_tensor_unsqueeze(bl_tensor *tensor, int32_t axis, bl_tensor **out)
{
    VIEW(bl_layout_unsqueeze(&layout, axis, &layout), "%A, axis %d", TENSOR, (int)axis);
}

bl_status bl_tensor_squeeze(bl_tensor *tensor, int32_t axis, bl_tensor **out)
{
    VIEW(bl_layout_squeeze(&layout, axis, &layout), "%A, axis %d", TENSOR, (int)axis);
}

bl_status bl_tensor_squeeze_all(bl_tensor *tensor, bl_tensor **out)
{
    VIEW(bl_layout_squeeze_all(&layout, &layout), "%A", TENSOR);
}

bl_status bl_tensor_permute(bl_tensor *tensor, const int32_t *axes, bl_tensor **out)
{
    VIEW(bl_layout_permute(&layout, axes, &layout), "%A, axes %X", TENSOR,
         tensor ? bl_tensor_array(tensor)->rank : 0, axes);
}

bl_status bl_tensor_transpose(bl_tensor *tensor, int32_t first, int32_t second,
                              bl_tensor **out)
{
    VIEW(bl_layout_transpose(&layout, first, second, &layout),
         "%A, first %d, second %d", TENSOR, (int)first, (int)second);
}

bl_status bl_tensor_select(bl_tensor *tensor, int32_t axis, int64_t index,
                           bl_tensor **out)
{
    VIEW(bl_layout_select(&layout, axis, index, &layout), "%A, axis %d, index %l",
         TENSOR, (int)axis, index);
}

bl_status bl_tensor_narrow(bl_tensor *tensor, int32_t axis, int64_t start,
                           int64_t length, bl_tensor **out)
{
    VIEW(bl_layout_narrow(&layout, axis, start, length, &layout),
         "%A, axis %d, start %l, length %l", TENSOR, (int)axis, start, length);
}

bl_status bl_tensor_slice(bl_tensor *tensor, int32_t axis, int64_t start, int64_t stop,
                          int64_t step, bl_tensor **out)
{
    VIEW(bl_layout_slice(&layout, axis, start, stop, step, &layout),
         "%A, axis %d, start %l, stop %l, step %l", TENSOR, (int)axis, start, stop,
         step);
}

bl_status bl_tensor_flip(bl_tensor *tensor, int32_t axis, bl_tensor **out)
{
    VIEW(bl_layout_flip(&layout, axis, &layout), "%A, axis %d", TENSOR, (int)axis);
}

bl_status bl_tensor_view(bl_tensor *tensor, int32_t rank, const int64_t *extent,
                         bl_tensor **out)
{
    VIEW(bl_layout_view(&layout, rank, extent, &layout), "%A, extent %S", TENSOR,
         (int)rank, extent);
}

bl_status bl_tensor_place_dims(bl_tensor *tensor, int32_t rank, const int32_t *axes,
                               bl_tensor **out)
{
    VIEW(bl_layout_place_dims(&layout, rank, axes, &layout), "%A, rank %d, axes %X",
         TENSOR, (int)rank, tensor ? bl_tensor_array(tensor)->rank : 0, axes);
}
