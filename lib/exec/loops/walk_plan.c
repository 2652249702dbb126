/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks a range of a bound plan: tile by tile, or with the kernel on the nest itself.
 */
#include "exec/loops/walk_plan.h"
#include "exec/loops/loop_nest.h"

/* Run tiles with staging on the stack, in a frame that other calls do not need. */
BLI_OWN_FRAME static void walk_on_stack(const struct bl_plan *plan,
                                        const struct bli_binding *binding,
                                        bl_range range)
{
    _Alignas(BLI_ALIGNMENT) char staging[BLI_STACK_BYTES];

    bli_tiled_walk(plan, binding, range, staging);
}

void bli_walk_plan(const struct bl_plan *plan, const struct bli_binding *binding,
                   bl_range range, int32_t thread)
{
    if (binding->method == BLI_METHOD_NEST)
        bli_walk(binding->nest, plan->kernel, binding->params, binding->data, range);
    else if (binding->staging.memory)
        bli_tiled_walk(plan, binding, range, bli_staging_of(&binding->staging, thread));
    else
        walk_on_stack(plan, binding, range);
    if (binding->non_temporal)
        plan->isa->stream_fence();
}
