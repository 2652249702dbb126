/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks a range of a bound plan: tile by tile, or with the kernel on the nest itself.
 */
#include "exec/loops/walk.h"
#include "exec/loops/loop_nest.h"

/*
 * Return whether the result is written with non-temporal stores: if the plan says so,
 * and no input is at the same address.
 */
static bool streams_now(const struct bl_plan *plan, const struct bli_binding *binding)
{
    bool non_temporal = plan->tiling.non_temporal;

    for (int32_t k = 1; non_temporal && k < binding->nest->operands; k++)
        non_temporal = binding->data[k] != binding->data[0];
    return non_temporal;
}

/* Run tiles with staging on the stack, in a frame that other calls do not need. */
BLI_OWN_FRAME static void walk_small(const struct bl_plan *plan,
                                     const struct bli_binding *binding,
                                     bool non_temporal, bl_range range)
{
    _Alignas(BLI_ALIGNMENT) char staging[BLI_STACK_BYTES];

    bli_tiled_walk(plan, binding, non_temporal, range, staging);
}

void bli_walk_plan(const struct bl_plan *plan, const struct bli_binding *binding,
                   bl_range range, int32_t thread)
{
    const bool non_temporal = streams_now(plan, binding);

    if (plan->tiling.is_used && binding->staging.memory)
        bli_tiled_walk(plan, binding, non_temporal, range,
                       bli_staging_of(&binding->staging, thread));
    else if (plan->tiling.is_used)
        walk_small(plan, binding, non_temporal, range);
    else
        bli_walk(binding->nest, plan->kernel,
                 non_temporal ? BLI_NT_STORES : binding->params, binding->data, range);
    if (non_temporal)
        plan->isa->stream_fence();
}
