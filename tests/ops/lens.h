/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of a block of memory that hold their own extents and strides.
 */
#ifndef TESTS_LENS_H
#define TESTS_LENS_H

#include <broadloom.h>
#include <string.h>

enum { RANK = 3 };

/* A view of a block. */
struct lens {
    bl_array array;
    int64_t extent[RANK], stride[RANK];
};

static inline struct lens lens_of(void *data, bl_dtype dtype, int32_t rank,
                                  const int64_t *extent, const int64_t *stride)
{
    struct lens lens = {.array = {data, dtype, rank, NULL, NULL, 0}};

    memcpy(lens.extent, extent, (size_t)rank * sizeof *extent);
    memcpy(lens.stride, stride, (size_t)rank * sizeof *stride);
    return lens;
}

/* Describe the view as an array, which borrows it. */
static inline const bl_array *look(struct lens *lens)
{
    lens->array.extent = lens->extent;
    lens->array.stride = lens->stride;
    return &lens->array;
}

#endif
