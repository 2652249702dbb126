/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views that share one block of memory, and what must become of an operation on them:
 * decided by brute force over bytes, not by the library's arithmetic.
 */
#ifndef TESTS_VIEWS_H
#define TESTS_VIEWS_H

#include <broadloom.h>

#define VIEW_RANK   4
#define VIEW_INPUTS 4

struct view {
    bl_dtype dtype;
    int32_t rank;
    int64_t offset; /* in elements */
    int64_t extent[VIEW_RANK];
    int64_t stride[VIEW_RANK];
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
    SHARING_NONE,    /* no input shares a byte with the result, or only exactly */
    SHARING_PARTIAL, /* some input shares bytes otherwise */
    SHARING_SELF     /* the result writes a byte twice */
};

/* What brute force says of the operation. */
enum sharing views_sharing(const struct shared *shared);

/* How often the library could not decide and was on the safe side. */
struct views_counts {
    int64_t runs;
    int64_t gave_up;
};

/*
 * Run it under both policies, with `threads` threads, and check results, refusals and
 * untouched memory against brute force; says in notes what is wrong.
 */
bool views_check(const struct shared *shared, int32_t threads,
                 struct views_counts *counts);

#endif
