/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs multi-loop tiles, for operands that are contiguous along different loops (cache
 * blocking of a transposition), and prefetches each tile while the one before it is
 * computed.
 */
#include "exec/loops/permuted.h"

/*
 * The tiles of the loops up to the tile's outermost one, of which a run of iterations
 * is done; this is repeated at the following iterations of the loops outside.
 */
struct tile_cursor {
    struct bli_loops loops;
    int64_t extent[BL_MAX_RANK]; /* of these loops; of the last, the run */
    int64_t step[BL_MAX_RANK];   /* extents of a whole tile */
    struct bli_odometer tile;    /* the next tile, relative to `run` */
    struct bli_odometer *run;    /* the first iteration of the run */
    int64_t repetitions;
};

/* Return the extent in loop `i` of the tile at the cursor. */
static int64_t tile_extent_of(const struct tile_cursor *cursor, int32_t i)
{
    return bli_least(cursor->step[i], cursor->extent[i] - cursor->tile.index[i]);
}

/* Go to the first tile of a run. */
static void begin_run(struct tile_cursor *cursor)
{
    for (int32_t i = 0; i < cursor->loops.count; i++)
        cursor->tile.index[i] = 0;
    for (int32_t k = 0; k < cursor->loops.operands; k++)
        cursor->tile.data[k] = cursor->run->data[k];
}

/*
 * Go to the next tile.  Returns false behind the last one, where `run` is behind it,
 * too.
 */
static bool next_tile(struct tile_cursor *cursor, const struct bli_nest *nest)
{
    const int32_t top = cursor->loops.count - 1;

    if (bli_loops_advance(&cursor->loops, cursor->tile.index, cursor->tile.data, 0,
                          cursor->step[0]))
        return true;
    bli_odometer_advance(cursor->run, nest, top, cursor->extent[top]);
    begin_run(cursor);
    return --cursor->repetitions > 0;
}

/*
 * Queue prefetches of what the tile at the cursor stages: the hardware finds operands
 * in the order of the loops.
 */
static void prefetch_next_tile(struct bli_tile *tile, const struct tile_cursor *cursor)
{
    int64_t extent[BLI_TILE_LOOPS], stride[BLI_TILE_LOOPS];

    for (int32_t d = 0; d < tile->dims; d++)
        extent[d] = tile_extent_of(cursor, tile->loop[d]);
    for (int32_t k = 1; k < tile->nest->operands; k++) {
        if ((tile->plan->tiling.staged >> k & 1) == 0)
            continue;
        for (int32_t d = 0; d < tile->dims; d++)
            stride[d] = tile->nest->stride[tile->loop[d]][k];
        bli_prefetch_add(&tile->prefetch, cursor->tile.data[k], tile->plan->size[k],
                         tile->dims, extent, stride);
    }
}

/* Set the tile's extents for the cursor, and lay it out if they have changed. */
static void fit_tile(struct bli_tile *tile, const struct tile_cursor *cursor,
                     bool is_first)
{
    bool fits = !is_first;

    for (int32_t d = 0; d < tile->dims; d++) {
        const int64_t extent = tile_extent_of(cursor, tile->loop[d]);

        fits &= extent == tile->extent[d];
        tile->extent[d] = extent;
    }
    if (!fits)
        bli_tile_open(tile);
}

/* Run all tiles of the cursor, with prefetches for the next where the plan has them. */
static void run_tiles(struct bli_tile *tile, struct tile_cursor *cursor)
{
    bool is_first = true, goes_on;

    do {
        char *data[BLI_MAX_OPERANDS];

        for (int32_t k = 0; k < tile->nest->operands; k++)
            data[k] = cursor->tile.data[k];
        fit_tile(tile, cursor, is_first);
        goes_on = next_tile(cursor, tile->nest);
        bli_prefetch_clear(&tile->prefetch);
        if (goes_on && tile->plan->tiling.prefetches)
            prefetch_next_tile(tile, cursor);
        bli_tile_run(tile, data);
        is_first = false;
    } while (goes_on);
}

int64_t bli_permuted_run(struct bli_tile *tile, const struct bli_staging_layout *layout,
                         struct bli_odometer *at, int64_t left)
{
    const struct bli_tiling *const tiling = &tile->plan->tiling;
    const struct bli_nest *const nest = tile->nest;
    const int32_t top = tiling->loop[tiling->dims - 1];
    int64_t below = 1, run;
    struct tile_cursor cursor;

    if (!bli_odometer_is_aligned(at, top))
        return 0;
    for (int32_t i = 0; i < top; i++)
        below *= nest->extent[i];
    run = bli_least(nest->extent[top] - at->index[top], left / below);
    if (run < tiling->min_iterations)
        return 0;
    for (int32_t i = 0; i <= top; i++) {
        cursor.extent[i] = i == top ? run : nest->extent[i];
        cursor.step[i] = 1;
    }
    tile->layout = &layout->permuted;
    tile->dims = tiling->dims;
    for (int32_t d = 0; d < tiling->dims; d++) {
        tile->loop[d] = tiling->loop[d];
        cursor.step[tiling->loop[d]] = tiling->tile_extent[d];
    }
    cursor.loops = bli_nest_loops(nest);
    cursor.loops.count = top + 1;
    cursor.loops.extent = cursor.extent;
    cursor.loops.step = cursor.step;
    cursor.run = at;
    cursor.repetitions = run == nest->extent[top] ? left / (below * run) : 1;
    left = cursor.repetitions * run * below;
    begin_run(&cursor);
    run_tiles(tile, &cursor);
    return left;
}
