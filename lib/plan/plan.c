/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides how an operation is done: loop nest and kernel.  Validation of arguments
 * happens before, memory comes after.
 */
#include "plan/plan.h"

static bl_status check_result(const struct bl_plan *plan)
{
    switch (bli_overlap_self(&plan->nest, plan->size[0])) {
    case BLI_OVERLAP_NONE:
        return BL_OK;
    case BLI_OVERLAP_UNKNOWN:
        return bl_error_set(BL_ERR_ARGUMENT,
                            "out: its strides are too involved to prove that no two "
                            "elements refer to a single memory location");
    default:
        return bl_error_set(
            BL_ERR_ARGUMENT,
            "unsupported operation: more than one element of the "
            "written-to tensor refers to a single memory location. Please "
            "clone() the tensor before performing the operation.");
    }
}

bl_status bli_plan_make(struct bl_plan *plan, const struct bli_problem *problem)
{
    /* The last input's dtype picks the kernel: where's first is its mask. */
    const bl_dtype from = problem->dtype[problem->inputs];

    plan->op = problem->op;
    plan->inputs = problem->inputs;
    plan->isa = problem->isa;
    plan->kernel = bli_isa_kernel(problem->isa, problem->op, from, problem->dtype[0]);
    if (!plan->kernel)
        return bl_error_set(BL_ERR_DTYPE, "%s does not take %s into %s",
                            bli_ops[problem->op].name, bl_dtype_name(from),
                            bl_dtype_name(problem->dtype[0]));
    for (int32_t k = 0; k <= problem->inputs; k++) {
        plan->dtype[k] = problem->dtype[k];
        plan->size[k] = bli_dtypes[problem->dtype[k]].size;
    }
    plan->rank = problem->rank;
    for (int32_t d = 0; d < problem->rank; d++)
        plan->extent[d] = problem->extent[d];
    bli_nest_make(&plan->nest, 1 + problem->inputs, problem->operand);
    plan->threads = bli_plan_worth(plan);
    return check_result(plan);
}

void bli_plan_operand_copy(struct bl_plan *copy, const struct bl_plan *plan, int32_t k,
                           struct bli_nest *nest, int64_t *bytes)
{
    int64_t step = plan->size[k];
    int32_t loops = 0;

    *nest = plan->nest;
    copy->op = BL_OP_COPY;
    copy->inputs = 1;
    copy->isa = plan->isa;
    copy->kernel =
        bli_isa_kernel(plan->isa, BL_OP_COPY, plan->dtype[k], plan->dtype[k]);
    copy->dtype[0] = copy->dtype[1] = plan->dtype[k];
    copy->size[0] = copy->size[1] = plan->size[k];
    copy->rank = 0;
    copy->nest.operands = 2;
    copy->nest.offset[0] = 0;
    copy->nest.offset[1] = plan->nest.offset[k];
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
    copy->threads = bli_plan_worth(copy);
    *bytes = step;
}
