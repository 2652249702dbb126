/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One round of a reduction over ranks: combine, send, join, finish, move.
 */
#include <string.h>

#include "mpi/entry/reduce.h"

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

/* Put what was saved in the place of a rank's own state. */
static bl_status replace(struct bli_effort *effort, const char *from, int64_t bytes)
{
    bl_reduce_pieces_destroy(effort->state[0]);
    effort->state[0] = NULL;
    return bl_reduce_pieces_load(effort->joining, from, (size_t)bytes,
                                 &effort->state[0]);
}

/*
 * Let the state be in memory that was reserved, behind what it is saved in on the way,
 * so that nothing fails from here on.
 */
static bl_status reseat(struct bli_effort *effort)
{
    const int64_t own = effort->schedule.own, behind = (own + 63) / 64 * 64;
    char *memory;

    if (!effort->arena || !effort->state[0])
        return BL_OK;
    memory = bl_tensor_mutable_data(effort->arena);
    bli_arena_use(&effort->grid->arena, memory + behind,
                  (size_t)(bl_tensor_numel(effort->arena) - behind));
    BL_TRY(bl_reduce_pieces_save(effort->state[0], memory, (size_t)own));
    effort->joining = effort->grid->arena.ctx;
    return replace(effort, memory, own);
}

/* Join saved states that have arrived, which begin at `*from`. */
static bl_status join(const struct bli_effort *effort, int32_t share, const char **from,
                      const char *end)
{
    bl_context *const ctx = effort->joining;
    bl_reduce_pieces *other;
    bl_status status;

    if (!effort->state[share])
        return BL_OK;
    BL_TRY(bl_reduce_pieces_load(ctx, *from, (size_t)(end - *from), &other));
    *from += bl_reduce_pieces_size(other);
    status = bl_reduce_pieces_join(ctx, effort->state[share], other);
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
    else if (parcel->kind == BLI_PARCEL_RESULTS)
        memcpy(to, effort->finished.base, (size_t)parcel->bytes);
    else
        status = bl_reduce_pieces_save(effort->state[share], to, (size_t)parcel->bytes);
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
    if (parcel->kind == BLI_PARCEL_WHOLE)
        keep(effort, replace(effort, from, parcel->bytes));
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
    const bool is_mine =
        effort->round->finishing != BLI_FINISH_TREE || effort->own == 0;
    const bl_reduce_pieces *const state =
        effort->state[effort->shares > 1 ? effort->own : 0];

    if (is_mine && state && effort->status == BL_OK && !effort->is_lame)
        keep(effort, bli_effort_finish(effort, state));
}

static bl_status run_stages(struct bli_effort *effort)
{
    const struct bli_schedule *const schedule = &effort->schedule;
    int64_t at = 0;

    effort->joining = effort->ctx;
    keep(effort, make_states(effort));
    if (schedule->count > 0 && schedule->parcel[0].kind == BLI_PARCEL_TAILS)
        BL_TRY(run_stage(effort, at, &at));
    if (effort->status == BL_OK && !effort->is_lame)
        keep(effort, add_own(effort));
    if (effort->status == BL_OK && !effort->is_lame)
        keep(effort, reseat(effort));
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
