/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a range of a tiled plan tile by tile: multi-loop tiles where the plan has them
 * and enough iterations are left, else tiles of neighbouring iterations.
 */
#include "exec/loops/permuted.h"
#include "exec/loops/walk_plan.h"

struct walk {
    const struct bl_plan *plan;
    const struct bli_nest *nest;
    const struct bli_staging_layout *layout;
    struct bli_odometer at;
    int64_t left;
    int64_t below[BL_MAX_RANK]; /* iterations of the loops inside each loop */
    /* Loop that the tile is laid out for; -1: none, or a multi-loop tile. */
    int32_t level;
    struct bli_tile tile;
};

/*
 * Return the outermost loop, up to the plan's split_loop, of which at least one whole
 * iteration can be run now.
 */
static int32_t find_level(const struct walk *walk)
{
    int32_t level = walk->plan->tiling.split_loop;

    while (level > 0 && (!bli_odometer_is_aligned(&walk->at, level) ||
                         walk->left < walk->below[level]))
        level--;
    return level;
}

/* Lay out a tile of the loops up to `level`, whose iterations neighbour each other. */
static void open_row(struct walk *walk, int32_t level)
{
    const struct bli_tiling *const tiling = &walk->plan->tiling;
    struct bli_tile *const tile = &walk->tile;

    tile->layout = &walk->layout->adjacent;
    tile->dims = level + 1;
    for (int32_t d = 0; d < level; d++) {
        tile->loop[d] = d;
        tile->extent[d] = walk->nest->extent[d];
    }
    tile->loop[level] = level;
    tile->extent[level] =
        level == tiling->split_loop ? tiling->split_length : walk->nest->extent[level];
    walk->level = level;
    bli_tile_open(tile);
}

/* Run one tile of neighbouring iterations, and advance behind it. */
static void run_row(struct walk *walk)
{
    const int32_t level = find_level(walk);
    const int64_t below = walk->below[level];
    struct bli_tile *const tile = &walk->tile;
    int64_t run;

    if (level != walk->level)
        open_row(walk, level);
    run = bli_least(walk->nest->extent[level] - walk->at.index[level],
                    walk->left / below);
    if (level == walk->plan->tiling.split_loop)
        run = bli_least(run, walk->plan->tiling.split_length);
    if (run != tile->extent[level]) {
        tile->extent[level] = run;
        bli_tile_open(tile);
    }
    bli_tile_run(tile, walk->at.data);
    bli_odometer_advance(&walk->at, walk->nest, level, run);
    walk->left -= run * below;
}

void bli_tiled_walk(const struct bl_plan *plan, const struct bli_binding *binding,
                    bl_range range, char *staging)
{
    const bool is_permuted = plan->tiling.dims > 0;
    struct walk walk;

    if (range.end <= range.begin)
        return;
    walk.plan = plan;
    walk.nest = binding->nest;
    walk.layout = binding->layout;
    walk.left = range.end - range.begin;
    walk.level = -1;
    walk.below[0] = 1;
    for (int32_t i = 1; i < walk.nest->loops; i++)
        walk.below[i] = walk.below[i - 1] * walk.nest->extent[i - 1];
    walk.tile.plan = plan;
    walk.tile.nest = binding->nest;
    walk.tile.params = binding->params;
    walk.tile.staging = staging;
    walk.tile.non_temporal = binding->non_temporal;
    walk.tile.staged = binding->staged;
    bli_prefetch_clear(&walk.tile.prefetch);
    bli_odometer_set(&walk.at, walk.nest, binding->data, range.begin);
    while (walk.left > 0) {
        const int64_t done =
            is_permuted ? bli_permuted_run(&walk.tile, walk.layout, &walk.at, walk.left)
                        : 0;

        if (done > 0) {
            walk.level = -1;
            walk.left -= done;
        } else {
            run_row(&walk);
        }
    }
}
