/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order of operands whose elements are taken one after the other, as their shape
 * has them, whatever the order of the nest.
 */
#include "plan/logical_order.h"

/* Write an operand's strides in bytes, those of a compact array if it has none. */
static void note_strides(int64_t *stride, const struct bli_strided *operand)
{
    int64_t compact = operand->size;

    for (int32_t d = operand->rank - 1; d >= 0; d--) {
        stride[d] = operand->stride ? operand->stride[d] * operand->unit : compact;
        compact *= operand->extent[d];
    }
}

/*
 * Set the logical order of an operand that is paired linearly: row-major over its
 * elements.
 */
static void note_flat(struct bli_logical_order *order,
                      const struct bli_strided *operand)
{
    order->rank = operand->rank;
    for (int32_t d = 0; d < operand->rank; d++)
        order->extent[d] = operand->extent[d];
    note_strides(order->stride, operand);
}

/*
 * Set the logical order of a broadcast operand: row-major over the result's shape,
 * stride 0 along broadcast axes.
 */
static void note_broadcast(struct bli_logical_order *order,
                           const struct bli_strided *operand,
                           const struct bli_strided *result)
{
    int64_t stride[BL_MAX_RANK];

    note_strides(stride, operand);
    order->rank = result->rank;
    for (int32_t d = 0; d < result->rank; d++) {
        const int64_t of = (int64_t)d - operand->pairing.shift;
        const bool steps = of >= 0 && of < operand->rank && operand->extent[of] != 1;

        order->extent[d] = result->extent[d];
        order->stride[d] = steps ? stride[of] : 0;
    }
}

void bli_plan_note_order(struct bl_plan *plan, const struct bli_problem *problem)
{
    for (int32_t k = 0; k <= plan->inputs && plan->nest.count > 0; k++) {
        if (!plan->is_sequential && !(plan->nest.needs_linear_copy >> k & 1))
            continue;
        if (problem->operand[k].pairing.kind == BL_PAIRING_LINEAR)
            note_flat(&plan->logical_order[k], &problem->operand[k]);
        else
            note_broadcast(&plan->logical_order[k], &problem->operand[k],
                           &problem->operand[0]);
    }
}
