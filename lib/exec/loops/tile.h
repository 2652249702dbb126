/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tiles of the iteration space: parts of a plan's nest that are run as a unit, with
 * some operands in staging buffers.
 */
#ifndef BLI_TILE_H
#define BLI_TILE_H

#include "exec/loops/prefetch.h"
#include "plan/plan.h"

/* Loops of a tile for some operands, innermost first, at least 2. */
struct bli_tile_nest {
    int32_t loops;
    int64_t extent[BLI_TILE_LOOPS];
    int64_t stride[BLI_TILE_LOOPS][BLI_MAX_OPERANDS];
};

/* A tile of a plan: `dims` loops of the nest with their extents. */
struct bli_tile {
    const struct bl_plan *plan;
    const struct bli_nest *nest;
    const void *params; /* for the plan's kernel */
    const struct bli_tile_layout *layout;
    uint32_t staged;
    bool non_temporal;
    int32_t dims;
    int32_t loop[BLI_TILE_LOOPS];
    int64_t extent[BLI_TILE_LOOPS];
    struct bli_tile_nest kernel;
    struct bli_tile_nest stage[BLI_MAX_OPERANDS]; /* destination, then source */
    /* What the next tile stages, prefetched while this one is computed. */
    struct bli_prefetch_queue prefetch;
    /* The address that each staging buffer was last filled from; NULL: none. */
    const char *staged_from[BLI_MAX_OPERANDS];
    char *staging; /* this thread's, as the plan's tiling lays it out */
};

/* Set the strides of a tile of which everything up to its extents is set. */
void bli_tile_open(struct bli_tile *tile);

/* Run the tile whose operands start at `data`. */
void bli_tile_run(struct bli_tile *tile, char *const *data);

#endif
