/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors of blocks that the program has.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/entry/entry.h"

/* A call while it is made. */
struct wrapping {
    bl_mpi_grid *grid;
    bl_layout owned; /* of this rank's own elements in `local` */
    int64_t *all;    /* extents of all ranks' own elements */
    int64_t *border; /* of one dimension after the other, one of each axis */
    struct bli_dim dim[BL_MAX_RANK];
    int64_t extent[BL_MAX_RANK]; /* of the tensor */
};

/* What this rank can check alone. */
static bl_status check(struct wrapping *w, const bl_array *local, const int64_t *before,
                       const int64_t *after, const bl_mpi_dim *dims,
                       struct bli_ballot *ballot)
{
    const struct bli_grid *const grid = &w->grid->shape;
    size_t borders = 1;

    if (!w->grid->link)
        return bl_error_set(BL_ERR_UNSUPPORTED, "the grid is only described");
    if (!local)
        return bli_mpi_null("local");
    BL_TRY(bl_array_layout(local, &w->owned));
    BL_TRY(bli_mpi_dims(local->rank, dims, w->dim));
    bli_ballot_number(ballot, (int64_t)local->dtype);
    bli_ballot_number(ballot, local->rank);
    for (int32_t d = 0; d < local->rank; d++) {
        const int64_t first = before ? before[d] : 0;
        const int64_t ghosts = first + (after ? after[d] : 0);

        if (first < 0 || ghosts < first || ghosts > local->extent[d])
            return bl_error_set(BL_ERR_SHAPE,
                                "before[%" PRId32 "] and after[%" PRId32 "] leave "
                                "nothing of %" PRId64 " elements",
                                d, d, local->extent[d]);
        BL_TRY(bl_layout_narrow(&w->owned, d, first, local->extent[d] - ghosts,
                                &w->owned));
        if (!dims)
            w->dim[d] = (struct bli_dim){BLI_WHOLE, NULL};
        if (w->dim[d].axis != BLI_WHOLE && bli_dim_axes(grid, w->dim[d].axis) == 0)
            return bl_error_set(BL_ERR_ARGUMENT,
                                "dims[%" PRId32 "]: the grid has no axis %" PRId32, d,
                                w->dim[d].axis);
        bli_ballot_number(ballot, w->dim[d].axis);
        if (w->dim[d].axis != BLI_WHOLE)
            borders += (size_t)bli_dim_parts(grid, w->dim[d].axis) + 1;
    }
    w->all =
        malloc(((size_t)grid->ranks + 1) * (size_t)(local->rank + 1) * sizeof *w->all);
    w->border = malloc(borders * sizeof *w->border);
    return w->all && w->border ? BL_OK
                               : bl_error_set(BL_ERR_MEMORY, "no memory for borders");
}

/* The borders of dimension d, of the extents of all ranks, which agree. */
static bl_status agree_border(struct wrapping *w, int32_t d, int64_t *border)
{
    const struct bli_grid *const grid = &w->grid->shape;
    const int32_t axis = w->dim[d].axis, parts = bli_dim_parts(grid, axis);
    const uint32_t axes = bli_dim_axes(grid, axis);
    int64_t first[2];
    int32_t place[BLI_MAX_AXES];

    if (axis == BLI_WHOLE)
        border = first;
    memset(border, -1, ((size_t)parts + 1) * sizeof *border);
    for (int32_t r = 0; r < grid->ranks; r++) {
        const int64_t extent = w->all[(int64_t)r * w->owned.rank + d];
        int32_t p = 0;

        bli_grid_place(grid, r, place);
        for (int32_t a = 0; a < grid->axes; a++)
            if (axes >> a & 1)
                p = p * grid->extent[a] + place[a];

        if (border[p + 1] >= 0 && border[p + 1] != extent)
            return bl_error_set(BL_ERR_SHAPE,
                                "dimension %" PRId32 ": rank %" PRId32 " has %" PRId64
                                " elements of its own, and another rank at its place "
                                "has %" PRId64,
                                d, r, extent, border[p + 1]);
        border[p + 1] = extent;
    }
    border[0] = 0;
    for (int32_t p = 0; p < parts; p++)
        border[p + 1] += border[p];
    w->extent[d] = border[parts];
    if (axis != BLI_WHOLE)
        w->dim[d].border = border;
    return BL_OK;
}

/* How the tensor lies: with borders that were given, this rank has its part. */
static bl_status find_spread(struct wrapping *w, struct bli_spread **out)
{
    const int32_t rank = w->owned.rank;
    int64_t *border = w->border;
    struct bli_box box;

    for (int32_t d = 0; d < rank; d++) {
        const int32_t axis = w->dim[d].axis;
        const int32_t parts = bli_dim_parts(&w->grid->shape, axis);

        if (w->dim[d].border && axis != BLI_WHOLE) {
            w->extent[d] = w->dim[d].border[parts];
            continue;
        }
        BL_TRY(agree_border(w, d, border));
        border += axis == BLI_WHOLE ? 0 : parts + 1;
    }
    BL_TRY(
        bli_spread_make(&w->grid->shape, rank, w->extent, w->dim, BLI_EVERY_RANK, out));
    bli_spread_box(*out, w->grid->link->self, &box);
    for (int32_t d = 0; d < rank; d++)
        if (box.end[d] - box.begin[d] != w->owned.extent[d]) {
            bli_spread_release(*out);
            return bl_error_set(BL_ERR_SHAPE,
                                "dimension %" PRId32 " has %" PRId64
                                " elements of its own, not %" PRId64
                                " as by the borders",
                                d, w->owned.extent[d], box.end[d] - box.begin[d]);
        }
    return BL_OK;
}

/* The program's memory; without a deleter until it is sure that it is taken. */
struct memory {
    bl_deleter deleter;
    void *user, *data;
};

static void free_memory(void *memory, void *data)
{
    const struct memory *const its = memory;

    (void)data;
    if (its->deleter)
        its->deleter(its->user, its->data);
    free(memory);
}

/* Make the tensor; without success `memory` is freed, and the program keeps its own. */
static bl_status take(struct wrapping *w, bl_context *ctx, const bl_array *local,
                      struct memory *memory, bl_mpi_tensor **out)
{
    bl_array array = bl_layout_array(&w->owned, local->dtype, local->data);
    struct bli_spread *spread;
    bl_tensor *block;
    bl_status status;

    array.flags |= local->flags & BL_ARRAY_READ_ONLY;
    status = find_spread(w, &spread);
    if (status != BL_OK) {
        free(memory);
        return status;
    }
    status = bl_tensor_wrap(bli_mpi_context(ctx, w->grid), &array, free_memory, memory,
                            &block);
    if (status != BL_OK) {
        bli_spread_release(spread);
        free(memory);
        return status;
    }
    return bli_mpi_tensor_make(w->grid, spread, local->dtype, block, out);
}

bl_status bl_mpi_wrap(bl_context *ctx, bl_mpi_grid *grid, const bl_array *local,
                      const int64_t *before, const int64_t *after,
                      const bl_mpi_dim *dims, bl_deleter deleter, void *user,
                      bl_mpi_tensor **out)
{
    struct wrapping w = {.grid = grid};
    struct bli_ballot ballot;
    bl_mpi_tensor *made = NULL;
    struct memory *memory = NULL;
    bl_status status;

    BL_TRY(bli_mpi_begin(grid, &ballot, __func__));
    status = out ? check(&w, local, before, after, dims, &ballot) : bli_mpi_null("out");
    if (status == BL_OK && !(memory = calloc(1, sizeof *memory)))
        status = bl_error_set(BL_ERR_MEMORY, "no memory for a tensor");
    status = bli_mpi_agree(grid, &ballot, status);
    if (status == BL_OK)
        status = bli_link_gather(grid->link, w.owned.extent,
                                 (size_t)w.owned.rank * sizeof *w.all, w.all);
    if (status == BL_OK) {
        status = take(&w, ctx, local, memory, &made);
        if (made)
            bli_ballot_spread(&ballot, made->spread);
        status = bli_mpi_finish(grid, &ballot, status, made, out);
        if (status == BL_OK)
            *memory = (struct memory){deleter, user, local->data};
    } else
        free(memory);
    free(w.all);
    free(w.border);
    return status;
}
