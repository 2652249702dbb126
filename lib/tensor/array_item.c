/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading and writing a single element of an array.
 */
#include "tensor/tensor.h"
#include "diag/diag.h"

#include <inttypes.h>
#include <string.h>

/*
 * Check the array and the arguments, and compute the address of the element at `index`.
 */
static bl_status find_element(const bl_array *array, const int64_t *index,
                              const void *value, char **element)
{
    int64_t offset = 0, step[BL_MAX_RANK];

    BL_TRY(bli_array_check(array, "array", true));
    if (!value)
        return bli_error_null("value");
    if (array->rank > 0 && !index)
        return bli_error_null("index");
    bli_array_steps(array, step);
    for (int32_t d = array->rank - 1; d >= 0; d--) {
        const int64_t extent = array->extent[d];
        const int64_t at = index[d] < 0 ? index[d] + extent : index[d];

        if (at < 0 || at >= extent)
            return bli_fault_axis(
                bl_error_set(BL_ERR_ARGUMENT,
                             "index %" PRId64 " is out of bounds for dimension %" PRId32
                             " with size %" PRId64,
                             index[d], d, extent),
                "index", d, extent);
        offset += at == 0 ? 0 : at * step[d];
    }
    *element = (char *)array->data + offset;
    return BL_OK;
}

static bl_status get(const bl_array *array, const int64_t *index, void *value)
{
    char *element;

    BL_TRY(find_element(array, index, value, &element));
    memcpy(value, element, (size_t)bli_dtypes[array->dtype].size);
    return BL_OK;
}

static bl_status set(const bl_array *array, const int64_t *index, const void *value)
{
    char *element;

    BL_TRY(find_element(array, index, value, &element));
    if (array->flags & BL_ARRAY_READ_ONLY)
        return bli_error_argument("array", "array is read-only");
    memcpy(element, value, (size_t)bli_dtypes[array->dtype].size);
    return BL_OK;
}

/* Count the read of an element, which `get` found. */
static void read_item(const bl_array *array, const int64_t *index, const void *value,
                      const void *address)
{
    static const int64_t none[1];
    bl_array item = *array;
    char *element;

    if (!bli_shadow_has_marks() || find_element(array, index, value, &element) != BL_OK)
        return;
    item.data = element;
    item.rank = 0;
    item.extent = item.stride = none;
    item.flags = 0;
    bli_array_read(BL_SHADOW_ITEM, &item, address);
}

bl_status bl_array_get(const bl_array *array, const int64_t *index, void *value)
{
    const bl_status status = get(array, index, value);

    if (status == BL_OK)
        read_item(array, index, value, BLI_RETURN_ADDRESS);
    BLI_RETURN_CALL(status, "%A, index %S", "array", array,
                    array ? (int)array->rank : 0, index);
}

bl_status bl_array_set(const bl_array *array, const int64_t *index, const void *value)
{
    BLI_RETURN_CALL(set(array, index, value), "%A, index %S", "array", array,
                    array ? (int)array->rank : 0, index);
}
