/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduces blocks of several neighbouring results (columns) at once.
 */
#include "exec/reduce/item.h"

/*
 * Most rows of columns whose lanes are kept in registers: each row is a separate stream
 * of memory.
 */
#define REGISTER_ROWS 64

/*
 * Accumulate rows of columns that need converting, or are not contiguous, through a
 * staging buffer.
 */
static void reduce_staged_columns(const struct bli_reduce_work *work, char *in,
                                  char *lane, int64_t first, int64_t rows,
                                  int64_t width)
{
    const struct bli_reduce_plan *const plan = work->plan;
    char *const tile = lane + work->binding->lanes;
    const int64_t step = plan->reduced.stride[0][1], row = width * plan->tile_size;
    const int64_t fits = BLI_COLUMN_TILE / row;

    for (int64_t done = 0; done < rows;) {
        const int64_t count = fits < rows - done ? fits : rows - done;

        bli_reduce_convert(plan->stage, tile, plan->tile_size, row, in + done * step,
                           plan->outer.stride[0][BLI_REDUCE_IN], step, width, count);
        plan->reducer->columns(lane, tile, row, first + done, count, width);
        done += count;
    }
}

/*
 * Accumulate elements of a block, from `first` on: parts of neighbouring results'
 * contiguous runs, or rows of columns.
 */
static void accumulate_run(const struct bli_reduce_work *work, char *in, char *lane,
                           int64_t first, int64_t count, int64_t width)
{
    const struct bli_reduce_plan *const plan = work->plan;

    if (plan->by_partial_blocks)
        plan->reducer->parts(lane, in, plan->outer.stride[0][BLI_REDUCE_IN], width,
                             first, count);
    else if (plan->is_staged)
        reduce_staged_columns(work, in, lane, first, count, width);
    else
        plan->reducer->columns(lane, in, plan->reduced.stride[0][1], first, count,
                               width);
}

/*
 * Reduce a few, evenly spaced rows of columns in registers.  Returns false, with
 * nothing done, where that is impossible or no faster.
 */
static bool reduce_in_registers(const struct bli_reduce_plan *plan, char *in,
                                char *lane, bl_range range, int64_t width)
{
    const int64_t count = range.end - range.begin, run = plan->reduced.extent[0];

    return !plan->by_partial_blocks && !plan->is_staged && count > 0 &&
           count <= REGISTER_ROWS && range.begin % run + count <= run &&
           plan->reducer->columns_in_registers(
               lane, bli_nest_address(&plan->reduced, in, 1, range.begin),
               plan->reduced.stride[0][1], count, width);
}

void bli_reduce_columns(const struct bli_reduce_work *work, char *in, char *lane,
                        int64_t block, int64_t width)
{
    const struct bli_reduce_plan *const plan = work->plan;
    const bl_range range = bli_reduce_range(plan, block);
    char *const data[] = {NULL, in};
    const int64_t lanes = plan->reducer->lanes;
    const int64_t all = range.end - range.begin;
    /* Lanes that have elements; without elements, one lane with the identity. */
    const int64_t used = plan->by_partial_blocks || all > lanes ? lanes
                         : all < 1                              ? 1
                                                                : all;
    struct bli_odometer o;

    if (reduce_in_registers(plan, in, lane, range, width))
        return;
    plan->reducer->fill(lane, used * width);
    bli_odometer_set(&o, &plan->reduced, data, range.begin);
    for (int64_t at = range.begin; at < range.end;) {
        const int64_t rest = plan->reduced.extent[0] - o.index[0];
        const int64_t count = rest < range.end - at ? rest : range.end - at;

        accumulate_run(work, o.data[1], lane, at - range.begin, count, width);
        bli_odometer_advance(&o, &plan->reduced, 0, count);
        at += count;
    }
    if (plan->by_partial_blocks) {
        plan->reducer->close(lane, lane, width, all);
        return;
    }
    for (int64_t h = lanes / 2; h > 0; h /= 2)
        if (h < used)
            plan->reducer->merge(lane, lane + h * width * plan->partial_size,
                                 (used - h < h ? used - h : h) * width);
}
