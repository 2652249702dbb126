/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory given and taken by DLPack: what the structs say of each dtype and layout.
 */
#include <broadloom.h>
#include <broadloom/dlpack.h>

#include <string.h>

#include "core/core.h"
#include "harness/npy_tools.h"
#include "harness/tap.h"
#include "io/dlpack.h"

static const int64_t extent[] = {2, 3};

/* The dtypes as the specification's table of codes and bits has them. */
static const struct {
    bl_dtype dtype;
    uint8_t code, bits;
} dtypes[] = {
    {BL_DTYPE_BOOL, 6, 8},  {BL_DTYPE_U8, 1, 8},   {BL_DTYPE_I8, 0, 8},
    {BL_DTYPE_U16, 1, 16},  {BL_DTYPE_I16, 0, 16}, {BL_DTYPE_U32, 1, 32},
    {BL_DTYPE_I32, 0, 32},  {BL_DTYPE_U64, 1, 64}, {BL_DTYPE_I64, 0, 64},
    {BL_DTYPE_F16, 2, 16},  {BL_DTYPE_F32, 2, 32}, {BL_DTYPE_F64, 2, 64},
    {BL_DTYPE_BF16, 4, 16}, {BL_DTYPE_C64, 5, 64}, {BL_DTYPE_C128, 5, 128},
};
enum { DTYPES = sizeof dtypes / sizeof dtypes[0] };

static bl_tensor *new_tensor(bl_context *ctx, bl_dtype dtype)
{
    bl_tensor *tensor = NULL;

    if (bl_tensor_zeros(ctx, dtype, 2, extent, &tensor) != BL_OK)
        tap_note("%s", bl_error_message());
    return tensor;
}

typedef bl_status make_view(bl_tensor *tensor, bl_tensor **view);

/* Replace a tensor by a view of it. */
static bool replace(make_view *make, bl_tensor **tensor)
{
    bl_tensor *view;

    if (make(*tensor, &view) != BL_OK)
        return false;
    bl_tensor_release(*tensor);
    *tensor = view;
    return true;
}

/* ---- there and back ---- */

static void check_dtypes(void)
{
    for (int32_t k = 0; k < DTYPES; k++) {
        bl_tensor *const tensor = new_tensor(NULL, dtypes[k].dtype);
        struct DLManagedTensorVersioned *versioned = NULL;
        struct DLManagedTensor *unversioned = NULL;
        bl_tensor *back[2] = {NULL, NULL};
        bool same =
            bl_tensor_to_dlpack(NULL, tensor, 0, &versioned) == BL_OK &&
            bl_tensor_to_dlpack_unversioned(NULL, tensor, 0, &unversioned) == BL_OK &&
            versioned->tensor.dtype.code == dtypes[k].code &&
            versioned->tensor.dtype.bits == dtypes[k].bits &&
            versioned->tensor.dtype.lanes == 1 &&
            memcmp(&versioned->tensor.dtype, &unversioned->tensor.dtype,
                   sizeof versioned->tensor.dtype) == 0 &&
            bl_tensor_from_dlpack(NULL, versioned, &back[0]) == BL_OK &&
            bl_tensor_from_dlpack_unversioned(NULL, unversioned, &back[1]) == BL_OK;

        for (int32_t i = 0; i < 2; i++) {
            same = same && bl_tensor_dtype(back[i]) == dtypes[k].dtype &&
                   bl_tensor_data(back[i]) == bl_tensor_data(tensor) &&
                   bl_tensor_mutable_data(back[i]);
            bl_tensor_release(back[i]);
        }
        tap_ok(same, "%s there and back, one memory", bl_dtype_name(dtypes[k].dtype));
        bl_tensor_release(tensor);
    }
    tap_ok(DTYPES == BLI_DTYPES - 1, "every dtype has a row");
}

struct view {
    const char *what;
    make_view *make;
    int32_t rank;
    int64_t extent[3], stride[3];
    bool is_read_only;
};

static bl_status whole(bl_tensor *tensor, bl_tensor **view)
{
    *view = bl_tensor_retain(tensor);
    return BL_OK;
}
static bl_status turned(bl_tensor *tensor, bl_tensor **view)
{
    return bl_tensor_transpose(tensor, 0, 1, view);
}
static bl_status flipped(bl_tensor *tensor, bl_tensor **view)
{
    return bl_tensor_flip(tensor, 1, view);
}
static bl_status every_other(bl_tensor *tensor, bl_tensor **view)
{
    return bl_tensor_slice(tensor, 1, 0, 3, 2, view);
}
static bl_status repeated(bl_tensor *tensor, bl_tensor **view)
{
    return bl_tensor_expand(tensor, 3, (const int64_t[]){4, 2, 3}, view);
}
static bl_status repeated_nothing(bl_tensor *tensor, bl_tensor **view)
{
    bl_tensor *none = NULL;

    if (bl_tensor_narrow(tensor, 1, 1, 0, &none) != BL_OK)
        return BL_ERR_SHAPE;
    const bl_status status =
        bl_tensor_expand(none, 3, (const int64_t[]){4, 2, 0}, view);
    bl_tensor_release(none);
    return status;
}
static bl_status element(bl_tensor *tensor, bl_tensor **view)
{
    bl_tensor *row;

    if (bl_tensor_select(tensor, 0, 1, &row) != BL_OK)
        return BL_ERR_SHAPE;
    const bl_status status = bl_tensor_select(row, 0, 2, view);
    bl_tensor_release(row);
    return status;
}

static const struct view views[] = {
    {"a matrix", whole, 2, {2, 3}, {3, 1}, false},
    {"a transposed one", turned, 2, {3, 2}, {1, 3}, false},
    {"a negative stride", flipped, 2, {2, 3}, {3, -1}, false},
    {"every other column", every_other, 2, {2, 2}, {3, 2}, false},
    {"a stride of 0", repeated, 3, {4, 2, 3}, {0, 3, 1}, true},
    {"a stride of 0 without elements",
     repeated_nothing,
     3,
     {4, 2, 0},
     {0, 3, 1},
     false},
    {"0-d", element, 0, {0}, {0}, false},
};

/* Whether what is given describes a view: its shape, strides and memory. */
static bool says(const struct bli_dlpack *given, const struct view *view,
                 const bl_tensor *tensor)
{
    const bool has_elements = bl_tensor_numel(tensor) > 0;
    const void *const data = has_elements ? bl_tensor_data(tensor) : NULL;

    return given->ndim == view->rank && given->shape && given->strides &&
           memcmp(given->shape, view->extent, (size_t)view->rank * 8) == 0 &&
           (!has_elements ||
            memcmp(given->strides, view->stride, (size_t)view->rank * 8) == 0) &&
           given->device_type == 1 && given->device_id == 0 &&
           given->byte_offset == 0 && given->data == data;
}

static void check_view(const struct view *view)
{
    struct meter meter;
    bl_context *const ctx = meter_context(&meter);
    bl_tensor *tensor = new_tensor(ctx, BL_DTYPE_F32);
    bl_tensor *back = NULL;
    struct DLManagedTensorVersioned *versioned = NULL;
    struct DLManagedTensor *unversioned = NULL;

    if (!tap_ok(replace(view->make, &tensor) &&
                    bl_tensor_to_dlpack(ctx, tensor, 0, &versioned) == BL_OK &&
                    says(&versioned->tensor, view, tensor),
                "%s is described", view->what))
        return;
    tap_ok(versioned->major == 1 && versioned->minor == 0 &&
               versioned->flags == (view->is_read_only ? BLI_DLPACK_READ_ONLY : 0),
           "%s: version 1.0, and whether it is read-only", view->what);

    tap_ok(bl_tensor_to_dlpack_unversioned(ctx, tensor, 0, &unversioned) == BL_OK &&
               says(&unversioned->tensor, view, tensor),
           "%s without a version", view->what);
    unversioned->deleter(unversioned);

    /* The tensor lives as long as what was given, and that as long as what was made. */
    bl_tensor_release(tensor);
    tap_ok(bl_tensor_from_dlpack(ctx, versioned, &back) == BL_OK && meter.held > 0 &&
               (bl_tensor_array(back)->flags == BL_ARRAY_READ_ONLY) ==
                   view->is_read_only,
           "%s is taken", view->what);
    bl_tensor_release(back);
    tap_ok(meter.held == 0, "%s: all memory is given back", view->what);
    bl_context_destroy(ctx);
}

static void check_copies(void)
{
    bl_tensor *tensor = new_tensor(NULL, BL_DTYPE_F32);
    struct DLManagedTensorVersioned *versioned = NULL;
    struct DLManagedTensor *unversioned = NULL;

    tap_ok(replace(repeated, &tensor) &&
               bl_tensor_to_dlpack(NULL, tensor, BL_DLPACK_COPY, &versioned) == BL_OK &&
               versioned->flags == BLI_DLPACK_IS_COPIED &&
               versioned->tensor.data != bl_tensor_data(tensor) &&
               versioned->tensor.strides[0] == 6,
           "a copy of repeated elements may be written, and is flagged as a copy");
    versioned->deleter(versioned);
    tap_ok(bl_tensor_to_dlpack_unversioned(NULL, tensor, BL_DLPACK_COPY,
                                           &unversioned) == BL_OK &&
               unversioned->tensor.data != bl_tensor_data(tensor),
           "a copy of repeated elements without a version");
    unversioned->deleter(unversioned);
    bl_tensor_release(tensor);
}

/* Strides in bytes become those in elements, or are refused. */
static void check_byte_strides(void)
{
    struct {
        double first, second;
    } pairs[4] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}};
    static char packed[40];
    const int64_t count = 4, step = 16, odd = 9;
    const bl_array second = {&pairs[0].second, BL_DTYPE_F64, 1,
                             &count,           &step,        BL_ARRAY_BYTE_STRIDES};
    const bl_array crooked = {packed, BL_DTYPE_F64, 1,
                              &count, &odd,         BL_ARRAY_BYTE_STRIDES};
    struct DLManagedTensorVersioned *managed = NULL;
    bl_tensor *tensor = NULL;

    tap_ok(bl_tensor_wrap(NULL, &second, NULL, NULL, &tensor) == BL_OK &&
               bl_tensor_to_dlpack(NULL, tensor, 0, &managed) == BL_OK &&
               managed->tensor.strides[0] == 2 &&
               managed->tensor.data == &pairs[0].second,
           "strides in bytes become strides in elements");
    managed->deleter(managed);
    bl_tensor_release(tensor);

    managed = NULL;
    tap_ok(bl_tensor_wrap(NULL, &crooked, NULL, NULL, &tensor) == BL_OK &&
               bl_tensor_to_dlpack(NULL, tensor, 0, &managed) == BL_ERR_UNSUPPORTED &&
               !managed,
           "a stride of 9 bytes is refused: %s", bl_error_message());
    tap_ok(bl_tensor_to_dlpack(NULL, tensor, BL_DLPACK_COPY, &managed) == BL_OK &&
               managed->tensor.strides[0] == 1,
           "and is copied");
    managed->deleter(managed);
    bl_tensor_release(tensor);
}

int main(void)
{
    tap_plan();
    check_dtypes();
    for (size_t k = 0; k < sizeof views / sizeof views[0]; k++)
        check_view(&views[k]);
    check_copies();
    check_byte_strides();
    return tap_done();
}
