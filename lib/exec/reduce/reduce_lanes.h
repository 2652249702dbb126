/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of a block of every result at once: elements are accumulated in lanes that stay
 * after the call, or kept as they are.
 *
 * The lanes of results are in tiles of BLI_REDUCE_WIDTH, the last one narrower: in a
 * tile lane 0 of each result, then lane 1, and so on.  Elements are in rows: those of
 * the same place of each result.  Results are in logical order.
 */
#ifndef BLI_REDUCE_LANES_H
#define BLI_REDUCE_LANES_H

#include "exec/exec.h"
#include "plan/reduce.h"

/* Bytes of a thread's staging buffer: a row of a tile and more. */
#define BLI_LANES_STAGING (1 << 16)

/* Elements of an array that are parts of blocks, none of which is complete here. */
struct bli_lanes_job {
    const struct bli_reducer *reducer; /* of rows */
    bli_kernel *stage;                 /* from memory to rows */
    int64_t size;                      /* bytes of an element of a row */
    int64_t results;
    struct bli_nest outer;   /* operand 0 is compact, in logical order; 1 the array */
    struct bli_nest reduced; /* operand 1 is the array, in logical order */
    bool is_row;             /* the array has rows in memory that need no staging */
    char *in;
    bl_range part; /* of the reduced nest */
    int64_t first; /* place in the block of part.begin */
    char *to;      /* lanes, or rows */
    bool keeps_rows;
    struct bli_staging staging;     /* BLI_LANES_STAGING each, unless `is_row` */
    struct bli_partition partition; /* of the tiles */
};

/* Tiles of lanes. */
static inline int64_t bli_lanes_tiles(int64_t results)
{
    return results / BLI_REDUCE_WIDTH + (results % BLI_REDUCE_WIDTH > 0);
}

/* Run a job on the threads of its partition. */
void bli_exec_lanes(const struct bli_lanes_job *job, const struct bli_team *team);

/*
 * On the calling thread: start lanes; accumulate `count` rows from place `first` of the
 * block on; reduce lanes with `count` elements to partial results, at `to`, which may
 * be the lanes.
 */
void bli_lanes_fill(const struct bli_reducer *how, char *lane, int64_t results);
void bli_lanes_take_rows(const struct bli_reducer *how, char *lane, const char *rows,
                         int64_t size, int64_t first, int64_t count, int64_t results);
void bli_lanes_close(const struct bli_reducer *how, char *to, char *lane, int64_t count,
                     int64_t results);

/*
 * Reduce the lanes of `width` results from `first` on, all in one tile and at most 128,
 * to partial results, and leave the lanes as they are.
 */
void bli_lanes_reduce(const struct bli_reducer *how, char *to, const char *lane,
                      int64_t first, int64_t width, int64_t count, int64_t results);

#endif
