/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides how a reduction is executed: nests, reducer, order of memory access, staging.
 * A plan is plain data.  It does not decide the reduction tree
 * (kernels/reduce/reduce.h), which depends on the number of elements alone.
 */
#ifndef BLI_PLAN_REDUCE_H
#define BLI_PLAN_REDUCE_H

#include <broadloom/plan.h>

#include "core/reductions.h"
#include "kernels/reduce/reduce.h"
#include "plan/caches.h"
#include "shape/reduce.h"

/* A reduction whose operands are validated. */
struct bli_reduce_problem {
    bl_reduction op;
    const struct bli_isa *isa;
    bl_dtype from;   /* of the array */
    bl_dtype as;     /* dtype that elements are treated as */
    bl_dtype to;     /* of the result */
    bool is_compact; /* the result is compact, so its elements do not overlap */
    /*
     * The second pass of var and std: the result holds the means, in f64 or c128, and
     * becomes the squares' sums, in f64, divided by `divisor`.
     */
    bool is_centred;
    double divisor;
    struct bli_reduction_shape folding;
    /*
     * Only these elements of each result, by their logical order, and at least one, to
     * partial results of the reducer's dtype; all of them where any order gives the
     * same bits.  NULL: all, to the result.
     */
    const bl_range *part;
    bool is_first;            /* the first part there is, and perhaps the only one */
    struct bli_caches caches; /* asked only where the array is large */
};

/* The reducer of a reduction, and the dtypes on the way to its result. */
struct bli_reduce_choice {
    const struct bli_reducer *reducer;
    bl_dtype reduced; /* that the reducer takes elements as */
    bl_dtype stored;  /* that partial results are taken as when they are stored */
    const struct bli_reducer *near_rows; /* the same, of rows in the caches, or few */
    /* Sums by 256 bits where these are added beside conversions; NULL: are not. */
    const struct bli_reducer *added;
    const struct bli_reducer *far_rows;  /* the same, of rows from memory */
    const struct bli_reducer *long_rows; /* of long, near ones; NULL: as others */
    const struct bli_reducer *few_rows;  /* the same, of few rows side by side */
    bool is_sum;                         /* what the reducer does is to add */
    /* The same reducer of elements that are f32 where f16 and bf16 are taken. */
    const struct bli_reducer *widened;
    /* Applied to a partial result before it is stored; NULL: nothing. */
    void (*finalize)(double *partial, int64_t count, double number, bool is_root);
};

/* BL_ERR_DTYPE if there is no reducer. */
bl_status bli_reduce_choose(struct bli_reduce_choice *choice,
                            const struct bli_reduce_problem *problem);

/*
 * Columns that are reduced together, where a plan does not decide: their lanes take 64
 * KiB, in L2.  Rows of up to this width are read without gaps: f32[32768, 1000] at 37
 * GB/s by one core, at 26 GB/s in two halves with their lanes in L1.
 */
#define BLI_REDUCE_WIDTH 1024

/*
 * Columns that are reduced together if elements are staged: the staging buffer takes as
 * much cache as the lanes.
 */
#define BLI_REDUCE_STAGED_WIDTH 256

/*
 * The same if distances from means are squared, in f64: 32 rows, which the reducer
 * takes at once, are as many bytes.
 */
#define BLI_REDUCE_CENTRED_WIDTH 128

/*
 * Columns (results) that are reduced together by partial blocks: each result is several
 * runs of elements, and a block takes parts of several runs.
 */
#define BLI_REDUCE_PARTS_WIDTH 16

/*
 * Most columns, and rows of a strip, that are read at once: their lanes take 256 KiB.
 */
#define BLI_REDUCE_MOST_WIDTH (4 * BLI_REDUCE_WIDTH)

/*
 * Most bytes side by side in memory of rows that are reduced in registers: on Zen 3
 * f64[2000,700], transposed, takes .9 of the time with 1024 that it takes with 512. The
 * same where what is read next is prefetched: f32[5000,10001] takes .79 with 2048 and
 * AVX2, bf16[6000,6001] .84 (Zen 4). Bytes of a group of these rows, and most groups
 * beyond those that they fill: of a part of a group, and of rows behind them.
 */
#define BLI_REDUCE_SIDE     1024
#define BLI_REDUCE_FAR_SIDE 2048
#define BLI_REDUCE_GROUP    768
#define BLI_REDUCE_BEHIND   3

/* Elements in a staging buffer, and bytes of the widest element. */
#define BLI_REDUCE_TILE   BLI_REDUCE_BLOCK
#define BLI_REDUCE_WIDEST 16

struct bli_reduce_plan {
    bl_reduction op;
    const struct bli_reducer *reducer;
    /*
     * Replaces staged elements by the squares of their distances from the mean, which
     * is where the result will be; NULL: does not.
     */
    void (*centre)(double *tile, const double *mean, int64_t count, bool each);
    /* Applied to a partial result before it is stored; NULL: nothing. */
    void (*finalize)(double *partial, int64_t count, double number, bool is_root);
    struct bli_finish finish; /* the same where a reducer stores results */
    bool is_root;
    int32_t parts;        /* components of a partial result: 2 if complex */
    bli_kernel *stage;    /* copies or converts from memory to staged elements */
    bli_kernel *store;    /* converts partial results to the result */
    int64_t size;         /* bytes of an element in memory */
    int64_t tile_size;    /* of a staged element */
    int64_t partial_size; /* of a partial result */
    int64_t out_size;     /* of an element of the result */
    int64_t outputs;      /* elements of the result */
    int64_t origin;       /* the first element reduced, in the reduced nest */
    int64_t count;        /* elements reduced into each result */
    int64_t blocks;       /* blocks of them; at least 1 */
    bool is_staged;       /* elements are copied to a staging buffer */
    bool is_near;         /* elements fit in cache, if they were used before */
    bool by_columns; /* several adjacent results at once, else one row after another */
    bool by_partial_blocks; /* columns take runs of elements, else single ones */
    bool stores_columns;    /* a reducer of columns in registers stores the results */
    /*
     * Columns side by side: those of the innermost outer loop, or `packed` times as
     * many, narrow ones of the next loop's iterations, which follow in memory or are
     * staged side by side.
     */
    int64_t side;
    int64_t packed;        /* iterations; 1: columns are not packed */
    int64_t width;         /* most columns of a tile that are not of partial blocks */
    bool stages_at_once;   /* all rows of a tile of columns, if they fit */
    int64_t register_rows; /* most rows of columns whose lanes are in registers */
    int64_t wide_rows;     /* the same where pieces of rows are wide */
    int32_t strips; /* of gathered blocks, most are read in the order of memory: rows of
                       the loops inside this one, side by side, by elements or by
                       contiguous runs; 0: none are */
    int64_t row;    /* elements of each of those rows */
    int64_t strip;  /* most of those rows that are read at once */
    bool is_beside; /* those rows, of single elements, are reduced in registers */
    bool is_ahead;  /* of these, what is read next is prefetched */
    int64_t places; /* pieces of all those rows, of a block's elements each, that are
                       divided among threads instead of blocks; 0: are not */
    int64_t gathered; /* blocks that a thread gathers at once, and one more; 0: one, in
                         its staging buffer */
    int64_t tile;     /* bytes of each thread's staging buffer; 0: none */
    int32_t grains;   /* threads that its work pays for, by the cost model */
    int32_t threads;  /* as many of them as it can use */
    struct bli_nest outer;
    struct bli_nest reduced;
};

/*
 * Make a plan for a result that has elements.  BL_ERR_ARGUMENT if elements of the
 * result overlap, BL_ERR_DTYPE if there is no reducer; sets the error text.  Does not
 * allocate.
 */
bl_status bli_reduce_plan_make(struct bli_reduce_plan *plan,
                               const struct bli_reduce_problem *problem);

/*
 * Threads that have enough rows each, or places, where rows are reduced side by side;
 * else INT32_MAX.
 */
int64_t bli_reduce_most_threads(const struct bli_reduce_plan *plan);

/* Bytes from an element to the next one, in either direction. */
static inline int64_t bli_reduce_distance(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* Return whether the reduced elements are one evenly spaced run through memory. */
static inline bool bli_reduce_is_one_run(const struct bli_reduce_plan *plan)
{
    return plan->origin == 0 && plan->reduced.extent[0] == plan->count;
}

/* Most blocks of a row that is reduced with others. */
#define BLI_REDUCE_ROW_BLOCKS 16

/*
 * Whether `threads` threads divide rows of several blocks, and not the blocks: they
 * need no memory for partial results, and take a block of several rows at once.  Zen 4,
 * AVX2 and AVX-512: sums of f32[300,1200] take .52 of the time, f32[300,3000] .65,
 * f32[40, 16000] .87, bf16[300,1500] .73, f64[300,1200] .66 (512 bits), u8[300,1500]
 * .55, f32[4, 3000] .69; largest of f32 .92 to 1.0.
 */
bool bli_reduce_is_by_rows(const struct bli_reduce_plan *plan, int32_t threads);

/* Blocks begin at multiples of it, in rows of `run` elements. */
static inline int64_t bli_reduce_turn(int64_t run)
{
    return (run | BLI_REDUCE_BLOCK) & -(run | BLI_REDUCE_BLOCK);
}

/* Most columns of one iteration that are packed as they are. */
#define BLI_REDUCE_GOES_ON 512

/*
 * Whether columns of the next loop follow in memory, with their results in another
 * order: they are packed as they are, whatever their rows.  Sums of f32[2000,30,40]
 * along the first axis, with the others transposed in memory, take .32 of the time so
 * with AVX2 and .45 with AVX-512, f32[100,300,400] .66, largest of i16[90,2201,2,15]
 * .01 and .03; sums of f32[50,100,1000], whose columns are long, .8 to 2.1 (Zen 4).
 */
static inline bool bli_reduce_goes_on(const struct bli_reduce_plan *plan)
{
    const struct bli_nest *const outer = &plan->outer;

    return outer->loops > 1 && outer->extent[0] <= BLI_REDUCE_GOES_ON &&
           outer->stride[1][BLI_REDUCE_IN] ==
               outer->extent[0] * outer->stride[0][BLI_REDUCE_IN];
}

/* Rows behind a row of `run` elements in which its last block may end. */
static inline int64_t bli_reduce_rows_behind(int64_t run)
{
    return run % BLI_REDUCE_BLOCK == 0 ? 0 : (BLI_REDUCE_BLOCK - 1) / run + 1;
}

/* Number of tiles of at most `width` columns. */
int64_t bli_reduce_tiles(const struct bli_reduce_plan *plan, int64_t width);

/*
 * Columns of a tile, `most` or fewer, where `side` columns, of each of `others` blocks,
 * are divided among threads; the last tile may be narrower.
 */
int64_t bli_tile_columns(int64_t side, int64_t others, int64_t threads, int64_t most);

/* Columns of a tile of a plan; results, where these are of runs of elements. */
int64_t bli_reduce_width(const struct bli_reduce_plan *plan, int32_t threads);

/* Bytes of the partial results of all blocks. */
int64_t bli_reduce_bytes(const struct bli_reduce_plan *plan);

/*
 * Bytes of a staging buffer for columns: 32 rows of f32, which the reducer takes at
 * once.
 */
#define BLI_COLUMN_TILE (BLI_REDUCE_STAGED_WIDTH * 32 * 4)

/*
 * Staging memory for each of `threads` threads.  bli_reduce_staging returns all of its
 * bytes; bli_reduce_lanes returns those of the lanes of columns alone, which the
 * staging buffer follows.
 */
int64_t bli_reduce_staging(const struct bli_reduce_plan *plan, int32_t threads);
int64_t bli_reduce_lanes(const struct bli_reduce_plan *plan, int32_t threads);

/* Whether threads need staging memory. */
static inline bool bli_reduce_is_staging(const struct bli_reduce_plan *plan)
{
    return plan->by_columns || plan->tile > 0;
}

/*
 * Items of work that reduce blocks: to partial results, or to results where there is
 * one block each.  bli_reduce_item_bytes returns the bytes of memory that an item
 * reads, for node ranges.
 */
int64_t bli_reduce_items(const struct bli_reduce_plan *plan, int64_t width,
                         bool has_partials);
int64_t bli_reduce_item_bytes(const struct bli_reduce_plan *plan, int64_t items);

/* Number of threads that combine partial results, by the cost model. */
int64_t bli_reduce_combining_threads(const struct bli_reduce_plan *plan);

/*
 * Bytes of the blocks that one thread gathers at once, or if more, of the lanes of a
 * strip or the groups of rows.
 */
int64_t bli_reduce_gathered(const struct bli_reduce_plan *plan);

#endif
