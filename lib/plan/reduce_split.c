/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a reduction is split into items of work, and the memory that these take: pure
 * functions of its plan and the number of threads.
 */
#include "plan/reduce.h"

#include "core/lend.h"

/*
 * The least width of a tile in columns, where there would be fewer tiles than threads;
 * the least where threads would only have tiles of different number.
 */
#define NARROW_COLUMNS 64
#define EVEN_COLUMNS   128

/* Tiles of runs for each thread, and the least width of one. */
#define PARTS_PER_THREAD 8
#define NARROW_PARTS     4

/*
 * Least rows for each of several threads that do not divide blocks: sums of f32[10,
 * 15000] would take 1.07 of the time with five (Zen 4).
 */
#define ROWS_PER_THREAD 8

/* Columns whose lanes and results begin where cache lines do. */
#define LINE_COLUMNS 16

/*
 * Most bytes of an item when borders between nodes are computed; they lie between
 * items.
 */
#define ITEM_BYTES 4096

/* Partial results that justify one more thread to combine them. */
#define GRAIN_PARTIALS (1 << 15)

/* Least places of a thread: its last blocks end in those of the next one. */
#define LEAST_PLACES 8

int64_t bli_reduce_tiles(const struct bli_reduce_plan *plan, int64_t width)
{
    const int64_t side = plan->side;

    return plan->outputs / side * (side / width + (side % width > 0));
}

/* Whether one thread gets more of so many items than an eighth above the mean. */
static bool is_uneven(int64_t items, int64_t threads)
{
    return items < 8 * threads && 8 * threads * ((items - 1) / threads + 1) > 9 * items;
}

/*
 * Tiles are as wide as possible: each thread has one row of tiles or few, and reads
 * long pieces of rows.  Zen 3, two threads, with 2 tiles instead of 16: sums of
 * u8[1000,1000] take .67 of the time, any of bool .52, sums of f16 .82, of i32 .78, of
 * f32[1000,4000] .85; of f32[1000,1000] 1.03.
 */
int64_t bli_tile_columns(int64_t side, int64_t others, int64_t threads, int64_t most)
{
    int64_t tiles = (side - 1) / most + 1, width;

    if (tiles * others < threads && side >= NARROW_COLUMNS) {
        const int64_t enough = (threads - 1) / others + 1;

        tiles = enough < side / NARROW_COLUMNS ? enough : side / NARROW_COLUMNS;
    }
    while (side / (tiles + 1) >= EVEN_COLUMNS && is_uneven(tiles * others, threads))
        tiles++;
    width = (side - 1) / tiles + 1;
    width += -width & (LINE_COLUMNS - 1);
    return width < most ? width : most;
}

/* Most columns of a tile that are not of partial blocks. */
static int64_t most_columns(const struct bli_reduce_plan *plan)
{
    int64_t fits;

    if (plan->packed == 1 || bli_reduce_goes_on(plan))
        return plan->width;
    /* All rows fit in the staging buffer. */
    fits = BLI_COLUMN_TILE / (plan->count * plan->tile_size);
    return bli_least(fits, plan->width);
}

/* Columns of a tile that are not of partial blocks. */
static int64_t columns_width(const struct bli_reduce_plan *plan, int32_t threads)
{
    const int64_t own = plan->outer.extent[0];
    const int64_t width =
        bli_tile_columns(plan->side, plan->outputs / plan->side * plan->blocks, threads,
                         most_columns(plan));

    if (plan->packed == 1)
        return width;
    /* Of whole iterations. */
    return width > own ? width / own * own : own;
}

int64_t bli_reduce_width(const struct bli_reduce_plan *plan, int32_t threads)
{
    int64_t width = BLI_REDUCE_PARTS_WIDTH;

    if (!plan->by_partial_blocks)
        return columns_width(plan, threads);
    while (threads > 1 && width > NARROW_PARTS &&
           bli_reduce_tiles(plan, width) * plan->blocks < PARTS_PER_THREAD * threads)
        width /= 2;
    return width;
}

bool bli_reduce_is_by_rows(const struct bli_reduce_plan *plan, int32_t threads)
{
    return plan->is_near && !plan->by_columns && !plan->is_staged &&
           bli_reduce_is_one_run(plan) && plan->blocks <= BLI_REDUCE_ROW_BLOCKS &&
           plan->outputs >= (threads > 1 ? (int64_t)ROWS_PER_THREAD * threads : 2);
}

int64_t bli_reduce_bytes(const struct bli_reduce_plan *plan)
{
    return plan->outputs * plan->blocks * plan->partial_size;
}

int64_t bli_reduce_gathered(const struct bli_reduce_plan *plan)
{
    const int64_t some = plan->gathered < plan->blocks ? plan->gathered : plan->blocks;
    const int64_t blocks = some * BLI_REDUCE_BLOCK * plan->tile_size;
    const int64_t lanes =
        plan->is_beside ? (plan->strip / plan->reducer->abreast + BLI_REDUCE_BEHIND) *
                              BLI_REDUCE_GROUP
                        : plan->strip * BLI_REDUCE_LANES;

    return plan->strips > 0 && blocks < lanes ? lanes : blocks;
}

int64_t bli_reduce_lanes(const struct bli_reduce_plan *plan, int32_t threads)
{
    const int64_t width = bli_reduce_width(plan, threads), side = plan->side;

    return plan->by_columns ? (width < side ? width : side) * BLI_REDUCE_LANES : 0;
}

int64_t bli_reduce_staging(const struct bli_reduce_plan *plan, int32_t threads)
{
    const int64_t bytes = bli_reduce_lanes(plan, threads) + plan->tile;

    /* Variances use more of the stack than others: their buffers are not there. */
    return plan->centre && bytes <= BLI_STACK_BYTES ? BLI_STACK_BYTES + 1 : bytes;
}

int64_t bli_reduce_items(const struct bli_reduce_plan *plan, int64_t width,
                         bool has_partials)
{
    if (plan->by_columns)
        return bli_reduce_tiles(plan, width) * plan->blocks;
    return plan->places > 0 ? plan->places
                            : plan->outputs * (has_partials ? plan->blocks : 1);
}

int64_t bli_reduce_item_bytes(const struct bli_reduce_plan *plan, int64_t items)
{
    const int64_t bytes = plan->outputs * plan->count / items * plan->size + 1;

    return bytes < ITEM_BYTES ? bytes : ITEM_BYTES;
}

int64_t bli_reduce_combining_threads(const struct bli_reduce_plan *plan)
{
    const int64_t threads = plan->outputs * plan->blocks / GRAIN_PARTIALS + 1;

    return threads < plan->outputs ? threads : plan->outputs;
}

/*
 * Threads with fewer rows than a group and those behind it gather them: sums of
 * f32[2000000,16], transposed, took two threads 8 to 10 times as long as one takes side
 * by side, of f32[200000,8] 2.7 times (Zen 4).
 */
int64_t bli_reduce_most_threads(const struct bli_reduce_plan *plan)
{
    int64_t threads = INT32_MAX;

    if (plan->places > 0)
        threads = plan->places / LEAST_PLACES;
    else if (plan->is_beside)
        threads = plan->outputs * plan->reduced.extent[plan->strips] /
                  (plan->reducer->abreast + bli_reduce_rows_behind(plan->row));
    return bli_least(bli_most(threads, 1), INT32_MAX);
}
