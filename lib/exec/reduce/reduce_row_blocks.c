/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduces rows of several blocks each, whose partial results are kept on the stack. A
 * row has fewer blocks than the reducer takes at once, or some are left: it takes the
 * same block of several rows, unless it reads rows faster one after another.
 */
#include "exec/reduce/item.h"

#include <string.h>

/* Rows whose partial results are kept. */
#define ROWS 16

/* Whole blocks that are as many as reducers take at once: these do not wait either. */
#define AT_ONCE 4

/* Reduce the same block of several rows at once, `row` bytes of results for each. */
static void by_blocks(const struct bli_reduce_plan *plan, char *in, char *kept,
                      int64_t rows, int64_t row)
{
    const struct bli_reducer *const how = plan->reducer;
    const int64_t step = plan->outer.stride[0][BLI_REDUCE_IN];

    for (int64_t b = 0; b < plan->blocks; b++) {
        const bl_range range = bli_reduce_range(plan, b);

        bli_reducer_rows(how, kept + b * row, in + range.begin * plan->size, step, rows,
                         range.end - range.begin, true);
    }
    bli_reducer_combine(how, kept, row, plan->blocks, rows * how->numbers);
}

/* Reduce one row after another. */
static void by_rows(const struct bli_reduce_plan *plan, char *in, char *kept,
                    char *partial, int64_t rows)
{
    const int64_t step = plan->outer.stride[0][BLI_REDUCE_IN];

    for (int64_t r = 0; r < rows; r++) {
        bli_reduce_dense(plan, in + r * step, kept, plan->size, plan->count, true);
        plan->reducer->pairs(plan->reducer, kept, plan->blocks);
        memcpy(partial + r * plan->partial_size, kept, (size_t)plan->partial_size);
    }
}

void bli_reduce_row_blocks(const struct bli_reduce_plan *plan, char *in, char *partial,
                           int64_t count)
{
    _Alignas(BLI_ALIGNMENT) char kept[BLI_REDUCE_ROW_BLOCKS * ROWS * BLI_MAX_PARTIAL];
    const int64_t step = plan->outer.stride[0][BLI_REDUCE_IN];
    const int64_t size = plan->partial_size;

    if (plan->reducer->in_order || plan->count % (AT_ONCE * BLI_REDUCE_BLOCK) == 0) {
        by_rows(plan, in, kept, partial, count);
        return;
    }
    for (int64_t done = 0; done < count; done += ROWS) {
        const int64_t rows = count - done < ROWS ? count - done : ROWS;

        by_blocks(plan, in + done * step, kept, rows, ROWS * size);
        memcpy(partial + done * size, kept, (size_t)(rows * size));
    }
}
