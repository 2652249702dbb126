/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plans of reductions that the calling thread keeps: making one takes longer than
 * few elements do.
 */
#ifndef BLI_REDUCE_CACHE_H
#define BLI_REDUCE_CACHE_H

#include "core/slots.h"
#include "plan/reduce.h"

/* A plan in use. */
struct bli_reduce_loan {
    const struct bli_reduce_plan *plan;
    struct bli_slot *slot; /* that it is in; NULL: none */
};

/*
 * Find the plan of a problem, or make it: in the cache, or in `own`, where the cache
 * does not take it.  Errors as from bli_reduce_plan_make.  To be released, also where
 * it is `own`.
 */
bl_status bli_reduce_cache_find(const struct bli_reduce_problem *problem,
                                struct bli_reduce_plan *own,
                                struct bli_reduce_loan *loan);
void bli_reduce_cache_release(const struct bli_reduce_loan *loan);

#endif
