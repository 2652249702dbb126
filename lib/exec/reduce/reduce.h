/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executes the plan of a reduction.  It cannot fail and does not allocate.
 */
#ifndef BLI_EXEC_REDUCE_H
#define BLI_EXEC_REDUCE_H

#include "exec/exec.h"
#include "plan/reduce.h"

/* A reduction's operands at addresses. */
struct bli_reduce_binding {
    char *in;
    char *out;
    /*
     * bli_reduce_bytes() of workspace, aligned to partial results.  With it, nothing is
     * written to `out` before all of `in` is read.  May be NULL where there is one
     * block.
     */
    char *partials;
    /* bli_reduce_gathered() of workspace for each thread of the team. */
    char *gathered;
    int64_t width; /* columns in a tile */
    int64_t lanes; /* bytes of the columns' lanes, first in a thread's staging */
    struct bli_staging staging;     /* bli_reduce_staging() for each thread, if not 0 */
    struct bli_partition partition; /* of the next region's items */
};

/*
 * Run the items of a reduction, bli_reduce_items(): results, or partial results where
 * the binding has memory for them.
 */
void bli_exec_reduce(const struct bli_reduce_plan *plan,
                     const struct bli_reduce_binding *binding,
                     const struct bli_team *team);

/* Combine partial results: one item for each result. */
void bli_exec_combine(const struct bli_reduce_plan *plan,
                      const struct bli_reduce_binding *binding,
                      const struct bli_team *team);

#endif
