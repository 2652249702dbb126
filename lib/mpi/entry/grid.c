/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grids of ranks.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/entry/entry.h"

/* What a grid is made with, and freed after it. */
struct making {
    bl_mpi_grid *grid;
    struct bli_seat *seat; /* of all ranks; then of those of this node */
    int32_t *node;         /* the lowest rank of each rank's node */
};

static void free_grid(bl_mpi_grid *grid)
{
    if (!grid)
        return;
    bli_mpi_forget(&grid->remembered);
    bli_link_close(grid->link);
    bl_context_destroy(grid->arena.ctx);
    bl_context_destroy(grid->ctx);
    free(grid);
}

/* A grid without a link. */
static bl_status make_grid(int32_t ranks, int32_t axes, const int64_t *extent,
                           int32_t node_ranks, bl_mpi_grid **out)
{
    bl_mpi_grid *const grid = calloc(1, sizeof *grid);
    bl_status status;

    if (!grid)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a grid");
    status = bli_grid_make(ranks, axes, extent, node_ranks, &grid->shape);
    if (status == BL_OK)
        status = bl_context_create(&grid->ctx);
    if (status != BL_OK) {
        free_grid(grid);
        return status;
    }
    atomic_init(&grid->references, 1);
    *out = grid;
    return BL_OK;
}

/* Extents of 64 bits, 0 for those that are chosen. */
static bl_status make_linked(MPI_Comm comm, const struct bli_link *link,
                             const bl_mpi_grid_options *options, struct making *making)
{
    int64_t extent[BL_MPI_MAX_AXES] = {0};
    int32_t axes = options->axes;

    if (options->flags & ~(BL_MPI_KEEP_ERRORS | BL_MPI_MESSAGES))
        return bl_error_set(BL_ERR_ARGUMENT, "options.flags is 0x%x",
                            (unsigned)options->flags);
    if (axes < 0 || axes > BL_MPI_MAX_AXES)
        return bl_error_set(BL_ERR_ARGUMENT, "options.axes is %d, not 0 to %d", axes,
                            BL_MPI_MAX_AXES);
    if (axes == 0)
        axes = bli_link_cartesian(comm, extent);
    else if (options->extent)
        memcpy(extent, options->extent, (size_t)axes * sizeof *extent);
    BL_TRY(make_grid(link->ranks, axes > 0 ? axes : 1, extent, 1, &making->grid));
    making->seat = calloc((size_t)link->ranks + 1, sizeof *making->seat);
    making->node = calloc((size_t)link->ranks * 2, sizeof *making->node);
    if (!making->seat || !making->node)
        return bl_error_set(BL_ERR_MEMORY, "no memory for %d ranks", link->ranks);
    BL_TRY(bli_arena_open(&making->grid->arena));
    return bli_seat_query(making->grid->ctx, &making->seat[link->ranks]);
}

/* The number of ranks on each node where nodes have ranks one after the other, else 1.
 */
static int32_t even_nodes(const int32_t *node, int32_t ranks)
{
    int32_t each = 1;

    while (each < ranks && node[each] == node[0])
        each++;
    for (int32_t r = 0; r < ranks; r++)
        if (node[r] != r / each * each)
            return 1;
    return ranks % each == 0 ? each : 1;
}

/* Learn about all ranks: nodes, threads, instruction sets.  Allocates nothing. */
static bl_status meet(bl_mpi_grid *grid, struct making *making, bool may_share)
{
    struct bli_link *const link = grid->link;
    struct bli_seat *const seat = making->seat;
    const int32_t ranks = link->ranks, *const node = making->node;
    bl_mpi_grid_info *const info = &grid->info;
    int32_t here = 0, self = 0, base = 0;

    BL_TRY(bli_link_gather(link, &seat[ranks], sizeof *seat, seat));
    BL_TRY(bli_link_nodes(link, making->node));
    for (int32_t r = 0; r < ranks; r++) {
        info->nodes += node[r] == r;
        base += seat[r].is_base;
        if (r == link->self)
            self = here;
        if (node[r] == node[link->self])
            seat[here++] = seat[r];
    }
    grid->shape.node = even_nodes(node, ranks);
    grid->shape.is_shared = may_share && bli_shared_open(link, grid->shape.node);
    info->shared_ranks = grid->shape.is_shared ? grid->shape.node : 1;
    info->node_ranks = here;
    info->reproducible =
        bl_context_reproducible(grid->ctx) || (base > 0 && base < ranks);
    bl_context_set_reproducible(grid->ctx, info->reproducible);
    info->threads = bli_seat_threads(here, seat, self, making->node + ranks,
                                     grid->threads_text, sizeof grid->threads_text);
    info->thread_level = bli_link_thread_level();
    return bl_context_set_threads(grid->ctx, info->threads);
}

static void describe(bl_mpi_grid *grid)
{
    bl_mpi_grid_info *const info = &grid->info;

    info->size = sizeof *info;
    info->axes = grid->shape.axes;
    info->ranks = grid->shape.ranks;
    for (int32_t a = 0; a < info->axes; a++)
        info->extent[a] = grid->shape.extent[a];
    info->self = grid->link ? grid->link->self : -1;
    info->threads_text = grid->threads_text;
}

bl_status bl_mpi_grid_create(MPI_Comm comm, const bl_mpi_grid_options *options,
                             bl_mpi_grid **out)
{
    const uint16_t order = 1; /* its bytes tell machines of other byte orders */
    bl_mpi_grid_options known;
    struct bli_ballot ballot;
    struct making making = {NULL, NULL, NULL};
    struct bli_link *link;
    bl_status status = bli_mpi_read_options("options", options, &known, sizeof known);

    BL_TRY(bli_link_open(comm, (known.flags & BL_MPI_KEEP_ERRORS) != 0, &link));
    bli_ballot_begin(&ballot, __func__);
    bli_ballot_bytes(&ballot, &order, sizeof order);
    bli_ballot_bytes(&ballot, bl_version(), strlen(bl_version()));
    bli_ballot_number(&ballot, known.flags);
    bli_ballot_text(&ballot, "%d axes, version %s", known.axes, bl_version());
    if (status == BL_OK)
        status = out ? make_linked(comm, link, &known, &making) : bli_mpi_null("out");
    if (status == BL_OK)
        for (int32_t a = 0; a < making.grid->shape.axes; a++)
            bli_ballot_number(&ballot, making.grid->shape.extent[a]);
    status = bli_mpi_vote(link, &ballot, status);
    if (status == BL_OK) {
        making.grid->link = link;
        making.grid->number = link->made++;
        status = meet(making.grid, &making, !(known.flags & BL_MPI_MESSAGES));
    } else
        bli_link_close(link);
    free(making.seat);
    free(making.node);
    if (status != BL_OK) {
        free_grid(making.grid);
        return status;
    }
    describe(making.grid);
    *out = making.grid;
    return BL_OK;
}

bl_status bl_mpi_grid_describe(int32_t axes, const int64_t *extent, int32_t node_ranks,
                               bl_mpi_grid **out)
{
    bl_mpi_grid *grid;

    if (!extent || !out)
        return bli_mpi_null(extent ? "out" : "extent");
    BL_TRY(make_grid(0, axes, extent, node_ranks, &grid));
    grid->info.node_ranks = grid->info.shared_ranks = grid->shape.node;
    grid->shape.is_shared = grid->shape.node > 1;
    grid->info.nodes = (grid->shape.ranks + grid->shape.node - 1) / grid->shape.node;
    grid->info.thread_level = -1;
    describe(grid);
    *out = grid;
    return BL_OK;
}

bl_mpi_grid *bl_mpi_grid_retain(bl_mpi_grid *grid)
{
    if (grid)
        atomic_fetch_add_explicit(&grid->references, 1, memory_order_relaxed);
    return grid;
}

void bl_mpi_grid_release(bl_mpi_grid *grid)
{
    if (grid &&
        atomic_fetch_sub_explicit(&grid->references, 1, memory_order_acq_rel) == 1)
        free_grid(grid);
}

bl_status bl_mpi_grid_query(const bl_mpi_grid *grid, bl_mpi_grid_info *info)
{
    if (!grid)
        return bli_mpi_null("grid");
    return bli_mpi_write_info(info, &grid->info, sizeof grid->info);
}
