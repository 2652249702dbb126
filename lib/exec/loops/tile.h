/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Boxes: parts of a plan's nest that are done at once, with staged operands in tiles.
 */
#ifndef BLI_TILE_H
#define BLI_TILE_H

#include "exec/loops/prefetch.h"
#include "plan/plan.h"

/* Loops of a box for some operands, innermost first, at least 2. */
struct bli_tile_nest {
    int32_t loops;
    int64_t extent[BLI_TILE_LOOPS];
    int64_t stride[BLI_TILE_LOOPS][BLI_MAX_OPERANDS];
};

/* A box of a plan: `dims` loops of the nest with their extents. */
struct bli_tile {
    const struct bl_plan *plan;
    const struct bli_nest *nest;
    const void *params; /* for the plan's kernel */
    uint32_t staged;
    bool non_temporal;
    int32_t dims;
    int32_t loop[BLI_TILE_LOOPS];
    int64_t extent[BLI_TILE_LOOPS];
    struct bli_tile_nest kernel;
    struct bli_tile_nest stage[BLI_MAX_OPERANDS]; /* where to, then where from */
    struct bli_prefetch_queue
        prefetch; /* what the next box reads, asked for while this is done */
    const char *
        staged_from[BLI_MAX_OPERANDS]; /* what a tile was last made of; NULL: nothing */
    char *staging; /* the thread's, as the plan's tiling lays it out */
};

/* Lay a box out, whose plan, nest, non_temporal, loops, extents and staging are set. */
void bli_tile_open(struct bli_tile *tile);

/* Do the box whose operands start at `data`. */
void bli_tile_run(struct bli_tile *tile, char *const *data);

#endif
