/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors given to other libraries by DLPack.
 */
#include <broadloom/shadow.h>

#include "core/error.h"
#include "io/dlpack.h"

#include <errno.h>
#include <inttypes.h>

/* What is given: one block of memory, that of the tensor `own`. */
struct given {
    union {
        struct DLManagedTensorVersioned versioned;
        struct DLManagedTensor unversioned;
    } managed;
    bl_tensor *own;
    bl_tensor *tensor; /* retained */
    int64_t dims[];    /* extents, then strides */
};

static void release_given(struct given *given)
{
    const int saved = errno;

    bl_tensor_release(given->tensor);
    bl_tensor_release(given->own);
    errno = saved;
}

static void delete_versioned(struct DLManagedTensorVersioned *self)
{
    release_given(self->manager);
}

static void delete_unversioned(struct DLManagedTensor *self)
{
    release_given(self->manager);
}

static bool has_elements(const bl_array *array)
{
    for (int32_t d = 0; d < array->rank; d++)
        if (array->extent[d] == 0)
            return false;
    return true;
}

/* Whether elements are repeated by a stride of 0. */
static bool repeats(const bl_array *array)
{
    for (int32_t d = 0; d < array->rank; d++)
        if (array->extent[d] > 1 && array->stride[d] == 0)
            return has_elements(array);
    return false;
}

/* Whether an array lies in memory as DLPack can say: aligned, with strides in elements.
 */
static bl_status check_steps(const bl_array *array)
{
    const int32_t size = bli_dtypes[array->dtype].size;
    const int32_t align = bli_dtypes[array->dtype].align;

    if (!(array->flags & BL_ARRAY_BYTE_STRIDES) || !has_elements(array))
        return BL_OK;
    if ((uintptr_t)array->data % (uintptr_t)align != 0)
        return bli_fault_argument(bl_error_set(BL_ERR_UNSUPPORTED,
                                               "tensor: data is not aligned to %" PRId32
                                               " bytes, as DLPack needs it",
                                               align),
                                  "tensor");
    for (int32_t d = 0; d < array->rank; d++)
        if (array->extent[d] > 1 && array->stride[d] % size != 0)
            return bli_fault_axis(
                bl_error_set(BL_ERR_UNSUPPORTED,
                             "tensor: DLPack has no stride of %" PRId64
                             " bytes (dimension %" PRId32 ") with elements of %" PRId32,
                             array->stride[d], d, size),
                "tensor", d, array->extent[d]);
    return BL_OK;
}

/* Check what is to be given; `is_flagged`: flags can say that it is read-only. */
static bl_status check(const bl_tensor *tensor, uint32_t flags, bool is_flagged)
{
    const bl_array *const array = bl_tensor_array(tensor);

    if (!tensor)
        return bli_error_null("tensor");
    if (flags & ~BL_DLPACK_COPY)
        return bli_error_argument("flags", "flags: unknown bits 0x%" PRIx32,
                                  flags & ~BL_DLPACK_COPY);
    if (bli_dlpack_dtype(array->dtype).bits == 0)
        return bli_fault_dtypes(bl_error_set(BL_ERR_UNSUPPORTED,
                                             "tensor: DLPack has no dtype %s",
                                             bli_dtypes[array->dtype].name),
                                "tensor", array->dtype, BL_DTYPE_NONE);
    if (flags & BL_DLPACK_COPY)
        return BL_OK;
    BL_TRY(check_steps(array));
    if (!is_flagged && array->flags & BL_ARRAY_READ_ONLY)
        return bli_fault_argument(
            bl_error_set(BL_ERR_UNSUPPORTED,
                         "tensor: DLPack without a version cannot say that it is "
                         "read-only"),
            "tensor");
    return BL_OK;
}

/* Allocate what is given of a tensor, which it takes a reference of. */
static bl_status make_given(bl_context *ctx, bl_tensor *tensor, struct given **out)
{
    const int64_t bytes =
        (int64_t)(sizeof(struct given) +
                  2 * (size_t)bl_tensor_rank(tensor) * sizeof(int64_t));
    bl_tensor *own;

    BL_TRY(bl_tensor_empty(ctx, BL_DTYPE_U8, 1, &bytes, &own));
    *out = bl_tensor_mutable_data(own);
    (*out)->own = own;
    (*out)->tensor = bl_tensor_retain(tensor);
    return BL_OK;
}

/* Describe the memory that is given. */
static void describe(struct given *given, struct bli_dlpack *to)
{
    const bl_array *const array = bl_tensor_array(given->tensor);
    const int64_t unit =
        array->flags & BL_ARRAY_BYTE_STRIDES ? bli_dtypes[array->dtype].size : 1;
    int64_t *const stride = given->dims + array->rank;

    for (int32_t d = 0; d < array->rank; d++) {
        given->dims[d] = array->extent[d];
        stride[d] = array->stride[d] / unit;
    }
    *to = (struct bli_dlpack){.data = has_elements(array) ? array->data : NULL,
                              .device_type = BLI_DLPACK_CPU,
                              .ndim = array->rank,
                              .dtype = bli_dlpack_dtype(array->dtype),
                              .shape = given->dims,
                              .strides = stride};
}

static bl_status give(bl_context *ctx, bl_tensor *tensor, uint32_t flags,
                      bool is_flagged, struct given **out)
{
    bl_tensor *source;

    BL_TRY(check(tensor, flags, is_flagged));
    if (flags & BL_DLPACK_COPY)
        BL_TRY(bl_tensor_clone(ctx, bl_tensor_array(tensor), &source));
    else
        source = bl_tensor_retain(tensor);
    const bl_status status = make_given(ctx, source, out);
    bl_tensor_release(source);
    return status;
}

static bl_status to_versioned(bl_context *ctx, bl_tensor *tensor, uint32_t flags,
                              struct DLManagedTensorVersioned **out)
{
    struct given *given;

    if (!out)
        return bli_error_null("out");
    BL_TRY(give(ctx, tensor, flags, true, &given));

    struct DLManagedTensorVersioned *const managed = &given->managed.versioned;
    const bl_array *const array = bl_tensor_array(given->tensor);
    const bool may_write = !(array->flags & BL_ARRAY_READ_ONLY) && !repeats(array);

    managed->major = BLI_DLPACK_MAJOR;
    managed->minor = BLI_DLPACK_MINOR;
    managed->manager = given;
    managed->deleter = delete_versioned;
    managed->flags = (may_write ? 0 : BLI_DLPACK_READ_ONLY) |
                     (flags & BL_DLPACK_COPY ? BLI_DLPACK_IS_COPIED : 0);
    describe(given, &managed->tensor);
    *out = managed;
    return BL_OK;
}

bl_status bl_tensor_to_dlpack(bl_context *ctx, bl_tensor *tensor, uint32_t flags,
                              struct DLManagedTensorVersioned **out)
{
    const bl_status status = to_versioned(ctx, tensor, flags, out);

    if (status == BL_OK)
        bl_shadow_read(BL_SHADOW_DATA, bl_tensor_array(tensor), NULL, 0,
                       __builtin_return_address(0));
    BLI_RETURN_CALL(status, "%A, flags %l", "tensor", bl_tensor_array(tensor),
                    (int64_t)flags);
}

static bl_status to_unversioned(bl_context *ctx, bl_tensor *tensor, uint32_t flags,
                                struct DLManagedTensor **out)
{
    struct given *given;

    if (!out)
        return bli_error_null("out");
    BL_TRY(give(ctx, tensor, flags, false, &given));

    struct DLManagedTensor *const managed = &given->managed.unversioned;

    managed->manager = given;
    managed->deleter = delete_unversioned;
    describe(given, &managed->tensor);
    *out = managed;
    return BL_OK;
}

bl_status bl_tensor_to_dlpack_unversioned(bl_context *ctx, bl_tensor *tensor,
                                          uint32_t flags, struct DLManagedTensor **out)
{
    const bl_status status = to_unversioned(ctx, tensor, flags, out);

    if (status == BL_OK)
        bl_shadow_read(BL_SHADOW_DATA, bl_tensor_array(tensor), NULL, 0,
                       __builtin_return_address(0));
    BLI_RETURN_CALL(status, "%A, flags %l", "tensor", bl_tensor_array(tensor),
                    (int64_t)flags);
}
