/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One round of a reduction over ranks: combine, send, join, finish, move.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/entry/reduce.h"

/* ---- what is reserved ---- */

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

/* Memory for messages: of the schedule, and then of the results' move. */
static bl_status reserve_buffers(struct bli_effort *effort)
{
    const struct bli_move move = bli_round_move(effort->round);
    struct bli_traffic traffic;
    int64_t bytes;

    bli_traffic_count(&move, effort->grid->link->self, &traffic);
    bytes = bli_traffic_buffers(&traffic, BLI_WINDOW);
    bytes = bytes > effort->schedule.bytes ? bytes : effort->schedule.bytes;
    return bl_tensor_empty(effort->ctx, BL_DTYPE_U8, 1, &bytes, &effort->buffers);
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
    bl_tensor_release(effort->finished_tensor);
    bl_tensor_release(effort->result_tensor);
}

/* ---- states ---- */

/* Keep the first failure of this rank; the steps that follow do nothing. */
static void keep(struct bli_effort *effort, bl_status status)
{
    if (effort->status == BL_OK)
        effort->status = status;
}

/* A reduction in pieces of a share, without elements; NULL: it has no results. */
static bl_status new_state(const struct bli_effort *effort, int32_t share,
                           bl_reduce_pieces **state)
{
    struct bli_box box;

    *state = NULL;
    if (bli_reduction_share(effort->plan, effort->round, effort->grid->link->self,
                            effort->shares > 1 ? share : -1, &box) == 0)
        return BL_OK;
    return bli_reduction_pieces(effort->plan, effort->round, &box, state);
}

static bl_status make_states(struct bli_effort *effort)
{
    for (int32_t s = 0; s < effort->shares; s++)
        BL_TRY(new_state(effort, s, &effort->state[s]));
    return BL_OK;
}

/*
 * Add to each share what of this rank's runs is between two places of them: their
 * beginnings, first whole blocks, tails, and ends.
 */
static bl_status add_own(struct bli_effort *effort)
{
    for (int32_t s = 0; s < effort->shares; s++)
        for (int64_t i = 0; effort->state[s] && i < effort->runs.count; i++) {
            bl_range range = effort->runs.range[i];

            range.end -= bli_reduction_tail(effort->plan, range).end -
                         bli_reduction_tail(effort->plan, range).begin;
            BL_TRY(bli_effort_add(effort, s, effort->state[s], range));
        }
    return BL_OK;
}

/* Write the tails that go to a place, share after share. */
static bl_status write_tails(const struct bli_effort *effort,
                             const struct bli_parcel *parcel, char *to)
{
    char *const end = to + parcel->bytes;

    for (int32_t s = 0; s < effort->shares; s++) {
        bl_reduce_pieces *tails;
        bl_status status = new_state(effort, s, &tails);

        for (int64_t i = 0; status == BL_OK && tails && i < effort->runs.count; i++) {
            const bl_range tail =
                bli_reduction_tail(effort->plan, effort->runs.range[i]);

            if (tail.begin < tail.end &&
                bli_reduction_owner(effort->plan, tail.end) == parcel->place)
                status = bli_effort_add(effort, s, tails, tail);
        }
        if (status == BL_OK && tails) {
            status = bl_reduce_pieces_save(tails, to, (size_t)(end - to));
            to += bl_reduce_pieces_size(tails);
        }
        bl_reduce_pieces_destroy(tails);
        BL_TRY(status);
    }
    return BL_OK;
}

/* Join saved states that have arrived, which begin at `*from`. */
static bl_status join(const struct bli_effort *effort, int32_t share, const char **from,
                      const char *end)
{
    bl_reduce_pieces *other;
    bl_status status;

    if (!effort->state[share])
        return BL_OK;
    BL_TRY(bl_reduce_pieces_load(effort->ctx, *from, (size_t)(end - *from), &other));
    *from += bl_reduce_pieces_size(other);
    status = bl_reduce_pieces_join(effort->ctx, effort->state[share], other);
    bl_reduce_pieces_destroy(other);
    return status;
}

/* ---- stages ---- */

/* Fill a parcel that is to be sent; zeros tell that this rank has failed. */
static void fill(struct bli_effort *effort, const struct bli_parcel *parcel, char *to)
{
    const int32_t share = effort->shares > 1 ? parcel->place : 0;
    bl_status status = effort->status;

    memset(to, 0, parcel->bytes < 8 ? (size_t)parcel->bytes : 8);
    if (status != BL_OK || effort->is_lame)
        return;
    if (parcel->kind == BLI_PARCEL_TAILS)
        status = write_tails(effort, parcel, to);
    else if (parcel->kind == BLI_PARCEL_STATE)
        status = bl_reduce_pieces_save(effort->state[share], to, (size_t)parcel->bytes);
    else
        memcpy(to, effort->finished.base, (size_t)parcel->bytes);
    if (status != BL_OK && parcel->bytes >= 8)
        memset(to, 0, 8);
    keep(effort, status);
}

/* Take what has arrived.  What a rank sent that has failed is left: it will say so. */
static void take(struct bli_effort *effort, const struct bli_parcel *parcel,
                 const char *from)
{
    static const char failed[8];
    const char *const end = from + parcel->bytes;

    if (parcel->kind == BLI_PARCEL_RESULTS) {
        memcpy(effort->finished.base, from, (size_t)parcel->bytes);
        return;
    }
    if (memcmp(from, failed, sizeof failed) == 0)
        effort->is_lame = true;
    if (effort->status != BL_OK || effort->is_lame)
        return;
    if (parcel->kind == BLI_PARCEL_STATE)
        keep(effort, join(effort, effort->shares > 1 ? effort->own : 0, &from, end));
    for (int32_t s = 0; parcel->kind == BLI_PARCEL_TAILS && s < effort->shares &&
                        effort->status == BL_OK;
         s++)
        keep(effort, join(effort, s, &from, end));
}

/* Exchange the parcels from `first` on that have its stage; returns the next one. */
static bl_status run_stage(struct bli_effort *effort, int64_t first, int64_t *next)
{
    const struct bli_schedule *const schedule = &effort->schedule;
    const struct bli_parcel *const parcel = schedule->parcel;
    char *const buffers = bl_tensor_mutable_data(effort->buffers);
    int64_t end = first;

    for (; end < schedule->count && parcel[end].stage == parcel[first].stage; end++)
        if (parcel[end].is_sent)
            fill(effort, &parcel[end], buffers + parcel[end].at);
    BL_TRY(bli_mpi_exchange(effort->grid->link, end - first, parcel + first, buffers));
    for (int64_t i = first; i < end; i++)
        if (!parcel[i].is_sent)
            take(effort, &parcel[i], buffers + parcel[i].at);
    *next = end;
    return BL_OK;
}

/* Whether the next parcels are of results, or there are none: states are complete. */
static bool is_complete(const struct bli_effort *effort, int64_t at)
{
    return at == effort->schedule.count ||
           effort->schedule.parcel[at].kind == BLI_PARCEL_RESULTS;
}

/* Finish this rank's results, if it has all of their elements now. */
static void finish(struct bli_effort *effort)
{
    const bool is_mine = effort->shares > 1 || effort->own == 0;
    const bl_reduce_pieces *const state =
        effort->state[effort->shares > 1 ? effort->own : 0];

    if (is_mine && state && effort->status == BL_OK && !effort->is_lame)
        keep(effort, bli_effort_finish(effort, state));
}

static bl_status run_stages(struct bli_effort *effort)
{
    const struct bli_schedule *const schedule = &effort->schedule;
    int64_t at = 0;

    keep(effort, make_states(effort));
    if (schedule->count > 0 && schedule->parcel[0].kind == BLI_PARCEL_TAILS)
        BL_TRY(run_stage(effort, at, &at));
    if (effort->status == BL_OK && !effort->is_lame)
        keep(effort, add_own(effort));
    while (!is_complete(effort, at))
        BL_TRY(run_stage(effort, at, &at));
    finish(effort);
    while (at < schedule->count)
        BL_TRY(run_stage(effort, at, &at));
    return BL_OK;
}

bl_status bli_effort_run(struct bli_effort *effort)
{
    const struct bli_round *const round = effort->round;
    const struct bli_move move = bli_round_move(round);
    if (round->finishing != BLI_FINISH_HERE)
        BL_TRY(run_stages(effort));
    if (bli_spread_is_equal(round->finished, round->result))
        return BL_OK;
    return bli_mpi_transfer(effort->grid->link, effort->ctx, &move, BLI_WINDOW,
                            &effort->finished, &effort->result,
                            bl_tensor_mutable_data(effort->buffers));
}
