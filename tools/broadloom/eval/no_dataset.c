/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datasets of HDF5, in a tool that was built without it.
 */
#include "dataset.h"

static bl_status refuse(const char *text)
{
    return bl_error_set(BL_ERR_UNSUPPORTED,
                        "%.400s: this tool was built without HDF5 (configure "
                        "--with-hdf5)",
                        text);
}

bl_status dataset_load(bl_context *ctx, const char *text, bl_tensor **out)
{
    (void)ctx, (void)out;
    return refuse(text);
}

bl_status dataset_check(const char *text, bool replace)
{
    (void)replace;
    return refuse(text);
}

bl_status dataset_save(bl_context *ctx, const char *text, const bl_array *array,
                       bool replace)
{
    (void)ctx, (void)array, (void)replace;
    return refuse(text);
}
