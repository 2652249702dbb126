/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a reduction over ranks reserves before the vote: of a round, and for the move of
 * its operand.
 */
#include <stdlib.h>

#include "mpi/entry/reduce.h"

/* A compact block of a rank's box of a spread, in a tensor of its own. */
static bl_status reserve_block(struct bli_effort *effort,
                               const struct bli_spread *spread, bl_tensor **tensor,
                               struct bli_block *block)
{
    const bl_dtype dtype = effort->round->to;
    int64_t extent[BL_MAX_RANK];
    struct bli_box box;

    bli_spread_box(spread, effort->grid->link->self, &box);
    for (int32_t d = 0; d < spread->rank; d++)
        extent[d] = box.end[d] - box.begin[d];
    BL_TRY(bl_tensor_empty(effort->ctx, dtype, spread->rank, extent, tensor));
    bli_block_compact(block, dtype, spread->rank, &box,
                      bl_tensor_mutable_data(*tensor));
    return BL_OK;
}

/*
 * Memory for messages: of the schedule, and then of the results' move; and to join in,
 * where that must not fail.
 */
static bl_status reserve_buffers(struct bli_effort *effort)
{
    const struct bli_move move = bli_round_move(effort->round);
    struct bli_traffic traffic;
    int64_t bytes;

    bli_traffic_count(&move, effort->grid->link->self, &traffic);
    bytes = bli_traffic_buffers(&traffic, BLI_WINDOW);
    bytes = bytes > effort->schedule.bytes ? bytes : effort->schedule.bytes;
    BL_TRY(bl_tensor_empty(effort->ctx, BL_DTYPE_U8, 1, &bytes, &effort->buffers));
    if (!bli_reduction_tells_all(effort->plan))
        return BL_OK;
    bytes = bli_schedule_joining(&effort->schedule);
    return bl_tensor_empty(effort->ctx, BL_DTYPE_U8, 1, &bytes, &effort->arena);
}

bl_status bli_effort_open(struct bli_effort *effort)
{
    const struct bli_reduction *const plan = effort->plan;
    const struct bli_round *const round = effort->round;
    const int32_t self = effort->grid->link->self;

    effort->own = bli_reduction_place(plan, self);
    effort->shares = bli_reduction_shares(plan, round);
    effort->state = calloc((size_t)effort->shares, sizeof *effort->state);
    if (!effort->state)
        return bl_error_set(BL_ERR_MEMORY, "no memory for %d shares", effort->shares);
    BL_TRY(bli_schedule_make(plan, round, self, &effort->schedule));
    if (round->finishing != BLI_FINISH_HERE)
        BL_TRY(bli_reduction_runs(plan, round, self, effort->own, &effort->runs));
    BL_TRY(bli_effort_reserve_results(effort));
    return reserve_buffers(effort);
}

bl_status bli_effort_reserve_results(struct bli_effort *effort)
{
    const struct bli_round *const round = effort->round;

    bl_tensor_release(effort->finished_tensor);
    bl_tensor_release(effort->result_tensor);
    effort->finished_tensor = effort->result_tensor = NULL;
    BL_TRY(reserve_block(effort, round->finished, &effort->finished_tensor,
                         &effort->finished));
    if (!bli_spread_is_equal(round->finished, round->result))
        return reserve_block(effort, round->result, &effort->result_tensor,
                             &effort->result);
    effort->result = effort->finished;
    effort->result_tensor = bl_tensor_retain(effort->finished_tensor);
    return BL_OK;
}

void bli_effort_clear(struct bli_effort *effort)
{
    for (int32_t s = 0; effort->state && s < effort->shares; s++) {
        bl_reduce_pieces_destroy(effort->state[s]);
        effort->state[s] = NULL;
    }
    effort->status = BL_OK;
    effort->is_lame = false;
}

void bli_effort_close(struct bli_effort *effort)
{
    bli_effort_clear(effort);
    free(effort->state);
    bli_schedule_free(&effort->schedule);
    bli_runs_free(&effort->runs);
    bl_tensor_release(effort->buffers);
    bl_tensor_release(effort->arena);
    bl_tensor_release(effort->finished_tensor);
    bl_tensor_release(effort->result_tensor);
}

/* ---- a call ---- */

bl_status bli_reducing_reserve_move(struct bli_reducing *call)
{
    const struct bli_reduction *const plan = &call->plan;
    const struct bli_move move = bli_reduction_move(plan);
    const int32_t self = call->grid->link->self;
    int64_t extent[BL_MAX_RANK], bytes;
    struct bli_traffic traffic;
    struct bli_box box;

    bli_spread_box(plan->input, self, &box);
    for (int32_t d = 0; d < plan->input->rank; d++)
        extent[d] = box.end[d] - box.begin[d];
    BL_TRY(bl_tensor_empty(call->ctx, plan->dtype, plan->input->rank, extent,
                           &call->moved));
    bli_block_compact(&call->input, plan->dtype, plan->input->rank, &box,
                      bl_tensor_mutable_data(call->moved));
    bli_traffic_count(&move, self, &traffic);
    bytes = bli_traffic_buffers(&traffic, BLI_WINDOW);
    return bl_tensor_empty(call->ctx, BL_DTYPE_U8, 1, &bytes, &call->buffers);
}
