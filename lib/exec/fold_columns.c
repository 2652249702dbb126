/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The items of a reduction's work, several results side by side.
 */
#include "exec/fold.h"

#include "exec/walk.h"

/* A tile of columns: 32 rows of f32, which the reducer takes at once. */
#define COLUMN_TILE_BYTES (BLI_REDUCE_STAGED_WIDTH * 32 * 4)

/* Rows of columns whose lanes are kept in registers: each is a stream of its own. */
#define FEW_ROWS 64

/* Rows of columns that need converting, or are not side by side. */
static void fold_staged_columns(const struct bli_reduce_plan *plan, char *in,
                                char *lane, int64_t first, int64_t rows, int64_t width)
{
    const int64_t step = plan->folded.stride[0][1], row = width * plan->tile_size;
    const int64_t fits = COLUMN_TILE_BYTES / row;
    _Alignas(BLI_ALIGNMENT) char tile[COLUMN_TILE_BYTES];

    for (int64_t done = 0; done < rows;) {
        const int64_t count = fits < rows - done ? fits : rows - done;

        bli_fold_convert(plan->stage, tile, plan->tile_size, row, in + done * step,
                         plan->kept.stride[0][BLI_FOLD_IN], step, width, count);
        plan->reducer->columns(lane, tile, row, first + done, count, width);
        done += count;
    }
}

/* Elements from `first` of a block on: parts of neighbouring results' runs, or rows. */
static void take_run(const struct bli_reduce_plan *plan, char *in, char *lane,
                     int64_t first, int64_t count, int64_t width)
{
    if (plan->by_parts)
        plan->reducer->parts(lane, in, plan->kept.stride[0][BLI_FOLD_IN], width, first,
                             count);
    else if (plan->is_staged)
        fold_staged_columns(plan, in, lane, first, count, width);
    else
        plan->reducer->columns(lane, in, plan->folded.stride[0][1], first, count,
                               width);
}

/* Fold few rows of columns, evenly apart, in registers; false, with nothing done, where
 * that cannot be or gains nothing. */
static bool fold_few(const struct bli_reduce_plan *plan, char *in, char *lane,
                     bl_range range, int64_t width)
{
    const int64_t count = range.end - range.begin, run = plan->folded.extent[0];

    return !plan->by_parts && !plan->is_staged && count > 0 && count <= FEW_ROWS &&
           range.begin % run + count <= run &&
           plan->reducer->few(lane, bli_walk_address(&plan->folded, in, 1, range.begin),
                              plan->folded.stride[0][1], count, width);
}

void bli_fold_columns(const struct bli_fold_work *work, char *in, char *lane,
                      int64_t block, int64_t width)
{
    const struct bli_reduce_plan *const plan = work->plan;
    const bl_range range = bli_fold_range(plan, block);
    char *const data[] = {NULL, in};
    const int64_t lanes = plan->reducer->lanes;
    const int64_t all = range.end - range.begin;
    /* Lanes that have elements; of nothing there is one with the identity. */
    const int64_t used = plan->by_parts || all > lanes ? lanes : all < 1 ? 1 : all;
    struct bli_odometer o;

    if (fold_few(plan, in, lane, range, width))
        return;
    plan->reducer->fill(lane, used * width);
    bli_odometer_set(&o, &plan->folded, data, range.begin);
    for (int64_t at = range.begin; at < range.end;) {
        const int64_t rest = plan->folded.extent[0] - o.index[0];
        const int64_t count = rest < range.end - at ? rest : range.end - at;

        take_run(plan, o.data[1], lane, at - range.begin, count, width);
        bli_odometer_advance(&o, &plan->folded, 0, count);
        at += count;
    }
    if (plan->by_parts) {
        plan->reducer->close(lane, lane, width, all);
        return;
    }
    for (int64_t h = lanes / 2; h > 0; h /= 2)
        if (h < used)
            plan->reducer->merge(lane, lane + h * width * plan->partial_size,
                                 (used - h < h ? used - h : h) * width);
}
