/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two-dimensional operands in several layouts.
 */
#include "layouts.h"

#include <stdlib.h>
#include <string.h>

enum { PAD = 16 };

const char *const layout_names[LAYOUTS] = {
    "rows", "columns", "backwards", "every third", "a row", "a column", "one element"};

void layout_make(struct layout_operand *o, bl_dtype dtype, enum layout layout,
                 int64_t rows, int64_t columns)
{
    const int64_t strides[LAYOUTS][2] = {
        [ROWS] = {columns, 1},
        [COLUMNS] = {1, rows},
        [BACKWARDS] = {-columns, -1},
        [EVERY_THIRD] = {3 * columns, 3},
        [ONE_ROW] = {0, 1},
        [ONE_COLUMN] = {1, 0},
        [ONE] = {0, 0},
    };
    const int64_t size = (int64_t)bl_dtype_size(dtype);
    const int64_t first = layout == BACKWARDS ? rows * columns - 1 : 0;

    o->size = size;
    o->extent[0] = layout == ONE_ROW || layout == ONE ? 1 : rows;
    o->extent[1] = layout == ONE_COLUMN || layout == ONE ? 1 : columns;
    o->bytes = (size_t)(((layout == EVERY_THIRD ? 3 : 1) * o->extent[0] * o->extent[1] +
                         2 * PAD) *
                        size);
    o->memory = malloc(o->bytes);
    memcpy(o->stride, strides[layout], sizeof o->stride);
    o->array = (bl_array){.data = o->memory + (PAD + first) * size,
                          .dtype = dtype,
                          .rank = 2,
                          .extent = o->extent,
                          .stride = o->stride};
}

char *layout_at(const struct layout_operand *o, int64_t row, int64_t column)
{
    const int64_t elements = (o->extent[0] == 1 ? 0 : row * o->stride[0]) +
                             (o->extent[1] == 1 ? 0 : column * o->stride[1]);

    return (char *)o->array.data + elements * o->size;
}
