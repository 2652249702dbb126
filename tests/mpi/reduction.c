/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of reductions over ranks: every element is combined once, whatever ranks send
 * one another receives, and every way and end of a reduction is met.
 */
#include <broadloom.h>

#include <inttypes.h>

#include "harness/problem.h"
#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/spread/reduction.h"

static int64_t ways[BLI_WAYS], finishings[3];

static struct bli_spread *random_spread(struct rng *rng, const struct bli_grid *grid)
{
    static const int64_t lengths[] = {1, 3, 64, 1000, 1024, 1500, 2048, 5000};
    struct bli_dim dims[3];
    int64_t extent[3], numel = 1, border[2][8];
    struct bli_spread *spread;

    for (int32_t d = 0; d < 3; d++) {
        extent[d] = lengths[rng_below(rng, 8)];
        if (numel * extent[d] > 500000)
            extent[d] = 1 + rng_below(rng, 4);
        numel *= extent[d];
        dims[d] = (struct bli_dim){BLI_WHOLE, NULL};
    }
    for (int32_t a = 0; a < 2; a++) {
        const int32_t d = (int32_t)rng_below(rng, 3);
        const int32_t parts = grid->extent[a];

        dims[d] = (struct bli_dim){a, rng_one_in(rng, 2) ? border[a] : NULL};
        border[a][0] = 0;
        for (int32_t p = 1; p < parts; p++)
            border[a][p] =
                border[a][p - 1] + rng_below(rng, extent[d] - border[a][p - 1] + 1);
        border[a][parts] = extent[d];
    }
    must(bli_spread_make(grid, 3, extent, dims, BLI_EVERY_RANK, &spread));
    return spread;
}

/* Whether the ranks of each group have combined all elements, each once. */
static bool covers(const struct bli_reduction *plan, const struct bli_round *round)
{
    bool pass = true;

    for (int32_t r = 0; pass && r < plan->from->grid.ranks; r++) {
        struct bli_runs runs = {0};
        int64_t end = 0;

        must(bli_reduction_combined(plan, round, r, 0, plan->group, &runs));
        for (int64_t i = 0; i < runs.count; i++) {
            pass = pass && runs.range[i].begin == end;
            end = runs.range[i].end;
        }
        pass = pass && end == plan->count;
        bli_runs_free(&runs);
    }
    return pass;
}

/* Whether all that is sent is received. */
static bool agrees(const struct bli_reduction *plan)
{
    int64_t messages = 0, bytes = 0;

    for (int32_t r = 0; r < plan->from->grid.ranks; r++) {
        struct bli_spread_totals totals;

        must(bli_reduction_totals(plan, r, &totals));
        messages += totals.traffic.sent_messages - totals.traffic.received_messages;
        bytes += totals.traffic.sent - totals.traffic.received;
    }
    return messages == 0 && bytes == 0;
}

static bool check(struct rng *rng)
{
    static const bl_reduction ops[] = {BL_REDUCTION_SUM, BL_REDUCTION_MAX,
                                       BL_REDUCTION_STD, BL_REDUCTION_ANY};
    const int64_t grid_extent[] = {1 + rng_below(rng, 5), 1 + rng_below(rng, 4)};
    struct bli_reduction_query query = {.op = ops[rng_below(rng, 4)],
                                        .dtype = BL_DTYPE_F32,
                                        .everywhere = rng_one_in(rng, 3)};
    int32_t axes[3];
    struct bli_reduction plan;
    struct bli_grid grid;
    struct bli_spread *from;
    bool pass;

    must(bli_grid_make(0, 2, grid_extent, 2, &grid));
    from = random_spread(rng, &grid);
    for (int32_t d = 0; d < 3; d++)
        if (rng_one_in(rng, 2))
            axes[query.axes_count++] = d;
    query.from = from;
    query.axes = axes;
    must(bli_reduction_make(&query, &plan));
    pass = agrees(&plan);
    ways[plan.ways.way]++;
    for (int32_t i = 0; i < plan.rounds; i++) {
        finishings[plan.round[i].finishing]++;
        if (plan.round[i].finishing != BLI_FINISH_HERE)
            pass = pass && covers(&plan, &plan.round[i]);
    }
    if (!pass)
        tap_note("%s of [%" PRId64 ",%" PRId64 ",%" PRId64 "], %d axes, way %d",
                 bl_reduction_name(query.op), from->extent[0], from->extent[1],
                 from->extent[2], (int)query.axes_count, (int)plan.ways.way);
    bli_reduction_free(&plan);
    bli_spread_release(from);
    return pass;
}

int main(void)
{
    struct rng rng;
    bool pass = true, all = true;

    tap_plan();
    rng = rng_new();
    for (int i = 0; i < 4000 && pass; i++)
        pass = check(&rng);
    tap_ok(pass, "each element is combined once, and what is sent is received");
    for (int i = 0; i < BLI_WAYS; i++)
        all = all && ways[i] > 0;
    for (int i = 0; i < 3; i++)
        all = all && finishings[i] > 0;
    tap_ok(all, "all ways were taken: %d %d %d %d %d, tree %d, shares %d", (int)ways[0],
           (int)ways[1], (int)ways[2], (int)ways[3], (int)ways[4], (int)finishings[1],
           (int)finishings[2]);
    return tap_done();
}
