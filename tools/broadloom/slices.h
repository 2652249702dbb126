/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each thread of each node does of a plan, and which node memory belongs to.
 */
#ifndef SLICES_H
#define SLICES_H

#include "tool.h"

struct slices {
    int32_t count;
    bl_slice *slice; /* by node, then thread */
};

/* The slices of a plan for a team of `threads`; free with slices_free(). */
bl_status slices_make(const bl_plan *plan, int32_t threads, struct slices *out);
void slices_free(struct slices *slices);

/*
 * The slices of `bytes` of dense memory, as a team of `threads` first touches it, in
 * the order of addresses; free with slices_free().
 */
bl_status slices_of_memory(int64_t bytes, int32_t threads, struct slices *out);

/* The node whose slice has byte `at` of slices in the order of addresses. */
int32_t slices_node(const struct slices *slices, int64_t at);

#endif
