/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The notation of shapes in the tables of tests: "(2,3)", "(3)", "()".
 */
#ifndef TESTS_SHAPES_H
#define TESTS_SHAPES_H

#include <broadloom.h>

struct shape {
    int32_t rank;
    int64_t extent[BL_MAX_RANK];
};

/* Size of a buffer for a shape of small extents as text. */
#define SHAPE_TEXT 256

/*
 * Read a shape, or any list of integers, at the start of `text`; `*end` is set to what
 * follows unless `end` is NULL. Rank -1 if there is none.
 */
struct shape shape_read(const char *text, const char **end);

/* Write a shape as text into `buffer`, which is returned. */
const char *shape_write(char buffer[SHAPE_TEXT], int32_t rank, const int64_t *extent);

bool shape_equal(const struct shape *shape, int32_t rank, const int64_t *extent);

/* The shape in the library's type; borrows `shape`. */
bl_shape shape_borrow(const struct shape *shape);

/*
 * Get shape `number` (from 0) of at most `rank` dimensions with extents 0 to `largest`;
 * false past the last one.
 */
bool shape_numbered(int64_t number, int32_t rank, int64_t largest, struct shape *shape);

#endif
