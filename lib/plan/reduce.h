/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides how a reduction is done: nests, reducer, the way through memory, what is
 * converted in tiles.  Plain data, as every plan.  What it does not decide is the tree
 * (kernels/reduce/reduce.h), which is the same for every plan of as many elements.
 */
#ifndef BLI_PLAN_REDUCE_H
#define BLI_PLAN_REDUCE_H

#include "core/reductions.h"
#include "kernels/reduce/reduce.h"
#include "shape/reduce.h"

/* A reduction whose operands are validated. */
struct bli_reduce_problem {
    bl_reduction op;
    const struct bli_isa *isa;
    bl_dtype from;   /* of the array */
    bl_dtype as;     /* what its elements are taken as */
    bl_dtype to;     /* of the result */
    bool is_compact; /* the result, which then repeats no element */
    struct bli_reduction_shape folding;
};

/*
 * Columns that are folded together: their lanes are 64 KiB, in the second cache.  Rows
 * that have no more are read without gaps: f32[32768, 1000] at 37 GB/s by one core, at
 * 26 in two halves with their lanes in the first cache.
 */
#define BLI_REDUCE_WIDTH 1024

/* The same where elements are staged, whose tile takes as much again. */
#define BLI_REDUCE_STAGED_WIDTH 256

/* Results whose elements are runs, of which a block takes parts of several. */
#define BLI_REDUCE_PARTS_WIDTH 16

/* Elements in a tile, and the bytes of the widest. */
#define BLI_REDUCE_TILE   BLI_REDUCE_BLOCK
#define BLI_REDUCE_WIDEST 16

struct bli_reduce_plan {
    bl_reduction op;
    const struct bli_reducer *reducer;
    /* Before a result is stored; NULL: nothing. */
    void (*finalize)(double *partial, int64_t count, double number);
    double number;
    int32_t parts;        /* numbers in a partial result */
    bli_kernel *stage;    /* from memory to a tile of the reducer's elements */
    bli_kernel *store;    /* from partial results to the result */
    int64_t size;         /* bytes of an element in memory */
    int64_t tile_size;    /* of one in a tile */
    int64_t partial_size; /* of a partial result */
    int64_t out_size;     /* of an element of the result */
    int64_t outputs;      /* elements of the result */
    int64_t count;        /* elements that each is made of */
    int64_t blocks;       /* of those; at least 1 */
    bool is_staged;       /* elements go through tiles */
    bool is_near;    /* elements are in a core's caches, if they were used before */
    bool by_columns; /* several results side by side, else one row after the other */
    bool by_partial_blocks; /* those, of runs of elements; else of single ones */
    int64_t gathered; /* blocks that a thread gathers at once; 0: one, in a tile */
    int64_t tile;     /* bytes that each thread needs for a tile; 0: none */
    int32_t threads;  /* that the work is worth */
    struct bli_nest outer;
    struct bli_nest reduced;
};

/*
 * Decide.  BL_ERR_ARGUMENT where the result repeats an element; sets the error text.
 * The result has elements.  Does not allocate.
 */
bl_status bli_reduce_plan_make(struct bli_reduce_plan *plan,
                               const struct bli_reduce_problem *problem);

/* Tiles of at most `width` columns. */
int64_t bli_reduce_tiles(const struct bli_reduce_plan *plan, int64_t width);

/* Columns in a tile, the last one in a row of them narrower, for so many threads. */
int64_t bli_reduce_width(const struct bli_reduce_plan *plan, int32_t threads);

/* Bytes of the partial results of all blocks. */
int64_t bli_reduce_bytes(const struct bli_reduce_plan *plan);

/* Bytes of a tile of columns: 32 rows of f32, which the reducer takes at once. */
#define BLI_COLUMN_TILE (BLI_REDUCE_STAGED_WIDTH * 32 * 4)

/*
 * Bytes of staging that each of so many threads needs: the lanes of columns, and tiles,
 * which are behind those.
 */
int64_t bli_reduce_staging(const struct bli_reduce_plan *plan, int32_t threads);
int64_t bli_reduce_lanes(const struct bli_reduce_plan *plan, int32_t threads);

/* Whether that is anything. */
static inline bool bli_reduce_is_staging(const struct bli_reduce_plan *plan)
{
    return plan->by_columns || plan->tile > 0;
}

/* Bytes of the blocks that one thread gathers at once. */
int64_t bli_reduce_gathered(const struct bli_reduce_plan *plan);

#endif
