/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes as the tables of tests write them: "(2,3)", "(3)", "()".
 */
#ifndef TESTS_SHAPES_H
#define TESTS_SHAPES_H

#include <broadloom.h>

struct shape {
    int32_t rank;
    int64_t extent[BL_MAX_RANK];
};

/* Room for a shape of small extents as text. */
#define SHAPE_TEXT 256

/*
 * The shape, or any list of numbers, at the start of `text`; `*end` is behind it where
 * `end` is not NULL.  Rank -1 where there is none.
 */
struct shape shape_read(const char *text, const char **end);

/* The text of a shape, in `buffer`, which is returned. */
const char *shape_write(char buffer[SHAPE_TEXT], int32_t rank, const int64_t *extent);

bool shape_equal(const struct shape *shape, int32_t rank, const int64_t *extent);

/* The shape as the library takes it; borrows `shape`. */
bl_shape shape_borrow(const struct shape *shape);

/*
 * The number-th shape of at most `rank` dimensions with extents 0 to `largest`, from 0;
 * false past the last one.
 */
bool shape_numbered(int64_t number, int32_t rank, int64_t largest, struct shape *shape);

#endif
