/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Validation of arrays, and conversion between arrays and layouts.
 */
#include "tensor/tensor.h"
#include "diag/warnings.h"
#include "shape/layout.h"

#include <inttypes.h>

#define SHAPE_TEXT 512

bl_array bl_layout_array(const bl_layout *layout, bl_dtype dtype, void *base)
{
    static const bl_array refused = {.dtype = BL_DTYPE_NONE};

    const int64_t size = (int64_t)bl_dtype_size(dtype);

    if (!layout || (layout->element_bytes != 0 && layout->element_bytes != size))
        return refused;

    int64_t bytes;
    const bool fits =
        bli_mul_i64(layout->offset, size / bli_layout_unit(layout), &bytes);
    const bl_array array = {
        .data = base && fits ? (char *)base + bytes : NULL,
        .dtype = dtype,
        .rank = layout->rank,
        .extent = layout->extent,
        .stride = layout->stride,
        .flags = layout->element_bytes != 0 ? BL_ARRAY_BYTE_STRIDES : 0,
    };

    return array;
}

static bl_status array_layout(const bl_array *array, bl_layout *out)
{
    BL_TRY(bli_array_check(array, "array", false));
    if (!out)
        return bli_error_null("out");
    return bli_layout_make(array->rank, array->extent, array->stride, 0,
                           bli_array_element_bytes(array), out);
}

void bli_array_steps(const bl_array *array, int64_t *step)
{
    const uint64_t unit = (uint64_t)bli_array_unit(array);
    uint64_t compact = (uint64_t)bli_dtypes[array->dtype].size;

    if (array->stride) {
        for (int32_t d = 0; d < array->rank; d++)
            step[d] = (int64_t)((uint64_t)array->stride[d] * unit);
        return;
    }
    for (int32_t d = array->rank - 1; d >= 0; d--) {
        step[d] = (int64_t)compact;
        compact *= (uint64_t)array->extent[d];
    }
}

bool bli_arrays_may_meet(const bl_array *a, const int64_t *a_step, const bl_array *b,
                         const int64_t *b_step)
{
    intptr_t below =
        (intptr_t)a->data - (intptr_t)b->data; /* from b's last to a's first */
    intptr_t above = -below;                   /* from a's last to b's first */

    for (int32_t d = 0; d < a->rank; d++) {
        const intptr_t reach = a->extent[d] == 1 ? 0 : a_step[d] * (a->extent[d] - 1);

        *(reach < 0 ? &below : &above) -= reach < 0 ? -reach : reach;
    }
    for (int32_t d = 0; d < b->rank; d++) {
        const intptr_t reach = b->extent[d] == 1 ? 0 : b_step[d] * (b->extent[d] - 1);

        *(reach < 0 ? &above : &below) -= reach < 0 ? -reach : reach;
    }
    return below < bli_dtypes[b->dtype].size && above < bli_dtypes[a->dtype].size;
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
    const bool counts_bytes = array->flags & BL_ARRAY_BYTE_STRIDES;
    int64_t total = 1;
    bool even = !counts_bytes || !stride;
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
 * Compute the bytes from the lowest address of an element to the end of the highest;
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
           bli_mul_i64(*span, bli_array_unit(array), span) &&
           bli_add_i64(*span, bli_dtypes[array->dtype].size, span);
}

bool bli_has_unaligned_bytes(const bl_array *array)
{
    if (!bli_dtype_is_valid(array->dtype))
        return false;

    const int32_t align = bli_dtypes[array->dtype].align;
    bool is_aligned = ((uintptr_t)array->data & (uintptr_t)(align - 1)) == 0;

    for (int32_t d = 0; array->extent && array->stride && d < array->rank; d++)
        is_aligned =
            is_aligned && (array->extent[d] <= 1 || array->stride[d] % align == 0);
    return !is_aligned;
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
    int64_t span = 0;

    if (compact ? count > PTRDIFF_MAX / dtype->size
                : !span_of(array, &span) || span > PTRDIFF_MAX)
        return compact ? fail_too_large(array, name, "extents", array->extent)
                       : fail_too_large(array, name, "strides", array->stride);
    if (!needs_data || count == 0)
        return BL_OK;
    if (!array->data)
        return bli_error_argument(name, "%s: data is null", name);
    if ((uintptr_t)array->data & (uintptr_t)(dtype->align - 1) &&
        !(array->flags & BL_ARRAY_BYTE_STRIDES))
        return bli_error_argument(name, "%s: data is not aligned to %" PRId32 " bytes",
                                  name, dtype->align);
    return BL_OK;
}

struct bli_bytes bli_array_bytes(const bl_array *array)
{
    const int64_t size = bli_dtypes[array->dtype].size;
    struct bli_bytes span = {(uintptr_t)array->data, (uintptr_t)array->data, true};
    int64_t step[BL_MAX_RANK], count = 0;

    (void)bli_shape_numel(array->rank, array->extent, &count);
    if (count == 0 || (array->flags & BL_ARRAY_SCALAR))
        return (struct bli_bytes){0, 0, false};
    bli_array_steps(array, step);
    span.end += (uintptr_t)size;
    for (int32_t d = 0; d < array->rank; d++) {
        const int64_t reach = step[d] * (array->extent[d] - 1);

        *(reach < 0 ? &span.begin : &span.end) += (uintptr_t)reach;
    }
    span.is_dense = span.end - span.begin == (uintptr_t)(count * size);
    return span;
}

void bli_array_read_marked(bl_shadow_how how, const bl_array *array,
                           const void *address)
{
    const struct bli_bytes bytes = bli_array_bytes(array);
    const struct bli_call_site at = bli_call_site_here(address);

    bli_shadow_read(how, &bytes, &at);
}
