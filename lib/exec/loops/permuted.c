/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs multi-loop tiles, for operands that are contiguous along different loops (cache
 * blocking of a transposition), and prefetches each tile while the one before it is
 * computed.
 */
#include "exec/loops/permuted.h"

/*
 * The tiles of `repetitions` repetitions of the loops up to `top`, of which the
 * iterations `begin` to `end` are run.
 */
struct tile_cursor {
    const struct bli_nest *nest;
    int32_t top;
    int64_t begin, end;
    int64_t repetitions;
    int64_t step[BL_MAX_RANK];
    struct bli_odometer at;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Return the extent in loop `i` of the tile at the cursor. */
static int64_t tile_extent_of(const struct tile_cursor *tile_cursor, int32_t i)
{
    const int64_t end =
        i == tile_cursor->top ? tile_cursor->end : tile_cursor->nest->extent[i];

    return least(tile_cursor->step[i], end - tile_cursor->at.index[i]);
}

/*
 * Move the cursor to the next tile.  Returns false, with the cursor behind the last
 * tile, where there is none.
 */
static bool next_tile(struct tile_cursor *tile_cursor)
{
    const struct bli_nest *const nest = tile_cursor->nest;
    struct bli_odometer *const at = &tile_cursor->at;

    for (int32_t i = 0; i <= tile_cursor->top; i++) {
        const bool is_top = i == tile_cursor->top;
        const int64_t begin = is_top ? tile_cursor->begin : 0;
        const int64_t end = is_top ? tile_cursor->end : nest->extent[i];
        const int64_t next = at->index[i] + tile_extent_of(tile_cursor, i);
        const int64_t moved = next < end ? next - at->index[i] : begin - at->index[i];

        for (int32_t k = 0; k < nest->operands; k++)
            at->data[k] += moved * nest->stride[i][k];
        at->index[i] += moved;
        if (next < end)
            return true;
    }
    bli_odometer_advance(at, nest, tile_cursor->top,
                         tile_cursor->end - tile_cursor->begin);
    return --tile_cursor->repetitions > 0;
}

/* Queue prefetches of what the tile at the cursor reads. */
static void prefetch_next_tile(struct bli_tile *tile,
                               const struct tile_cursor *tile_cursor)
{
    int64_t extent[BLI_TILE_LOOPS], stride[BLI_TILE_LOOPS];

    for (int32_t d = 0; d < tile->dims; d++)
        extent[d] = tile_extent_of(tile_cursor, tile->loop[d]);
    for (int32_t k = 1; k < tile->nest->operands; k++) {
        for (int32_t d = 0; d < tile->dims; d++)
            stride[d] = tile->nest->stride[tile->loop[d]][k];
        bli_prefetch_add(&tile->prefetch, tile_cursor->at.data[k], tile->plan->size[k],
                         tile->dims, extent, stride);
    }
}

/* Set the tile's extents for the cursor, and lay it out if they have changed. */
static void fit_tile(struct bli_tile *tile, const struct tile_cursor *tile_cursor,
                     bool is_first)
{
    bool fits = !is_first;

    for (int32_t d = 0; d < tile->dims; d++) {
        const int64_t extent = tile_extent_of(tile_cursor, tile->loop[d]);

        fits &= extent == tile->extent[d];
        tile->extent[d] = extent;
    }
    if (!fits)
        bli_tile_open(tile);
}

/* Run all tiles of the cursor; where operands exceed L2, prefetch the next one. */
static void run_tiles(struct bli_tile *tile, struct tile_cursor *tile_cursor)
{
    bool is_first = true, goes_on;

    do {
        char *data[BLI_MAX_OPERANDS];

        for (int32_t k = 0; k < tile->nest->operands; k++)
            data[k] = tile_cursor->at.data[k];
        fit_tile(tile, tile_cursor, is_first);
        goes_on = next_tile(tile_cursor);
        bli_prefetch_clear(&tile->prefetch);
        if (goes_on && tile->plan->tiling.exceeds_l2)
            prefetch_next_tile(tile, tile_cursor);
        bli_tile_run(tile, data);
        is_first = false;
    } while (goes_on);
}

int64_t bli_permuted_run(struct bli_tile *tile, struct bli_odometer *at, int64_t left)
{
    const struct bli_tiling *const tiling = &tile->plan->tiling;
    const struct bli_nest *const nest = tile->nest;
    const int32_t top = tiling->loop[tiling->dims - 1];
    int64_t below = 1, run;
    struct tile_cursor tile_cursor;

    if (!bli_odometer_is_aligned(at, top))
        return 0;
    for (int32_t i = 0; i < top; i++)
        below *= nest->extent[i];
    run = least(nest->extent[top] - at->index[top], left / below);
    if (run < least(nest->extent[top], 4))
        return 0;
    tile_cursor.nest = nest;
    tile_cursor.top = top;
    tile_cursor.begin = at->index[top];
    tile_cursor.end = tile_cursor.begin + run;
    tile_cursor.repetitions = run == nest->extent[top] ? left / (below * run) : 1;
    tile_cursor.at = *at;
    for (int32_t i = 0; i <= top; i++)
        tile_cursor.step[i] = 1;
    tile->dims = tiling->dims;
    for (int32_t d = 0; d < tiling->dims; d++) {
        tile->loop[d] = tiling->loop[d];
        tile_cursor.step[tiling->loop[d]] = tiling->tile_extent[d];
    }
    left = tile_cursor.repetitions * run * below;
    run_tiles(tile, &tile_cursor);
    *at = tile_cursor.at;
    return left;
}
