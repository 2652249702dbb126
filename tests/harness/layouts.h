/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two-dimensional operands with their own memory, in one of several layouts.
 */
#ifndef TESTS_LAYOUTS_H
#define TESTS_LAYOUTS_H

#include <broadloom.h>

enum layout {
    ROWS,
    COLUMNS,
    BACKWARDS,
    EVERY_THIRD,
    ONE_ROW,    /* broadcast to all rows */
    ONE_COLUMN, /* broadcast to all columns */
    ONE,        /* broadcast to all elements */
    LAYOUTS
};

extern const char *const layout_names[LAYOUTS];

struct layout_operand {
    char *memory; /* from malloc(), with padding before the first and after the last
                     element */
    size_t bytes;
    int64_t size; /* of an element, in bytes */
    int64_t extent[2];
    int64_t stride[2];
    bl_array array;
};

/* Allocate memory for an operand, uninitialised; the array points into `o`. */
void layout_make(struct layout_operand *o, bl_dtype dtype, enum layout layout,
                 int64_t rows, int64_t columns);

/* Address of the operand's element at a row and column of the broadcast shape. */
char *layout_at(const struct layout_operand *o, int64_t row, int64_t column);

#endif
