/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduces blocks of rows that are neighbours in memory, as those of a transposed matrix
 * are: elements are read in the order of memory, as columns, each row in its lanes.
 *
 * A row takes the blocks that begin in it. It goes on in the rows after it until the
 * last of them is complete, and what it has accumulated before the first one is lost.
 */
#include "exec/reduce/item.h"

#include <string.h>

/* Rows that are read at once: their lanes are in L1. */
#define WIDTH 512

struct strip {
    const struct bli_reduce_plan *plan;
    const char *data; /* the first row */
    char *lane;
    int64_t rows;
    int64_t at; /* elements of each row that are accumulated */
};

/* The first block that begins in a row or after it. */
static int64_t first_block(const struct bli_reduce_plan *plan, int64_t row)
{
    return (row * plan->reduced.extent[0] + BLI_REDUCE_BLOCK - 1) / BLI_REDUCE_BLOCK;
}

/* Accumulate the elements of each row until element `end`. */
static void advance(struct strip *strip, int64_t end)
{
    const struct bli_reduce_plan *const plan = strip->plan;
    const int64_t run = plan->reduced.extent[0], step = plan->reduced.stride[0][1];

    while (strip->at < end) {
        const int64_t column = strip->at % run, rest = run - column;
        const int64_t count = rest < end - strip->at ? rest : end - strip->at;

        bli_reducer_columns(plan->reducer, strip->lane,
                            strip->data + strip->at / run * plan->size + column * step,
                            step, strip->at, count, strip->rows, plan->reducer->lanes);
        strip->at += count;
    }
}

/* Copy a partial result, of 8 or 16 bytes. */
static inline void copy_partial(char *to, const char *from, int64_t size)
{
    memcpy(to, from, 8);
    if (size > 8)
        memcpy(to + 8, from + 8, 8);
}

/*
 * Close the block of a row that ends here, and begin the next one. Blocks begin in lane
 * 0 of rows, as the plan has it.
 */
static void close_block(struct strip *strip, int64_t row, char *partial)
{
    const struct bli_reducer *const how = strip->plan->reducer;
    const int64_t size = how->partial_size;
    _Alignas(BLI_REDUCE_LANES) char lane[BLI_REDUCE_LANES];

    for (int64_t l = 0; l < how->lanes; l++) {
        char *const from = strip->lane + (l * strip->rows + row) * size;

        copy_partial(lane + l * size, from, size);
        copy_partial(from, (const char *)how->identity, size);
    }
    if (partial)
        how->close(how, partial, lane, 1, BLI_REDUCE_BLOCK * how->numbers);
}

/* Reduce the blocks that begin in `rows` rows, `first` the first of them. */
static void reduce_strip(const struct bli_reduce_plan *plan, char *in, char *partial,
                         char *lane, int64_t first, int64_t rows)
{
    const int64_t run = plan->reduced.extent[0], origin = first_block(plan, first);
    struct strip strip = {plan, in + first * plan->size, lane, rows, 0};
    /* For each element of a block, the rows whose first block begins there. */
    int16_t begins[BLI_REDUCE_BLOCK], after[WIDTH];

    memset(begins, -1, sizeof begins);
    for (int64_t r = rows - 1; r >= 0; r--) {
        const int64_t row = first + r;
        int16_t *const list =
            &begins[first_block(plan, row) * BLI_REDUCE_BLOCK - row * run];

        after[r] = *list;
        *list = (int16_t)r;
    }
    bli_reducer_fill(plan->reducer, lane, plan->reducer->lanes * rows);
    for (int64_t at = 0; at < run + BLI_REDUCE_BLOCK; at++)
        for (int64_t r = begins[at % BLI_REDUCE_BLOCK]; r >= 0; r = after[r]) {
            const int64_t block = ((first + r) * run + at) / BLI_REDUCE_BLOCK - 1;

            advance(&strip, at);
            close_block(&strip, r,
                        at < BLI_REDUCE_BLOCK
                            ? NULL
                            : partial + (block - origin) * plan->partial_size);
        }
}

bl_range bli_reduce_strips(const struct bli_reduce_plan *plan, char *in, char *partial,
                           char *memory, bl_range blocks)
{
    const int64_t run = plan->reduced.extent[0];
    const int64_t all = plan->count / run - ((BLI_REDUCE_BLOCK - 1) / run + 1);
    const int64_t stop = blocks.end * BLI_REDUCE_BLOCK / run;
    const int64_t end = stop < all ? stop : all;
    int64_t row = (blocks.begin * BLI_REDUCE_BLOCK + run - 1) / run;
    bl_range done = {blocks.begin, blocks.begin};

    if (!plan->by_strips || row >= end)
        return done;
    done = (bl_range){first_block(plan, row), first_block(plan, end)};
    for (int64_t rows; row < end; row += rows) {
        rows = end - row < WIDTH ? end - row : WIDTH;
        reduce_strip(plan, in,
                     partial +
                         (first_block(plan, row) - blocks.begin) * plan->partial_size,
                     memory, row, rows);
    }
    return done;
}
