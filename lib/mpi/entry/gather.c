/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole tensors that lie otherwise: redistributed, gathered, scattered.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "mpi/entry/aligned.h"

/* One tensor's move, from the blocks of one spread to those of another. */
struct shift {
    bl_mpi_grid *grid;
    struct bli_move move;
    struct bli_block from, to; /* this rank's */
    bl_tensor *apart;          /* a copy of what is moved, or NULL */
    bl_tensor *buffers;
};

/* Reserve memory for messages; what arrives goes to where it belongs. */
static bl_status reserve(struct shift *shift, bl_context *ctx)
{
    struct bli_traffic traffic;

    bli_traffic_count(&shift->move, shift->grid->link->self, &traffic);
    const int64_t bytes = bli_traffic_buffers(&traffic, BLI_WINDOW);

    return bl_tensor_empty(bli_mpi_context(ctx, shift->grid), BL_DTYPE_U8, 1, &bytes,
                           &shift->buffers);
}

/* Vote on a call, and move. */
static bl_status run(struct shift *shift, bl_context *ctx,
                     const struct bli_ballot *ballot, bl_status status)
{
    bl_mpi_grid *const grid = shift->grid;

    if (status == BL_OK)
        status = reserve(shift, ctx);
    status = bli_mpi_agree(grid, ballot, status);
    if (status == BL_OK)
        status = bli_mpi_transfer(grid->link, bli_mpi_context(ctx, grid), &shift->move,
                                  BLI_WINDOW, &shift->from, &shift->to,
                                  bl_tensor_mutable_data(shift->buffers));
    bl_tensor_release(shift->buffers);
    bl_tensor_release(shift->apart);
    return status;
}

/* Begin the move of a tensor: `moved`, an argument's `name`, is it or what it becomes.
 */
static bl_status begin(struct shift *shift, const char *name,
                       const bl_mpi_tensor *moved, struct bli_ballot *ballot,
                       const char *function)
{
    *shift = (struct shift){.grid = moved ? moved->grid : NULL};
    if (!moved)
        return bli_mpi_null(name);
    BL_TRY(bli_mpi_begin(shift->grid, ballot, function));
    if (!shift->grid->link)
        return bl_error_set(BL_ERR_UNSUPPORTED, "the grid is only described");
    bli_ballot_spread(ballot, moved->spread);
    bli_ballot_shape(ballot, moved->dtype, moved->spread->rank, moved->spread->extent);
    shift->move.size = (int64_t)bl_dtype_size(moved->dtype);
    return BL_OK;
}

static bl_status use_tensor(const bl_mpi_tensor *tensor, struct bli_block *block)
{
    return bli_mpi_array_block(bl_mpi_local(tensor), tensor->spread,
                               tensor->grid->link->self, block);
}

/* The spread that has all on one rank, or on all. */
static bl_status spread_on(const bl_mpi_tensor *tensor, int32_t root,
                           struct bli_ballot *ballot, struct bli_spread **out)
{
    bli_ballot_number(ballot, root);
    bli_ballot_text(ballot, ", root %" PRId32, root);
    if (root < BL_MPI_ALL || root >= tensor->grid->shape.ranks)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "root %" PRId32 " is none of the %" PRId32 " ranks", root,
                            tensor->grid->shape.ranks);
    return bli_spread_make(&tensor->grid->shape, tensor->spread->rank,
                           tensor->spread->extent, NULL,
                           root == BL_MPI_ALL ? BLI_EVERY_RANK : root, out);
}

static bl_status redistribute(struct shift *shift, bl_context *ctx,
                              const bl_mpi_tensor *tensor, const bl_mpi_dim *dims,
                              struct bli_ballot *ballot, bl_mpi_tensor **made)
{
    struct bli_dim dim[BL_MAX_RANK];
    struct bli_spread *spread;

    BL_TRY(bli_mpi_dims(tensor->spread->rank, dims, dim));
    BL_TRY(bli_spread_make(&shift->grid->shape, tensor->spread->rank,
                           tensor->spread->extent, dims ? dim : NULL, BLI_EVERY_RANK,
                           &spread));
    bli_ballot_spread(ballot, spread);
    BL_TRY(bli_mpi_tensor_new(shift->grid, ctx, spread, tensor->dtype, made));
    shift->move.from = tensor->spread;
    shift->move.to = (*made)->spread;
    BL_TRY(use_tensor(tensor, &shift->from));
    return use_tensor(*made, &shift->to);
}

bl_status bl_mpi_redistribute(bl_context *ctx, const bl_mpi_tensor *tensor,
                              const bl_mpi_dim *dims, bl_mpi_tensor **out)
{
    struct bli_ballot ballot;
    bl_mpi_tensor *made = NULL;
    struct shift shift;
    bl_status status;

    BL_TRY(begin(&shift, "tensor", tensor, &ballot, __func__));
    status = out ? redistribute(&shift, ctx, tensor, dims, &ballot, &made)
                 : bli_mpi_null("out");
    status = run(&shift, ctx, &ballot, status);
    if (status == BL_OK)
        *out = made;
    else
        bl_mpi_tensor_release(made);
    return status;
}

static bl_status gather(struct shift *shift, bl_context *ctx,
                        const bl_mpi_tensor *tensor, struct bli_spread *all,
                        bl_tensor **made)
{
    shift->move.from = tensor->spread;
    shift->move.to = all;
    BL_TRY(use_tensor(tensor, &shift->from));
    if (all->root != BLI_EVERY_RANK && all->root != shift->grid->link->self)
        return BL_OK;
    BL_TRY(bl_tensor_empty(bli_mpi_context(ctx, shift->grid), tensor->dtype,
                           tensor->spread->rank, tensor->spread->extent, made));
    return bli_mpi_array_block(bl_tensor_array(*made), all, shift->grid->link->self,
                               &shift->to);
}

bl_status bl_mpi_gather(bl_context *ctx, const bl_mpi_tensor *tensor, int32_t root,
                        bl_tensor **out)
{
    struct bli_ballot ballot;
    struct bli_spread *all = NULL;
    bl_tensor *made = NULL;
    struct shift shift;
    bl_status status;

    BL_TRY(begin(&shift, "tensor", tensor, &ballot, __func__));
    status = out ? spread_on(tensor, root, &ballot, &all) : bli_mpi_null("out");
    if (status == BL_OK)
        status = gather(&shift, ctx, tensor, all, &made);
    status = run(&shift, ctx, &ballot, status);
    bli_spread_release(all);
    if (status == BL_OK)
        *out = made;
    else
        bl_tensor_release(made);
    return status;
}

/* The array of the rank that has all: a copy of one that overlaps the result. */
static bl_status use_array(struct shift *shift, bl_context *ctx,
                           const bl_mpi_tensor *out, const bl_array *from)
{
    if (!from)
        return bli_mpi_null("from");
    BL_TRY(bli_mpi_array_block(from, shift->move.from, shift->grid->link->self,
                               &shift->from));
    if (from->dtype != out->dtype)
        return bl_error_set(BL_ERR_DTYPE, "from is %s, and out is %s",
                            bl_dtype_name(from->dtype), bl_dtype_name(out->dtype));
    if (!bli_spread_has_shape(out->spread, from->rank, from->extent))
        return bl_error_set(BL_ERR_SHAPE, "from has another shape than out");
    if (!from->data && bl_layout_numel(&shift->from.layout) > 0)
        return bli_mpi_null("from->data");
    if (!bli_blocks_overlap(&shift->from, &shift->to))
        return BL_OK;
    BL_TRY(bl_tensor_clone(bli_mpi_context(ctx, shift->grid), from, &shift->apart));
    return bli_mpi_array_block(bl_tensor_array(shift->apart), shift->move.from,
                               shift->grid->link->self, &shift->from);
}

static bl_status scatter(struct shift *shift, bl_context *ctx, const bl_mpi_tensor *out,
                         const bl_array *from, struct bli_spread *all)
{
    shift->move.from = all;
    shift->move.to = out->spread;
    BL_TRY(use_tensor(out, &shift->to));
    if (bl_mpi_local(out)->flags & BL_ARRAY_READ_ONLY)
        return bl_error_set(BL_ERR_ARGUMENT, "out is read-only");
    BL_TRY(bli_mpi_check_apart(&shift->to));
    return all->root == shift->grid->link->self ? use_array(shift, ctx, out, from)
                                                : BL_OK;
}

bl_status bl_mpi_scatter(bl_context *ctx, const bl_mpi_tensor *out, int32_t root,
                         const bl_array *from)
{
    struct bli_ballot ballot;
    struct bli_spread *all = NULL;
    struct shift shift;
    bl_status status;

    BL_TRY(begin(&shift, "out", out, &ballot, __func__));
    status = root == BL_MPI_ALL ? bl_error_set(BL_ERR_ARGUMENT, "root is no rank")
                                : spread_on(out, root, &ballot, &all);
    if (status == BL_OK)
        status = scatter(&shift, ctx, out, from, all);
    status = run(&shift, ctx, &ballot, status);
    bli_spread_release(all);
    return status;
}
