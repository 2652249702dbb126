/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Boxes: parts of a plan's nest that are done at once, with staged operands in tiles.
 */
#ifndef BLI_BOX_H
#define BLI_BOX_H

#include "exec/ahead.h"
#include "plan/plan.h"

/* Loops of a box for some operands, innermost first, at least 2. */
struct bli_box_nest {
    int32_t loops;
    int64_t extent[BLI_BOX_LOOPS];
    int64_t stride[BLI_BOX_LOOPS][BLI_MAX_OPERANDS];
};

/* A box of a plan: `dims` loops of the nest with their extents. */
struct bli_box {
    const struct bl_plan *plan;
    const struct bli_nest *nest;
    const void *params; /* for the plan's kernel */
    uint32_t staged;
    bool streams;
    int32_t dims;
    int32_t loop[BLI_BOX_LOOPS];
    int64_t extent[BLI_BOX_LOOPS];
    struct bli_box_nest kernel;
    struct bli_box_nest stage[BLI_MAX_OPERANDS]; /* where to, then where from */
    struct bli_ahead ahead; /* what the next box reads, asked for while this is done */
    const char
        *seen[BLI_MAX_OPERANDS]; /* what a tile was last made of; NULL: nothing */
};

/* Tiles of one thread. */
struct bli_tiles {
    _Alignas(BLI_ALIGNMENT) char tile[BLI_MAX_OPERANDS][BLI_TILE_BYTES];
    _Alignas(BLI_ALIGNMENT) char between[BLI_TILE_BYTES]; /* of two conversions */
};

/* Lay a box out, whose plan, nest, streams, loops and extents are set. */
void bli_box_open(struct bli_box *box);

/* Do the box whose operands start at `data`. */
void bli_box_run(struct bli_box *box, struct bli_tiles *tiles, char *const *data);

#endif
