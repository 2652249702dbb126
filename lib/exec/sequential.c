/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a plan as the plain loop over its elements would.  This defines the result where
 * it overlaps its operands, so that an element is read after another was written.
 */
#include "exec/sequential.h"

#include "exec/loops/odometer.h"
#include "exec/loops/walk_plan.h"

#include <string.h>

/* Move an operand's address to its next element; after the last, to the first. */
static void advance(struct bli_sequence_operand *operand, char **at)
{
    const struct bli_loops loops = {.count = operand->loops,
                                    .operands = 1,
                                    .extent = operand->extent,
                                    .stride = operand->stride,
                                    .pitch = 1};

    (void)bli_loops_advance(&loops, operand->index, at, 0, 1);
}

/* Copy operand 1 to the result, which then stands for it. */
static void take_first(const struct bl_plan *plan, struct bli_sequence *sequence,
                       char **data)
{
    for (int64_t i = 0; i < plan->nest.count; i++) {
        memmove(data[0], data[1], (size_t)plan->size[0]);
        for (int32_t k = 0; k <= 1; k++)
            advance(&sequence->operand[k], &data[k]);
    }
    sequence->operand[1] = sequence->operand[0];
    data[1] = data[0];
}

void bli_sequential_run(const struct bl_plan *plan, const struct bli_binding *binding)
{
    struct bli_sequence *const sequence =
        (struct bli_sequence *)(void *)binding->staging.memory;
    const struct bl_plan *const single = &sequence->single;
    struct bli_binding one = *binding;

    one.nest = &single->nest;
    one.layout = &single->tiling.layout;
    one.staged = single->tiling.staged;
    one.method = single->tiling.is_used ? BLI_METHOD_TILES : BLI_METHOD_NEST;
    one.staging.memory = NULL;
    if (plan->adds_to_result)
        take_first(plan, sequence, one.data);
    for (int64_t i = 0; i < plan->nest.count; i++) {
        bli_walk_plan(single, &one, (bl_range){0, 1}, 0);
        for (int32_t k = 0; k <= plan->inputs; k++)
            advance(&sequence->operand[k], &one.data[k]);
    }
}
