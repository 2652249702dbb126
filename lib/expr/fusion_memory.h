/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fusion moves between the caches and memory. */
#ifndef BLI_FUSION_MEMORY_H
#define BLI_FUSION_MEMORY_H

#include "expr/fusion_plan.h"

/* Find `traffic`, and the instruction set for it. */
void bli_fusion_find_traffic(struct bli_fusion_draft *draft);

/* Whether traffic is more than a part of the last-level caches. */
bool bli_fusion_exceeds(const struct bli_fusion_draft *draft, double part);

/* Whether result `k`, in rows of `row` bytes, is one for non-temporal stores. */
bool bli_fusion_wants_nt(const struct bli_fusion_draft *draft, int32_t k, int64_t row);

/* Choose the operands that programs prefetch, once they are made. */
void bli_fusion_choose_prefetches(struct bli_fusion_draft *draft);

#endif
