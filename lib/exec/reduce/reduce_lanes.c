/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accumulates parts of blocks in lanes, a tile of results after another.
 */
#include "exec/reduce/reduce_lanes.h"

#include <string.h>

#include "exec/loops/loop_nest.h"
#include "exec/loops/odometer.h"
#include "exec/reduce/item.h"

/* Most results of bli_lanes_reduce(). */
#define REDUCED 128

/* A tile's results. */
static bl_range tile_range(int64_t results, int64_t tile)
{
    const int64_t begin = tile * BLI_REDUCE_WIDTH, rest = results - begin;

    return (bl_range){begin,
                      begin + (rest < BLI_REDUCE_WIDTH ? rest : BLI_REDUCE_WIDTH)};
}

/*
 * Copy `count` elements, `step` bytes apart from `from` on, of each result in a range
 * to rows that are `row` bytes apart.
 */
static void gather(const struct bli_lanes_job *job, char *to, int64_t row, char *from,
                   int64_t step, int64_t count, bl_range range)
{
    const int64_t size = job->size, width = range.end - range.begin;

    if (job->outer.extent[0] == job->results) {
        const int64_t across = job->outer.stride[0][1];

        from += job->outer.offset[1] + range.begin * across;
        if (width >= count)
            bli_reduce_convert(job->stage, to, size, row, from, across, step, width,
                               count);
        else
            bli_reduce_convert(job->stage, to, row, size, from, step, across, count,
                               width);
        return;
    }
    for (int64_t r = 0; r < count; r++) {
        /* The address that result 0 of the row would have. */
        const uintptr_t origin =
            (uintptr_t)(to + r * row) - (uintptr_t)(range.begin * size);
        char *const data[] = {(char *)origin, from + r * step};

        bli_walk(&job->outer, job->stage, NULL, data, range);
    }
}

/* Accumulate evenly spaced elements of a tile's results, from place `first` on. */
static void accumulate(const struct bli_lanes_job *job, char *staging, bl_range range,
                       char *from, int64_t first, int64_t count)
{
    const struct bli_reducer *const how = job->reducer;
    char *const lane = job->to + range.begin * BLI_REDUCE_LANES;
    const int64_t step = job->reduced.stride[0][1], width = range.end - range.begin;
    const int64_t row = width * job->size, fits = BLI_LANES_STAGING / row;

    if (job->is_row) {
        from += job->outer.offset[1] + range.begin * job->size;
        bli_reducer_columns(how, lane, from, step, first, count, width, how->lanes,
                            NULL, false);
        return;
    }
    for (int64_t done = 0, some; done < count; done += some) {
        some = fits < count - done ? fits : count - done;
        gather(job, staging, row, from + done * step, step, some, range);
        bli_reducer_columns(how, lane, staging, row, first + done, some, width,
                            how->lanes, NULL, true);
    }
}

/* Take the elements of the results in a range of tiles. */
static void run_tiles(const void *argument, int32_t thread, bl_range tiles)
{
    const struct bli_lanes_job *const job = argument;
    const bl_range part = job->part;
    char *const staging = bli_staging_of(&job->staging, thread);
    const int64_t row = job->results * job->size;

    for (int64_t tile = tiles.begin; tile < tiles.end; tile++) {
        const bl_range range = tile_range(job->results, tile);
        char *const data[] = {NULL, job->in};
        struct bli_odometer o;

        bli_odometer_set(&o, &job->reduced, data, part.begin);
        for (int64_t at = part.begin; at < part.end;) {
            const int64_t rest = job->reduced.extent[0] - o.index[0];
            const int64_t count = rest < part.end - at ? rest : part.end - at;
            const int64_t done = at - part.begin;

            if (job->keeps_rows)
                gather(job, job->to + done * row + range.begin * job->size, row,
                       o.data[1], job->reduced.stride[0][1], count, range);
            else
                accumulate(job, staging, range, o.data[1], job->first + done, count);
            bli_odometer_advance(&o, &job->reduced, 0, count);
            at += count;
        }
    }
}

void bli_exec_lanes(const struct bli_lanes_job *job, const struct bli_team *team)
{
    (void)bli_exec_region(&job->partition, team, run_tiles, job);
}

void bli_lanes_fill(const struct bli_reducer *how, char *lane, int64_t results)
{
    bli_reducer_fill(how, lane, results * how->lanes);
}

void bli_lanes_take_rows(const struct bli_reducer *how, char *lane, const char *rows,
                         int64_t size, int64_t first, int64_t count, int64_t results)
{
    for (int64_t tile = 0; tile < bli_lanes_tiles(results); tile++) {
        const bl_range range = tile_range(results, tile);

        bli_reducer_columns(how, lane + range.begin * BLI_REDUCE_LANES,
                            rows + range.begin * size, results * size, first, count,
                            range.end - range.begin, how->lanes, NULL, true);
    }
}

void bli_lanes_close(const struct bli_reducer *how, char *to, char *lane, int64_t count,
                     int64_t results)
{
    const int64_t used = count < how->lanes ? count : how->lanes;

    for (int64_t tile = 0; tile < bli_lanes_tiles(results); tile++) {
        const bl_range range = tile_range(results, tile);
        const int64_t width = range.end - range.begin;
        char *const from = lane + range.begin * BLI_REDUCE_LANES;

        bli_reducer_close_columns(how, from, how->lanes, used, width);
        memmove(to + range.begin * how->partial_size, from,
                (size_t)(width * how->partial_size));
    }
}

void bli_lanes_reduce(const struct bli_reducer *how, char *to, const char *lane,
                      int64_t first, int64_t width, int64_t count, int64_t results)
{
    _Alignas(BLI_ALIGNMENT) char copy[REDUCED * BLI_REDUCE_LANES];
    const bl_range range = tile_range(results, first / BLI_REDUCE_WIDTH);
    const int64_t size = how->partial_size, row = width * size;
    const int64_t used = count < how->lanes ? count : how->lanes;

    for (int64_t l = 0; l < used; l++) {
        const int64_t from = l * (range.end - range.begin) + first - range.begin;

        memcpy(copy + l * row, lane + range.begin * BLI_REDUCE_LANES + from * size,
               (size_t)row);
    }
    bli_reducer_close_columns(how, copy, how->lanes, used, width);
    memcpy(to, copy, (size_t)row);
}
