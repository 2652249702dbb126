/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans that are made from a plan: copies of its operands, and a single element.
 */
#include "plan/plan.h"

/*
 * Set everything in a plan that copies operand `k` except its nest and what follows
 * from it.
 */
static void open_copy(struct bl_plan *copy, const struct bl_plan *plan, int32_t k)
{
    copy->op = BL_OP_COPY;
    copy->inputs = 1;
    copy->common = plan->dtype[k];
    copy->scalars = 0;
    copy->isa = plan->isa;
    copy->kernel =
        bli_isa_kernel(plan->isa, BL_OP_COPY, plan->dtype[k], plan->dtype[k]);
    copy->dtype[0] = copy->dtype[1] = plan->dtype[k];
    copy->computed[0] = copy->computed[1] = plan->dtype[k];
    copy->size[0] = copy->size[1] = plan->size[k];
    copy->rank = 0;
    copy->is_integer_division = copy->wants_nearest = false;
}

void bli_plan_operand_copy(struct bl_plan *copy, const struct bl_plan *plan, int32_t k,
                           struct bli_nest *nest, int64_t *bytes)
{
    int64_t step = plan->size[k];
    int32_t loops = 0;

    open_copy(copy, plan, k);
    copy->nest.operands = 2;
    copy->nest.needs_linear_copy = 0;
    copy->nest.offset[0] = 0;
    copy->nest.offset[1] = nest->offset[k];
    nest->offset[k] = 0;
    for (int32_t i = 0; i < nest->loops; i++) {
        if (nest->stride[i][k] == 0)
            continue;
        copy->nest.extent[loops] = nest->extent[i];
        copy->nest.stride[loops][0] = step;
        copy->nest.stride[loops][1] = nest->stride[i][k];
        nest->stride[i][k] = step;
        step *= nest->extent[i];
        loops++;
    }
    for (; loops < 2; loops++) {
        copy->nest.extent[loops] = 1;
        copy->nest.stride[loops][0] = copy->nest.stride[loops][1] = 0;
    }
    copy->nest.loops = loops;
    copy->nest.count = step / plan->size[k];
    bli_plan_finish(copy);
    *bytes = step;
}

void bli_plan_apart_copy(struct bl_plan *copy, const struct bl_plan *plan, int32_t k,
                         int64_t *bytes)
{
    const struct bli_logical_order *const order = &plan->logical_order[k];
    const int32_t size = (int32_t)plan->size[k];
    const struct bli_strided operand[] = {
        {order->rank, size, size, order->extent, NULL, {BL_PAIRING_BROADCAST, 0}},
        {order->rank,
         size,
         1,
         order->extent,
         order->stride,
         {BL_PAIRING_BROADCAST, 0}}};

    open_copy(copy, plan, k);
    bli_nest_make(&copy->nest, 2, operand);
    bli_plan_finish(copy);
    *bytes = copy->nest.count * size;
}

void bli_plan_single(struct bl_plan *single, const struct bl_plan *plan)
{
    struct bli_nest *const nest = &single->nest;

    *single = *plan;
    nest->loops = 2;
    nest->count = 1;
    nest->needs_linear_copy = 0;
    for (int32_t i = 0; i < nest->loops; i++) {
        nest->extent[i] = 1;
        for (int32_t k = 0; k < nest->operands; k++)
            nest->stride[i][k] = 0;
    }
    for (int32_t k = 0; k < nest->operands; k++)
        nest->offset[k] = 0;
    bli_plan_finish(single);
}
