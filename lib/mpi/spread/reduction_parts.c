/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who has which elements and results of a reduction over ranks.
 */
#include "mpi/spread/reduction.h"

#include <stdlib.h>

/* Elements of a block of the tree: <broadloom/reduce.h>. */
enum { BLOCK = 1024 };

static bool is_reduced(const struct bli_reduction *plan, int32_t d)
{
    return plan->reduced >> d & 1;
}

/* ---- groups ---- */

int32_t bli_reduction_place(const struct bli_reduction *plan, int32_t of_rank)
{
    const struct bli_grid *const grid = &plan->from->grid;
    int32_t at[BLI_MAX_AXES], place = 0;

    bli_grid_place(grid, of_rank, at);
    for (int32_t i = 0; i < plan->group_axes; i++)
        place = place * grid->extent[plan->group_axis[i]] + at[plan->group_axis[i]];
    return place;
}

int32_t bli_reduction_peer(const struct bli_reduction *plan, int32_t of_rank,
                           int32_t place)
{
    const struct bli_grid *const grid = &plan->from->grid;
    int32_t at[BLI_MAX_AXES];

    bli_grid_place(grid, of_rank, at);
    for (int32_t i = plan->group_axes - 1; i >= 0; i--) {
        const int32_t a = plan->group_axis[i];

        at[a] = place % grid->extent[a];
        place /= grid->extent[a];
    }
    return bli_grid_rank(grid, at);
}

/* ---- elements ---- */

void bli_runs_free(struct bli_runs *runs)
{
    free(runs->range);
    *runs = (struct bli_runs){0};
}

static bl_status append(struct bli_runs *runs, bl_range range)
{
    if (range.begin >= range.end)
        return BL_OK;
    if (runs->count == runs->room) {
        const int64_t room = runs->room > 0 ? 2 * runs->room : 8;
        bl_range *const more = realloc(runs->range, (size_t)room * sizeof *more);

        if (!more)
            return bl_error_set(BL_ERR_MEMORY, "no memory for %ld runs of elements",
                                (long)room);
        runs->range = more;
        runs->room = room;
    }
    runs->range[runs->count++] = range;
    return BL_OK;
}

/* The elements of a result that a rank has, by reduced dimensions. */
static int64_t elements_of(const struct bli_reduction *plan, int32_t of_rank,
                           struct bli_box *box)
{
    int64_t count = 1;

    bli_spread_box(plan->input, of_rank, box);
    for (int32_t d = 0; d < plan->input->rank; d++)
        if (is_reduced(plan, d))
            count *= box->end[d] - box->begin[d];
    return count;
}

int64_t bli_reduction_most_runs(const struct bli_reduction *plan)
{
    int64_t runs = 1;

    for (int32_t d = 0; d < plan->cut; d++)
        if (is_reduced(plan, d))
            runs *= bli_spread_widest(plan->from, d);
    return runs;
}

/* Elements whose order is free: numbered behind those of the places before. */
static bl_status number_freely(const struct bli_reduction *plan,
                               const struct bli_box *box, struct bli_runs *runs)
{
    int64_t before = 0, own = 1, behind = plan->count;

    for (int32_t d = 0; d < plan->input->rank && plan->count > 0; d++) {
        if (!is_reduced(plan, d))
            continue;
        behind /= plan->input->extent[d];
        before += own * box->begin[d] * behind;
        own *= box->end[d] - box->begin[d];
    }
    return append(runs, (bl_range){before, before + (plan->count > 0 ? own : 0)});
}

bl_status bli_reduction_runs(const struct bli_reduction *plan,
                             const struct bli_round *round, int32_t of_rank,
                             int32_t place, struct bli_runs *runs)
{
    const struct bli_spread *const input = plan->input;
    const int32_t rank = bli_reduction_peer(plan, of_rank, place), cut = plan->cut;
    struct bli_box box;
    const int64_t count = elements_of(plan, rank, &box);
    int64_t rows;

    if (round->is_free)
        return number_freely(plan, &box, runs);
    if (count == 0)
        return BL_OK;
    rows = count / ((box.end[cut] - box.begin[cut]) * plan->inner);
    for (int64_t row = 0; row < rows; row++) {
        int64_t rest = row, step = plan->inner * input->extent[cut], first = 0;

        for (int32_t d = cut - 1; d >= 0; d--) {
            const int64_t extent = box.end[d] - box.begin[d];

            if (!is_reduced(plan, d))
                continue;
            first += (box.begin[d] + rest % extent) * step;
            rest /= extent;
            step *= input->extent[d];
        }
        BL_TRY(append(runs, (bl_range){first + box.begin[cut] * plan->inner,
                                       first + box.end[cut] * plan->inner}));
    }
    return BL_OK;
}

/* ---- blocks that are cut ---- */

bl_range bli_reduction_tail(const struct bli_reduction *plan, bl_range run)
{
    if (plan->ways.way == BLI_WAY_LANES && run.end < plan->count)
        run.begin = run.end / BLOCK * BLOCK;
    else
        run.begin = run.end;
    return run;
}

int32_t bli_reduction_owner(const struct bli_reduction *plan, int64_t at)
{
    const struct bli_spread *const input = plan->input;
    int32_t axis_place[BLI_MAX_AXES] = {0}, place = 0, part, last;

    for (int32_t d = input->rank - 1; d >= 0; d--) {
        if (!is_reduced(plan, d))
            continue;
        const int64_t index = at % input->extent[d];

        at /= input->extent[d];
        if (input->axis[d] == BLI_WHOLE)
            continue;
        bli_borders_meet(&input->cut[input->axis[d]], index, index + 1, &part, &last);
        bli_spread_part_place(input, d, part, axis_place);
    }
    for (int32_t i = 0; i < plan->group_axes; i++)
        place = place * input->grid.extent[plan->group_axis[i]] +
                axis_place[plan->group_axis[i]];
    return place;
}

bl_status bli_reduction_tails(const struct bli_reduction *plan,
                              const struct bli_round *round, int32_t of_rank,
                              int32_t from, int32_t to, struct bli_runs *tails)
{
    struct bli_runs runs = {0};
    bl_status status = bli_reduction_runs(plan, round, of_rank, from, &runs);

    for (int64_t i = 0; i < runs.count && status == BL_OK; i++) {
        const bl_range tail = bli_reduction_tail(plan, runs.range[i]);

        if (tail.begin < tail.end && bli_reduction_owner(plan, tail.end) == to)
            status = append(tails, tail);
    }
    bli_runs_free(&runs);
    return status;
}

static int by_begin(const void *a, const void *b)
{
    const bl_range *const x = a, *const y = b;

    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* One run of places whose elements follow each other: of the first and the last. */
static bl_status join_places(const struct bli_reduction *plan,
                             const struct bli_round *round, int32_t of_rank,
                             int32_t place, int32_t count, struct bli_runs *runs)
{
    int32_t last = place + count - 1;

    while (place <= last && runs->count == 0)
        BL_TRY(bli_reduction_runs(plan, round, of_rank, place++, runs));
    while (place <= last && runs->count == 1)
        BL_TRY(bli_reduction_runs(plan, round, of_rank, last--, runs));
    if (runs->count == 2) {
        runs->range[0].end = runs->range[1].end;
        runs->count = 1;
    }
    return BL_OK;
}

bl_status bli_reduction_combined(const struct bli_reduction *plan,
                                 const struct bli_round *round, int32_t of_rank,
                                 int32_t place, int32_t count, struct bli_runs *runs)
{
    if (round->is_free || bli_reduction_most_runs(plan) == 1)
        BL_TRY(join_places(plan, round, of_rank, place, count, runs));
    else
        for (int32_t p = place; p < place + count; p++)
            BL_TRY(bli_reduction_runs(plan, round, of_rank, p, runs));
    for (int64_t i = 0; i < runs->count && plan->ways.way == BLI_WAY_LANES; i++) {
        runs->range[i].end = bli_reduction_tail(plan, runs->range[i]).begin;
        runs->range[i].begin = runs->range[i].begin / BLOCK * BLOCK;
    }
    if (runs->count > 1)
        qsort(runs->range, (size_t)runs->count, sizeof *runs->range, by_begin);
    return BL_OK;
}

/* ---- results ---- */

int32_t bli_reduction_shares(const struct bli_reduction *plan,
                             const struct bli_round *round)
{
    return round->finishing == BLI_FINISH_SHARES ? plan->group : 1;
}

bool bli_reduction_tells_all(const struct bli_reduction *plan)
{
    return plan->rounds == 1 && plan->round[0].finishing == BLI_FINISH_EXCHANGE &&
           plan->group == plan->from->grid.ranks;
}

int64_t bli_reduction_share(const struct bli_reduction *plan,
                            const struct bli_round *round, int32_t of_rank,
                            int32_t place, struct bli_box *box)
{
    if (place >= 0)
        return bli_spread_box(round->finished, bli_reduction_peer(plan, of_rank, place),
                              box);
    bli_spread_box(plan->input, of_rank, box);
    for (int32_t d = 0; d < plan->input->rank; d++)
        if (is_reduced(plan, d)) {
            box->begin[d] = 0;
            box->end[d] = 1;
        }
    return bli_box_count(plan->input->rank, box);
}

bl_status bli_reduction_pieces(const struct bli_reduction *plan,
                               const struct bli_round *round, const struct bli_box *box,
                               bl_reduce_pieces **pieces)
{
    int64_t extent[BL_MAX_RANK];
    int32_t rank = 0;

    for (int32_t d = 0; d < plan->input->rank; d++)
        if (!is_reduced(plan, d))
            extent[rank++] = box->end[d] - box->begin[d];
    return bl_reduce_pieces_create(plan->ctx, round->op, round->dtype, rank, extent,
                                   &round->options, pieces);
}
