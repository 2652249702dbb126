/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses where a new result lies: made of the operands' spreads, priced by what moves.
 */
#include "mpi/spread/choose.h"

/* A result's dimensions, and what it costs to have it so. */
struct candidate {
    struct bli_spread *spread;
    int64_t worst; /* bytes that one rank receives */
    int64_t total; /* bytes that all ranks receive */
    int32_t cuts;  /* axes that a dimension lies along */
};

/* Lay dimensions and axes that are left as operand k does. */
static void adopt(const struct bli_spread_call *plan, int32_t k, int32_t rank,
                  struct bli_dim *dims, uint32_t *used)
{
    const struct bli_spread *const from = plan->from[k];

    for (int32_t a = 0; a < from->grid.axes && !plan->is_linear[k]; a++) {
        const int32_t d = bli_spread_first(from, a), e = d + plan->move[k].shift;

        if (d == BLI_WHOLE || from->extent[d] == 1 || e < 0 || e >= rank ||
            dims[e].axis != BLI_WHOLE || (*used & from->cut[a].axes) != 0)
            continue;
        dims[e] = bli_spread_dim(from, d);
        *used |= from->cut[a].axes;
    }
}

/* Sum up what the operands' moves to a candidate cost. */
static void price(const struct bli_spread_call *plan, struct candidate *candidate)
{
    const int32_t ranks = candidate->spread->grid.ranks;
    struct bli_move move[BL_MAX_INPUTS];
    int32_t moves = 0;

    for (int32_t k = 0; k < plan->count; k++) {
        move[moves] = plan->move[k];
        move[moves].to = candidate->spread;
        moves += !plan->is_linear[k] && !bli_move_is_local(&move[moves]);
    }
    for (int32_t r = 0; r < ranks && moves > 0; r++) {
        int64_t received = 0;
        struct bli_box box;

        for (int32_t m = 0; m < moves; m++)
            received +=
                (bli_move_need(&move[m], r, &box) - bli_move_kept(&move[m], r, &box)) *
                move[m].size;
        candidate->total += received;
        if (received > candidate->worst)
            candidate->worst = received;
    }
}

static bool is_better(const struct candidate *a, const struct candidate *b)
{
    if (a->worst != b->worst)
        return a->worst < b->worst;
    if (a->total != b->total)
        return a->total < b->total;
    return a->cuts > b->cuts;
}

/* Make and price the result that lies as operand k does. */
static bl_status follow(const struct bli_spread_call *plan, int32_t k, int32_t rank,
                        const int64_t *extent, struct candidate *candidate)
{
    struct bli_dim dims[BL_MAX_RANK];
    uint32_t used = 0;

    *candidate = (struct candidate){0};
    for (int32_t d = 0; d < rank; d++)
        dims[d] = (struct bli_dim){BLI_WHOLE, NULL};
    adopt(plan, k, rank, dims, &used);
    for (int32_t other = 0; other < plan->count; other++)
        adopt(plan, other, rank, dims, &used);
    BL_TRY(bli_spread_make(&plan->from[k]->grid, rank, extent, dims, BLI_EVERY_RANK,
                           &candidate->spread));
    candidate->cuts = __builtin_popcount(used);
    price(plan, candidate);
    return BL_OK;
}

bl_status bli_choose_result(struct bli_spread_call *plan, int32_t rank,
                            const int64_t *extent)
{
    struct candidate best = {0}, candidate;

    for (int32_t k = 0; k < plan->count; k++) {
        const bl_status status = follow(plan, k, rank, extent, &candidate);

        if (status != BL_OK) {
            bli_spread_release(best.spread);
            return status;
        }
        if (!best.spread || is_better(&candidate, &best)) {
            bli_spread_release(best.spread);
            best = candidate;
            plan->follows = k;
        } else {
            bli_spread_release(candidate.spread);
        }
    }
    plan->result = best.spread;
    return BL_OK;
}
