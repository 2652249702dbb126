/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that commands write, and standard output.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "tool.h"

#include <stdio.h>

struct output {
    FILE *file;       /* to write to: memory, or standard output */
    const char *path; /* borrowed; NULL: standard output */
    char *text;
    size_t size;
    int descriptor;
};

/*
 * Open a file for writing, or standard output where `path` is NULL.  What is written is
 * kept in memory until output_close(); a file that exists is as it was until then.
 */
bl_status output_open(const char *path, struct output *output);

/*
 * Write the file where `status` is BL_OK, and close it.  Returns `status`, or BL_ERR_IO
 * with the reason.  A file for which there is no space stays as it was.
 */
bl_status output_close(struct output *output, bl_status status);

/*
 * Flush standard output.  Returns false where something that was written there is lost,
 * and then prints at the first call that it is, and why.
 */
bool output_flush(void);

#endif
