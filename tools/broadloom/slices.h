/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slices of a plan: what each thread of each node executes, and which node holds
 * which part of memory.
 */
#ifndef SLICES_H
#define SLICES_H

#include "tool.h"

struct slices {
    int32_t count;
    bl_slice *slice; /* by node, then thread */
};

/* Get the slices of a plan for a team of `threads`; free with slices_free(). */
bl_status slices_make(const bl_plan *plan, int32_t threads, struct slices *out);
void slices_free(struct slices *slices);

/*
 * Get the node ranges of a plan, one slice each, in order of elements: those of a
 * result that has no pages yet.  Free with slices_free().
 */
bl_status slices_of_nodes(const bl_plan *plan, struct slices *out);

/*
 * Get the slices of `bytes` of contiguous memory, as a team of `threads` first touches
 * it, in order of addresses; free with slices_free().
 */
bl_status slices_of_memory(int64_t bytes, int32_t threads, struct slices *out);

/* The node of the slice that contains byte `at`; slices are in order of addresses. */
int32_t slices_node(const struct slices *slices, int64_t at);

#endif
