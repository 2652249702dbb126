/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays as human-readable text: their elements in nested brackets, and their notation.
 */
#include "tensor/tensor.h"
#include "diag/diag.h"

#include <inttypes.h>
#include <string.h>

/* Room for a dtype, 64 extents and 64 strides of up to 20 characters each. */
#define NOTATION 2800

struct printer {
    bl_write_function write; /* NULL: only measure the width of elements */
    void *user;
    bl_dtype dtype;
    int64_t unit; /* bytes that the layout's strides count */
    int64_t edge; /* items at each end of a long dimension; 0: all */
    int width;    /* elements are padded to it */
    bl_layout layout;
};

static bool put(const struct printer *printer, const char *text, int length)
{
    return !printer->write || length == 0 ||
           printer->write(printer->user, text, (size_t)length);
}

/* Print a character `count` times. */
static bool repeat(const struct printer *printer, char character, int count)
{
    char text[BLI_ELEMENT_TEXT];

    memset(text, character, sizeof text);
    return put(printer, text, count);
}

static bool print_element(struct printer *printer, const char *element)
{
    char text[BLI_ELEMENT_TEXT];
    _Alignas(16) char aligned[16];
    int length;

    memcpy(aligned, element, (size_t)bli_dtypes[printer->dtype].size);
    length = bli_element_text(text, printer->dtype, aligned);

    if (!printer->write && length > printer->width)
        printer->width = length;
    return repeat(printer, ' ', printer->width - length) && put(printer, text, length);
}

/*
 * Print the separator between two items along axis `d`: rows are on separate lines,
 * planes are separated by an empty line.
 */
static bool separate(const struct printer *printer, int32_t d)
{
    const int32_t inner = printer->layout.rank - 1 - d;

    if (inner == 0)
        return put(printer, ", ", 2);
    return put(printer, ",", 1) && repeat(printer, '\n', inner) &&
           repeat(printer, ' ', d + 1);
}

/*
 * Print the elements along axis `d` and inside it, starting at address `at`.
 * Recursive, at most BL_MAX_RANK deep.
 */
static bool print_dimension(struct printer *printer, int32_t d, const char *at)
{
    const bl_layout *const layout = &printer->layout;

    if (d == layout->rank)
        return print_element(printer, at);

    const int64_t extent = layout->extent[d];
    const bool elided = printer->edge > 0 && (extent - 1) / 2 >= printer->edge;
    int64_t i = 0;

    if (!put(printer, "[", 1))
        return false;
    while (i < extent) {
        if (i > 0 && !separate(printer, d))
            return false;
        if (elided && i == printer->edge) {
            if (!put(printer, "...", 3))
                return false;
            i = extent - printer->edge;
            continue;
        }
        if (!print_dimension(printer, d + 1,
                             at + i * layout->stride[d] * printer->unit))
            return false;
        i++;
    }
    return put(printer, "]", 1);
}

static bl_status format(const bl_array *array, int64_t edge, bl_write_function write,
                        void *user)
{
    struct printer printer = {.user = user, .edge = edge};

    BL_TRY(bli_array_check(array, "array", true));
    if (!write)
        return bli_error_null("write");
    if (edge < 0)
        return bli_error_argument("edge", "edge is negative: %" PRId64, edge);
    BL_TRY(bl_array_layout(array, &printer.layout));
    printer.dtype = array->dtype;
    printer.unit = printer.layout.element_bytes > 0 ? 1 : bli_dtypes[array->dtype].size;

    bool written;

    if (bl_layout_numel(&printer.layout) == 0) {
        written = write(user, "[]", 2);
    } else {
        (void)print_dimension(&printer, 0, array->data);
        printer.write = write;
        written = print_dimension(&printer, 0, array->data);
    }
    return written ? BL_OK : bl_error_set(BL_ERR_IO, "the writer stopped");
}

bl_status bl_array_format(const bl_array *array, int64_t edge, bl_write_function write,
                          void *user)
{
    const bl_status status = format(array, edge, write, user);

    if (status == BL_OK)
        bli_array_read(BL_SHADOW_ITEM, array, BLI_RETURN_ADDRESS);
    BLI_RETURN_CALL(status, "%A, edge %l", "array", array, edge);
}

static bl_status describe(const bl_array *array, bl_write_function write, void *user)
{
    char buffer[NOTATION];
    struct bli_text text;
    bl_layout layout;

    BL_TRY(bl_array_layout(array, &layout));
    if (!write)
        return bli_error_null("write");
    bli_text_open(&text, buffer, sizeof buffer);
    bli_text_add(&text, "%s", bli_dtypes[array->dtype].name);
    bli_text_extents(&text, "[", ",", "]", layout.rank, layout.extent);
    if (!bl_layout_is_contiguous(&layout))
        bli_text_extents(&text, "{", ",", layout.element_bytes > 0 ? "}B" : "}",
                         layout.rank, layout.stride);
    if (!write(user, buffer, (size_t)(text.at - buffer)))
        return bl_error_set(BL_ERR_IO, "the writer stopped");
    return BL_OK;
}

bl_status bl_array_describe(const bl_array *array, bl_write_function write, void *user)
{
    BLI_RETURN_CALL(describe(array, write, user), "%A", "array", array);
}
