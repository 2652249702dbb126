/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of tensors over ranks: borders move with the elements, and nothing else does.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "mpi/entry/entry.h"

/* How a tensor lies, in words of a program. */
struct lie {
    int32_t rank;
    int64_t extent[BL_MAX_RANK];
    struct bli_dim dim[BL_MAX_RANK];
};

static bl_status describe(const bl_mpi_tensor *tensor, bl_mpi_tensor **out,
                          struct lie *lie)
{
    if (!tensor || !out)
        return bli_mpi_null(tensor ? "out" : "tensor");
    const struct bli_spread *const spread = tensor->spread;

    lie->rank = spread->rank;
    for (int32_t d = 0; d < spread->rank; d++) {
        lie->extent[d] = spread->extent[d];
        lie->dim[d] = bli_spread_dim(spread, d);
    }
    return BL_OK;
}

/* The view of that lie; takes `block`, whose making had `status`. */
static bl_status finish(const bl_mpi_tensor *tensor, const struct lie *lie,
                        bl_status status, bl_tensor *block, bl_mpi_tensor **out)
{
    struct bli_spread *spread;

    if (status != BL_OK)
        return status;
    status = bli_spread_make(&tensor->grid->shape, lie->rank, lie->extent, lie->dim,
                             BLI_EVERY_RANK, &spread);
    if (status != BL_OK) {
        bl_tensor_release(block);
        return status;
    }
    return bli_mpi_tensor_make(tensor->grid, spread, tensor->dtype, block, out);
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

bl_status bl_mpi_narrow(const bl_mpi_tensor *tensor, int32_t axis, int64_t start,
                        int64_t length, bl_mpi_tensor **out)
{
    bl_tensor *block = NULL;
    int64_t *border = NULL;
    bl_layout whole;
    struct lie lie;
    struct bli_box box;
    bl_status status;

    BL_TRY(describe(tensor, out, &lie));
    /* The whole tensor's layout says what a narrow may be. */
    BL_TRY(bl_layout_compact(lie.rank, lie.extent, &whole));
    BL_TRY(bl_layout_narrow(&whole, axis, start, length, &whole));
    axis += axis < 0 ? lie.rank : 0;
    start += start < 0 ? lie.extent[axis] : 0;
    lie.extent[axis] = length;
    if (lie.dim[axis].axis != BLI_WHOLE) {
        const int32_t parts = bli_dim_parts(&tensor->grid->shape, lie.dim[axis].axis);

        border = malloc(((size_t)parts + 1) * sizeof *border);
        if (!border)
            return bl_error_set(BL_ERR_MEMORY, "no memory for a view");
        for (int32_t p = 0; p <= parts; p++)
            border[p] = clamp(lie.dim[axis].border[p] - start, 0, length);
        lie.dim[axis].border = border;
    }
    status = BL_OK;
    if (tensor->block) {
        bli_spread_box(tensor->spread, tensor->grid->link->self, &box);
        const int64_t begin = clamp(start, box.begin[axis], box.end[axis]);
        const int64_t end = clamp(start + length, box.begin[axis], box.end[axis]);

        status = bl_tensor_narrow(tensor->block, axis, begin - box.begin[axis],
                                  end - begin, &block);
    }
    status = finish(tensor, &lie, status, block, out);
    free(border);
    return status;
}

bl_status bl_mpi_permute(const bl_mpi_tensor *tensor, const int32_t *axes,
                         bl_mpi_tensor **out)
{
    bl_tensor *block = NULL;
    bl_layout whole;
    struct lie lie, permuted;
    bl_status status = BL_OK;

    BL_TRY(describe(tensor, out, &lie));
    if (!axes && lie.rank > 0)
        return bli_mpi_null("axes");
    BL_TRY(bl_layout_compact(lie.rank, lie.extent, &whole));
    BL_TRY(bl_layout_permute(&whole, axes, &whole));
    permuted.rank = lie.rank;
    for (int32_t d = 0; d < lie.rank; d++) {
        const int32_t from = axes[d] < 0 ? axes[d] + lie.rank : axes[d];

        permuted.extent[d] = lie.extent[from];
        permuted.dim[d] = lie.dim[from];
    }
    if (tensor->block)
        status = bl_tensor_permute(tensor->block, axes, &block);
    return finish(tensor, &permuted, status, block, out);
}

bl_status bl_mpi_unsqueeze(const bl_mpi_tensor *tensor, int32_t axis,
                           bl_mpi_tensor **out)
{
    bl_tensor *block = NULL;
    bl_layout whole;
    struct lie lie;
    bl_status status = BL_OK;

    BL_TRY(describe(tensor, out, &lie));
    BL_TRY(bl_layout_compact(lie.rank, lie.extent, &whole));
    BL_TRY(bl_layout_unsqueeze(&whole, axis, &whole));
    axis += axis < 0 ? lie.rank + 1 : 0;
    for (int32_t d = lie.rank++; d > axis; d--) {
        lie.extent[d] = lie.extent[d - 1];
        lie.dim[d] = lie.dim[d - 1];
    }
    lie.extent[axis] = 1;
    lie.dim[axis] = (struct bli_dim){BLI_WHOLE, NULL};
    if (tensor->block)
        status = bl_tensor_unsqueeze(tensor->block, axis, &block);
    return finish(tensor, &lie, status, block, out);
}

/* Refuse to repeat or drop dimension d, of extent 1, where one rank alone has it. */
static bl_status check_is_everywhere(const bl_mpi_tensor *tensor, const struct lie *lie,
                                     int32_t d)
{
    const int32_t parts = bli_dim_parts(&tensor->grid->shape, lie->dim[d].axis);

    if (parts == 1)
        return BL_OK;
    return bl_error_set(BL_ERR_UNSUPPORTED,
                        "dimension %" PRId32 " of extent 1 lies along %" PRId32
                        " ranks: one of them alone has it",
                        d, parts);
}

bl_status bl_mpi_squeeze(const bl_mpi_tensor *tensor, int32_t axis, bl_mpi_tensor **out)
{
    bl_tensor *block = NULL;
    bl_layout whole;
    struct lie lie;
    bl_status status = BL_OK;

    BL_TRY(describe(tensor, out, &lie));
    BL_TRY(bl_layout_compact(lie.rank, lie.extent, &whole));
    BL_TRY(bl_layout_squeeze(&whole, axis, &whole));
    if (whole.rank == lie.rank)
        return finish(tensor, &lie, BL_OK,
                      tensor->block ? bl_tensor_retain(tensor->block) : NULL, out);
    axis += axis < 0 ? lie.rank : 0;
    BL_TRY(check_is_everywhere(tensor, &lie, axis));
    lie.rank--;
    for (int32_t d = axis; d < lie.rank; d++) {
        lie.extent[d] = lie.extent[d + 1];
        lie.dim[d] = lie.dim[d + 1];
    }
    if (tensor->block)
        status = bl_tensor_squeeze(tensor->block, axis, &block);
    return finish(tensor, &lie, status, block, out);
}

bl_status bl_mpi_expand(const bl_mpi_tensor *tensor, int32_t rank,
                        const int64_t *extent, bl_mpi_tensor **out)
{
    int64_t local[BL_MAX_RANK];
    bl_tensor *block = NULL;
    struct lie lie, expanded;
    bl_layout whole;
    bl_status status = BL_OK;

    BL_TRY(describe(tensor, out, &lie));
    BL_TRY(bl_layout_compact(lie.rank, lie.extent, &whole));
    BL_TRY(bl_layout_expand(&whole, rank, extent, &whole));
    expanded.rank = whole.rank;
    for (int32_t d = 0; d < whole.rank; d++) {
        const int32_t from = d - (whole.rank - lie.rank);
        const bool is_kept = from >= 0 && lie.extent[from] == whole.extent[d];

        if (from >= 0 && !is_kept)
            BL_TRY(check_is_everywhere(tensor, &lie, from));
        expanded.extent[d] = whole.extent[d];
        expanded.dim[d] = is_kept ? lie.dim[from] : (struct bli_dim){BLI_WHOLE, NULL};
        local[d] = is_kept ? -1 : whole.extent[d];
    }
    if (tensor->block)
        status = bl_tensor_expand(tensor->block, whole.rank, local, &block);
    return finish(tensor, &expanded, status, block, out);
}
