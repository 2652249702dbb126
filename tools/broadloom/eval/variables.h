/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The NAME=FILE arguments of `broadloom eval`.
 */
#ifndef VARIABLES_H
#define VARIABLES_H

#include "tool.h"

struct variables {
    int count;
    char **name;        /* copies */
    const char **file;  /* borrowed from the command line */
    bl_tensor **tensor; /* NULL before variables_load() */
    bool *is_mapped;    /* each: its elements are the file's pages */
};

/*
 * Parse `count` arguments NAME=FILE. BL_ERR_ARGUMENT for other arguments and for
 * duplicate names.  Free with variables_free(), also after a failure.
 */
bl_status variables_read(int count, char *const *word, struct variables *out);

/* Every file has to be named, or a mistake in a name would go unnoticed. */
bl_status variables_check(const struct variables *variables, const char *text);

/* Open the files, memory-mapped where possible; datasets of HDF5 are loaded. */
bl_status variables_load(bl_context *ctx, struct variables *variables);

/* Whether the file begins as one of HDF5 does; a pipe is not read. */
bool variables_is_hdf5(const char *file);

void variables_free(struct variables *variables);

#endif
