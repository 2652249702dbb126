/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks do in reductions, told without making one.
 */
#include "mpi/entry/reduce.h"

struct bli_reduction_query bli_reduction_query_of(bl_reduction op, int32_t axes_count,
                                                  const int32_t *axes, bool keepdim,
                                                  const bl_reduce_options *options)
{
    return (struct bli_reduction_query){.op = op,
                                        .axes_count = axes_count,
                                        .axes = axes,
                                        .keepdim = keepdim,
                                        .options = options};
}

/* What a rank does, and all of them. */
static bl_status reduction_info(const struct bli_reduction *plan, int32_t of_rank,
                                bl_mpi_plan_info *info)
{
    struct bli_spread_totals totals;

    for (int32_t r = 0; r < plan->from->grid.ranks; r++) {
        BL_TRY(bli_reduction_totals(plan, r, &totals));
        info->total_bytes += totals.traffic.sent;
    }
    BL_TRY(bli_reduction_totals(plan, of_rank, &totals));
    info->local_count = totals.local_count;
    info->messages = totals.traffic.sent_messages;
    info->bytes = totals.traffic.sent;
    info->received_messages = totals.traffic.received_messages;
    info->received_bytes = totals.traffic.received;
    info->node_bytes = totals.traffic.node_sent + totals.traffic.node_received;
    info->workspace = totals.workspace;
    return BL_OK;
}

bl_status bl_mpi_reduce_query(bl_context *ctx, bl_reduction op, const bl_mpi_tensor *in,
                              int32_t axes_count, const int32_t *axes, bool keepdim,
                              const bl_reduce_options *options, const bl_mpi_dim *dims,
                              bool everywhere, int32_t of_rank, bl_mpi_plan_info *info)
{
    struct bli_reduction_query query =
        bli_reduction_query_of(op, axes_count, axes, keepdim, options);
    bl_mpi_plan_info known = {.size = sizeof known};
    struct bli_reduction plan;
    bl_status status;

    if (!in)
        return bli_mpi_null("in");
    if (of_rank < 0 || of_rank >= in->grid->shape.ranks)
        return bl_error_set(BL_ERR_ARGUMENT, "of_rank %d is none of the %d ranks",
                            (int)of_rank, (int)in->grid->shape.ranks);
    query.ctx = bli_mpi_context(ctx, in->grid);
    query.from = in->spread;
    query.dtype = in->dtype;
    query.dims = (const struct bli_dim *)(const void *)dims;
    query.everywhere = everywhere;
    BL_TRY(bli_reduction_make(&query, &plan));
    status = reduction_info(&plan, of_rank, &known);
    bli_reduction_free(&plan);
    return status == BL_OK ? bli_mpi_write_info(info, &known, sizeof known) : status;
}
