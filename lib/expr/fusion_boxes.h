/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes of a fusion: how long they are, and what operands are in them. */
#ifndef BLI_FUSION_BOXES_H
#define BLI_FUSION_BOXES_H

#include "expr/fusion_plan.h"

/* Choose the loops of a box, of a fusion whose operands are `bytes` in all. */
void bli_fusion_cut(struct bli_fusion_draft *draft, double bytes);

/* Whether an operand is one element for a whole box; whether they are contiguous. */
bool bli_fusion_is_still(const struct bli_fusion_draft *draft, int32_t k);
bool bli_fusion_is_dense(const struct bli_fusion_draft *draft, int32_t k);

/* Whether an operand has another dtype in memory. */
static inline bool bli_fusion_is_converted(const struct bli_fusion *made, int32_t k)
{
    return made->operand[k].dtype != made->operand[k].computed;
}

#endif
