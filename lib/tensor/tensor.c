/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors: reference-counted handles on memory.  A created tensor owns its memory; a
 * view retains the tensor that owns it, its root, so that the memory is freed with the
 * last of them.
 */
#include "tensor/tensor.h"
#include "diag/diag.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#define SHAPE_TEXT 512

/*
 * Most bytes of elements that lie in one block with their handle.  AddressSanitizer
 * finds accesses past the end of a block of their own alone.
 */
#if defined(__SANITIZE_ADDRESS__)
#define BESIDE_BYTES 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BESIDE_BYTES 0
#endif
#endif
#ifndef BESIDE_BYTES
#define BESIDE_BYTES 65536
#endif

struct bl_tensor {
    atomic_size_t references;
    bl_tensor *root;        /* itself, or retained */
    bl_allocator allocator; /* of the handle and the storage */
    size_t beside; /* bytes of the elements that lie beside the handle; 0: none do */
    struct bli_storage storage;
    bl_deleter deleter; /* NULL: none is called */
    void *deleter_user;
    int64_t count;
    bl_array array;
    int64_t dims[]; /* extents, then strides */
};

/* Bytes of a handle, with those of elements beside it. */
static size_t handle_bytes(int32_t rank, size_t beside)
{
    const size_t bytes = sizeof(struct bl_tensor) + 2 * (size_t)rank * sizeof(int64_t);

    return beside == 0 ? bytes : bytes + (BLI_ALIGNMENT - sizeof(int64_t)) + beside;
}

/* The elements beside a handle: the first aligned byte behind it. */
static void *data_beside(bl_tensor *tensor)
{
    char *const end = (char *)(tensor->dims + 2 * tensor->array.rank);

    return end + (-(uintptr_t)end & (BLI_ALIGNMENT - 1));
}

/*
 * Make a handle with one reference that is its own root and has no storage but
 * `beside` bytes beside it; NULL strides mean compact.
 */
static bl_status make_handle(const bl_allocator *allocator, const bl_array *array,
                             size_t beside, bl_tensor **out)
{
    bl_tensor *const tensor =
        bli_allocate_object(allocator, handle_bytes(array->rank, beside));

    if (!tensor)
        return BL_ERR_MEMORY;

    int64_t *const extent = tensor->dims;
    int64_t *const stride = extent + array->rank;
    int64_t count = 1;
    bool fits = true, has_elements = true;

    for (int32_t d = array->rank - 1; d >= 0; d--) {
        extent[d] = array->extent[d];
        stride[d] = array->stride ? array->stride[d] : count;
        has_elements &= extent[d] != 0;
        /* Only an empty shape, whose strides do not matter, can fail to fit. */
        fits = fits && bli_mul_i64(count, extent[d] ? extent[d] : 1, &count);
    }
    tensor->count = has_elements ? count : 0;
    atomic_init(&tensor->references, 1);
    tensor->root = tensor;
    tensor->allocator = *allocator;
    tensor->beside = beside;
    tensor->storage.bytes = 0;
    tensor->deleter = NULL;
    tensor->deleter_user = NULL;
    tensor->array = *array;
    tensor->array.extent = extent;
    tensor->array.stride = stride;
    if (beside > 0)
        tensor->array.data = data_beside(tensor);
    if (!array->stride)
        tensor->array.flags &= ~BL_ARRAY_BYTE_STRIDES;
    *out = tensor;
    return BL_OK;
}

/*
 * Compute the bytes of a compact tensor, whose extents have been checked but not their
 * product; BL_ERR_OVERFLOW if it does not fit.
 */
static bl_status measure(bl_dtype dtype, int32_t rank, const int64_t *extent,
                         int64_t *bytes)
{
    char buffer[SHAPE_TEXT];
    struct bli_text text;
    int64_t count;

    if (bli_shape_numel(rank, extent, &count) &&
        bli_mul_i64(count, bli_dtypes[dtype].size, bytes) && *bytes <= PTRDIFF_MAX)
        return BL_OK;
    bli_text_open(&text, buffer, sizeof buffer);
    bli_text_extents(&text, "[", ", ", "]", rank, extent);
    return bl_error_set(BL_ERR_OVERFLOW,
                        "Storage size calculation overflowed with sizes=%s of %s",
                        buffer, bli_dtypes[dtype].name);
}

bl_status bli_tensor_new(bl_context *ctx, bl_dtype dtype, int32_t rank,
                         const int64_t *extent, const bl_placement *placement,
                         bl_tensor **out)
{
    const bl_array array = {.dtype = dtype, .rank = rank, .extent = extent};
    bl_context *const context = bli_context(ctx);
    bl_tensor *tensor;
    int64_t bytes;
    size_t beside;

    if (!out)
        return bli_error_null("out");
    BL_TRY(measure(dtype, rank, extent, &bytes));
    beside = bytes <= BESIDE_BYTES ? (size_t)bytes : 0;
    BL_TRY(make_handle(&context->allocator, &array, beside, &tensor));
    if (bytes > BESIDE_BYTES) {
        if (bli_storage_make(&tensor->storage, context, bytes, bli_dtypes[dtype].size,
                             placement ? placement : &context->placement) != BL_OK)
            goto free_handle;
        tensor->array.data = tensor->storage.data;
    }
    *out = tensor;
    return BL_OK;

free_handle:
    bli_release_object(&context->allocator, tensor, handle_bytes(rank, beside));
    return BL_ERR_MEMORY;
}

bl_status bli_tensor_view(bl_tensor *tensor, const bl_layout *layout, bl_tensor **out)
{
    bl_array array = tensor->array;
    const bool counts_bytes = layout->element_bytes > 0;
    const int64_t offset =
        layout->offset * (counts_bytes ? 1 : bli_dtypes[array.dtype].size);
    bl_tensor *view;

    if (!out)
        return bli_error_null("out");
    /* A view may have dimensions, and one of no elements other strides. */
    array.flags &= ~(BL_ARRAY_SCALAR | BL_ARRAY_BYTE_STRIDES);
    array.flags |= counts_bytes ? BL_ARRAY_BYTE_STRIDES : 0;
    array.rank = layout->rank;
    array.extent = layout->extent;
    array.stride = layout->stride;
    BL_TRY(make_handle(&tensor->root->allocator, &array, 0, &view));
    /* An empty view accesses nothing: its offset may lie outside the memory. */
    if (view->count > 0)
        view->array.data = (char *)tensor->array.data + offset;
    view->root = bl_tensor_retain(tensor->root);
    *out = view;
    return BL_OK;
}

static bl_status wrap(bl_context *ctx, const bl_array *array, bl_deleter deleter,
                      void *user, bl_tensor **out)
{
    bl_tensor *tensor;

    BL_TRY(bli_array_check(array, "array", true));
    if (!out)
        return bli_error_null("out");
    BL_TRY(make_handle(&bli_context(ctx)->allocator, array, 0, &tensor));
    tensor->deleter = deleter;
    tensor->deleter_user = user;
    *out = tensor;
    return BL_OK;
}

bl_status bl_tensor_wrap(bl_context *ctx, const bl_array *array, bl_deleter deleter,
                         void *user, bl_tensor **out)
{
    BLI_RETURN_CALL(wrap(ctx, array, deleter, user, out), "%A", "array", array);
}

bl_tensor *bl_tensor_retain(bl_tensor *tensor)
{
    if (tensor)
        atomic_fetch_add_explicit(&tensor->references, 1, memory_order_relaxed);
    return tensor;
}

/* Free a handle without references, and its data if it is the root. */
static void destroy(bl_tensor *tensor)
{
    const bl_allocator allocator = tensor->allocator;

    if (tensor->deleter && bli_shadow_has_marks()) {
        const struct bli_bytes bytes = bli_array_bytes(&tensor->array);

        bli_marks_forget((void *)bytes.begin, bytes.end - bytes.begin);
    }
    if (tensor->deleter)
        tensor->deleter(tensor->deleter_user, tensor->array.data);
    if (tensor->beside > 0)
        bli_marks_forget(tensor->array.data, tensor->beside);
    bli_storage_free(&tensor->storage, &allocator);
    bli_release_object(&allocator, tensor,
                       handle_bytes(tensor->array.rank, tensor->beside));
}

void bl_tensor_release(bl_tensor *tensor)
{
    /* Other threads' accesses to the memory happen before it is freed. */
    while (tensor && atomic_fetch_sub_explicit(&tensor->references, 1,
                                               memory_order_acq_rel) == 1) {
        bl_tensor *const root = tensor->root == tensor ? NULL : tensor->root;

        destroy(tensor);
        tensor = root;
    }
}

const bl_array *bl_tensor_array(const bl_tensor *tensor)
{
    return tensor ? &tensor->array : NULL;
}

int64_t bl_tensor_numel(const bl_tensor *tensor)
{
    return tensor ? tensor->count : 0;
}

bl_dtype bl_tensor_dtype(const bl_tensor *tensor)
{
    return tensor ? tensor->array.dtype : BL_DTYPE_NONE;
}

int32_t bl_tensor_rank(const bl_tensor *tensor)
{
    return tensor ? tensor->array.rank : 0;
}

/* The axis, counted from 0, that `axis` names; -1 where the tensor has none. */
static int32_t axis_of(const bl_tensor *tensor, int32_t axis)
{
    const int32_t rank = bl_tensor_rank(tensor);

    if (axis < -rank || axis >= rank)
        return -1;
    return axis < 0 ? axis + rank : axis;
}

int64_t bl_tensor_extent(const bl_tensor *tensor, int32_t axis)
{
    const int32_t d = axis_of(tensor, axis);

    return d < 0 ? -1 : tensor->array.extent[d];
}

int64_t bl_tensor_stride(const bl_tensor *tensor, int32_t axis)
{
    const int32_t d = axis_of(tensor, axis);

    return d < 0 ? 0 : tensor->array.stride[d];
}

const void *bl_tensor_data(const bl_tensor *tensor)
{
    if (tensor)
        bli_array_read(BL_SHADOW_DATA, &tensor->array, BLI_RETURN_ADDRESS);
    return tensor ? tensor->array.data : NULL;
}

void *bl_tensor_mutable_data(bl_tensor *tensor)
{
    if (!tensor || (tensor->array.flags & BL_ARRAY_READ_ONLY))
        return NULL;
    bli_array_read(BL_SHADOW_DATA, &tensor->array, BLI_RETURN_ADDRESS);
    return tensor->array.data;
}

bool bl_tensor_shares_storage(const bl_tensor *first, const bl_tensor *second)
{
    return first && second && first->root == second->root;
}
