/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What makes the schedule of a rank in a reduction.
 */
#ifndef BLI_REDUCTION_DRAFT_H
#define BLI_REDUCTION_DRAFT_H

#include "mpi/spread/reduction.h"

/* A schedule while it is made. */
struct bli_draft {
    const struct bli_reduction *plan;
    const struct bli_round *round;
    int32_t of_rank, own; /* its place in the group */
    int32_t stage;
    bool tells; /* states without elements are sent, too */
    struct {
        struct bli_box box; /* of results */
        bl_reduce_pieces *pieces;
    } known[2]; /* of another's share and of its own: states of most shares are alike */
    struct bli_schedule *schedule;
};

/* Append a parcel, unless it has no bytes.  BL_ERR_MEMORY. */
bl_status bli_draft_add(struct bli_draft *draft, enum bli_parcel_kind kind,
                        bool is_sent, int32_t place, int64_t bytes);

/* The bytes of a state of one share with some elements; 0 for none. */
bl_status bli_draft_state_bytes(struct bli_draft *draft, int32_t share,
                                const struct bli_runs *runs, int64_t *bytes);

/* The bytes of what the ranks at `count` places have combined, `place` the first. */
bl_status bli_draft_places_bytes(struct bli_draft *draft, int32_t share, int32_t place,
                                 int32_t count, int64_t *bytes);

/* Append what the ranks at `count` places from `place` on have combined, for one share,
 * sent to the one at `peer` or received from it. */
bl_status bli_draft_add_state(struct bli_draft *draft, bool is_sent, int32_t peer,
                              int32_t share, int32_t place, int32_t count);

/* ---- ways of finishing (reduction_finish.c) ---- */

bl_status bli_draft_tree(struct bli_draft *draft);
bl_status bli_draft_exchange(struct bli_draft *draft);
bl_status bli_draft_shares(struct bli_draft *draft);

#endif
