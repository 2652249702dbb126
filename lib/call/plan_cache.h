/* SPDX-License-Identifier: BSD-3-Clause */
/* The plans of calls that the calling thread keeps. */
#ifndef BLI_PLAN_CACHE_H
#define BLI_PLAN_CACHE_H

#include "call/call.h"
#include "core/slots.h"

/* A plan in use. */
struct bli_plan_loan {
    struct bl_plan *plan;
    struct bli_slot *slot; /* that it is in; NULL: in memory that the thread lends */
};

/* Find the plan cached for a call of the same signature; false if there is none. */
bool bli_plan_cache_lookup(const bl_context *ctx, const struct bli_call *call,
                           struct bli_plan_loan *loan);

/* Reserve memory for the plan of a resolved call; false out of memory. */
bool bli_plan_cache_reserve(const bl_context *ctx, const struct bli_call *call,
                            struct bli_plan_loan *loan);

/* Keep a reserved plan, once made, for the next call, if calls of the kind are cached.
 */
void bli_plan_cache_commit(const struct bli_plan_loan *loan, const bl_context *ctx,
                           const struct bli_call *call, const bl_rules_answer *answer);

/* Hand back what `lookup` found, or `reserve` reserved. */
void bli_plan_cache_release(const struct bli_plan_loan *loan);

#endif
