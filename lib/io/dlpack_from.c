/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors and arrays over memory that another library describes by DLPack.
 */
#include "core/error.h"
#include "io/dlpack.h"

#include <inttypes.h>

/* Bits of the significand of an IEEE 754 number of some bits. */
static int32_t ieee_digits(int32_t bits)
{
    return bits == 16 ? 11 : bits == 32 ? 24 : 53;
}

struct bli_dlpack_dtype bli_dlpack_dtype(bl_dtype dtype)
{
    const struct bli_dtype *const row = &bli_dtypes[dtype];
    struct bli_dlpack_dtype result = {0, (uint8_t)(8 * row->size), 1};

    switch (row->class) {
    case BLI_CLASS_BOOL:
        result.code = BLI_DLPACK_BOOL;
        break;
    case BLI_CLASS_INT:
        result.code = row->is_signed ? BLI_DLPACK_INT : BLI_DLPACK_UINT;
        break;
    case BLI_CLASS_COMPLEX:
        result.code = BLI_DLPACK_COMPLEX;
        break;
    default:
        result.code = dtype == BL_DTYPE_BF16 ? BLI_DLPACK_BFLOAT : BLI_DLPACK_FLOAT;
        if (dtype != BL_DTYPE_BF16 && row->digits != ieee_digits(result.bits))
            result.bits = 0;
    }
    return result;
}

static bl_dtype find_dtype(struct bli_dlpack_dtype wanted)
{
    for (int32_t k = 1; k < BLI_DTYPES; k++) {
        const struct bli_dlpack_dtype has = bli_dlpack_dtype((bl_dtype)k);

        if (has.bits && has.code == wanted.code && has.bits == wanted.bits &&
            has.lanes == wanted.lanes)
            return (bl_dtype)k;
    }
    return BL_DTYPE_NONE;
}

/*
 * Describe a tensor of DLPack.  What has been read is in `*array`, for the text of an
 * error; its rank is -1 before.
 */
static bl_status describe(const struct bli_dlpack *from, bl_array *array)
{
    const uint64_t offset = from->byte_offset;

    if (from->device_type != BLI_DLPACK_CPU)
        return bli_fault_argument(bl_error_set(BL_ERR_UNSUPPORTED,
                                               "array: memory of device %" PRId32
                                               ":%" PRId32 ", not of the CPU (1)",
                                               from->device_type, from->device_id),
                                  "array");
    array->dtype = find_dtype(from->dtype);
    if (array->dtype == BL_DTYPE_NONE)
        return bli_fault_argument(
            bl_error_set(
                BL_ERR_UNSUPPORTED,
                "array: no dtype has DLPack's code %d with %d bits in %d lanes",
                from->dtype.code, from->dtype.bits, from->dtype.lanes),
            "array");
    array->rank = from->ndim;
    if (from->ndim > BL_MAX_RANK)
        return bli_fault_argument(bl_error_set(BL_ERR_UNSUPPORTED,
                                               "array: %" PRId32
                                               " dimensions, more than %d",
                                               from->ndim, BL_MAX_RANK),
                                  "array");
    array->extent = from->shape;
    array->stride = from->strides;
    array->data = from->data;
    if (!from->data || offset == 0)
        return BL_OK;
    if (offset > PTRDIFF_MAX || (uintptr_t)from->data > UINTPTR_MAX - offset)
        return bli_fault_argument(
            bl_error_set(BL_ERR_OVERFLOW,
                         "array: data at a byte offset of %" PRIu64
                         " does not fit in memory",
                         offset),
            "array");
    array->data = (char *)from->data + offset;
    return BL_OK;
}

static const bl_array unknown = {.rank = -1};

/* The deleters of wrapped memory. */
static void delete_unversioned(void *managed, void *data)
{
    struct DLManagedTensor *const self = managed;

    (void)data;
    if (self->deleter)
        self->deleter(self);
}

static void delete_versioned(void *managed, void *data)
{
    struct DLManagedTensorVersioned *const self = managed;

    (void)data;
    if (self->deleter)
        self->deleter(self);
}

static bl_status from_versioned(bl_context *ctx,
                                struct DLManagedTensorVersioned *managed,
                                bl_array *array, bl_tensor **out)
{
    if (!managed)
        return bli_error_null("managed");
    if (managed->major != BLI_DLPACK_MAJOR)
        return bli_fault_argument(
            bl_error_set(BL_ERR_UNSUPPORTED,
                         "managed: version %" PRIu32 ".%" PRIu32 " of DLPack, not %d.x",
                         managed->major, managed->minor, BLI_DLPACK_MAJOR),
            "managed");
    BL_TRY(describe(&managed->tensor, array));
    if (managed->flags & BLI_DLPACK_READ_ONLY)
        array->flags |= BL_ARRAY_READ_ONLY;
    return bl_tensor_wrap(ctx, array, delete_versioned, managed, out);
}

bl_status bl_tensor_from_dlpack(bl_context *ctx,
                                struct DLManagedTensorVersioned *managed,
                                bl_tensor **out)
{
    bl_array array = unknown;

    BLI_RETURN_CALL(from_versioned(ctx, managed, &array, out), "%A",
                    managed ? "array" : "managed", managed ? &array : NULL);
}

static bl_status from_unversioned(bl_context *ctx, struct DLManagedTensor *managed,
                                  bl_array *array, bl_tensor **out)
{
    if (!managed)
        return bli_error_null("managed");
    BL_TRY(describe(&managed->tensor, array));
    return bl_tensor_wrap(ctx, array, delete_unversioned, managed, out);
}

bl_status bl_tensor_from_dlpack_unversioned(bl_context *ctx,
                                            struct DLManagedTensor *managed,
                                            bl_tensor **out)
{
    bl_array array = unknown;

    BLI_RETURN_CALL(from_unversioned(ctx, managed, &array, out), "%A",
                    managed ? "array" : "managed", managed ? &array : NULL);
}

static bl_status array_from(const void *tensor, bl_array *array, bl_array *out)
{
    bl_layout layout;

    if (!tensor || !out)
        return bli_error_null(tensor ? "out" : "tensor");
    BL_TRY(describe(tensor, array));
    BL_TRY(bl_array_layout(array, &layout));
    *out = *array;
    return BL_OK;
}

bl_status bl_array_from_dlpack(const void *tensor, bl_array *out)
{
    bl_array array = unknown;

    BLI_RETURN_CALL(array_from(tensor, &array, out), "%A", tensor ? "array" : "tensor",
                    tensor ? &array : NULL);
}
