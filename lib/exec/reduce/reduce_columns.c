/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduces blocks of several neighbouring results (columns) at once.
 */
#include "exec/reduce/item.h"

#include <string.h>

/*
 * Bytes from which a piece of a row is wide; so are whole rows without gaps.  Zen 3,
 * two threads: f32[500,2000], in pieces of 4000 bytes, takes .8 of the time with its
 * lanes in registers, f32[300,3000], of 6000 bytes, 1.1.
 */
#define WIDE_PIECE 6000

/* Copy the means of columns, which are where their results will be, side by side. */
static void collect_means(const struct bli_reduce_plan *plan, const char *out,
                          double *mean, int64_t width)
{
    const int64_t step = plan->outer.stride[0][BLI_REDUCE_OUT];

    for (int64_t i = 0; i < width; i++)
        memcpy((char *)mean + i * plan->tile_size, out + i * step,
               (size_t)plan->tile_size);
}

/* Copy or convert rows of columns, the first one at `in`, to a staging buffer. */
static void copy_rows(const struct bli_reduce_plan *plan, char *tile, char *in,
                      int64_t rows, int64_t width)
{
    const int64_t across = plan->outer.stride[0][BLI_REDUCE_IN];
    const int64_t step = plan->reduced.stride[0][1], size = plan->tile_size;
    const int64_t own = plan->outer.extent[0];

    if (plan->packed == 1 || bli_reduce_goes_on(plan))
        bli_reduce_convert(plan->stage, tile, size, width * size, in, across, step,
                           width, rows);
    else
        for (int64_t r = 0; r < rows; r++)
            bli_reduce_convert(plan->stage, tile + r * width * size, size, own * size,
                               in + r * step, across,
                               plan->outer.stride[1][BLI_REDUCE_IN], own, width / own);
}

/*
 * Accumulate rows of columns that need converting, or are not contiguous, or whose
 * distances from their means are squared, through a staging buffer.
 */
static void reduce_staged_columns(const struct bli_reduce_work *work, char *in,
                                  const char *out, char *lane, int64_t first,
                                  int64_t rows, int64_t width, int64_t turn)
{
    const struct bli_reduce_plan *const plan = work->plan;
    char *const tile = lane + work->binding->lanes;
    const int64_t step = plan->reduced.stride[0][1], row = width * plan->tile_size;
    const int64_t fits = (BLI_COLUMN_TILE - (plan->centre ? row : 0)) / row;
    double *const mean = (double *)(void *)(tile + fits * row); /* the last row */

    if (plan->centre)
        collect_means(plan, out, mean, width);
    for (int64_t done = 0; done < rows;) {
        const int64_t count = fits < rows - done ? fits : rows - done;

        copy_rows(plan, tile, in + done * step, count, width);
        for (int64_t r = 0; plan->centre && r < count; r++)
            plan->centre((double *)(void *)(tile + r * row), mean, width, true);
        bli_reducer_columns(plan->reducer, lane, tile, row, first + done, count, width,
                            turn, NULL, true);
        done += count;
    }
}

/*
 * Accumulate elements of a block, from `first` on: parts of neighbouring results'
 * contiguous runs, or rows of columns.
 */
static void accumulate_run(const struct bli_reduce_work *work, char *in,
                           const char *out, char *lane, int64_t first, int64_t count,
                           int64_t width, int64_t turn)
{
    const struct bli_reduce_plan *const plan = work->plan;
    const struct bli_reducer *const how = plan->reducer;

    if (plan->by_partial_blocks)
        how->accumulate(how, lane, in, plan->outer.stride[0][BLI_REDUCE_IN], width,
                        first * how->numbers, count * how->numbers, false, true);
    else if (plan->is_staged)
        reduce_staged_columns(work, in, out, lane, first, count, width, turn);
    else
        bli_reducer_columns(how, lane, in, plan->reduced.stride[0][1], first, count,
                            width, turn, NULL, plan->is_near);
}

/*
 * Reduce a few, evenly spaced rows of columns in registers.  Returns false, with
 * nothing done, where that is impossible or no faster.
 */
static bool reduce_in_registers(const struct bli_reduce_plan *plan, char *in, char *to,
                                const struct bli_finish *finish, bl_range range,
                                int64_t width)
{
    const int64_t count = range.end - range.begin, run = plan->reduced.extent[0];
    const int64_t piece = width * plan->size;
    const bool is_wide = piece == plan->reduced.stride[0][1] || piece >= WIDE_PIECE;
    const struct bli_reducer *const how = plan->reducer;

    return !plan->by_partial_blocks && !plan->is_staged && count > 0 &&
           count <= (is_wide ? plan->wide_rows : plan->register_rows) &&
           range.begin % run + count <= run && how->in_registers &&
           how->in_registers(
               how, to, bli_nest_address(&plan->reduced, in, 1, range.begin),
               plan->reduced.stride[0][1], count, width * how->numbers, finish);
}

/* Copy or convert the rows of a block, of one run or several, to the staging buffer. */
static void stage_all(const struct bli_reduce_plan *plan, char *tile, char *in,
                      bl_range range, int64_t width)
{
    const int64_t row = width * plan->tile_size;
    char *const data[] = {NULL, in};
    struct bli_odometer o;

    /* The odometer takes 3 to 5 % of what a tile of few rows does. */
    if (bli_reduce_is_one_run(plan) && plan->blocks == 1) {
        copy_rows(plan, tile, in, plan->count, width);
        return;
    }
    bli_odometer_set(&o, &plan->reduced, data, range.begin);
    for (int64_t at = range.begin; at < range.end;) {
        const int64_t rest = plan->reduced.extent[0] - o.index[0];
        const int64_t count = rest < range.end - at ? rest : range.end - at;

        copy_rows(plan, tile + (at - range.begin) * row, o.data[1], count, width);
        bli_odometer_advance(&o, &plan->reduced, 0, count);
        at += count;
    }
}

char *bli_reduce_columns(const struct bli_reduce_work *work, char *const *data,
                         char *lane, char *to, const struct bli_finish *finish,
                         int64_t block, int64_t width)
{
    const struct bli_reduce_plan *const plan = work->plan;
    const bl_range range = bli_reduce_range(plan, block);
    const struct bli_reducer *const how = plan->reducer;
    const int64_t all = range.end - range.begin;
    const int64_t lanes =
        plan->by_partial_blocks ? how->lanes : bli_reducer_turn(how, width);
    /* Lanes that have elements; without elements, one lane with the identity. */
    const int64_t used = plan->by_partial_blocks || all > lanes ? lanes
                         : all < 1                              ? 1
                                                                : all;
    const int64_t row = width * plan->tile_size;
    const bool at_once =
        plan->stages_at_once && all > 0 && all * row <= BLI_COLUMN_TILE;
    char *const in = data[BLI_REDUCE_IN], *const reduced[] = {NULL, in};
    char *const tile = lane + work->binding->lanes;
    struct bli_odometer o;

    if (reduce_in_registers(plan, in, to, finish, range, width))
        return to;
    if (at_once)
        stage_all(plan, tile, in, range, width);
    if (at_once && how->in_registers &&
        how->in_registers(how, to, tile, row, all, width * how->numbers, finish))
        return to;
    bli_reducer_fill(how, lane, used * width);
    if (at_once)
        bli_reducer_columns(how, lane, tile, row, 0, all, width, lanes, NULL, true);
    else
        bli_odometer_set(&o, &plan->reduced, reduced, range.begin);
    for (int64_t at = at_once ? range.end : range.begin; at < range.end;) {
        const int64_t rest = plan->reduced.extent[0] - o.index[0];
        const int64_t count = rest < range.end - at ? rest : range.end - at;

        accumulate_run(work, o.data[1], data[BLI_REDUCE_OUT], lane, at - range.begin,
                       count, width, lanes);
        bli_odometer_advance(&o, &plan->reduced, 0, count);
        at += count;
    }
    if (plan->by_partial_blocks)
        how->close(how, lane, lane, width, all * how->numbers);
    else
        bli_reducer_close_columns(how, lane, lanes, used, width);
    return lane;
}
