/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands of two dims in memory of their own, in one of some layouts.
 */
#ifndef TESTS_LAYOUTS_H
#define TESTS_LAYOUTS_H

#include <broadloom.h>

enum layout {
    ROWS,
    COLUMNS,
    BACKWARDS,
    EVERY_THIRD,
    ONE_ROW,    /* that all rows are */
    ONE_COLUMN, /* that all columns are */
    ONE,        /* element that all are */
    LAYOUTS
};

extern const char *const layout_names[LAYOUTS];

struct layout_operand {
    char
        *memory; /* of malloc, with some elements before the first and after the last */
    size_t bytes;
    int64_t extent[2];
    int64_t stride[2];
    bl_array array;
};

/* Memory for an operand, not filled; the array points into `o`. */
void layout_make(struct layout_operand *o, bl_dtype dtype, enum layout layout,
                 int64_t rows, int64_t columns);

/* The element that a result of all rows and columns meets there. */
char *layout_at(const struct layout_operand *o, int64_t row, int64_t column);

#endif
