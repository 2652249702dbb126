/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of reductions in fusions: partial ones combined, finalized and stored. */
#include "expr/fusion_box.h"

#include <string.h>

/* Results whose blocks are combined at a time. */
#define MOST_RESULTS 64

void bli_fusion_store(const struct bli_fusion_fold *fold, char *partial, char *to,
                      int64_t to_step, int64_t count)
{
    const struct bli_fusion_pass *const pass = &fold->pass[fold->passes - 1];
    char *const data[BLI_MAX_OPERANDS] = {to, partial};
    const int64_t stride[2][BLI_MAX_OPERANDS] = {
        {to_step, pass->reducer->partial_size}};

    if (pass->finalize)
        pass->finalize((double *)(void *)partial, count * pass->parts, pass->number,
                       pass->is_root);
    bli_kernel_run(fold->store, data, stride, count, 1, NULL);
}

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

    bli_reducer_combine(how, partial, row, fusion->blocks, count * how->numbers);
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

void bli_fusion_store_results(const struct bli_fusion_binding *binding,
                              const struct bli_fusion_fold *fold, char *partial,
                              bl_range range)
{
    const int64_t size = fold->pass[0].reducer->partial_size;

    for (int64_t at = range.begin, run; at < range.end; at += run) {
        int64_t step;
        char *const to = result_at(binding, fold->operand, at, &step, &run);

        run = run < range.end - at ? run : range.end - at;
        bli_fusion_store(fold, partial, to, step, run);
        partial += run * size;
    }
}

void bli_fusion_combine(const struct bli_fusion_binding *binding,
                        const struct bli_fusion_fold *fold, bl_range range)
{
    _Alignas(BLI_ALIGNMENT) char some[MOST_RESULTS * BLI_FUSION_PARTIAL];
    const struct bli_fusion *const fusion = binding->fusion;
    const struct bli_reducer *const how = fold->pass[0].reducer;
    const int64_t size = how->partial_size;
    char *const partials = binding->partials + fold->partials;

    if (fusion->order == BLI_ORDER_COLUMNS) {
        combine_rows(fusion, how, partials + range.begin * size,
                     range.end - range.begin);
        bli_fusion_store_results(binding, fold, partials + range.begin * size, range);
        return;
    }
    for (int64_t at = range.begin, run; at < range.end; at += run) {
        run = range.end - at < MOST_RESULTS ? range.end - at : MOST_RESULTS;
        combine_each(fusion, how, some, partials + at * fusion->blocks * size, run);
        bli_fusion_store_results(binding, fold, some, (bl_range){at, at + run});
    }
}
