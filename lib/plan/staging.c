/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the conversions of staged operands, and the offsets of their buffers in a
 * thread's staging memory.
 */
#include "plan/plan.h"

/* Choose the conversions between operand `k` in memory and in its staging buffer. */
static void choose_conversion(struct bl_plan *plan, int32_t k, bl_dtype intermediate)
{
    struct bli_tiling *const tiling = &plan->tiling;
    const bl_dtype from = k == 0 ? plan->computed[0] : plan->dtype[k];
    const bl_dtype to = k == 0 ? plan->dtype[0] : plan->computed[k];
    const bool is_half = intermediate == BL_DTYPE_F16 || intermediate == BL_DTYPE_BF16;
    const bool rounds =
        is_half && from != intermediate && to != intermediate && from != to;

    tiling->convert[k] = plan->isa->convert[from][rounds ? intermediate : to];
    tiling->narrow[k] = rounds ? plan->isa->convert[intermediate][to] : NULL;
}

/* Number of iterations of the largest tile. */
static int64_t most_elements(const struct bl_plan *plan)
{
    const struct bli_tiling *const tiling = &plan->tiling;
    int64_t line = tiling->split_length, across = 1, most;

    for (int32_t i = 0; i < tiling->split_loop; i++)
        line *= plan->nest.extent[i];
    for (int32_t d = 0; d < tiling->dims; d++)
        across *= tiling->tile_extent[d];
    most = line > across ? line : across;
    return most < plan->nest.count ? most : plan->nest.count;
}

/* Add `bytes` to a thread's staging memory.  Returns their offset. */
static int32_t add_staging(struct bli_tiling *tiling, int64_t bytes)
{
    const int32_t begin = tiling->staging;

    tiling->staging +=
        (int32_t)(bytes + BLI_ALIGNMENT - 1) / BLI_ALIGNMENT * BLI_ALIGNMENT;
    return begin;
}

void bli_plan_stage(struct bl_plan *plan)
{
    struct bli_tiling *const tiling = &plan->tiling;
    const int64_t most = most_elements(plan);
    const bl_dtype result = bli_op_result(plan->op, plan->common);
    bool rounds = false;

    tiling->staging = 0;
    for (int32_t k = 0; k <= plan->inputs; k++) {
        if (!(tiling->staged >> k & 1) && !(k == 0 && tiling->stages_result_for_nt))
            continue;
        choose_conversion(plan, k, k == 0 ? result : plan->common);
        tiling->buffer[k] =
            add_staging(tiling, most * bli_dtypes[plan->computed[k]].size);
        rounds = rounds || tiling->narrow[k];
    }
    /* Only f16 and bf16 occur between two conversions. */
    tiling->intermediate =
        rounds ? add_staging(tiling, most * BLI_INTERMEDIATE_SIZE) : 0;
}
