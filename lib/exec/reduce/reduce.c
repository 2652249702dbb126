/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a reduction: items of work on threads, each the reduction of one block of
 * elements for a few results; then, where there are several blocks, the tree that
 * combines them.
 */
#include "exec/reduce/reduce.h"

#include <string.h>

#include "exec/reduce/item.h"

static char *staging_of(const struct bli_reduce_work *work, int32_t thread)
{
    return bli_staging_of(&work->staging, thread);
}

/* Reduce all blocks of the results in a range, and store these. */
static void rows_to_result(const void *argument, int32_t thread, bl_range range)
{
    const struct bli_reduce_work *const work = argument;
    _Alignas(BLI_ALIGNMENT) char partial[BLI_REDUCE_RESULTS * BLI_MAX_PARTIAL];
    char *const tile = staging_of(work, thread);
    struct bli_odometer o;

    bli_reduce_begin(work, &o, range.begin);
    for (int64_t at = range.begin; at < range.end;) {
        const int64_t rest = bli_reduce_rest(work, &o, range.end - at);
        const int64_t count = rest < BLI_REDUCE_RESULTS ? rest : BLI_REDUCE_RESULTS;

        if (work->plan->blocks > 1)
            bli_reduce_row_blocks(work->plan, o.data[BLI_REDUCE_IN], partial, count);
        else
            bli_reduce_rows(work, o.data, partial, tile, count);
        bli_reduce_store(work, o.data[BLI_REDUCE_OUT], partial,
                         work->plan->partial_size, count);
        bli_odometer_advance(&o, &work->plan->outer, 0, count);
        at += count;
    }
}

/* Reduce the blocks in a range of [result][block] to partial results. */
static void rows_to_partials(const void *argument, int32_t thread, bl_range range)
{
    const struct bli_reduce_work *const work = argument;
    const struct bli_reduce_plan *const plan = work->plan;
    struct bli_odometer o;
    char *const memory =
        plan->gathered ? work->binding->gathered + thread * bli_reduce_gathered(plan)
                       : staging_of(work, thread);
    int64_t at = range.begin;

    bli_reduce_begin(work, &o, at / plan->blocks);
    while (at < range.end) {
        const int64_t block = at % plan->blocks;
        const int64_t rest = plan->blocks - block;
        const int64_t count = rest < range.end - at ? rest : range.end - at;

        bli_reduce_blocks(work, o.data,
                          work->binding->partials + at * plan->partial_size, memory,
                          block, block + count);
        bli_odometer_advance(&o, &plan->outer, 0, 1);
        at += count;
    }
}

/* Reduce the blocks that begin in a range of places, of all rows side by side. */
static void places_to_partials(const void *argument, int32_t thread, bl_range range)
{
    const struct bli_reduce_work *const work = argument;
    const struct bli_reduce_plan *const plan = work->plan;
    char *const memory = work->binding->gathered + thread * bli_reduce_gathered(plan);
    char *const partials = work->binding->partials;
    struct bli_odometer o;
    bl_range rest;

    bli_reduce_begin(work, &o, 0);
    rest = bli_reduce_places(plan, o.data[BLI_REDUCE_IN], partials, memory, range);
    bli_reduce_gather(work, o.data, partials + rest.begin * plan->partial_size, memory,
                      rest);
}

/*
 * Reduce a block of `width` results, from result `at` on, and store what comes of it,
 * unless the reducer did.
 */
static void reduce_columns(const struct bli_reduce_work *work, char *const *data,
                           char *lane, int64_t block, int64_t at, int64_t width)
{
    const struct bli_reduce_plan *const plan = work->plan;
    char *const partials = work->binding->partials, *const out = data[BLI_REDUCE_OUT];
    const int64_t size = plan->partial_size;
    const struct bli_finish *finish = NULL;
    char *to = lane;

    if (partials) {
        to = partials + (block * plan->outputs + at) * size;
    } else if (plan->stores_columns) {
        to = out;
        finish = plan->finalize ? &plan->finish : NULL;
    }
    if (bli_reduce_columns(work, data, lane, to, finish, block, width) != lane)
        return;
    if (partials)
        memcpy(to, lane, (size_t)(width * size));
    else
        bli_reduce_store(work, out, lane, size, width);
}

/* Reduce the columns in a range of [block][tile]. */
static void columns(const void *argument, int32_t thread, bl_range range)
{
    const struct bli_reduce_work *const work = argument;
    const struct bli_reduce_plan *const plan = work->plan;
    const int64_t most = work->binding->width, side = plan->side;
    const int64_t tiles = bli_reduce_tiles(plan, most);
    const int64_t beside = tiles / (plan->outputs / side), tile = range.begin % tiles;
    /* A tile of packed columns is whole iterations of the next loop. */
    const int32_t loop = plan->packed > 1;
    const int64_t own = loop > 0 ? plan->outer.extent[0] : 1;
    char *const lane = staging_of(work, thread);
    int64_t block = range.begin / tiles, first = tile % beside * most;
    int64_t at = tile / beside * side + first;
    struct bli_odometer o;

    bli_reduce_begin(work, &o, at);
    for (int64_t item = range.begin; item < range.end; item++) {
        const int64_t rest = side - first, width = rest < most ? rest : most;

        reduce_columns(work, o.data, lane, block, at, width);
        bli_odometer_advance(&o, &plan->outer, loop, width / own);
        first = width < rest ? first + width : 0;
        at += width;
        if (at == plan->outputs) {
            at = 0;
            block++;
        }
    }
}

/* Combine the blocks of the results in a range by the tree, and store the results. */
static void combine_blocks(const void *argument, int32_t thread, bl_range range)
{
    const struct bli_reduce_work *const work = argument;
    const struct bli_reduce_plan *const plan = work->plan;
    const int64_t size = plan->partial_size;
    const int64_t step = plan->by_columns ? size : size * plan->blocks;
    const int64_t row = plan->outputs * size;
    char *const first = work->binding->partials + range.begin * step;
    struct bli_odometer o;

    (void)thread;
    if (plan->by_columns)
        bli_reducer_combine(plan->reducer, first, row, plan->blocks,
                            (range.end - range.begin) * plan->reducer->numbers);
    else
        for (int64_t i = range.begin; i < range.end; i++)
            plan->reducer->pairs(plan->reducer, first + (i - range.begin) * step,
                                 plan->blocks);
    bli_reduce_begin(work, &o, range.begin);
    for (int64_t at = range.begin; at < range.end;) {
        const int64_t count = bli_reduce_rest(work, &o, range.end - at);

        bli_reduce_store(work, o.data[BLI_REDUCE_OUT],
                         first + (at - range.begin) * step, step, count);
        bli_odometer_advance(&o, &plan->outer, 0, count);
        at += count;
    }
}

/*
 * Run the items on the calling thread, with staging in a frame that a team does not
 * need.
 */
BLI_OWN_FRAME static void run_on_stack(const struct bli_reduce_work *work,
                                       bli_body *body)
{
    _Alignas(BLI_ALIGNMENT) char staging[BLI_STACK_BYTES];
    struct bli_reduce_work alone = *work;

    alone.staging.memory = staging;
    body(&alone, 0, (bl_range){0, work->binding->partition.count});
}

void bli_exec_reduce(const struct bli_reduce_plan *plan,
                     const struct bli_reduce_binding *binding,
                     const struct bli_team *team)
{
    const struct bli_reduce_work work = {plan, binding, binding->staging};
    bli_body *const body = plan->by_columns    ? columns
                           : plan->places > 0  ? places_to_partials
                           : binding->partials ? rows_to_partials
                                               : rows_to_result;

    if (binding->staging.memory || !bli_reduce_is_staging(plan))
        (void)bli_exec_region(&binding->partition, team, body, &work);
    else
        run_on_stack(&work, body);
}

void bli_exec_combine(const struct bli_reduce_plan *plan,
                      const struct bli_reduce_binding *binding,
                      const struct bli_team *team)
{
    const struct bli_reduce_work work = {plan, binding, binding->staging};

    (void)bli_exec_region(&binding->partition, team, combine_blocks, &work);
}
