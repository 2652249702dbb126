/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views that share one block of memory, and the expected outcome of an operation on
 * them, found by brute force over bytes instead of the library's arithmetic.
 */
#ifndef TESTS_VIEWS_H
#define TESTS_VIEWS_H

#include <broadloom.h>

#define VIEW_RANK   4
#define VIEW_INPUTS 4

struct view {
    bl_dtype dtype;
    int32_t rank;
    int64_t offset; /* in elements, or in bytes */
    int64_t extent[VIEW_RANK];
    int64_t stride[VIEW_RANK];
    bool counts_bytes; /* offset and strides do */
};

/* An operation whose operands all lie in `bytes` bytes of one block. */
struct shared {
    const char *name;
    bl_op op;
    int32_t inputs;
    struct view out;
    struct view in[VIEW_INPUTS];
    size_t bytes;
};

enum sharing {
    SHARING_NONE, /* each input is disjoint from the result or coincides with it exactly
                   */
    SHARING_PARTIAL, /* an input overlaps the result partially */
    SHARING_SELF     /* the result overlaps itself: a byte is written twice */
};

/* How the operands share memory, by brute force. */
enum sharing views_sharing(const struct shared *shared);

/* How often the library could not decide and conservatively assumed an overlap. */
struct views_counts {
    int64_t runs;
    int64_t gave_up;
};

/*
 * Run the operation under both policies, with `threads` threads, and compare results,
 * refusals and untouched memory with brute force.  Notes what is wrong.
 */
bool views_check(const struct shared *shared, int32_t threads,
                 struct views_counts *counts);

#endif
