/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cells of the comparison: pairs of operator and dtype, each in several shapes.
 */
#ifndef BENCH_PAIR_CELLS_H
#define BENCH_PAIR_CELLS_H

#include <stdbool.h>
#include <stdint.h>

/* An operator and the dtype of its inputs; "f32-f64": a copy of f32 into f64. */
struct pair {
    const char *op;
    const char *dtype;
    int32_t arrays; /* so many inputs are arrays, those after them scalars */
};

enum shape_kind {
    SHAPE_SAME,   /* all arrays have the shape of the result */
    SHAPE_FIRST,  /* the first input is a scalar */
    SHAPE_LAST,   /* the last array is a scalar */
    SHAPE_COLUMN, /* the last array has one element for each row */
    SHAPE_STRIDE, /* the first input has every second element of its memory */
    SHAPE_LARGE   /* all arrays together have LARGE_BYTES, on several threads */
};

/* Rows of a shape of several are 8 elements apart. */
struct shape {
    const char *name;
    enum shape_kind kind;
    int64_t length; /* elements of a row */
    int64_t rows;
};

enum { SHAPES = 13, MAX_CELLS = 100 * SHAPES, LARGE_BYTES = 128 << 20, PITCH = 8 };

extern const struct pair pairs[];
extern const int pair_count;
extern const struct shape shapes[SHAPES];

/* Cell k is pair k / SHAPES in shape k % SHAPES, if the pair has arrays enough. */
bool cell_exists(int cell);

#endif
