/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors over ranks: what they are, and their lifetime.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/entry/entry.h"

bl_status bli_mpi_tensor_make(bl_mpi_grid *grid, struct bli_spread *spread,
                              bl_dtype dtype, bl_tensor *block, bl_mpi_tensor **out)
{
    bl_mpi_tensor *const tensor = malloc(sizeof *tensor);

    if (!tensor) {
        bli_spread_release(spread);
        bl_tensor_release(block);
        return bl_error_set(BL_ERR_MEMORY, "no memory for a tensor");
    }
    atomic_init(&tensor->references, 1);
    tensor->grid = bl_mpi_grid_retain(grid);
    tensor->spread = spread;
    tensor->dtype = dtype;
    tensor->block = block;
    *out = tensor;
    return BL_OK;
}

bl_status bli_mpi_tensor_new(bl_mpi_grid *grid, bl_context *ctx,
                             struct bli_spread *spread, bl_dtype dtype,
                             bl_mpi_tensor **out)
{
    bl_tensor *block = NULL;
    bl_status status = BL_OK;

    if (grid->link) {
        int64_t extent[BL_MAX_RANK];
        struct bli_box box;

        bli_spread_box(spread, grid->link->self, &box);
        for (int32_t d = 0; d < spread->rank; d++)
            extent[d] = box.end[d] - box.begin[d];
        status = bl_tensor_empty(bli_mpi_context(ctx, grid), dtype, spread->rank,
                                 extent, &block);
    } else if (bl_dtype_size(dtype) == 0)
        status = bl_error_set(BL_ERR_DTYPE, "dtype %d does not exist", (int)dtype);
    if (status != BL_OK) {
        bli_spread_release(spread);
        return status;
    }
    return bli_mpi_tensor_make(grid, spread, dtype, block, out);
}

bl_status bli_mpi_finish(const bl_mpi_grid *grid, const struct bli_ballot *ballot,
                         bl_status status, bl_mpi_tensor *made, bl_mpi_tensor **out)
{
    status = bli_mpi_agree(grid, ballot, status);
    if (status == BL_OK)
        *out = made;
    else
        bl_mpi_tensor_release(made);
    return status;
}

bl_mpi_tensor *bl_mpi_tensor_retain(bl_mpi_tensor *tensor)
{
    if (tensor)
        atomic_fetch_add_explicit(&tensor->references, 1, memory_order_relaxed);
    return tensor;
}

void bl_mpi_tensor_release(bl_mpi_tensor *tensor)
{
    if (!tensor ||
        atomic_fetch_sub_explicit(&tensor->references, 1, memory_order_acq_rel) != 1)
        return;
    bl_tensor_release(tensor->block);
    bli_spread_release(tensor->spread);
    bl_mpi_grid_release(tensor->grid);
    free(tensor);
}

bl_mpi_grid *bl_mpi_tensor_grid(const bl_mpi_tensor *tensor)
{
    return tensor ? tensor->grid : NULL;
}

bl_dtype bl_mpi_tensor_dtype(const bl_mpi_tensor *tensor)
{
    return tensor ? tensor->dtype : BL_DTYPE_NONE;
}

int32_t bl_mpi_tensor_rank(const bl_mpi_tensor *tensor)
{
    return tensor ? tensor->spread->rank : 0;
}

int64_t bl_mpi_tensor_extent(const bl_mpi_tensor *tensor, int32_t axis)
{
    const int32_t rank = bl_mpi_tensor_rank(tensor);

    return axis < -rank || axis >= rank
               ? -1
               : tensor->spread->extent[axis < 0 ? axis + rank : axis];
}

const bl_array *bl_mpi_local(const bl_mpi_tensor *tensor)
{
    return tensor && tensor->block ? bl_tensor_array(tensor->block) : NULL;
}

bl_status bl_mpi_box(const bl_mpi_tensor *tensor, int32_t of_rank, int64_t *begin,
                     int64_t *end)
{
    struct bli_box box;

    if (!tensor)
        return bli_mpi_null("tensor");
    if (tensor->spread->rank > 0 && (!begin || !end))
        return bli_mpi_null(begin ? "end" : "begin");
    if (of_rank < 0 || of_rank >= tensor->grid->shape.ranks)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "of_rank %" PRId32 " is none of the %" PRId32 " ranks",
                            of_rank, tensor->grid->shape.ranks);
    bli_spread_box(tensor->spread, of_rank, &box);
    for (int32_t d = 0; d < tensor->spread->rank; d++) {
        begin[d] = box.begin[d];
        end[d] = box.end[d];
    }
    return BL_OK;
}

bl_status bli_mpi_array_block(const bl_array *array, const struct bli_spread *spread,
                              int32_t of_rank, struct bli_block *block)
{
    block->dtype = array->dtype;
    block->base = array->data;
    bli_spread_box(spread, of_rank, &block->box);
    return bl_array_layout(array, &block->layout);
}
