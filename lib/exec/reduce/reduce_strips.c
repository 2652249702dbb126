/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduces blocks of rows that are neighbours in memory, as those of a transposed matrix
 * are: elements are read in the order of memory, as columns, each row in its lanes. So
 * are contiguous runs, the first one of each row, then the second one, and so on.
 *
 * A row takes the blocks that begin in it. It goes on in the rows after it until the
 * last of them is complete, and what it has accumulated before the first one is lost.
 */
#include "exec/reduce/item.h"

#include <string.h>

/* Most blocks that are closed at once. */
#define TOGETHER 16

struct strip {
    const struct bli_reduce_plan *plan;
    char *data;     /* the first row */
    char *lane;     /* rows of lanes, or where there are runs, lanes of rows */
    bool has_runs;  /* elements of a row are contiguous in runs */
    int64_t beside; /* bytes from a row to the next one */
    int64_t rows;
    int64_t at;         /* elements of each row that are accumulated */
    const char *column; /* the address of the first row's element `at` */
};

/* The address of the first row's element `at`. */
static const char *column_at(const struct strip *strip, int64_t at)
{
    return bli_nest_address(&strip->plan->reduced, strip->data, 1,
                            at % strip->plan->row) +
           at / strip->plan->row * strip->beside;
}

/* Accumulate the elements of each row until element `end`. */
static void advance(struct strip *strip, int64_t end)
{
    const struct bli_reduce_plan *const plan = strip->plan;
    const struct bli_reducer *const how = plan->reducer;
    const int64_t run = plan->reduced.extent[0];

    while (strip->at < end) {
        const int64_t rest = run - strip->at % run;
        const int64_t count = rest < end - strip->at ? rest : end - strip->at;
        const char *const next = column_at(strip, strip->at + count);

        if (strip->has_runs)
            how->accumulate(how, strip->lane, strip->column, strip->beside, strip->rows,
                            strip->at * how->numbers, count * how->numbers, false,
                            true);
        else
            bli_reducer_columns(how, strip->lane, strip->column,
                                plan->reduced.stride[0][1], strip->at, count,
                                strip->rows, how->lanes, next, plan->is_near);
        strip->at += count;
        strip->column = next;
    }
}

/*
 * Move the lanes of a row, partial results of `size` bytes, to `to`, and start them
 * again. Lane 0 of the block that ends here is that of the element that it began with.
 */
static inline void move_lanes(const struct strip *strip, int64_t row, char *to,
                              int64_t size)
{
    const struct bli_reducer *const how = strip->plan->reducer;
    char *const from = strip->lane + row * (strip->has_runs ? BLI_REDUCE_LANES : size);
    const int64_t step = strip->has_runs ? size : strip->rows * size;

    for (int64_t l = 0; l < how->lanes; l++)
        memcpy(to + l * size, from + ((strip->at + l) & (how->lanes - 1)) * step,
               (size_t)size);
    for (int64_t l = 0; l < how->lanes; l++)
        memcpy(from + l * step, how->identity, (size_t)size);
}

/*
 * Close the blocks that end here, of the rows of a list, and begin the next ones.
 * `partial` is that of block 0; NULL: what was accumulated is lost.
 */
static void close_blocks(struct strip *strip, const int16_t *after, int64_t r,
                         int64_t first, char *partial)
{
    const struct bli_reduce_plan *const plan = strip->plan;
    const int64_t size = plan->partial_size;
    _Alignas(BLI_REDUCE_LANES) char lane[TOGETHER * BLI_REDUCE_LANES];
    char result[TOGETHER * BLI_MAX_PARTIAL];
    int64_t block[TOGETHER];

    while (r >= 0) {
        int64_t rows = 0;

        for (; r >= 0 && rows < TOGETHER; r = after[r], rows++) {
            block[rows] =
                ((first + r) * strip->plan->row + strip->at) / BLI_REDUCE_BLOCK - 1;
            if (size == 8)
                move_lanes(strip, r, lane + rows * BLI_REDUCE_LANES, 8);
            else if (size == 16)
                move_lanes(strip, r, lane + rows * BLI_REDUCE_LANES, 16);
            else
                move_lanes(strip, r, lane + rows * BLI_REDUCE_LANES, 4);
        }
        if (!partial)
            continue;
        plan->reducer->close(plan->reducer, result, lane, rows,
                             BLI_REDUCE_BLOCK * plan->reducer->numbers);
        for (int64_t i = 0; i < rows; i++)
            memcpy(partial + block[i] * size, result + i * size, (size_t)size);
    }
}

/* Reduce the blocks that begin in the rows from `first` on; `partial` is block 0's. */
static void reduce_strip(struct strip *strip, int64_t first, char *partial)
{
    const struct bli_reduce_plan *const plan = strip->plan;
    const int64_t run = plan->row, turn = bli_reduce_turn(run);
    /* For each of these, the rows whose first block begins there. */
    int16_t begins[BLI_REDUCE_BLOCK], after[BLI_REDUCE_MOST_WIDTH];

    memset(begins, -1, (size_t)(BLI_REDUCE_BLOCK / turn) * sizeof *begins);
    for (int64_t r = strip->rows - 1; r >= 0; r--) {
        const int64_t row = first + r;
        int16_t *const list =
            &begins[(bli_reduce_first_block(run, row) * BLI_REDUCE_BLOCK - row * run) /
                    turn];

        after[r] = *list;
        *list = (int16_t)r;
    }
    strip->at = 0;
    strip->column = column_at(strip, 0);
    bli_reducer_fill(plan->reducer, strip->lane, plan->reducer->lanes * strip->rows);
    for (int64_t at = 0; at < run + BLI_REDUCE_BLOCK; at += turn) {
        const int64_t r = begins[at % BLI_REDUCE_BLOCK / turn];

        if (r < 0)
            continue;
        advance(strip, at);
        close_blocks(strip, after, r, first, at < BLI_REDUCE_BLOCK ? NULL : partial);
    }
}

/*
 * Find rows from the first one that begins in the blocks: neighbours in memory whose
 * blocks are among these, and whose last block ends in a neighbour.
 */
static bl_range find_rows(const struct bli_reduce_plan *plan, bl_range blocks)
{
    const int64_t run = plan->row;
    const int64_t beside = plan->reduced.extent[plan->strips];
    const int64_t after = bli_reduce_rows_behind(run);
    const int64_t stop = blocks.end * BLI_REDUCE_BLOCK / run;
    int64_t row = (blocks.begin * BLI_REDUCE_BLOCK + run - 1) / run;

    if (row % beside >= beside - after)
        row += beside - row % beside;

    const int64_t end = row - row % beside + beside - after;

    return (bl_range){row, stop < end ? stop : end};
}

/* Rows of each strip; from memory these are as even as can be. */
static int64_t strip_width(const struct bli_reduce_plan *plan, int64_t rows)
{
    const int64_t strips = (rows - 1) / plan->strip + 1;

    return plan->is_near ? plan->strip : (rows - 1) / strips + 1;
}

bl_range bli_reduce_strips(const struct bli_reduce_plan *plan, char *in, char *partial,
                           char *memory, bl_range blocks)
{
    struct strip strip = {.plan = plan, .lane = memory};
    bl_range rows = {0, 0}, done;
    int64_t width;

    strip.has_runs = plan->reduced.stride[0][1] == plan->size;
    strip.beside = plan->reduced.stride[plan->strips][1];
    if (plan->strips > 0)
        rows = find_rows(plan, blocks);
    if (rows.begin >= rows.end)
        return (bl_range){blocks.end, blocks.end};
    width = strip_width(plan, rows.end - rows.begin);
    done = (bl_range){bli_reduce_first_block(plan->row, rows.begin),
                      bli_reduce_first_block(plan->row, rows.end)};
    for (; rows.begin < rows.end; rows.begin += strip.rows) {
        strip.rows = rows.end - rows.begin;
        strip.rows = strip.rows < width ? strip.rows : width;
        strip.data = bli_nest_address(&plan->reduced, in, 1, rows.begin * plan->row);
        reduce_strip(&strip, rows.begin, partial - blocks.begin * plan->partial_size);
    }
    return done;
}
