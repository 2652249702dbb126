/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bl_npy_save: writing an array to a file; bl_npy_header: what it begins with.
 */
#include <broadloom/npy.h>
#include <broadloom/shadow.h>

#include "core/error.h"
#include "io/npy_file.h"
#include "io/npy_header.h"

#include <errno.h>
#include <string.h>

/*
 * Whether a layout is contiguous in Fortran order: its reversed dimensions in C order.
 */
static bool is_fortran_order(const bl_layout *layout)
{
    int32_t turned[BL_MAX_RANK];
    bl_layout reversed;

    for (int32_t d = 0; d < layout->rank; d++)
        turned[d] = layout->rank - 1 - d;
    return bl_layout_permute(layout, turned, &reversed) == BL_OK &&
           bl_layout_is_contiguous(&reversed);
}

static bl_status describe(struct bli_npy_header *header, const bl_array *array,
                          const bl_layout *layout)
{
    if (bli_dtypes[array->dtype].npy[0] == '\0')
        return bli_fault_dtypes(bl_error_set(BL_ERR_UNSUPPORTED,
                                             "NumPy has no dtype %s",
                                             bli_dtypes[array->dtype].name),
                                "array", array->dtype, BL_DTYPE_NONE);
    header->dtype = array->dtype;
    header->is_swapped = false;
    header->is_fortran = false;
    header->rank = layout->rank;
    memcpy(header->extent, layout->extent, (size_t)layout->rank * sizeof(int64_t));
    if (!bli_npy_header_measure(header))
        return bli_fault_argument(
            bl_error_set(BL_ERR_UNSUPPORTED,
                         "NumPy has no empty arrays of such long dimensions"),
            "array");
    return BL_OK;
}

/* Write the header, then the elements, which lie in the header's order. */
static bl_status write_parts(struct bli_save *save, const struct bli_npy_header *header,
                             const void *data)
{
    char text[BLI_NPY_HEADER_MAX];
    const size_t length = bli_npy_header_write(header, text);

    BL_TRY(bli_save_write(save, text, length));
    return bli_save_write(save, data, (size_t)header->bytes);
}

/* Write the header and the elements from a copy of the array, in C order. */
static bl_status write_copy(struct bli_save *save, bl_context *ctx,
                            struct bli_npy_header *header, const bl_array *array)
{
    bl_tensor *copy;

    BL_TRY(bl_tensor_clone(ctx, array, &copy));
    header->is_fortran = false;
    const bl_status status = write_parts(save, header, bl_tensor_array(copy)->data);
    bl_tensor_release(copy);
    return status;
}

/*
 * Write a file from elements that lie in the header's order.  Read-only memory may be a
 * mapping of the same file, which writing in place would change; it is copied first.
 */
static bl_status write_file(bl_context *ctx, const char *path,
                            struct bli_npy_header *header, const bl_array *array)
{
    struct bli_save save;

    BL_TRY(bli_save_open(&save, path));
    const bool may_be_own = save.is_in_place && header->bytes > 0 &&
                            (array->flags & BL_ARRAY_READ_ONLY) != 0;
    const bl_status status = may_be_own ? write_copy(&save, ctx, header, array)
                                        : write_parts(&save, header, array->data);
    if (status == BL_OK)
        return bli_save_commit(&save);
    bli_save_abandon(&save);
    return status;
}

static bl_status write_header(bl_dtype dtype, int32_t rank, const int64_t *extent,
                              char *text, size_t *bytes)
{
    struct bli_npy_header header;
    bl_layout layout;

    if (!text || !bytes)
        return bli_error_null(text ? "bytes" : "header");
    BL_TRY(bli_dtype_check("dtype", dtype));
    BL_TRY(bl_layout_compact(rank, extent, &layout));
    BL_TRY(describe(&header, &(bl_array){.dtype = dtype}, &layout));
    *bytes = bli_npy_header_write(&header, text);
    return BL_OK;
}

bl_status bl_npy_header(bl_dtype dtype, int32_t rank, const int64_t *extent,
                        char *header, size_t *bytes)
{
    BLI_RETURN_CALL(write_header(dtype, rank, extent, header, bytes),
                    "dtype %t, extent %S", dtype, rank, extent);
}

static bl_status save(bl_context *ctx, const char *path, const bl_array *array)
{
    struct bli_npy_header header;
    bl_layout layout;
    bl_tensor *copy;

    if (!path || !array)
        return bli_error_null(path ? "array" : "path");
    BL_TRY(bli_dtype_check("array", array->dtype));
    BL_TRY(bl_array_layout(array, &layout));
    BL_TRY(describe(&header, array, &layout));
    if (header.bytes > 0 && !array->data)
        return bli_error_argument("array", "array: its data is null");

    const bool is_c_order = header.bytes == 0 || bl_layout_is_contiguous(&layout);
    header.is_fortran = !is_c_order && is_fortran_order(&layout);
    if (is_c_order || header.is_fortran)
        return write_file(ctx, path, &header, array);
    BL_TRY(bl_tensor_clone(ctx, array, &copy));
    const bl_status status = write_file(ctx, path, &header, bl_tensor_array(copy));
    bl_tensor_release(copy);
    return status;
}

bl_status bl_npy_save(bl_context *ctx, const char *path, const bl_array *array)
{
    const int saved = errno;
    const bl_status status = save(ctx, path, array);

    errno = saved;
    if (status == BL_OK)
        bl_shadow_read(BL_SHADOW_SAVE, array, NULL, 0, __builtin_return_address(0));
    BLI_RETURN_CALL(status, "path %s, %A", path, "array", array);
}
