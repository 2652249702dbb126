/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions in fusions: elements of a box by the reducers' functions, in the tree that
 * calls use.
 */
#include "expr/fusion_box.h"

#include <string.h>

/* Most blocks of a row that is resident. */
#define MOST_BLOCKS 256

/* Most rows of at most one block that are reduced at once. */
#define MOST_GROUP 64

static void convert(bli_kernel *kernel, char *to, int64_t to_step, int64_t to_row,
                    char *from, int64_t from_step, int64_t from_row, int64_t inner,
                    int64_t outer)
{
    char *const data[BLI_MAX_OPERANDS] = {to, from};
    const int64_t stride[2][BLI_MAX_OPERANDS] = {{to_step, from_step},
                                                 {to_row, from_row}};

    bli_kernel_run(kernel, data, stride, inner, outer, NULL);
}

/* ---- lanes ---- */

void bli_fusion_begin_lanes(const struct bli_fusion *fusion, char *staging, char **at,
                            int64_t rows, int64_t count)
{
    const bool adds = bli_fusion_adds(fusion, count);

    for (int32_t f = 0; f < fusion->folds; f++) {
        const struct bli_fusion_fold *const fold = &fusion->fold[f];
        const struct bli_reducer *const how = fold->pass[0].reducer;

        if (fold->program_place < 0)
            continue;
        at[fold->program_place] =
            staging + (adds ? fold->lanes : fusion->place[fold->program_place].buffer);
        if (adds)
            bli_reducer_fill(how, staging + fold->lanes, rows * how->lanes);
    }
}

/* Reduce the lanes of rows to results. */
static void close_rows(const struct bli_fusion_fold *fold,
                       const struct bli_reduced_rows *in, char *to, int64_t to_step)
{
    _Alignas(BLI_ALIGNMENT) char partial[MOST_GROUP * BLI_FUSION_PARTIAL];
    const struct bli_reducer *const how = fold->pass[0].reducer;

    for (int64_t r = 0, some; r < in->rows; r += some) {
        some = in->rows - r < MOST_GROUP ? in->rows - r : MOST_GROUP;
        how->close(how, partial, in->lanes + r * BLI_REDUCE_LANES, some, in->count);
        bli_fusion_store(fold, partial, to + r * to_step, to_step, some);
    }
}

/* ---- rows ---- */

/*
 * Reduce the blocks of a row to partial results, with elements converted, and centred
 * by a mean.
 */
static void reduce_staged(const struct bli_fusion_pass *pass, int64_t size,
                          const struct bli_reduced_rows *in, char *data, char *partial,
                          const double *mean)
{
    for (int64_t at = 0; at < in->count; at += BLI_REDUCE_BLOCK) {
        const int64_t rest = in->count - at;
        const int64_t count = rest < BLI_REDUCE_BLOCK ? rest : BLI_REDUCE_BLOCK;

        convert(pass->stage, in->scratch, pass->staged_size, 0, data + at * size, size,
                0, count, 1);
        if (pass->centre)
            pass->centre((double *)(void *)in->scratch, mean, count, false);
        bli_reducer_rows(pass->reducer, partial, in->scratch, 0, 1, count, true);
        partial += pass->reducer->partial_size;
    }
}

/* Reduce the blocks of a row as it is. */
static void reduce_dense(const struct bli_reducer *how, int64_t size,
                         const struct bli_reduced_rows *in, char *data, char *partial)
{
    const int64_t whole = in->count / BLI_REDUCE_BLOCK;
    const int64_t rest = in->count % BLI_REDUCE_BLOCK;
    const int64_t bytes = BLI_REDUCE_BLOCK * size;

    bli_reducer_rows(how, partial, data, bytes, whole, BLI_REDUCE_BLOCK, true);
    if (rest > 0)
        bli_reducer_rows(how, partial + whole * how->partial_size, data + whole * bytes,
                         0, 1, rest, true);
}

/* Reduce row `r` in one pass: the first partial result is that of all blocks. */
static void reduce_row(const struct bli_fusion_fold *fold, int32_t p,
                       const struct bli_reduced_rows *in, int64_t r, char *partial,
                       const double *mean)
{
    const struct bli_fusion_pass *const pass = &fold->pass[p];
    char *const data = in->data + r * in->step;

    if (pass->stage)
        reduce_staged(pass, fold->size, in, data, partial, mean);
    else
        reduce_dense(pass->reducer, fold->size, in, data, partial);
    if (in->count > BLI_REDUCE_BLOCK)
        pass->reducer->pairs(pass->reducer, partial,
                             (in->count - 1) / BLI_REDUCE_BLOCK + 1);
}

/*
 * Reduce short rows as columns, in any order: a row costs the reduction of its lanes,
 * however short it is.
 */
static void reduce_turned(const struct bli_fusion_pass *pass, int64_t size,
                          const struct bli_reduced_rows *in, char *partial)
{
    _Alignas(BLI_ALIGNMENT) char turned[MOST_GROUP * BLI_FUSION_TURNED];
    const int64_t row = in->rows * size;

    convert(pass->turn, turned, size, row, in->data, in->step, size, in->rows,
            in->count);
    bli_reducer_fill(pass->reducer, partial, in->rows);
    bli_reducer_columns(pass->reducer, partial, turned, row, 0, in->count, in->rows, 1,
                        NULL, true);
}

/*
 * Reduce rows of at most one block in one pass to partial results side by side; those
 * that are converted have room in scratch memory together.
 */
static void reduce_group(const struct bli_fusion_fold *fold, int32_t p,
                         const struct bli_reduced_rows *in, char *partial,
                         const char *mean)
{
    const struct bli_fusion_pass *const pass = &fold->pass[p];
    const int64_t row = in->count * pass->staged_size;

    if (pass->turn) {
        reduce_turned(pass, fold->size, in, partial);
        return;
    }
    if (pass->stage)
        convert(pass->stage, in->scratch, pass->staged_size, row, in->data, fold->size,
                in->step, in->count, in->rows);
    for (int64_t r = 0; pass->centre && r < in->rows; r++) {
        double own[2];

        memcpy(own, mean + r * fold->pass[0].reducer->partial_size, sizeof own);
        pass->centre((double *)(void *)(in->scratch + r * row), own, in->count, false);
    }
    bli_reducer_rows(pass->reducer, partial, pass->stage ? in->scratch : in->data,
                     pass->stage ? row : in->step, in->rows, in->count, true);
}

/* Reduce rows of at most one block, as many at once as have room. */
static void reduce_short(const struct bli_fusion_fold *fold,
                         const struct bli_reduced_rows *in, char *to, int64_t to_step)
{
    _Alignas(BLI_ALIGNMENT) char partial[2][MOST_GROUP * BLI_FUSION_PARTIAL];
    const struct bli_fusion_pass *const first = &fold->pass[0];
    const int64_t fits =
        first->stage || fold->passes == 2 ? BLI_REDUCE_BLOCK / in->count : in->rows;
    const int64_t most = fits < MOST_GROUP ? fits : MOST_GROUP;
    struct bli_reduced_rows some = *in;

    for (int64_t r = 0; r < in->rows; r += some.rows) {
        some.rows = in->rows - r < most ? in->rows - r : most;
        some.data = in->data + r * in->step;
        reduce_group(fold, 0, &some, partial[0], NULL);
        if (fold->passes == 2) {
            first->finalize((double *)(void *)partial[0], some.rows * first->parts,
                            first->number, false);
            reduce_group(fold, 1, &some, partial[1], partial[0]);
        }
        bli_fusion_store(fold, partial[fold->passes - 1], to + r * to_step, to_step,
                         some.rows);
    }
}

void bli_fusion_reduce_rows(const struct bli_fusion_fold *fold,
                            const struct bli_reduced_rows *in, char *to,
                            int64_t to_step)
{
    _Alignas(BLI_ALIGNMENT) char partial[MOST_BLOCKS * BLI_FUSION_PARTIAL];
    const struct bli_fusion_pass *const first = &fold->pass[0];

    if (in->lanes) {
        close_rows(fold, in, to, to_step);
        return;
    }
    if (in->count <= BLI_REDUCE_BLOCK) {
        reduce_short(fold, in, to, to_step);
        return;
    }
    for (int64_t r = 0; r < in->rows; r++) {
        double mean[2];

        reduce_row(fold, 0, in, r, partial, NULL);
        if (fold->passes == 2) {
            first->finalize((double *)(void *)partial, first->parts, first->number,
                            false);
            memcpy(mean, partial, sizeof mean);
            reduce_row(fold, 1, in, r, partial, mean);
        }
        bli_fusion_store(fold, partial, to + r * to_step, 0, 1);
    }
}

void bli_fusion_reduce_blocks(const struct bli_fusion_fold *fold,
                              const struct bli_reduced_rows *in, char *partial)
{
    const struct bli_fusion_pass *const pass = &fold->pass[0];

    if (in->lanes) {
        pass->reducer->close(pass->reducer, partial, in->lanes, in->rows, in->count);
        return;
    }
    for (int64_t r = 0; pass->stage && r < in->rows; r++)
        reduce_staged(pass, fold->size, in, in->data + r * in->step,
                      partial + r * pass->reducer->partial_size, NULL);
    if (!pass->stage)
        bli_reducer_rows(pass->reducer, partial, in->data, in->step, in->rows,
                         in->count, true);
}

/* ---- columns ---- */

bool bli_fusion_reduce_whole_columns(const struct bli_fusion_fold *fold,
                                     const struct bli_reduced_rows *in, char *partial)
{
    const struct bli_fusion_pass *const pass = &fold->pass[0];
    const struct bli_reducer *const how = pass->reducer;

    return !pass->stage && how->in_registers &&
           how->in_registers(how, partial, in->data, in->step, in->rows,
                             in->count * how->numbers, NULL);
}

void bli_fusion_reduce_columns(const struct bli_fusion_fold *fold,
                               const struct bli_reduced_rows *in, char *lane,
                               int64_t first, int64_t turn)
{
    const struct bli_fusion_pass *const pass = &fold->pass[0];
    const int64_t row = in->count * pass->staged_size;
    const char *const data = pass->stage ? in->scratch : in->data;

    if (pass->stage)
        convert(pass->stage, in->scratch, pass->staged_size, row, in->data, fold->size,
                in->step, in->count, in->rows);
    /* The next rows will be where these are. */
    bli_reducer_columns(pass->reducer, lane, data, pass->stage ? row : in->step, first,
                        in->rows, in->count, turn, data, true);
}
