/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NPY files are loaded: each rank maps the file and copies its box.
 */
#include <broadloom/npy.h>

#include <string.h>
#include <sys/stat.h>

#include "mpi/entry/entry.h"

bl_status bli_mpi_path(const char *path, struct bli_ballot *ballot)
{
    if (!path)
        return bli_mpi_null("path");
    bli_ballot_bytes(ballot, path, strlen(path));
    bli_ballot_text(ballot, "path \"%.200s\"", path);
    return BL_OK;
}

/* The file as a tensor, of which nothing is read yet where it can be mapped. */
static bl_status open_whole(bl_context *ctx, const char *path, bl_tensor **whole)
{
    struct stat about;
    bl_status status;

    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return bl_error_set(BL_ERR_UNSUPPORTED, "%s is not a regular file", path);
    status = bl_npy_map(ctx, path, whole);
    return status == BL_ERR_UNSUPPORTED ? bl_npy_load(ctx, path, whole) : status;
}

/* Copy this rank's box of an array. */
static bl_status copy_box(bl_context *ctx, const bl_mpi_tensor *tensor,
                          const bl_array *whole)
{
    struct bli_block all = {.dtype = whole->dtype, .base = whole->data}, part;
    struct bli_box box;

    if (bli_spread_box(tensor->spread, tensor->grid->link->self, &box) == 0)
        return BL_OK;
    BL_TRY(bl_array_layout(whole, &all.layout));
    bli_block_part(&all, &box, &part);
    const bl_array from = bl_layout_array(&part.layout, part.dtype, part.base);

    return bli_mpi_copy(ctx, bl_mpi_local(tensor), &from);
}

static bl_status load(bl_context *ctx, bl_mpi_grid *grid, const char *path,
                      const bl_mpi_dim *dims, struct bli_ballot *ballot,
                      bl_mpi_tensor **made)
{
    struct bli_dim dim[BL_MAX_RANK];
    struct bli_spread *spread;
    bl_tensor *whole;
    bl_status status;

    BL_TRY(bli_mpi_path(path, ballot));
    BL_TRY(open_whole(ctx, path, &whole));
    const bl_array *const array = bl_tensor_array(whole);

    status = bli_mpi_dims(array->rank, dims, dim);
    if (status == BL_OK)
        status = bli_spread_make(&grid->shape, array->rank, array->extent,
                                 dims ? dim : NULL, BLI_EVERY_RANK, &spread);
    if (status == BL_OK) {
        bli_ballot_spread(ballot, spread);
        bli_ballot_shape(ballot, array->dtype, array->rank, array->extent);
        status = bli_mpi_tensor_new(grid, ctx, spread, array->dtype, made);
    }
    if (status == BL_OK)
        status = copy_box(ctx, *made, array);
    bl_tensor_release(whole);
    return status;
}

bl_status bl_mpi_npy_load(bl_context *ctx, bl_mpi_grid *grid, const char *path,
                          const bl_mpi_dim *dims, bl_mpi_tensor **out)
{
    struct bli_ballot ballot;
    bl_mpi_tensor *made = NULL;
    bl_status status;

    BL_TRY(bli_mpi_begin(grid, &ballot, __func__));
    if (!grid->link)
        return bl_error_set(BL_ERR_UNSUPPORTED, "the grid is only described");
    status = out ? load(bli_mpi_context(ctx, grid), grid, path, dims, &ballot, &made)
                 : bli_mpi_null("out");
    return bli_mpi_finish(grid, &ballot, status, made, out);
}
