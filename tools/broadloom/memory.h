/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for operands, and who touches it first.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include "tool.h"

enum touch {
    TOUCH_TEAM,  /* the library creates it: each thread touches its range */
    TOUCH_ONE,   /* the caller's, touched by the calling thread */
    TOUCH_SPREAD /* the caller's, in blocks of 2 MiB, nodes out of order */
};

/* Elements in a row, all written. */
struct memory {
    char *data;
    int64_t bytes;
    bl_tensor *tensor; /* NULL: the caller's own */
};

/* "team", "one" or "spread". */
bl_status parse_touch(const char *text, enum touch *touch);
const char *touch_name(enum touch touch);

/* Get and touch it; free with memory_free(), also where it is all zero. */
bl_status memory_make(bl_context *ctx, bl_dtype dtype, int64_t elements,
                      enum touch touch, struct memory *out);
void memory_free(struct memory *memory);

/*
 * "first-touch", "interleave", "bind-range" or "node:N" into the context; "off" makes
 * it allocate memory that the calling thread has touched, as programs have it that do
 * not know of nodes.
 */
bl_status set_placement(bl_context *ctx, const char *text);

#endif
