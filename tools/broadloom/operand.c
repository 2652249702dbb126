/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parses operands.
 */
#include "operand.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse_shape.h"

/* Swap the last two dimensions in memory. */
static bl_status swap_last(const struct shape *shape, bl_layout *layout)
{
    struct shape stored = *shape;
    const int32_t rank = shape->rank;

    if (rank < 2)
        return bl_error_set(BL_ERR_FORMAT,
                            "layout T needs two dimensions, there are %d", (int)rank);
    stored.extent[rank - 1] = shape->extent[rank - 2];
    stored.extent[rank - 2] = shape->extent[rank - 1];
    TRY(bl_layout_compact(rank, stored.extent, layout));
    return bl_layout_transpose(layout, -2, -1, layout);
}

/*
 * Lay out every k-th element of a last dimension that is k times as long; `text` is
 * after the slash.
 */
static bl_status every_kth(const struct shape *shape, const char *text,
                           bl_layout *layout)
{
    struct shape wide = *shape;
    const int32_t last = shape->rank - 1;
    int64_t step;

    TRY(parse_integer("the step of a layout", text, 1, INT32_MAX, &step));
    if (last < 0)
        return bl_error_set(BL_ERR_FORMAT, "layout /%s needs a dimension", text);
    if (shape->extent[last] > INT64_MAX / step)
        return bl_error_set(BL_ERR_OVERFLOW, "layout /%s is too long for 64 bits",
                            text);
    wide.extent[last] *= step;
    TRY(bl_layout_compact(wide.rank, wide.extent, layout));
    return bl_layout_slice(layout, last, 0, BL_SLICE_END, step, layout);
}

/* Order the dimensions in memory, a digit each; `text` is after the P. */
static bl_status reorder(const struct shape *shape, const char *text, bl_layout *layout)
{
    struct shape stored = {.rank = shape->rank};
    int32_t place[10], seen = 0;

    if (strlen(text) != (size_t)shape->rank || shape->rank > 10)
        return bl_error_set(BL_ERR_FORMAT, "layout P%.40s must name %d dimensions",
                            text, (int)shape->rank);
    for (int32_t k = 0; k < shape->rank; k++) {
        const int32_t d = text[k] - '0';

        if (d < 0 || d >= shape->rank || (seen & 1 << d))
            return bl_error_set(BL_ERR_FORMAT,
                                "layout P%.40s must name each of %d dimensions once",
                                text, (int)shape->rank);
        seen |= 1 << d;
        stored.extent[k] = shape->extent[d];
        place[d] = k;
    }
    TRY(bl_layout_compact(stored.rank, stored.extent, layout));
    return bl_layout_permute(layout, place, layout);
}

/*
 * Parse strides, the B of strides in bytes, and an optional offset; `text` is after the
 * brace.
 */
static bl_status explicit_strides(const struct shape *shape, const char *text,
                                  bl_dtype dtype, bl_layout *layout)
{
    int64_t stride[BL_MAX_RANK], offset = 0;
    int32_t count, element_bytes = 0;

    TRY(list_parse(&text, '}', true, &count, stride));
    if (count != shape->rank)
        return bl_error_set(BL_ERR_FORMAT, "%d strides for %d dimensions", (int)count,
                            (int)shape->rank);
    if (*text == 'B') {
        element_bytes = (int32_t)bl_dtype_size(dtype);
        text++;
    }
    if (*text != '\0')
        TRY(parse_integer("an offset", text, INT64_MIN, INT64_MAX, &offset));
    TRY(bl_layout_strided(shape->rank, shape->extent, stride, offset, layout));
    layout->element_bytes = element_bytes;
    return BL_OK;
}

static bl_status layout_parse(const char *text, const struct shape *shape,
                              bl_dtype dtype, bl_layout *layout)
{
    if (*text == '\0')
        return bl_layout_compact(shape->rank, shape->extent, layout);
    if (strcmp(text, "T") == 0)
        return swap_last(shape, layout);
    if (*text == '/')
        return every_kth(shape, text + 1, layout);
    if (*text == 'P')
        return reorder(shape, text + 1, layout);
    if (*text == '{')
        return explicit_strides(shape, text + 1, dtype, layout);
    return bl_error_set(BL_ERR_FORMAT, "unknown layout '%.40s'", text);
}

static bl_status parse(const char *text, bl_dtype dtype, struct operand *out)
{
    const size_t length = strcspn(text, "[");
    struct shape shape;
    char name[16];

    if (text[length] == '\0')
        return bl_error_set(BL_ERR_FORMAT, "an operand is written as f32[2,3]");
    if (length > 0) {
        snprintf(name, sizeof name, "%.*s", (int)(length < 15 ? length : 15), text);
        TRY(parse_dtype(name, &dtype));
    }
    if (dtype == BL_DTYPE_NONE)
        return bl_error_set(BL_ERR_FORMAT, "it has no dtype");
    text += length + 1;
    TRY(list_parse(&text, ']', false, &shape.rank, shape.extent));
    TRY(layout_parse(text, &shape, dtype, &out->layout));
    out->dtype = dtype;
    return BL_OK;
}

bl_status operand_parse(const char *text, bl_dtype dtype, struct operand *out)
{
    struct operand operand;
    char why[300];

    if (parse(text, dtype, &operand) != BL_OK) {
        snprintf(why, sizeof why, "%s", bl_error_message());
        return bl_error_set(BL_ERR_FORMAT, "bad operand '%.200s': %s", text, why);
    }
    *out = operand;
    return BL_OK;
}

void layout_memory(const bl_layout *layout, int64_t size, int64_t *bytes,
                   int64_t *first)
{
    const int64_t unit = layout->element_bytes > 0 ? 1 : size;
    int64_t lowest, highest;

    *bytes = *first = 0;
    if (!bl_layout_span(layout, &lowest, &highest))
        return;
    *bytes = (highest - lowest) * unit + size;
    *first = (layout->offset - lowest) * unit;
}

bl_array operand_array(const struct operand *operand, void *base)
{
    return bl_layout_array(&operand->layout, operand->dtype, base);
}
