/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for operands, and which threads touch it first.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include "tool.h"

enum touch {
    TOUCH_TEAM,  /* allocated by the library: each thread touches its range */
    TOUCH_ONE,   /* allocated by the caller, touched by the calling thread */
    TOUCH_SPREAD /* allocated by the caller, in blocks of 2 MiB, nodes out of order */
};

/* A contiguous array of elements, all written. */
struct memory {
    char *data;
    int64_t bytes;
    bl_tensor *tensor; /* NULL: allocated by the caller */
};

/* Parse "team", "one" or "spread". */
bl_status parse_touch(const char *text, enum touch *touch);
const char *touch_name(enum touch touch);

/* Allocate and touch the memory; free with memory_free(), also where it is all zero. */
bl_status memory_make(bl_context *ctx, bl_dtype dtype, int64_t elements,
                      enum touch touch, struct memory *out);
void memory_free(struct memory *memory);

/* Where a context's memory lies. */
struct placement {
    bool is_given;
    bool is_off; /* touched by the calling thread, as in programs that know no NUMA */
    bl_placement policy;
};

/* Parse "first-touch", "interleave", "bind-range", "node:N" or "off": an option's
 * reader. */
bl_status read_placement(const char *text, void *place);

/* Set the context's placement, if one is given. */
bl_status set_placement(bl_context *ctx, const struct placement *placement);

#endif
