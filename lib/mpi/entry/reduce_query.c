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

bl_status bli_reduction_read_limits(const bl_mpi_options *given,
                                    struct bli_reduction_query *query,
                                    struct bli_reduction_limits *limits,
                                    struct bli_ballot *ballot)
{
    bl_mpi_options known;

    BL_TRY(bli_mpi_read_limits("limits", given, &known, ballot));
    if (known.call)
        return bl_error_set(BL_ERR_UNSUPPORTED,
                            "limits.call is of operators: a reduction has its own "
                            "options");
    if (query->everywhere && known.dims)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "limits.dims: every rank has all of the result");
    query->dims = (const struct bli_dim *)(const void *)known.dims;
    *limits =
        (struct bli_reduction_limits){bli_mpi_may_move(known.move), known.small_bytes,
                                      known.most_bytes, known.most_memory};
    return BL_OK;
}

/* What a rank does, and all of them, which keep within limits. */
static bl_status reduction_info(const struct bli_reduction *plan,
                                const struct bli_reduction_limits *limits,
                                int32_t of_rank, bl_mpi_plan_info *info)
{
    struct bli_spread_totals totals;
    const struct bli_traffic *const of = &totals.traffic;

    info->least_bytes = bli_reduction_least(plan);
    for (int32_t r = 0; r < plan->from->grid.ranks; r++) {
        BL_TRY(bli_reduction_check(plan, limits, r, &totals));
        info->total_bytes += totals.traffic.sent;
    }
    BL_TRY(bli_reduction_totals(plan, of_rank, &totals));
    info->local_count = totals.local_count;
    info->messages = of->sent_messages - of->shared_sent_messages;
    info->bytes = of->sent - of->shared_sent;
    info->received_messages = of->received_messages - of->shared_received_messages;
    info->received_bytes = of->received - of->shared_received;
    info->node_bytes = of->node_sent + of->node_received;
    info->shared_bytes = of->shared_sent;
    info->shared_received_bytes = of->shared_received;
    info->workspace = totals.workspace;
    return BL_OK;
}

bl_status bl_mpi_reduce_query(bl_context *ctx, bl_reduction op, const bl_mpi_tensor *in,
                              int32_t axes_count, const int32_t *axes, bool keepdim,
                              const bl_reduce_options *options,
                              const bl_mpi_options *limits, bool everywhere,
                              int32_t of_rank, bl_mpi_plan_info *info)
{
    struct bli_reduction_query query =
        bli_reduction_query_of(op, axes_count, axes, keepdim, options);
    bl_mpi_plan_info known = {.size = sizeof known};
    struct bli_reduction_limits within;
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
    query.everywhere = everywhere;
    BL_TRY(bli_reduction_read_limits(limits, &query, &within, NULL));
    BL_TRY(bli_reduction_make(&query, &plan));
    status = reduction_info(&plan, &within, of_rank, &known);
    bli_reduction_free(&plan);
    return status == BL_OK ? bli_mpi_write_info(info, &known, sizeof known) : status;
}
