/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Validation of arrays, and conversion between arrays and layouts.
 */
#include "tensor/tensor.h"

#include <inttypes.h>

#define SHAPE_TEXT 512

bl_array bl_layout_array(const bl_layout *layout, bl_dtype dtype, void *base)
{
    static const bl_array refused = {.dtype = BL_DTYPE_NONE};

    if (!layout)
        return refused;

    int64_t bytes;
    const bool fits =
        bli_mul_i64(layout->offset, (int64_t)bl_dtype_size(dtype), &bytes);
    const bl_array array = {
        .data = base && fits ? (char *)base + bytes : NULL,
        .dtype = dtype,
        .rank = layout->rank,
        .extent = layout->extent,
        .stride = layout->stride,
    };

    return array;
}

static bl_status array_layout(const bl_array *array, bl_layout *out)
{
    BL_TRY(bli_array_check(array, "array", false));
    if (!out)
        return bli_error_null("out");
    return bl_layout_strided(array->rank, array->extent, array->stride, 0, out);
}

bl_status bl_array_layout(const bl_array *array, bl_layout *out)
{
    BLI_RETURN_CALL(array_layout(array, out), "%A", "array", array);
}

/*
 * Set the error for an array whose extents or strides (`what`) are too large; `number`
 * is their values.
 */
static bl_status fail_too_large(const bl_array *array, const char *name,
                                const char *what, const int64_t *number)
{
    char buffer[SHAPE_TEXT];
    struct bli_text text;

    bli_text_open(&text, buffer, sizeof buffer);
    bli_text_extents(&text, "[", ", ", "]", array->rank, number);
    return bli_fault_argument(
        bl_error_set(BL_ERR_OVERFLOW,
                     "%s: elements of %s with %s %s do not fit in memory", name,
                     bli_dtypes[array->dtype].name, what, buffer),
        name);
}

/*
 * Multiply *count by extent, neither negative; false on overflow.  Nearly all extents
 * are below 2^31, where no check is needed: every call runs this.
 */
static inline bool multiply(int64_t *count, int64_t extent)
{
    if (((*count | extent) >> 31) == 0) {
        *count *= extent;
        return true;
    }
    return bli_mul_i64(*count, extent, count);
}

/*
 * Check the extents, and compute the numel and whether the strides are those of a
 * compact array.  Strides of empty arrays, which access nothing, count as compact.
 */
static bl_status check_extents(const bl_array *array, const char *name, int64_t *count,
                               bool *compact)
{
    const int64_t *const stride = array->stride;
    int64_t total = 1;
    bool even = true;
    bool fits = true;

    for (int32_t d = array->rank - 1; d >= 0; d--) {
        const int64_t extent = array->extent[d];

        if (extent < 0)
            return bli_error_argument(
                name, "%s: extent %" PRId64 " of dimension %" PRId32 " is negative",
                name, extent, d);
        even = even && (!stride || stride[d] == total || extent == 1);
        fits = multiply(&total, extent) && fits;
    }
    if (!fits && total != 0)
        return fail_too_large(array, name, "extents", array->extent);
    *count = total;
    *compact = even || total == 0;
    return BL_OK;
}

/*
 * Compute the distance in elements from the lowest to the highest address, plus one;
 * false on overflow.
 */
static bool span_of(const bl_array *array, int64_t *span)
{
    int64_t lowest = 0;
    int64_t highest = 0;
    int64_t negated;

    for (int32_t d = 0; d < array->rank; d++) {
        int64_t *const end = array->stride[d] < 0 ? &lowest : &highest;
        int64_t reach;

        if (array->extent[d] == 1)
            continue;
        if (!bli_mul_i64(array->extent[d] - 1, array->stride[d], &reach) ||
            !bli_add_i64(*end, reach, end))
            return false;
    }
    return bli_mul_i64(lowest, -1, &negated) && bli_add_i64(highest, negated, span) &&
           bli_add_i64(*span, 1, span);
}

bl_status bli_array_check(const bl_array *array, const char *name, bool needs_data)
{
    int64_t count = 0;
    bool compact = true;

    if (!array)
        return bli_error_argument(name, "%s: array is null", name);
    if (!bli_dtype_is_valid(array->dtype))
        return bli_error_argument(name, "%s: %d is no dtype", name, (int)array->dtype);
    if (array->rank < 0 || array->rank > BL_MAX_RANK)
        return bli_error_argument(name, "%s: rank %" PRId32 " is not within 0 to %d",
                                  name, array->rank, BL_MAX_RANK);
    if (array->rank > 0 && !array->extent)
        return bli_error_argument(name, "%s: extent is null", name);
    if (array->flags & ~BLI_ARRAY_FLAGS)
        return bli_error_argument(name, "%s: unknown flags 0x%" PRIx32, name,
                                  array->flags & ~BLI_ARRAY_FLAGS);
    if ((array->flags & BL_ARRAY_SCALAR) && array->rank != 0)
        return bli_error_argument(
            name, "%s: a scalar has no dimensions, this has rank %" PRId32, name,
            array->rank);
    BL_TRY(check_extents(array, name, &count, &compact));

    const struct bli_dtype *const dtype = &bli_dtypes[array->dtype];
    int64_t span = count;

    if ((!compact && !span_of(array, &span)) || span > PTRDIFF_MAX / dtype->size)
        return compact ? fail_too_large(array, name, "extents", array->extent)
                       : fail_too_large(array, name, "strides", array->stride);
    if (!needs_data || count == 0)
        return BL_OK;
    if (!array->data)
        return bli_error_argument(name, "%s: data is null", name);
    if ((uintptr_t)array->data & (uintptr_t)(dtype->align - 1))
        return bli_error_argument(name, "%s: data is not aligned to %" PRId32 " bytes",
                                  name, dtype->align);
    return BL_OK;
}
