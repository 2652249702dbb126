/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank sends and receives in a reduction: from borders alone, so that both ends
 * know the size of each message, and any rank can say what any other one does.
 */
#include "mpi/spread/reduction_draft.h"

#include <stdlib.h>

/* ---- tails ---- */

static bl_status add_tails_of(struct bli_draft *draft, bool is_sent, int32_t peer)
{
    const int32_t from = is_sent ? draft->own : peer, to = is_sent ? peer : draft->own;
    struct bli_runs tails = {0};
    int64_t bytes = 0, one = 0;
    bl_status status = bli_reduction_tails(draft->plan, draft->round, draft->of_rank,
                                           from, to, &tails);

    for (int32_t s = 0; s < bli_reduction_shares(draft->plan, draft->round); s++) {
        if (status == BL_OK)
            status = bli_draft_state_bytes(draft, s, &tails, &one);
        bytes += one;
    }
    bli_runs_free(&tails);
    return status == BL_OK
               ? bli_draft_add(draft, BLI_PARCEL_TAILS, is_sent, peer, bytes)
               : status;
}

/* Mark the places that tails of this rank go to, 1, and that they come from, 2. */
static bl_status mark_neighbours(const struct bli_draft *draft, char *mark)
{
    struct bli_runs runs = {0};
    const bl_status status = bli_reduction_runs(draft->plan, draft->round,
                                                draft->of_rank, draft->own, &runs);

    for (int64_t i = 0; i < runs.count && status == BL_OK; i++) {
        if (runs.range[i].end < draft->plan->count)
            mark[bli_reduction_owner(draft->plan, runs.range[i].end)] |= 1;
        if (runs.range[i].begin > 0)
            mark[bli_reduction_owner(draft->plan, runs.range[i].begin - 1)] |= 2;
    }
    bli_runs_free(&runs);
    return status;
}

static bl_status add_tails(struct bli_draft *draft)
{
    const int32_t group = draft->plan->group;
    char *const mark = calloc((size_t)group, 1);
    bl_status status;

    if (!mark)
        return bl_error_set(BL_ERR_MEMORY, "no memory for %d ranks", (int)group);
    status = mark_neighbours(draft, mark);
    for (int32_t t = 1; t < group && status == BL_OK; t++) {
        const int32_t to = (draft->own + t) % group;
        const int32_t from = (draft->own + group - t) % group;

        if (mark[to] & 1)
            status = add_tails_of(draft, true, to);
        if (status == BL_OK && (mark[from] & 2))
            status = add_tails_of(draft, false, from);
    }
    free(mark);
    return status;
}

bl_status bli_schedule_make(const struct bli_reduction *plan,
                            const struct bli_round *round, int32_t of_rank,
                            struct bli_schedule *schedule)
{
    struct bli_draft draft = {.plan = plan,
                              .round = round,
                              .of_rank = of_rank,
                              .own = bli_reduction_place(plan, of_rank),
                              .schedule = schedule};
    bl_status status = BL_OK;

    if (round->finishing == BLI_FINISH_HERE)
        return BL_OK;
    if (plan->ways.way == BLI_WAY_LANES)
        status = add_tails(&draft);
    draft.stage++;
    if (status == BL_OK)
        status = round->finishing == BLI_FINISH_EXCHANGE ? bli_draft_exchange(&draft)
                 : round->finishing == BLI_FINISH_TREE   ? bli_draft_tree(&draft)
                                                         : bli_draft_shares(&draft);
    for (int k = 0; k < 2; k++)
        bl_reduce_pieces_destroy(draft.known[k].pieces);
    return status;
}

/*
 * Joining takes memory, in lines of 64 bytes, for a reduction in pieces, for each of
 * its fragments twice, which are 24 saved bytes and more, and for longer lists of them.
 * A rank's own is saved there first.
 */
#define JOINING_EACH   1024
#define JOINING_FACTOR 16

static int64_t joining(int64_t bytes)
{
    return JOINING_EACH + JOINING_FACTOR * bytes;
}

int64_t bli_schedule_joining(const struct bli_schedule *schedule)
{
    int64_t bytes = joining(schedule->own);

    for (int64_t k = 0; k < schedule->count; k++)
        if (!schedule->parcel[k].is_sent &&
            schedule->parcel[k].kind != BLI_PARCEL_TAILS)
            bytes += joining(schedule->parcel[k].bytes);
    return bytes;
}

void bli_schedule_free(struct bli_schedule *schedule)
{
    free(schedule->parcel);
    *schedule = (struct bli_schedule){0};
}
