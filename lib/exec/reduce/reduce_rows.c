/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduces blocks of elements, one result at a time, and stores results.
 */
#include "exec/reduce/item.h"

#include <string.h>

#include "exec/loops/loop_nest.h"

/* Shortest contiguous run, in elements, whose prefetch pays off. */
#define PREFETCHED_RUN 64

/*
 * Runs that are gathered are prefetched so many turns ahead where they are read from
 * memory: f32[32,56,56,64] in the order 0312 takes 0.72 of the time.
 */
#define TURNS_AHEAD 1

void bli_reduce_convert(bli_kernel *kernel, char *r, int64_t r_step, int64_t r_row,
                        char *a, int64_t a_step, int64_t a_row, int64_t inner,
                        int64_t outer)
{
    char *const data[BLI_MAX_OPERANDS] = {r, a};
    const int64_t stride[2][BLI_MAX_OPERANDS] = {{r_step, a_step}, {r_row, a_row}};

    bli_kernel_run(kernel, data, stride, inner, outer, NULL);
}

/*
 * Replace `rows` rows of staged elements, `step` bytes apart, by the squares of their
 * distances from their means, if the plan is for these; the means are where the
 * results will be, at `out`.
 */
static void centre_rows(const struct bli_reduce_plan *plan, char *tile, int64_t step,
                        const char *out, int64_t rows, int64_t count)
{
    for (int64_t r = 0; plan->centre && r < rows; r++)
        plan->centre(
            (double *)(void *)(tile + r * step),
            (const double *)(const void *)(out +
                                           r * plan->outer.stride[0][BLI_REDUCE_OUT]),
            count, false);
}

/*
 * Copy the elements in `range` of the result whose elements are at `in` to a staging
 * buffer, in order.
 */
static void gather(const struct bli_reduce_plan *plan, char *in, char *tile,
                   bl_range range)
{
    /* The address that element 0 of the buffer's compact array would have. */
    const uintptr_t origin =
        (uintptr_t)tile - (uintptr_t)(range.begin * plan->tile_size);
    char *const data[] = {(char *)origin, in};

    bli_walk(&plan->reduced, plan->stage, NULL, data, range);
}

/*
 * Reduce rows of elements that are not one run each, or need converting, through a
 * staging buffer.
 */
static void reduce_staged_rows(const struct bli_reduce_plan *plan, char *const *data,
                               char *partial, char *tile, int64_t count)
{
    char *const in = data[BLI_REDUCE_IN];
    const int64_t elements = plan->count, row = elements * plan->tile_size;
    const int64_t step = plan->outer.stride[0][BLI_REDUCE_IN];
    const int64_t fits = BLI_REDUCE_TILE / (elements > 0 ? elements : 1);

    for (int64_t done = 0; done < count;) {
        const int64_t rows = fits < count - done ? fits : count - done;

        if (bli_reduce_is_one_run(plan))
            bli_reduce_convert(plan->stage, tile, plan->tile_size, row,
                               in + done * step, plan->reduced.stride[0][1], step,
                               elements, rows);
        else
            for (int64_t r = 0; r < rows; r++)
                gather(plan, in + (done + r) * step, tile + r * row,
                       bli_reduce_range(plan, 0));
        centre_rows(plan, tile, row,
                    data[BLI_REDUCE_OUT] + done * plan->outer.stride[0][BLI_REDUCE_OUT],
                    rows, elements);
        bli_reducer_rows(plan->reducer, partial + done * plan->partial_size, tile, row,
                         rows, elements, true);
        done += rows;
    }
}

void bli_reduce_rows(const struct bli_reduce_work *work, char *const *data,
                     char *partial, char *tile, int64_t count)
{
    const struct bli_reduce_plan *const plan = work->plan;

    if (plan->is_staged || !bli_reduce_is_one_run(plan))
        reduce_staged_rows(plan, data, partial, tile, count);
    else
        bli_reducer_rows(plan->reducer, partial, data[BLI_REDUCE_IN],
                         plan->outer.stride[0][BLI_REDUCE_IN], count, plan->count,
                         plan->is_near);
}

/* Return the address of a block's first element. */
static char *run_address(const struct bli_reduce_plan *plan, char *in, int64_t block)
{
    return bli_nest_address(&plan->reduced, in, 1, bli_reduce_range(plan, block).begin);
}

/*
 * Prefetch a block of several runs while the block before it is reduced: a run is too
 * short for the hardware prefetcher to detect.
 */
static void prefetch_block(const struct bli_reduce_plan *plan, char *in, int64_t block)
{
    const bl_range range = bli_reduce_range(plan, block);
    const int64_t run = plan->reduced.extent[0];
    int64_t count;

    for (int64_t at = range.begin; at < range.end; at += count) {
        const char *const from = bli_nest_address(&plan->reduced, in, 1, at);
        const int64_t rest = run - at % run;

        count = rest < range.end - at ? rest : range.end - at;
        for (int64_t b = 0; b < count * plan->size; b += BLI_ALIGNMENT)
            __builtin_prefetch(from + b, 0, 3);
    }
}

void bli_reduce_dense(const struct bli_reduce_plan *plan, char *in, char *partial,
                      int64_t size, int64_t count, bool near)
{
    const int64_t whole = count / BLI_REDUCE_BLOCK, rest = count % BLI_REDUCE_BLOCK;
    const int64_t bytes = BLI_REDUCE_BLOCK * size;

    bli_reducer_rows(plan->reducer, partial, in, bytes, whole, BLI_REDUCE_BLOCK, near);
    if (rest > 0 || count == 0)
        bli_reducer_rows(plan->reducer, partial + whole * plan->partial_size,
                         in + whole * bytes, 0, 1, rest, near);
}

/*
 * Return the number of whole blocks from `begin` on that lie in one run and need no
 * staging.
 */
static int64_t blocks_in_run(const struct bli_reduce_plan *plan, int64_t begin,
                             int64_t end)
{
    const int64_t run = plan->reduced.extent[0];
    const int64_t first = bli_reduce_range(plan, begin).begin;
    const int64_t count = (run - first % run) / BLI_REDUCE_BLOCK;

    if (plan->is_staged)
        return 0;
    return count < end - begin ? count : end - begin;
}

/*
 * Reduce as many blocks as fit in a staging buffer through it, whose sums do not wait
 * for each other; from memory, of which the hardware prefetches some pages, one: f32 by
 * twos in .66 of the time, f64 in .7 to .9 (Zen 4).  Returns the number of blocks.
 */
static int64_t reduce_tile(const struct bli_reduce_plan *plan, char *const *data,
                           char *partial, char *tile, int64_t begin, int64_t end)
{
    char *const in = data[BLI_REDUCE_IN];
    const bool has_runs = plan->reduced.extent[0] >= PREFETCHED_RUN &&
                          plan->reduced.stride[0][1] == plan->size;
    const int64_t most =
        plan->is_near || has_runs ? BLI_REDUCE_WIDEST / plan->tile_size : 1;
    int64_t count = 1, from, to;

    while (count < most && begin + count < end &&
           blocks_in_run(plan, begin + count, end) == 0)
        count++;
    for (int64_t k = 0; k < count && has_runs; k++)
        if (begin + count + k < plan->blocks)
            prefetch_block(plan, in, begin + count + k);
    from = bli_reduce_range(plan, begin).begin;
    to = bli_reduce_range(plan, begin + count - 1).end;
    gather(plan, in, tile, (bl_range){from, to});
    centre_rows(plan, tile, 0, data[BLI_REDUCE_OUT], 1, to - from);
    bli_reduce_dense(plan, tile, partial, plan->reducer->size, to - from, true);
    return count;
}

void bli_reduce_gather(const struct bli_reduce_work *work, char *const *data,
                       char *partial, char *memory, bl_range blocks)
{
    const struct bli_reduce_plan *const plan = work->plan;
    const int64_t run = plan->reduced.extent[0], size = plan->reducer->size;
    const int64_t most = (plan->gathered - 1) * BLI_REDUCE_BLOCK;
    const int64_t runs = most / run > 16 ? most / run / 16 * 16 : most / run;
    const int64_t turn = runs > 0 ? runs * run : most;
    const bool is_ahead =
        runs > 0 && !plan->is_near && plan->reduced.stride[1][1] == plan->size;
    char *const in = data[BLI_REDUCE_IN];
    int64_t first = bli_reduce_range(plan, blocks.begin).begin, kept = 0;

    if (blocks.begin >= blocks.end)
        return;

    const int64_t end = bli_reduce_range(plan, blocks.end - 1).end;

    for (int64_t at = first, stop; at < end; at = stop) {
        const int64_t next = at - at % turn + turn;
        const int64_t later = next + TURNS_AHEAD * turn;
        char *const to = memory + kept * size;
        int64_t count;

        stop = next < end ? next : end;
        if (is_ahead && later + turn <= end)
            bli_reduce_prefetch(plan, bli_nest_address(&plan->reduced, in, 1, later),
                                run, runs);
        gather(plan, in, to, (bl_range){at, stop});
        centre_rows(plan, to, 0, data[BLI_REDUCE_OUT], 1, stop - at);
        kept = stop < end ? (stop - first) % BLI_REDUCE_BLOCK : 0;
        count = stop - first - kept;
        if (count == 0)
            continue;
        bli_reduce_dense(plan, memory, partial, size, count, true);
        memmove(memory, memory + count * size, (size_t)(kept * size));
        partial += count / BLI_REDUCE_BLOCK * plan->partial_size;
        first += count;
    }
}

void bli_reduce_blocks(const struct bli_reduce_work *work, char *const *data,
                       char *partial, char *memory, int64_t begin, int64_t end)
{
    const struct bli_reduce_plan *const plan = work->plan;
    char *const in = data[BLI_REDUCE_IN];
    int64_t at = bli_reduce_range(plan, begin).begin;

    if (!plan->is_staged && bli_reduce_is_one_run(plan) && plan->count > 0) {
        bli_reduce_dense(plan, in + at * plan->size, partial, plan->size,
                         bli_reduce_range(plan, end - 1).end - at, plan->is_near);
        return;
    }
    while (begin < end && plan->gathered > 0) {
        const bl_range all = {begin, end};
        const bl_range done = plan->is_beside
                                  ? bli_reduce_beside(plan, in, partial, memory, all)
                                  : bli_reduce_strips(plan, in, partial, memory, all);

        bli_reduce_gather(work, data, partial, memory, (bl_range){begin, done.begin});
        partial += (done.end - begin) * plan->partial_size;
        begin = done.end;
    }
    while (begin < end) {
        int64_t count = blocks_in_run(plan, begin, end);

        if (count > 0)
            bli_reducer_rows(plan->reducer, partial, run_address(plan, in, begin),
                             BLI_REDUCE_BLOCK * plan->size, count, BLI_REDUCE_BLOCK,
                             plan->is_near);
        else
            count = reduce_tile(plan, data, partial, memory, begin, end);
        begin += count;
        partial += count * plan->partial_size;
    }
}

void bli_reduce_store(const struct bli_reduce_work *work, char *out, char *partial,
                      int64_t step, int64_t count)
{
    const struct bli_reduce_plan *const plan = work->plan;
    /* Results of packed columns are those of whole iterations. */
    const int64_t extent = plan->outer.extent[0], own = count < extent ? count : extent;
    const int64_t iterations = own < count ? count / own : 1;

    if (plan->finalize && step == plan->partial_size)
        plan->finalize((double *)(void *)partial, count * plan->parts,
                       plan->finish.divisor, plan->is_root);
    else if (plan->finalize)
        for (int64_t i = 0; i < count; i++)
            plan->finalize((double *)(void *)(partial + i * step), plan->parts,
                           plan->finish.divisor, plan->is_root);
    bli_reduce_convert(plan->store, out, plan->outer.stride[0][BLI_REDUCE_OUT],
                       plan->outer.stride[1][BLI_REDUCE_OUT], partial, step, own * step,
                       own, iterations);
}
