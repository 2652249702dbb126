/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datasets of HDF5, by libbroadloom-hdf5.
 */
#define _POSIX_C_SOURCE 200809L

#include "dataset.h"
#include "outputs.h"
#include "progress.h"

#include <broadloom/hdf5.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Split "FILE:/DATASET"; `*path` is a copy that the caller frees. */
static bl_status split(const char *text, char **path, const char **dataset)
{
    const char *const colon = strstr(text, ":/");

    *dataset = colon + 1;
    *path = strndup(text, (size_t)(colon - text));
    return *path ? BL_OK : bl_error_set(BL_ERR_MEMORY, "no memory for a name");
}

enum { PER_CENT = 100 };

static bool advance(void *progress, int64_t done, int64_t numel)
{
    progress_update(progress, (int64_t)(PER_CENT * ((double)done / (double)numel)));
    return true;
}

bl_status dataset_load(bl_context *ctx, const char *text, bl_tensor **out)
{
    const char *dataset;
    char *path;

    TRY(split(text, &path, &dataset));
    struct progress *const progress = progress_start(PER_CENT);
    const bl_hdf5_options options = {
        .size = sizeof options, .progress = advance, .user = progress};
    const bl_status status = bl_hdf5_load(ctx, path, dataset, &options, out);
    progress_finish(progress);
    free(path);
    return status;
}

bl_status dataset_check(const char *text, bool replace)
{
    bl_hdf5_info info = {.size = sizeof info};
    const char *dataset;
    char *path;

    TRY(split(text, &path, &dataset));
    bl_status status = outputs_check_file(path);
    if (status == BL_OK && access(path, F_OK) == 0) {
        status = bl_hdf5_query(path, dataset, &info);
        if (status == BL_ERR_ARGUMENT) /* there is none */
            status = BL_OK;
        else if ((status == BL_OK || status == BL_ERR_UNSUPPORTED) && !replace)
            status = bl_error_set(BL_ERR_ARGUMENT, "%.400s: the dataset exists already",
                                  text);
        else if (status == BL_ERR_UNSUPPORTED)
            status = BL_OK;
    }
    free(path);
    return status;
}

bl_status dataset_save(bl_context *ctx, const char *text, const bl_array *array,
                       bool replace)
{
    const bl_hdf5_options options = {.size = sizeof options,
                                     .flags = replace ? BL_HDF5_REPLACE : 0};
    const char *dataset;
    char *path;

    TRY(split(text, &path, &dataset));
    const bl_status status = bl_hdf5_save(ctx, path, dataset, array, &options);
    free(path);
    return status;
}
