/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the results of a reduction over ranks are finished, and where they go.
 */
#include <stdlib.h>

#include "mpi/spread/reduction.h"

/* From so many bytes of partial results for each rank on, ranks finish a share each. */
#define SHARE_BYTES 1024

/*
 * Up to so many bytes of partial results all ranks exchange them: half the steps of a
 * tree, and as many bytes on each link, but more in all.
 */
#define EXCHANGE_BYTES 2048

/*
 * Most runs of all ranks, where each has several: the sizes of what they exchange are
 * found by going through the runs.
 */
#define EXCHANGE_RUNS 1024

static bool is_reduced(const struct bli_reduction *plan, int32_t d)
{
    return plan->reduced >> d & 1;
}

/* A spread of results: reduced dimensions have extent 1. */
static bl_status make_results(const struct bli_reduction *plan,
                              const struct bli_dim *dims, struct bli_spread **out)
{
    int64_t extent[BL_MAX_RANK];

    for (int32_t d = 0; d < plan->from->rank; d++)
        extent[d] = is_reduced(plan, d) ? 1 : plan->from->extent[d];
    return bli_spread_make(&plan->from->grid, plan->from->rank, extent, dims,
                           BLI_EVERY_RANK, out);
}

bl_status bli_reduction_follow(const struct bli_reduction *plan,
                               const struct bli_spread *as, struct bli_spread **out)
{
    struct bli_dim dims[BL_MAX_RANK];

    for (int32_t d = 0; d < as->rank; d++)
        dims[d] = is_reduced(plan, d) ? (struct bli_dim){BLI_WHOLE, NULL}
                                      : bli_spread_dim(as, d);
    return make_results(plan, dims, out);
}

/* Results that are on the ranks which have their elements, all of each. */
static bl_status stay(const struct bli_reduction *plan, struct bli_spread **out)
{
    const struct bli_spread *const as = plan->input;
    struct bli_dim dims[BL_MAX_RANK];
    int64_t *border, *next;
    int64_t room = 0;
    bl_status status;

    for (int32_t d = 0; d < as->rank; d++)
        if (as->extent[d] == 0)
            return bli_reduction_follow(plan, as, out);
    for (int32_t a = 0; a < as->grid.axes; a++)
        room += as->cut[a].parts + 1;
    border = next = malloc((size_t)room * sizeof *border);
    if (!border)
        return bl_error_set(BL_ERR_MEMORY, "no memory for borders");
    for (int32_t d = 0; d < as->rank; d++) {
        const int32_t a = as->axis[d];

        dims[d] = bli_spread_dim(as, d);
        if (a == BLI_WHOLE || !is_reduced(plan, d))
            continue;
        /* One part has all: its one result is behind those parts that have none. */
        dims[d].border = next;
        for (int32_t p = 0; p <= as->cut[a].parts; p++)
            *next++ = as->cut[a].filled[p];
    }
    status = make_results(plan, dims, out);
    free(border);
    return status;
}

/* The most results that a rank has elements of. */
static int64_t most_results(const struct bli_reduction *plan)
{
    int64_t results = 1;

    for (int32_t d = 0; d < plan->from->rank; d++)
        if (!is_reduced(plan, d))
            results *= bli_spread_widest(plan->from, d);
    return results;
}

/* Whether the ranks of each group have different results once the operand moved. */
static bool has_shares(const struct bli_reduction *plan, int64_t partial_size)
{
    const struct bli_spread *const moved = plan->ways.moved;

    for (int32_t i = 0; i < plan->group_axes; i++) {
        const int32_t a = plan->group_axis[i], d = moved->dim[a];

        if (plan->from->grid.extent[a] > 1 &&
            (d == BLI_WHOLE || moved->extent[d] < plan->from->grid.extent[a]))
            return false;
    }
    return most_results(plan) >= SHARE_BYTES / partial_size * plan->group;
}

static enum bli_finishing choose(const struct bli_reduction *plan, int64_t partial_size)
{
    const int64_t results = most_results(plan), most = EXCHANGE_BYTES / partial_size;
    const int64_t runs = bli_reduction_most_runs(plan);

    if (has_shares(plan, partial_size))
        return BLI_FINISH_SHARES;
    if (results == 0 || results > most || runs > most / results ||
        (runs > 1 && runs > EXCHANGE_RUNS / plan->group))
        return BLI_FINISH_TREE;
    return BLI_FINISH_EXCHANGE;
}

bl_status bli_reduction_place_finished(const struct bli_reduction *plan,
                                       struct bli_round *round, int64_t partial_size)
{
    if (plan->ways.way == BLI_WAY_HERE) {
        round->finishing = BLI_FINISH_HERE;
        return stay(plan, &round->finished);
    }
    if (plan->ways.way == BLI_WAY_MOVE) {
        round->finishing = BLI_FINISH_HERE;
        return bli_reduction_follow(plan, plan->input, &round->finished);
    }
    round->finishing = choose(plan, partial_size);
    return bli_reduction_follow(
        plan, round->finishing == BLI_FINISH_SHARES ? plan->ways.moved : plan->from,
        &round->finished);
}

bl_status bli_reduction_place_result(const struct bli_reduction_query *query,
                                     struct bli_reduction *plan,
                                     struct bli_spread **result)
{
    const struct bli_spread *const from = plan->from;
    struct bli_dim dims[BL_MAX_RANK], given[BL_MAX_RANK];
    int64_t extent[BL_MAX_RANK];
    int32_t rank = 0;

    for (int32_t d = 0; d < from->rank; d++) {
        dims[d] = query->everywhere || is_reduced(plan, d)
                      ? (struct bli_dim){BLI_WHOLE, NULL}
                      : bli_spread_dim(from, d);
        if (is_reduced(plan, d) && !query->keepdim)
            continue;
        if (query->dims)
            dims[d] = query->dims[rank];
        extent[rank] = is_reduced(plan, d) ? 1 : from->extent[d];
        given[rank++] = dims[d];
    }
    BL_TRY(bli_spread_make(&from->grid, rank, extent, given, BLI_EVERY_RANK,
                           &plan->given));
    return make_results(plan, dims, result);
}
