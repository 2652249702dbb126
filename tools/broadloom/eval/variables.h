/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The NAME=FILE arguments of `broadloom eval`.
 */
#ifndef DEFINITIONS_H
#define DEFINITIONS_H

#include "tool.h"

struct definitions {
    int count;
    char **name;        /* copies */
    const char **file;  /* borrowed from the command line */
    bl_tensor **tensor; /* NULL before definitions_load() */
};

/*
 * Read `count` words NAME=FILE.  BL_ERR_ARGUMENT for other words and for a name given
 * twice.  Free with definitions_free(), also after a failure.
 */
bl_status definitions_read(int count, char *const *word, struct definitions *out);

/* Open the files; mapped where that can be done. */
bl_status definitions_load(bl_context *ctx, struct definitions *definitions);

void definitions_free(struct definitions *definitions);

#endif
