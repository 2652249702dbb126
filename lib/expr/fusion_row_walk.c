/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs items of a fusion with reductions: a box of rows after the other.  Buffers are
 * filled from memory, each operation computes all rows, results in buffers are written.
 */
#include "expr/fusion_box.h"

#include "exec/loops/odometer.h"

#include <string.h>

struct walk {
    const struct bli_fusion_binding *binding;
    const struct bli_fusion *fusion;
    char *staging;
    char *at[BLI_FUSION_PLACES]; /* of places, in this box */
    char *data[BLI_FUSION_OPERANDS];
    int64_t rows, count; /* of this box */
    int64_t first;       /* of this box: the block, or the row of columns' block */
    int64_t all;         /* rows of columns' block */
    uint32_t closed;     /* reductions of columns whose first row of lanes is all */
    /* Where each input's buffer was filled from last, and how far. */
    const char *from[BLI_FUSION_OPERANDS];
    int64_t filled[BLI_FUSION_OPERANDS][2];
};

/* ---- buffers ---- */

/* Bytes from row to row of operand `k` in memory. */
static int64_t across(const struct bli_fusion *fusion, int32_t k)
{
    if (fusion->order == BLI_ORDER_BLOCKS)
        return fusion->stride[k] * BLI_REDUCE_BLOCK;
    return fusion->loops > 1 ? fusion->stride[fusion->operands + k] : 0;
}

/* Copy operand `k` between memory and its buffer. */
static void copy(const struct walk *walk, int32_t k, bool fills)
{
    const struct bli_fusion *const fusion = walk->fusion;
    const int64_t step = fusion->place[k].step, row = fusion->row[k];
    const int64_t along = fusion->stride[k], next = across(fusion, k);
    char *const data[BLI_MAX_OPERANDS] = {fills ? walk->at[k] : walk->data[k],
                                          fills ? walk->data[k] : walk->at[k]};
    const int64_t stride[2][BLI_MAX_OPERANDS] = {
        {fills ? step : along, fills ? along : step},
        {fills ? row : next, fills ? next : row}};

    bli_kernel_run(fusion->operand[k].convert, data, stride, step ? walk->count : 1,
                   row ? walk->rows : 1, NULL);
}

/* Fill the buffers of inputs that have moved. */
static void fill(struct walk *walk)
{
    const struct bli_fusion *const fusion = walk->fusion;

    for (int32_t k = fusion->results; k < fusion->operands; k++) {
        const int64_t rows = fusion->row[k] ? walk->rows : 1;
        const int64_t count = fusion->place[k].step ? walk->count : 1;

        if (fusion->pieced >> k & 1) {
            bli_fusion_fill_pieces(fusion, k, walk->at[k], walk->data[k],
                                   walk->first % fusion->blocks * BLI_REDUCE_BLOCK,
                                   rows * count);
            continue;
        }
        if (!(fusion->staged >> k & 1) ||
            (walk->from[k] == walk->data[k] && walk->filled[k][0] >= rows &&
             walk->filled[k][1] >= count))
            continue;
        copy(walk, k, true);
        walk->from[k] = walk->data[k];
        walk->filled[k][0] = rows;
        walk->filled[k][1] = count;
    }
}

/* ---- boxes ---- */

/* Reduce columns in registers if a box has all rows of a block, else in lanes. */
static void reduce_columns(struct walk *walk, const struct bli_fusion_fold *fold,
                           const struct bli_reduced_rows *in)
{
    const struct bli_reducer *const how = fold->pass[0].reducer;
    const int64_t turn = bli_reducer_turn(how, walk->count);
    char *const lanes = walk->staging + fold->lanes;

    if (walk->rows == walk->all && bli_fusion_reduce_whole_columns(fold, in, lanes)) {
        walk->closed |= UINT32_C(1) << (fold - walk->fusion->fold);
        return;
    }
    if (walk->first == 0)
        bli_reducer_fill(how, lanes,
                         (walk->all < turn ? walk->all : turn) * walk->count);
    bli_fusion_reduce_columns(fold, in, lanes, walk->first, turn);
}

static void reduce(struct walk *walk, const struct bli_fusion_operation *operation)
{
    const struct bli_fusion *const fusion = walk->fusion;
    const struct bli_fusion_fold *const fold = operation->fold;
    const struct bli_reducer *const how = fold->pass[0].reducer;
    const bool is_added =
        fold->program_place >= 0 && bli_fusion_adds(fusion, walk->count);
    const struct bli_reduced_rows in = {.data = walk->at[operation->place[1]],
                                        .step = fusion->row[operation->place[1]],
                                        .rows = walk->rows,
                                        .count = walk->count,
                                        .scratch = walk->staging + fusion->scratch,
                                        .lanes = is_added ? walk->staging + fold->lanes
                                                          : NULL};

    if (fusion->order == BLI_ORDER_ROWS)
        bli_fusion_reduce_rows(fold, &in, walk->at[operation->place[0]],
                               fusion->row[operation->place[0]]);
    else if (fusion->order == BLI_ORDER_BLOCKS)
        bli_fusion_reduce_blocks(fold, &in,
                                 walk->binding->partials + fold->partials +
                                     walk->first * how->partial_size);
    else
        reduce_columns(walk, fold, &in);
}

/* Compute a box, whose operands are at walk->data. */
static void run_box(struct walk *walk, int64_t rows, int64_t count)
{
    const struct bli_fusion *const fusion = walk->fusion;

    walk->rows = rows;
    walk->count = count;
    for (int32_t k = 0; k < fusion->operands; k++)
        if (fusion->place[k].buffer < 0)
            walk->at[k] = walk->data[k];
    fill(walk);
    if (fusion->order != BLI_ORDER_COLUMNS)
        bli_fusion_begin_lanes(fusion, walk->staging, walk->at, walk->rows,
                               walk->count);
    for (int32_t o = 0; o < fusion->operations; o++)
        if (fusion->operation[o].fold)
            reduce(walk, &fusion->operation[o]);
        else if (fusion->operation[o].ahead)
            bli_fusion_operate_ahead(walk->binding, &fusion->operation[o], walk->at,
                                     walk->data, count, rows);
        else
            bli_fusion_operate(walk->binding, &fusion->operation[o], walk->at, count,
                               rows);
    for (int32_t k = 0; k < fusion->results; k++)
        if (fusion->staged >> k & 1)
            copy(walk, k, false);
}

/* ---- items ---- */

/* The loops from loop `first` on. */
static struct bli_loops loops_from(const struct bli_fusion *fusion, int32_t first)
{
    return (struct bli_loops){.count = fusion->loops - first,
                              .operands = fusion->operands,
                              .extent = fusion->extent + first,
                              .stride =
                                  fusion->stride + (int64_t)first * fusion->operands,
                              .pitch = fusion->operands};
}

/* Go to an iteration of the loops from loop `first` on. */
static void go_to(struct walk *walk, int32_t first, int64_t at)
{
    const struct bli_loops loops = loops_from(walk->fusion, first);
    int64_t index[BL_MAX_RANK];

    for (int32_t k = 0; k < walk->fusion->operands; k++)
        walk->data[k] = walk->binding->data[k];
    if (first < walk->fusion->loops)
        bli_loops_go_to(&loops, index, walk->data, at);
}

/* Move by iterations of a loop. */
static void move(struct walk *walk, int32_t loop, int64_t by)
{
    const struct bli_fusion *const fusion = walk->fusion;

    for (int32_t k = 0; k < fusion->operands; k++)
        walk->data[k] += by * fusion->stride[loop * fusion->operands + k];
}

static void walk_rows(struct walk *walk, bl_range range)
{
    const struct bli_fusion *const fusion = walk->fusion;
    const int64_t side = fusion->loops > 1 ? fusion->extent[1] : 1;

    for (int64_t at = range.begin, run; at < range.end; at += run) {
        const int64_t rest = side - at % side;

        run = rest < range.end - at ? rest : range.end - at;
        run = run < fusion->rows ? run : fusion->rows;
        go_to(walk, 1, at);
        run_box(walk, run, fusion->length);
    }
}

static void walk_blocks(struct walk *walk, bl_range range)
{
    const struct bli_fusion *const fusion = walk->fusion;
    const int64_t whole = fusion->reduced / BLI_REDUCE_BLOCK;

    for (int64_t at = range.begin, run; at < range.end; at += run) {
        const int64_t block = at % fusion->blocks;
        const int64_t rest = whole - block;

        run = rest < range.end - at ? rest : range.end - at;
        run = run < fusion->rows ? run : fusion->rows;
        walk->first = at;
        go_to(walk, 1, at / fusion->blocks);
        move(walk, 0, block * BLI_REDUCE_BLOCK);
        if (block < whole) {
            run_box(walk, run, BLI_REDUCE_BLOCK);
        } else {
            run_box(walk, 1, fusion->reduced % BLI_REDUCE_BLOCK);
            run = 1;
        }
    }
}

/* Reduce one block of columns, of which the first is result `at`. */
static void run_columns(struct walk *walk, int64_t at, int64_t block, int64_t width)
{
    const struct bli_fusion *const fusion = walk->fusion;
    const int64_t begin = block * BLI_REDUCE_BLOCK, rest = fusion->reduced - begin;
    const int64_t all = rest < BLI_REDUCE_BLOCK ? rest : BLI_REDUCE_BLOCK;

    move(walk, 1, begin);
    walk->all = all;
    walk->closed = 0;
    for (walk->first = 0; walk->first < all; walk->first += fusion->rows) {
        const int64_t left = all - walk->first;

        run_box(walk, left < fusion->rows ? left : fusion->rows, width);
        move(walk, 1, fusion->rows);
    }
    for (int32_t f = 0; f < fusion->folds; f++) {
        const struct bli_fusion_fold *const fold = &fusion->fold[f];
        const struct bli_reducer *const how = fold->pass[0].reducer;
        const int64_t turn = bli_reducer_turn(how, width);
        char *const lane = walk->staging + fold->lanes;

        if (!(walk->closed >> f & 1))
            bli_reducer_close_columns(how, lane, turn, all < turn ? all : turn, width);
        if (fusion->blocks == 1)
            bli_fusion_store_results(walk->binding, fold, lane,
                                     (bl_range){at, at + width});
        else
            memcpy(walk->binding->partials + fold->partials +
                       (block * fusion->outputs + at) * how->partial_size,
                   lane, (size_t)(width * how->partial_size));
    }
}

static void walk_columns(struct walk *walk, bl_range range)
{
    const struct bli_fusion *const fusion = walk->fusion;
    const int64_t side = fusion->extent[0];
    const int64_t tiles = (side - 1) / fusion->length + 1;

    for (int64_t item = range.begin; item < range.end; item++) {
        const int64_t first = item % tiles * fusion->length, rest = side - first;
        const int64_t block = item / tiles % fusion->blocks;
        const int64_t outer = item / tiles / fusion->blocks;

        go_to(walk, 2, outer);
        move(walk, 0, first);
        run_columns(walk, outer * side + first, block,
                    rest < fusion->length ? rest : fusion->length);
    }
}

void bli_fusion_walk_rows(const struct bli_fusion_binding *binding, bl_range range,
                          char *staging)
{
    const struct bli_fusion *const fusion = binding->fusion;
    struct walk walk = {.binding = binding, .fusion = fusion, .staging = staging};

    for (int32_t k = 0; k < fusion->places; k++)
        if (fusion->place[k].buffer >= 0)
            walk.at[k] = staging + fusion->place[k].buffer;
    if (fusion->order == BLI_ORDER_ROWS)
        walk_rows(&walk, range);
    else if (fusion->order == BLI_ORDER_BLOCKS)
        walk_blocks(&walk, range);
    else
        walk_columns(&walk, range);
    if (binding->streams)
        fusion->isa->stream_fence();
}
