/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Appends parcels to the schedule of a rank, whose bytes follow from borders.
 */
#include "mpi/spread/reduction_draft.h"

#include <stdlib.h>

bl_status bli_draft_add(struct bli_draft *draft, enum bli_parcel_kind kind,
                        bool is_sent, int32_t place, int64_t bytes)
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

bl_status bli_draft_state_bytes(struct bli_draft *draft, int32_t share,
                                const struct bli_runs *runs, int64_t *bytes)
{
    const int of = share == draft->own;
    bl_reduce_pieces **const pieces = &draft->known[of].pieces;
    struct bli_box box;

    *bytes = 0;
    if ((runs->count == 0 && !draft->tells) ||
        bli_reduction_share(draft->plan, draft->round, draft->of_rank,
                            draft->round->finishing == BLI_FINISH_SHARES ? share : -1,
                            &box) == 0)
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

bl_status bli_draft_places_bytes(struct bli_draft *draft, int32_t share, int32_t place,
                                 int32_t count, int64_t *bytes)
{
    struct bli_runs runs = {0};
    bl_status status = bli_reduction_combined(draft->plan, draft->round, draft->of_rank,
                                              place, count, &runs);

    if (status == BL_OK)
        status = bli_draft_state_bytes(draft, share, &runs, bytes);
    bli_runs_free(&runs);
    return status;
}

bl_status bli_draft_add_state(struct bli_draft *draft, bool is_sent, int32_t peer,
                              int32_t share, int32_t place, int32_t count)
{
    const bool is_whole = draft->tells && count == draft->plan->group;
    int64_t bytes = 0;

    BL_TRY(bli_draft_places_bytes(draft, share, place, count, &bytes));
    return bli_draft_add(draft, is_whole ? BLI_PARCEL_WHOLE : BLI_PARCEL_STATE, is_sent,
                         peer, bytes);
}
