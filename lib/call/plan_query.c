/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes a plan to the program. */
#include "call/plan_handle.h"
#include "core/sized.h"

/* Fill in the loops that bl_plan_query returns. */
static void describe_loops(struct bli_plan_handle *handle)
{
    const struct bli_nest *const nest = &handle->plan.nest;

    for (int32_t i = 0; i < nest->loops; i++) {
        bl_plan_loop *const loop = &handle->loop[nest->loops - 1 - i];

        loop->extent = nest->extent[i];
        loop->stride = nest->stride[i];
    }
}

/*
 * Fill in the bytes of staging buffers that bl_plan_query returns: they follow each
 * other in the order of the operands, the one for intermediate values last.
 */
static void describe_buffers(struct bli_plan_handle *handle, uint32_t staged)
{
    const struct bli_tiling *const tiling = &handle->plan.tiling;
    int32_t end = tiling->intermediate > 0 ? tiling->intermediate : tiling->staging;

    for (int32_t k = handle->plan.inputs; k >= 0; k--) {
        handle->buffer_bytes[k] = 0;
        if (!(staged >> k & 1))
            continue;
        handle->buffer_bytes[k] = end - tiling->buffer[k];
        end = tiling->buffer[k];
    }
}

/* The operands that may have a staging buffer: bit k set for operand k. */
static uint32_t staged_operands(const struct bl_plan *plan)
{
    return plan->tiling.staged | (plan->tiling.stages_result_for_nt ? 1 : 0);
}

void bli_plan_describe(struct bli_plan_handle *handle)
{
    describe_loops(handle);
    describe_buffers(handle, staged_operands(&handle->plan));
}

/*
 * Bytes of an operand's elements, repeated ones counted once; INT64_MAX if they exceed
 * 64 bits, which strides alone can bring about.
 */
static int64_t operand_bytes(const struct bl_plan *plan, int32_t k)
{
    int64_t bytes = plan->nest.count == 0 ? 0 : plan->size[k];

    for (int32_t i = 0; i < plan->nest.loops; i++)
        if (plan->nest.stride[i][k] != 0 &&
            !bli_mul_i64(bytes, plan->nest.extent[i], &bytes))
            return INT64_MAX;
    return bytes;
}

/*
 * Fill in the tiling, and the access pattern of the kernel: staged operands are
 * contiguous.
 */
static void describe_tiles(const struct bl_plan *plan, bl_plan_info *info)
{
    const struct bli_tiling *const tiling = &plan->tiling;
    int64_t stride[BLI_MAX_OPERANDS];

    info->non_temporal = tiling->non_temporal;
    info->staging_bytes = tiling->staging;
    info->staged = staged_operands(plan);
    info->min_iterations = tiling->min_iterations;
    info->method = plan->method == BLI_METHOD_SMALL  ? "small"
                   : plan->method == BLI_METHOD_NEST ? "nest"
                   : tiling->dims > 0                ? "permuted tiles"
                                                     : "tiles";
    for (int32_t k = 0; k <= plan->inputs; k++)
        stride[k] = info->staged >> k & 1 ? plan->size[k] : plan->nest.stride[0][k];
    info->kernel = bli_kernel_access(1 + plan->inputs, stride, plan->size);
    info->tile[0] = info->tile[1] = 0;
    if (tiling->dims > 0) {
        info->tile[0] = tiling->tile_extent[tiling->dims - 1];
        info->tile[1] = 1;
        for (int32_t d = 0; d < tiling->dims - 1; d++)
            info->tile[1] *= tiling->tile_extent[d];
    } else if (tiling->is_used) {
        info->tile[0] = tiling->split_length;
        info->tile[1] = 1;
        for (int32_t i = 0; i < tiling->split_loop; i++)
            info->tile[1] *= plan->nest.extent[i];
    }
}

bl_status bli_plan_query(const bl_plan *plan, bl_plan_info *info)
{
    const struct bli_plan_handle *const handle = (const struct bli_plan_handle *)plan;
    bl_plan_info known = {.size = sizeof known};

    if (!plan)
        return bli_error_null("plan");
    BL_TRY(BLI_SIZED_CHECK(info, staging_bytes, "info"));
    known.op = plan->op;
    known.inputs = plan->inputs;
    known.rank = plan->rank;
    known.extent = plan->extent;
    known.dtype = plan->dtype[0];
    known.numel = plan->nest.count;
    for (int32_t k = 0; k <= plan->inputs; k++)
        if (!bli_add_i64(known.bytes, operand_bytes(plan, k), &known.bytes))
            known.bytes = INT64_MAX;
    known.loops = plan->nest.loops;
    known.loop = handle->loop;
    known.buffer_bytes = handle->buffer_bytes;
    describe_tiles(plan, &known);
    known.isa = plan->isa->name;
    known.threads = plan->threads;
    bli_sized_write(info, &known, sizeof known);
    return BL_OK;
}
