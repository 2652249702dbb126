/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions in fusions: elements of a box by the reducers' functions, in the tree that
 * calls use; then the combination of blocks.
 */
#include "expr/fusion_box.h"

#include <string.h>

/* Most blocks of a row that is resident, and bytes of the largest partial result. */
#define MOST_BLOCKS  256
#define MOST_PARTIAL 16

/* Most rows of at most one block that are reduced at once. */
#define MOST_GROUP 64

/* Results that are stored at a time. */
#define MOST_RESULTS 64

static void convert(bli_kernel *kernel, char *to, int64_t to_step, int64_t to_row,
                    char *from, int64_t from_step, int64_t from_row, int64_t inner,
                    int64_t outer)
{
    char *const data[BLI_MAX_OPERANDS] = {to, from};
    const int64_t stride[2][BLI_MAX_OPERANDS] = {{to_step, from_step},
                                                 {to_row, from_row}};

    kernel(data, stride, inner, outer, NULL);
}

/* Finalize partial results without gaps, and store them. */
static void store(const struct bli_fusion_fold *fold, char *partial, char *to,
                  int64_t to_step, int64_t count)
{
    const struct bli_fusion_pass *const pass = &fold->pass[fold->passes - 1];

    if (pass->finalize)
        pass->finalize((double *)(void *)partial, count * pass->parts, pass->number,
                       pass->is_root);
    convert(fold->store, to, to_step, 0, partial, pass->reducer->partial_size, 0, count,
            1);
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
 * Reduce rows of at most one block in one pass to partial results side by side; those
 * that are converted have room in scratch memory together.
 */
static void reduce_group(const struct bli_fusion_fold *fold, int32_t p,
                         const struct bli_reduced_rows *in, char *partial,
                         const char *mean)
{
    const struct bli_fusion_pass *const pass = &fold->pass[p];
    const int64_t row = in->count * pass->staged_size;

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
    _Alignas(BLI_ALIGNMENT) char partial[2][MOST_GROUP * MOST_PARTIAL];
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
        store(fold, partial[fold->passes - 1], to + r * to_step, to_step, some.rows);
    }
}

void bli_fusion_reduce_rows(const struct bli_fusion_fold *fold,
                            const struct bli_reduced_rows *in, char *to,
                            int64_t to_step)
{
    _Alignas(BLI_ALIGNMENT) char partial[MOST_BLOCKS * MOST_PARTIAL];
    const struct bli_fusion_pass *const first = &fold->pass[0];

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
        store(fold, partial, to + r * to_step, 0, 1);
    }
}

void bli_fusion_reduce_blocks(const struct bli_fusion_fold *fold,
                              const struct bli_reduced_rows *in, char *partial)
{
    const struct bli_fusion_pass *const pass = &fold->pass[0];

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
                             in->count * how->numbers);
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
                        in->rows, in->count, turn, data);
}

/* ---- blocks ---- */

/* The address of result `at` of a reduction, and how many are evenly spaced from it. */
static char *result_at(const struct bli_fusion_binding *binding, int32_t k, int64_t at,
                       int64_t *step, int64_t *run)
{
    const struct bli_fusion *const fusion = binding->fusion;
    const int32_t reduced = fusion->order == BLI_ORDER_COLUMNS;
    char *to = binding->data[k];

    *step = 0;
    *run = 1;
    for (int32_t i = 0, n = 0; i < fusion->loops; i++) {
        const int64_t stride = fusion->stride[i * fusion->operands + k];
        int64_t index;

        if (i == reduced)
            continue;
        index = at % fusion->extent[i];
        at /= fusion->extent[i];
        to += index * stride;
        if (n++ == 0) {
            *step = stride;
            *run = fusion->extent[i] - index;
        }
    }
    return to;
}

/* Combine blocks that are in rows of all results. */
static void combine_rows(const struct bli_fusion *fusion, const struct bli_reducer *how,
                         char *partial, int64_t count)
{
    const int64_t row = fusion->outputs * how->partial_size;

    for (int64_t gap = 1; gap < fusion->blocks; gap *= 2)
        for (int64_t b = 0; b + gap < fusion->blocks; b += 2 * gap)
            how->merge(partial + b * row, partial + (b + gap) * row,
                       count * how->numbers);
}

/* Combine the blocks of each result, and put these side by side. */
static void combine_each(const struct bli_fusion *fusion, const struct bli_reducer *how,
                         char *to, char *partial, int64_t count)
{
    const int64_t size = how->partial_size, row = fusion->blocks * size;

    for (int64_t i = 0; i < count; i++) {
        how->pairs(how, partial + i * row, fusion->blocks);
        memcpy(to + i * size, partial + i * row, (size_t)size);
    }
}

void bli_fusion_combine(const struct bli_fusion_binding *binding,
                        const struct bli_fusion_fold *fold, bl_range range)
{
    _Alignas(BLI_ALIGNMENT) char some[MOST_RESULTS * MOST_PARTIAL];
    const struct bli_fusion *const fusion = binding->fusion;
    const struct bli_reducer *const how = fold->pass[0].reducer;
    const bool is_columns = fusion->order == BLI_ORDER_COLUMNS;
    const int64_t size = how->partial_size;
    char *const partials = binding->partials + fold->partials;

    if (is_columns)
        combine_rows(fusion, how, partials + range.begin * size,
                     range.end - range.begin);
    for (int64_t at = range.begin, run; at < range.end; at += run) {
        char *partial = partials + at * size;
        int64_t step;
        char *const to = result_at(binding, fold->operand, at, &step, &run);

        run = run < range.end - at ? run : range.end - at;
        if (!is_columns) {
            run = run < MOST_RESULTS ? run : MOST_RESULTS;
            combine_each(fusion, how, some, partials + at * fusion->blocks * size, run);
            partial = some;
        }
        store(fold, partial, to, step, run);
    }
}
