/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fusion moves between the caches and memory. */
#ifndef BLI_FUSION_MEMORY_H
#define BLI_FUSION_MEMORY_H

#include "expr/fusion_plan.h"

/* Find `traffic`, and the instruction set for it. */
void bli_fusion_find_traffic(struct bli_fusion_draft *draft);

/* Whether a step is computed by a vector function. */
bool bli_fusion_is_function(const struct bli_fusion_draft *draft, int32_t i);

/* The instruction set of what does not wait for memory. */
const struct bli_isa *bli_fusion_usual_isa(const struct bli_fusion_draft *draft);

/* Bytes of an operand's elements, each counted once. */
double bli_fusion_own_bytes(const struct bli_fusion_draft *draft, int32_t k);

/* Whether traffic is so much that few steps wait for memory. */
bool bli_fusion_fills_caches(const struct bli_fusion_draft *draft);

/*
 * The kernel of step `i`, which reads operands from memory with narrower registers if
 * that is faster: of 64 MiB, exp(a * b) takes .67 and .76 of the time so, hypot(a - b,
 * c) .8 and .88, with one thread and two (Zen 4).
 */
bli_kernel *bli_fusion_kernel(const struct bli_fusion_draft *draft, int32_t i);

/* Whether result `k`, in rows of `row` bytes, is one for non-temporal stores. */
bool bli_fusion_wants_nt(const struct bli_fusion_draft *draft, int32_t k, int64_t row);

/* Whether reductions and what they are of wait for memory. */
bool bli_fusion_is_from_memory(const struct bli_fusion_draft *draft);

/* Whether boxes of rows from memory are small ones; others are prefetched. */
bool bli_fusion_has_far_boxes(const struct bli_fusion_draft *draft);

/*
 * Bytes of a box whose rows have `row` bytes in buffers, where operands that come from
 * memory say it; else 0.
 */
int64_t bli_fusion_far_box(const struct bli_fusion_draft *draft, int64_t row);

/* Choose what programs, and boxes of rows, prefetch, once programs are made. */
void bli_fusion_choose_prefetches(struct bli_fusion_draft *draft);

#endif
