/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The small-problem fast path: index tables hold the offsets of all elements, so that
 * execution decides nothing.
 */
#include "plan/plan.h"
#include "plan/table.h"

/*
 * Rows of at least this length are left to the kernel, however many there are: in
 * vectors it computes 16 elements as fast as 4 of them are gathered.
 */
#define LONG_ROW 16

/* Largest offset along one loop: a nest of so few elements has at most seven loops. */
#define MOST_OFFSET (INT32_MAX / 8)

/* Whether operand k is contiguous in the order of the nest. */
static bool is_dense(const struct bl_plan *plan, int32_t k)
{
    int64_t step = plan->size[k];
    bool dense = true;

    for (int32_t i = 0; i < plan->nest.loops; i++) {
        dense &= plan->nest.extent[i] == 1 || plan->nest.stride[i][k] == step;
        step *= plan->nest.extent[i];
    }
    return dense;
}

/* Whether operand k is an input with stride 0 along all loops. */
static bool is_single(const struct bl_plan *plan, int32_t k)
{
    bool single = k > 0;

    for (int32_t i = 0; i < plan->nest.loops; i++)
        single &= plan->nest.extent[i] == 1 || plan->nest.stride[i][k] == 0;
    return single;
}

int64_t bli_table_piece(int64_t row, int64_t stride, int64_t size)
{
    int64_t many = 1;

    if (stride == size)
        while (row % (2 * many) == 0 && 2 * many * size <= BLI_SMALL_BYTES)
            many *= 2;
    return many;
}

bool bli_table_fill(int32_t *at, int32_t loops, const int64_t *extent,
                    const int64_t *stride, int64_t pitch, int64_t many)
{
    int64_t count = 1;

    at[0] = 0;
    for (int32_t i = 0; i < loops; i++) {
        const int64_t unit = i == 0 ? many : 1;
        const int64_t turns = extent[i] / unit;
        const int64_t step = stride[i * pitch] * unit;
        int64_t moved;

        if (!bli_mul_i64(turns - 1, step, &moved) || moved > MOST_OFFSET ||
            moved < -MOST_OFFSET)
            return false;
        for (int64_t n = count; n < turns * count; n++)
            at[n] = at[n - count] + (int32_t)step;
        count *= turns;
    }
    /* Gathering takes a batch of pieces at a time. */
    for (int64_t n = count; n % BLI_SMALL_BATCH != 0; n++)
        at[n] = at[count - 1];
    return true;
}

/*
 * Make the index table of operand k.  Returns false if none is left or an offset is out
 * of range.
 */
static bool tabulate(struct bl_plan *plan, int32_t k, int32_t table)
{
    struct bli_small *const small = &plan->small;
    const struct bli_nest *const nest = &plan->nest;
    const int64_t many =
        bli_table_piece(nest->extent[0], nest->stride[0][k], plan->size[k]);

    if (table == BLI_SMALL_TABLES ||
        !bli_table_fill(small->at[table], nest->loops, nest->extent,
                        &nest->stride[0][k], BLI_MAX_OPERANDS, many))
        return false;
    small->table[k] = (int8_t)table;
    small->piece[k] = (int8_t)(many * plan->size[k]);
    small->pieces[k] = (int16_t)(plan->nest.count / many);
    return true;
}

void bli_plan_small(struct bl_plan *plan)
{
    const struct bli_nest *const nest = &plan->nest;
    struct bli_small *const small = &plan->small;
    int32_t tables = 0;

    small->is_used = false;
    if (nest->count < 1 || nest->count > BLI_SMALL_COUNT || nest->needs_linear_copy)
        return;
    for (int32_t k = 0; k <= plan->inputs; k++) {
        small->table[k] = -1;
        small->stride[0][k] =
            is_single(plan, k) ? 0 : bli_dtypes[plan->computed[k]].size;
        small->stride[1][k] = 0;
        if (!is_dense(plan, k) && small->stride[0][k] != 0 &&
            !tabulate(plan, k, tables++))
            return;
    }
    small->needs_no_gather = tables == 0 && !plan->tiling.staged;
    small->is_used = tables == 0 || plan->tiling.staged || nest->extent[0] < LONG_ROW;
}
