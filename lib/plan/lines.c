/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which plans wait for cache lines alone. */
#include "plan/lines.h"

#include "plan/non_temporal.h"

/* Whether kernels of an operator wait for memory with registers of 256 bits, too. */
static bool is_light(bl_op op, bl_dtype dtype)
{
    const enum bli_class class = bli_dtypes[dtype].class;
    const bool is_whole = (class & BLI_DOMAIN_BITS) != 0;
    const int64_t size = bli_dtypes[dtype].size;

    switch (op) {
    case BL_OP_ADD:
    case BL_OP_SUB:
    case BL_OP_EQ:
    case BL_OP_NE:
    case BL_OP_LT:
    case BL_OP_LE:
    case BL_OP_GT:
    case BL_OP_GE:
    case BL_OP_BITWISE_AND:
    case BL_OP_BITWISE_OR:
    case BL_OP_BITWISE_XOR:
        return true;
    case BL_OP_MAXIMUM:
    case BL_OP_MINIMUM:
    case BL_OP_COPYSIGN:
        return !is_whole || size < 8;
    case BL_OP_CLAMP:
        return is_whole && size < 8;
    case BL_OP_MUL:
    case BL_OP_DIV:
    case BL_OP_ADDCMUL:
    case BL_OP_ADDCDIV:
    case BL_OP_ADD_SCALED:
    case BL_OP_SUB_SCALED:
        return class != BLI_CLASS_COMPLEX && (!is_whole || size == 2 || size == 4);
    default:
        return false;
    }
}

bool bli_plan_waits_for_lines(const struct bl_plan *plan, struct bli_caches caches,
                              double traffic)
{
    const bl_dtype dtype = plan->computed[plan->inputs];
    int32_t arrays = 0;

    if (plan->nest.extent[0] < plan->nest.count || !is_light(plan->op, dtype) ||
        (bli_dtypes[dtype].size == 2 && bli_dtypes[dtype].class == BLI_CLASS_FLOAT) ||
        !bli_caches_exceeded(caches, traffic, BLI_LINES_TRAFFIC))
        return false;
    for (int32_t k = 0; k <= plan->inputs; k++) {
        if (bli_plan_is_number(plan, k))
            continue;
        if ((plan->tiling.staged >> k & 1) != 0 || plan->nest.stride[0][k] == 0)
            return false;
        arrays++;
    }
    return arrays > 2;
}
