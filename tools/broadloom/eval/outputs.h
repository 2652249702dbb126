/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files that results of broadloom eval are written to.
 */
#ifndef BLI_TOOL_OUTPUTS_H
#define BLI_TOOL_OUTPUTS_H

#include "../tool.h"

#include <broadloom/expr.h>

/* One for each result, in order; none: they are printed. */
struct outputs {
    int32_t count;
    const char *file[BL_MAX_SLOTS];
};

/* Take a file more: an option's reader. */
bl_status outputs_read(const char *text, void *place);

/*
 * Refuse two results for one file, however that is spelled, and names of HDF5 files
 * without a dataset.
 */
bl_status outputs_check_names(const struct outputs *outputs);

/* Refuse another number of files than of results, but none. */
bl_status outputs_check(const struct outputs *outputs, int32_t results);

/* Refuse a file that cannot be written: in no folder, or where one may not write. */
bl_status outputs_check_file(const char *path);

/*
 * Refuse files that cannot be written, HDF5's without a dataset, and datasets that
 * exist unless `replace`.
 */
bl_status outputs_check_files(const struct outputs *outputs, bool replace);

/*
 * Write the results, in order up to one that fails; datasets that exist are replaced if
 * `replace`.
 */
bl_status outputs_save(const struct outputs *outputs, bl_context *ctx,
                       bl_tensor *const *result, bool replace);

#endif
