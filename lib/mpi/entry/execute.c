/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executes plans: all that may fail, the vote, moves, and then this rank's part.
 */
#include <string.h>

#include "mpi/entry/plan.h"

/* ---- sections ---- */

/* Copy the memory of operand k, in which elements keep their places. */
static bl_status copy_operand(struct bli_execution *run, int32_t k,
                              const struct bli_block *own)
{
    int64_t bytes;
    char *first;

    if (!bli_block_span(own, &first, &bytes))
        return BL_OK;
    BL_TRY(bl_tensor_empty(run->ctx, BL_DTYPE_U8, 1, &bytes, &run->copy[k]));
    memcpy(bl_tensor_mutable_data(run->copy[k]), first, (size_t)bytes);
    run->data[k] =
        (const char *)bl_tensor_data(run->copy[k]) + ((const char *)own->base - first);
    return BL_OK;
}

/*
 * Where the result comes in several sections, none may write what another one reads:
 * copy the operands that overlap it, but one that the result is.
 */
static bl_status separate(struct bli_execution *run)
{
    const bl_mpi_plan *const plan = run->plan;
    struct bli_block result = plan->result, own;

    result.base = run->out;
    for (int32_t k = 0; plan->sections > 1 && k < plan->call.count; k++) {
        if (k == 0 && plan->is_in_place && run->data[0] == run->out)
            continue;
        own = plan->own[k];
        own.base = (void *)(uintptr_t)run->data[k];
        if (bli_blocks_overlap(&own, &result))
            BL_TRY(copy_operand(run, k, &own));
    }
    return BL_OK;
}

/* Begin what this rank computes, so that it cannot fail after the vote. */
static bl_status begin_sections(struct bli_execution *run)
{
    const bl_mpi_plan *const plan = run->plan;
    const void *address[BL_MAX_INPUTS] = {NULL};

    for (int32_t s = 0; s < plan->sections; s++) {
        const struct bli_section *const section = &plan->section[s];

        for (int32_t k = 0; k < plan->call.count; k++) {
            const char *const from =
                section->is_assembled[k] ? plan->assembled[k].base : run->data[k];

            address[k] = from ? from + section->in[k] : NULL;
        }
        BL_TRY(bl_plan_begin(run->ctx, section->plan,
                             run->out ? run->out + section->out : NULL, address,
                             &run->begun[s]));
    }
    return BL_OK;
}

/* Compute all sections, or none, and free what the execution holds. */
static void end(struct bli_execution *run, bool execute)
{
    for (int32_t s = 0; s < run->plan->sections; s++)
        bl_plan_finish(run->begun[s], execute);
    for (int32_t k = 0; k < run->plan->call.count; k++)
        bl_tensor_release(run->copy[k]);
}

/* ---- moves ---- */

/*
 * Move operand k from this rank's block to where its elements are needed.  Where it
 * moves once, `beside` is done meanwhile, unless it is NULL.
 */
static bl_status bring(const bl_mpi_plan *plan, bl_context *ctx, int32_t k,
                       const struct bli_block *own, const struct bli_block *to,
                       const struct bli_beside *beside)
{
    const struct bli_block *const way = &plan->way[k];
    const struct bli_move *moves[2];
    const int32_t count = bli_call_moves(&plan->call, k, moves);

    for (int32_t m = 0; m < count; m++)
        BL_TRY(bli_mpi_transfer_beside(
            plan->grid->link, ctx, moves[m], plan->call.window, m > 0 ? way : own,
            m + 1 < count ? way : to, plan->buffers, count == 1 ? beside : NULL));
    return BL_OK;
}

/* ---- direct calls ---- */

/*
 * Find where what moves goes to: to the result at `out`, or, where that overlaps the
 * operand, to memory of its own.
 */
static bl_status prepare_direct(const bl_mpi_plan *plan, bl_context *ctx, void *out,
                                const void *data, struct bli_block *to,
                                bl_tensor **apart)
{
    struct bli_block own = plan->own[0];

    *to = plan->result;
    own.base = (void *)(uintptr_t)data;
    const bool lacks_out = plan->sections > 0 && !out;

    if (lacks_out || (bl_layout_numel(&own.layout) > 0 && !data))
        return bli_mpi_null(lacks_out ? "out" : "data[0]");
    to->base = plan->sections > 0 ? out : NULL;
    if (!bli_blocks_overlap(to, &own))
        return BL_OK;
    BL_TRY(bl_tensor_empty(ctx, to->dtype, to->layout.rank, to->layout.extent, apart));
    *to = plan->assembled[0];
    to->base = bl_tensor_mutable_data(*apart);
    return BL_OK;
}

/* Vote on a copy that has `status` so far, and move it to where it belongs. */
static bl_status run_direct(const bl_mpi_plan *plan, bl_context *ctx,
                            const struct bli_ballot *ballot, bl_status status,
                            void *out, const void *const *data)
{
    struct bli_block own = plan->own[0], to;
    bl_tensor *apart = NULL;

    if (status == BL_OK)
        status = prepare_direct(plan, ctx, out, data[0], &to, &apart);
    status = bli_mpi_agree(plan->grid, ballot, status);
    if (status == BL_OK) {
        own.base = (void *)(uintptr_t)data[0];
        status = bring(plan, ctx, 0, &own, &to, NULL);
    }
    if (status == BL_OK && apart) {
        struct bli_block result = plan->result;

        result.base = out;
        bli_block_copy(ctx, &result, &to);
    }
    bl_tensor_release(apart);
    return status;
}

/* ---- other calls ---- */

/* Move operand k in linear order. */
static bl_status move_ordered(const bl_mpi_plan *plan, bl_context *ctx, int32_t k,
                              struct bli_block own)
{
    struct bli_block ordered;

    if (plan->ordered[k]) {
        bli_block_compact(&ordered, own.dtype, own.layout.rank, &own.box,
                          bl_tensor_mutable_data(plan->ordered[k]));
        bli_block_copy(ctx, &ordered, &own);
        own = ordered;
    }
    return bli_mpi_lines(plan->grid->link, &plan->call.lines[k], bli_block_data(&own),
                         plan->assembled[k].base, &plan->lines[k]);
}

/* Move operand k, and compute what need not wait for the rest of it. */
static bl_status move(struct bli_execution *run, int32_t k)
{
    const bl_mpi_plan *const plan = run->plan;
    struct bli_block own = plan->own[k];

    own.base = (void *)(uintptr_t)run->data[k];
    run->moving = k;
    if (plan->call.is_linear[k])
        BL_TRY(move_ordered(plan, run->ctx, k, own));
    else if (!plan->call.is_local[k])
        BL_TRY(bring(plan, run->ctx, k, &own, &plan->assembled[k],
                     run->is_early ? &run->beside : NULL));
    if (plan->call.is_linear[k] || plan->call.stage[k])
        bli_arrive_whole(run, k);
    return BL_OK;
}

/* Take the operands' addresses: those of what moves must be there. */
static bl_status take_data(struct bli_execution *run, const void *const *data)
{
    const struct bli_spread_call *const call = &run->plan->call;

    for (int32_t k = 0; k < call->count; k++) {
        run->data[k] = data[k];
        if (!data[k] && (!call->is_local[k] || call->is_linear[k]) &&
            bl_layout_numel(&run->plan->own[k].layout) > 0)
            return bl_error_set(BL_ERR_ARGUMENT, "data[%d] is null", (int)k);
    }
    return BL_OK;
}

bl_status bli_mpi_plan_run(const bl_mpi_plan *plan, bl_context *ctx,
                           const struct bli_ballot *ballot, bl_status status, void *out,
                           const void *const *data)
{
    bl_mpi_grid *const grid = plan->grid;
    struct bli_execution run = {.plan = plan, .out = out};

    run.ctx = bli_mpi_context(ctx, grid);
    if (plan->call.is_direct)
        return run_direct(plan, run.ctx, ballot, status, out, data);
    if (status == BL_OK)
        status = take_data(&run, data);
    if (status == BL_OK)
        status = separate(&run);
    if (status == BL_OK && !plan->has_values)
        status = begin_sections(&run);
    status = bli_mpi_agree(grid, ballot, status);
    if (status == BL_OK && plan->sections > 1 && plan->is_early)
        bli_arrive_begin(&run);
    for (int32_t i = 0; status == BL_OK && i < plan->call.count; i++)
        status = move(&run, plan->order[i]);
    if (status == BL_OK && plan->has_values)
        status = bli_mpi_agree(grid, ballot, begin_sections(&run));
    end(&run, status == BL_OK);
    return status;
}
