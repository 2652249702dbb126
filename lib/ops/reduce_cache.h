/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last few plans of reductions that the calling thread made: a plan of few elements
 * takes longer than the elements.
 */
#ifndef BLI_REDUCE_CACHE_H
#define BLI_REDUCE_CACHE_H

#include "plan/reduce.h"

/*
 * Set `*plan` to the plan of a problem: one that is in the cache, made now if it was
 * not, or `own`, where the cache does not take it.  Errors as from
 * bli_reduce_plan_make.  To be released, also by whoever has `own`.
 */
bl_status bli_reduce_cache_find(const struct bli_reduce_problem *problem,
                                struct bli_reduce_plan *own,
                                const struct bli_reduce_plan **plan);
void bli_reduce_cache_release(const struct bli_reduce_plan *plan);

#endif
