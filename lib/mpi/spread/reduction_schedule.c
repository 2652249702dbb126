/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank sends and receives in a reduction: from borders alone, so that both ends
 * know the size of each message, and any rank can say what any other one does.
 */
#include "mpi/spread/reduction.h"

#include <stdlib.h>

/* A schedule while it is made. */
struct draft {
    const struct bli_reduction *plan;
    const struct bli_round *round;
    int32_t of_rank, own; /* its place in the group */
    int32_t stage;
    struct {
        struct bli_box box; /* of results */
        bl_reduce_pieces *pieces;
    } known[2]; /* of another's share and of its own: states of most shares are alike */
    struct bli_schedule *schedule;
};

int32_t bli_reduction_shares(const struct bli_reduction *plan,
                             const struct bli_round *round)
{
    return round->finishing == BLI_FINISH_SHARES ? plan->group : 1;
}

/* The place of a share, as bli_reduction_share() has it. */
static int32_t share_place(const struct bli_round *round, int32_t share)
{
    return round->finishing == BLI_FINISH_SHARES ? share : -1;
}

static bl_status add(struct draft *draft, enum bli_parcel_kind kind, bool is_sent,
                     int32_t place, int64_t bytes)
{
    struct bli_schedule *const all = draft->schedule;

    if (bytes == 0)
        return BL_OK;
    if (all->count == all->room) {
        const int64_t room = all->room > 0 ? 2 * all->room : 16;
        struct bli_parcel *const more =
            realloc(all->parcel, (size_t)room * sizeof *more);

        if (!more)
            return bl_error_set(BL_ERR_MEMORY, "no memory for %ld messages",
                                (long)room);
        all->parcel = more;
        all->room = room;
    }
    all->parcel[all->count++] =
        (struct bli_parcel){kind,
                            is_sent,
                            draft->stage,
                            place,
                            bli_reduction_peer(draft->plan, draft->of_rank, place),
                            bytes,
                            all->bytes};
    all->bytes += (bytes + 15) / 16 * 16;
    return BL_OK;
}

/* ---- sizes ---- */

/* Whether as many results lie in two boxes, along each dimension. */
static bool is_alike(int32_t rank, const struct bli_box *a, const struct bli_box *b)
{
    for (int32_t d = 0; d < rank; d++)
        if (a->end[d] - a->begin[d] != b->end[d] - b->begin[d])
            return false;
    return true;
}

/* The bytes of a state of one share with some elements; 0 for none. */
static bl_status state_bytes(struct draft *draft, int32_t share,
                             const struct bli_runs *runs, int64_t *bytes)
{
    const int of = share == draft->own;
    bl_reduce_pieces **const pieces = &draft->known[of].pieces;
    struct bli_box box;

    *bytes = 0;
    if (runs->count == 0 ||
        bli_reduction_share(draft->plan, draft->round, draft->of_rank,
                            share_place(draft->round, share), &box) == 0)
        return BL_OK;
    if (!*pieces || !is_alike(draft->plan->input->rank, &draft->known[of].box, &box)) {
        bl_reduce_pieces_destroy(*pieces);
        *pieces = NULL;
        BL_TRY(bli_reduction_pieces(draft->plan, draft->round, &box, pieces));
        draft->known[of].box = box;
    }
    *bytes = (int64_t)bl_reduce_pieces_size_of(*pieces, runs->count, runs->range);
    return BL_OK;
}

/* A parcel of what the ranks at some places have combined, for one share. */
static bl_status add_state(struct draft *draft, bool is_sent, int32_t peer,
                           int32_t share, int32_t place, int32_t count)
{
    struct bli_runs runs = {0};
    int64_t bytes = 0;
    bl_status status = bli_reduction_combined(draft->plan, draft->round, draft->of_rank,
                                              place, count, &runs);

    if (status == BL_OK)
        status = state_bytes(draft, share, &runs, &bytes);
    bli_runs_free(&runs);
    return status == BL_OK ? add(draft, BLI_PARCEL_STATE, is_sent, peer, bytes)
                           : status;
}

/* ---- tails ---- */

static bl_status add_tails_of(struct draft *draft, bool is_sent, int32_t peer)
{
    const int32_t from = is_sent ? draft->own : peer, to = is_sent ? peer : draft->own;
    struct bli_runs tails = {0};
    int64_t bytes = 0, one = 0;
    bl_status status = bli_reduction_tails(draft->plan, draft->round, draft->of_rank,
                                           from, to, &tails);

    for (int32_t s = 0; s < bli_reduction_shares(draft->plan, draft->round); s++) {
        if (status == BL_OK)
            status = state_bytes(draft, s, &tails, &one);
        bytes += one;
    }
    bli_runs_free(&tails);
    return status == BL_OK ? add(draft, BLI_PARCEL_TAILS, is_sent, peer, bytes)
                           : status;
}

/* Mark the places that tails of this rank go to, 1, and that they come from, 2. */
static bl_status mark_neighbours(const struct draft *draft, char *mark)
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

static bl_status add_tails(struct draft *draft)
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

/* ---- finishing ---- */

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/*
 * Two by two: a place that is an odd multiple of `step` sends what those from it on
 * have combined to the one `step` before it, and gets the results from there.
 */
static bl_status add_tree(struct draft *draft)
{
    const int32_t group = draft->plan->group, own = draft->own;
    struct bli_box box;
    const int64_t results =
        bli_reduction_share(draft->plan, draft->round, draft->of_rank, -1, &box) *
        (int64_t)bl_dtype_size(draft->round->to);
    int32_t step = 1;

    for (; step < group && !(own & step); step *= 2, draft->stage++)
        if (own + step < group)
            BL_TRY(add_state(draft, false, own + step, 0, own + step,
                             least(step, group - own - step)));
    if (step < group) {
        BL_TRY(add_state(draft, true, own - step, 0, own, least(step, group - own)));
        draft->stage++;
        BL_TRY(add(draft, BLI_PARCEL_RESULTS, false, own - step, results));
    }
    for (step /= 2; step > 0; step /= 2) {
        draft->stage++;
        if (own + step < group)
            BL_TRY(add(draft, BLI_PARCEL_RESULTS, true, own + step, results));
    }
    return BL_OK;
}

/* Every rank sends every other one what it has combined of the other's share. */
static bl_status add_shares(struct draft *draft)
{
    const int32_t group = draft->plan->group;
    struct bli_runs runs = {0};
    int64_t bytes;
    bl_status status = bli_reduction_combined(draft->plan, draft->round, draft->of_rank,
                                              draft->own, 1, &runs);

    for (int32_t t = 1; t < group && status == BL_OK; t++) {
        const int32_t to = (draft->own + t) % group;
        const int32_t from = (draft->own + group - t) % group;

        status = state_bytes(draft, to, &runs, &bytes);
        if (status == BL_OK)
            status = add(draft, BLI_PARCEL_STATE, true, to, bytes);
        if (status == BL_OK)
            status = add_state(draft, false, from, draft->own, from, 1);
    }
    bli_runs_free(&runs);
    return status;
}

bl_status bli_schedule_make(const struct bli_reduction *plan,
                            const struct bli_round *round, int32_t of_rank,
                            struct bli_schedule *schedule)
{
    struct draft draft = {.plan = plan,
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
        status =
            round->finishing == BLI_FINISH_TREE ? add_tree(&draft) : add_shares(&draft);
    for (int k = 0; k < 2; k++)
        bl_reduce_pieces_destroy(draft.known[k].pieces);
    return status;
}

void bli_schedule_free(struct bli_schedule *schedule)
{
    free(schedule->parcel);
    *schedule = (struct bli_schedule){0};
}
