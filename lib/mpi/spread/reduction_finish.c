/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How ranks of a group finish results: the parcels of one rank, of what was combined.
 */
#include "mpi/spread/reduction_draft.h"

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/*
 * Two by two: a place that is an odd multiple of `step` sends what those from it on
 * have combined to the one `step` before it, and gets the results from there.
 */
bl_status bli_draft_tree(struct bli_draft *draft)
{
    const int32_t group = draft->plan->group, own = draft->own;
    struct bli_box box;
    const int64_t results =
        bli_reduction_share(draft->plan, draft->round, draft->of_rank, -1, &box) *
        (int64_t)bl_dtype_size(draft->round->to);
    int32_t step = 1;

    for (; step < group && !(own & step); step *= 2, draft->stage++)
        if (own + step < group)
            BL_TRY(bli_draft_add_state(draft, false, own + step, 0, own + step,
                                       least(step, group - own - step)));
    if (step < group) {
        BL_TRY(bli_draft_add_state(draft, true, own - step, 0, own,
                                   least(step, group - own)));
        draft->stage++;
        BL_TRY(bli_draft_add(draft, BLI_PARCEL_RESULTS, false, own - step, results));
    }
    for (step /= 2; step > 0; step /= 2) {
        draft->stage++;
        if (own + step < group)
            BL_TRY(bli_draft_add(draft, BLI_PARCEL_RESULTS, true, own + step, results));
    }
    return BL_OK;
}

/* Where parts begin: `pairs` of two places each, and then places alone. */
static int32_t part_begin(int32_t part, int32_t pairs)
{
    return part < pairs ? 2 * part : part + pairs;
}

/* Send what some parts have to the place of another one, or receive it from there. */
static bl_status add_parts(struct bli_draft *draft, bool is_sent, int32_t peer,
                           int32_t first, int32_t count, int32_t pairs)
{
    const int32_t begin = part_begin(first, pairs);

    return bli_draft_add_state(draft, is_sent, part_begin(peer, pairs), 0, begin,
                               part_begin(first + count, pairs) - begin);
}

/*
 * In pairs at growing distance, each of which has the same afterwards.  Places beyond a
 * power of two are the second ones of pairs, which send what they have before and
 * receive all in the end.
 */
bl_status bli_draft_exchange(struct bli_draft *draft)
{
    const int32_t group = draft->plan->group, own = draft->own;
    int32_t parts = 1;

    draft->tells = true;
    BL_TRY(bli_draft_places_bytes(draft, 0, own, 1, &draft->schedule->own));
    while (parts <= group / 2)
        parts *= 2;
    const int32_t pairs = group - parts;
    const bool is_paired = own < 2 * pairs;
    const int32_t part = is_paired ? own / 2 : own - pairs;

    if (is_paired)
        BL_TRY(own % 2 == 1
                   ? bli_draft_add_state(draft, true, own - 1, 0, own, 1)
                   : bli_draft_add_state(draft, false, own + 1, 0, own + 1, 1));
    for (int32_t step = 1; step < parts; step *= 2) {
        const int32_t peer = part ^ step;

        draft->stage++;
        if (is_paired && own % 2 == 1)
            continue;
        BL_TRY(add_parts(draft, true, peer, part / step * step, step, pairs));
        BL_TRY(add_parts(draft, false, peer, peer / step * step, step, pairs));
    }
    draft->stage++;
    if (is_paired)
        BL_TRY(bli_draft_add_state(draft, own % 2 == 0,
                                   own % 2 == 0 ? own + 1 : own - 1, 0, 0, group));
    return BL_OK;
}

/* Every rank sends every other one what it has combined of the other's share. */
bl_status bli_draft_shares(struct bli_draft *draft)
{
    const int32_t group = draft->plan->group;
    struct bli_runs runs = {0};
    int64_t bytes;
    bl_status status = bli_reduction_combined(draft->plan, draft->round, draft->of_rank,
                                              draft->own, 1, &runs);

    for (int32_t t = 1; t < group && status == BL_OK; t++) {
        const int32_t to = (draft->own + t) % group;
        const int32_t from = (draft->own + group - t) % group;

        status = bli_draft_state_bytes(draft, to, &runs, &bytes);
        if (status == BL_OK)
            status = bli_draft_add(draft, BLI_PARCEL_STATE, true, to, bytes);
        if (status == BL_OK)
            status = bli_draft_add_state(draft, false, from, draft->own, from, 1);
    }
    bli_runs_free(&runs);
    return status;
}
