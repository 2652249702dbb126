/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of reductions over ranks: every element is combined once, whatever ranks send
 * one another receives, and every way and end of a reduction is met.
 */
#include <broadloom.h>

#include <inttypes.h>
#include <stdlib.h>

#include "harness/problem.h"
#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/spread/reduction.h"

static int64_t ways[BLI_WAYS], finishings[BLI_FINISHINGS];

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

static int by_begin(const void *a, const void *b)
{
    const bl_range *const x = a, *const y = b;

    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* What each of some places has combined: one run where all follow each other. */
static bl_range one_by_one(const struct bli_reduction *plan,
                           const struct bli_round *round, int32_t of_rank,
                           int32_t place, int32_t count, int64_t *elements)
{
    bl_range all = {0, 0}, range[64];
    int64_t runs = 0;

    *elements = 0;
    for (int32_t p = place; p < place + count; p++) {
        struct bli_runs own = {0};

        must(bli_reduction_combined(plan, round, of_rank, p, 1, &own));
        for (int64_t i = 0; i < own.count; i++) {
            *elements += own.range[i].end - own.range[i].begin;
            if (runs < 64 && own.range[i].begin < own.range[i].end)
                range[runs++] = own.range[i];
        }
        bli_runs_free(&own);
    }
    if (runs == 0 || runs == 64)
        return all;
    qsort(range, (size_t)runs, sizeof *range, by_begin);
    all = range[0];
    for (int64_t i = 1; i < runs && range[i].begin == all.end; i++)
        all.end = range[i].end;
    return all;
}

/* Whether some places have combined what each of them has, and all places everything.
 */
static bool covers(struct rng *rng, const struct bli_reduction *plan,
                   const struct bli_round *round)
{
    bool pass = true;

    for (int32_t r = 0; pass && r < plan->from->grid.ranks; r++) {
        const int32_t place = (int32_t)rng_below(rng, plan->group);
        const int32_t many = 1 + (int32_t)rng_below(rng, plan->group - place);
        struct bli_runs runs = {0};
        int64_t elements, end = 0;
        bl_range each = one_by_one(plan, round, r, place, many, &elements);

        must(bli_reduction_combined(plan, round, r, place, many, &runs));
        for (int64_t i = 0; i < runs.count; i++)
            elements -= runs.range[i].end - runs.range[i].begin;
        if (runs.count == 1 && each.begin < each.end)
            pass = runs.range[0].begin == each.begin && runs.range[0].end == each.end;
        bli_runs_free(&runs);
        must(bli_reduction_combined(plan, round, r, 0, plan->group, &runs));
        for (int64_t i = 0; i < runs.count; i++) {
            pass = pass && runs.range[i].begin == end;
            end = runs.range[i].end;
        }
        each = one_by_one(plan, round, r, 0, plan->group, &elements);
        pass = pass && end == plan->count && elements == plan->count;
        bli_runs_free(&runs);
    }
    return pass;
}

/* What places have, bit by bit, while parcels of states are exchanged. */
struct state {
    struct bli_schedule schedule;
    int64_t next;
    uint32_t has, sends;
};

/* Take a parcel from the one that its sender has next for this place. */
static bool receives(struct state *state, int32_t own, const struct bli_parcel *to)
{
    const struct state *const from = &state[to->place];
    const struct bli_parcel *sent = NULL;
    const uint32_t had = state[own].has;

    for (int64_t k = 0; k < from->schedule.count; k++)
        if (from->schedule.parcel[k].is_sent && from->schedule.parcel[k].place == own &&
            from->schedule.parcel[k].stage == to->stage)
            sent = &from->schedule.parcel[k];
    if (!sent || sent->bytes != to->bytes || sent->kind != to->kind)
        return false;
    if (to->kind == BLI_PARCEL_STATE)
        state[own].has |= from->sends;
    if (to->kind == BLI_PARCEL_WHOLE)
        state[own].has = from->sends;
    return to->kind != BLI_PARCEL_STATE || (had & from->sends) == 0;
}

/* Whether each rank of the group of rank 0 has all that was combined in the end. */
static bool exchanges(const struct bli_reduction *plan, const struct bli_round *round)
{
    struct state state[32] = {{{0}, 0, 0, 0}};
    struct bli_box box;
    bool pass = true;

    if (bli_reduction_share(plan, round, 0, -1, &box) == 0)
        return true;

    for (int32_t p = 0; p < plan->group; p++) {
        state[p].has = UINT32_C(1) << p;
        must(bli_schedule_make(plan, round, bli_reduction_peer(plan, 0, p),
                               &state[p].schedule));
    }
    for (int32_t stage = 0; stage < 10; stage++) {
        for (int32_t p = 0; p < plan->group; p++)
            state[p].sends = state[p].has;
        for (int32_t p = 0; p < plan->group; p++)
            for (struct state *own = &state[p];
                 pass && own->next < own->schedule.count &&
                 own->schedule.parcel[own->next].stage == stage;
                 own->next++)
                if (!own->schedule.parcel[own->next].is_sent)
                    pass = receives(state, p, &own->schedule.parcel[own->next]);
    }
    for (int32_t p = 0; p < plan->group; p++) {
        pass = pass && state[p].next == state[p].schedule.count &&
               state[p].has == (UINT32_C(1) << plan->group) - 1;
        bli_schedule_free(&state[p].schedule);
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
            pass = pass && covers(rng, &plan, &plan.round[i]);
        if (plan.round[i].finishing == BLI_FINISH_EXCHANGE)
            pass = pass && exchanges(&plan, &plan.round[i]);
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
    for (int i = 0; i < BLI_FINISHINGS; i++)
        all = all && finishings[i] > 0;
    tap_ok(all, "all ways were taken: %d %d %d %d %d, exchange %d, tree %d, shares %d",
           (int)ways[0], (int)ways[1], (int)ways[2], (int)ways[3], (int)ways[4],
           (int)finishings[BLI_FINISH_EXCHANGE], (int)finishings[BLI_FINISH_TREE],
           (int)finishings[BLI_FINISH_SHARES]);
    return tap_done();
}
