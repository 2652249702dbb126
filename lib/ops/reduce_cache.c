/* SPDX-License-Identifier: BSD-3-Clause */
/* The plans of reductions that a thread keeps. */
#include "ops/reduce_cache.h"

#include <string.h>

#include "core/core.h"
#include "core/float_control.h"

/* Arrays of larger rank are planned each time. */
#define CACHED_RANK 6

/* What a plan depends on, with the axes' extents and strides one after the other. */
struct signature {
    bl_reduction op;
    bl_dtype from, as, to;
    const struct bli_isa *isa;
    bool is_compact;
    bool is_centred;
    double divisor;
    int32_t rank;
    uint64_t axes;
    int64_t axis[CACHED_RANK][3];
};

struct entry {
    struct signature signature;
    struct bli_reduce_plan plan;
};

static _Thread_local void *slots; /* struct bli_slots; NULL until one is reserved */

/*
 * Whether a plan follows from its signature: of all elements, of so few that nobody
 * asks for the caches.
 */
static bool is_cached(const struct bli_reduce_problem *problem)
{
    double bytes = (double)bli_dtypes[problem->from].size;

    if (problem->part || problem->folding.rank > CACHED_RANK)
        return false;
    for (int32_t d = 0; d < problem->folding.rank; d++)
        bytes *= (double)problem->folding.extent[d];
    return bytes < BLI_CACHES_ASKED;
}

static uint32_t hash_of(const void *sought)
{
    const struct bli_reduce_problem *const problem = sought;
    const struct bli_reduction_shape *const folding = &problem->folding;
    const uint64_t dtypes = (uint64_t)problem->op << 40 ^
                            (uint64_t)problem->from << 48 ^ (uint64_t)problem->to << 56;

    return bli_slot_hash(dtypes ^ bli_slot_extents(folding->rank, folding->extent) ^
                         folding->axes << 5);
}

/* Whether two numbers are equal, or both NaN: the same bits. */
static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool matches(const void *kept, const void *sought)
{
    const struct signature *const known = &((const struct entry *)kept)->signature;
    const struct bli_reduce_problem *const problem = sought;
    const struct bli_reduction_shape *const folding = &problem->folding;

    if (known->op != problem->op || known->from != problem->from ||
        known->as != problem->as || known->to != problem->to ||
        known->isa != problem->isa || known->is_compact != problem->is_compact ||
        known->is_centred != problem->is_centred ||
        !is_same(known->divisor, problem->divisor) || known->rank != folding->rank ||
        known->axes != folding->axes)
        return false;
    for (int32_t d = 0; d < known->rank; d++)
        if (known->axis[d][0] != folding->extent[d] ||
            known->axis[d][1] != folding->stride[d] ||
            known->axis[d][2] != folding->out_stride[d])
            return false;
    return true;
}

static void note(struct signature *known, const struct bli_reduce_problem *problem)
{
    const struct bli_reduction_shape *const folding = &problem->folding;

    known->op = problem->op;
    known->from = problem->from;
    known->as = problem->as;
    known->to = problem->to;
    known->isa = problem->isa;
    known->is_compact = problem->is_compact;
    known->is_centred = problem->is_centred;
    known->divisor = problem->divisor;
    known->rank = folding->rank;
    known->axes = folding->axes;
    for (int32_t d = 0; d < folding->rank; d++) {
        known->axis[d][0] = folding->extent[d];
        known->axis[d][1] = folding->stride[d];
        known->axis[d][2] = folding->out_stride[d];
    }
}

/* Make a plan; its estimates raise no exceptions that stay. */
static bl_status make(struct bli_reduce_plan *plan,
                      const struct bli_reduce_problem *problem)
{
    const uint32_t flags = bli_float_flags();
    const bl_status status = bli_reduce_plan_make(plan, problem);

    bli_float_flags_set(flags);
    return status;
}

/* Make the plan of a problem in a slot of its own, and use it; NULL: there is none. */
static bl_status make_kept(const struct bli_reduce_problem *problem,
                           struct bli_slot **made)
{
    const uint32_t hash = hash_of(problem);
    struct bli_slot *const slot = bli_slots_reserve(slots, hash, sizeof(struct entry));
    struct entry *const entry = slot ? slot->entry : NULL;
    bl_status status;

    *made = slot;
    if (!slot)
        return BL_OK;
    status = make(&entry->plan, problem);
    if (status != BL_OK) {
        bli_slot_return(slot);
        return status;
    }
    note(&entry->signature, problem);
    slot->hash = hash;
    return BL_OK;
}

bl_status bli_reduce_cache_find(const struct bli_reduce_problem *problem,
                                struct bli_reduce_plan *own,
                                struct bli_reduce_loan *loan)
{
    struct bli_slot *slot;

    *loan = (struct bli_reduce_loan){own, NULL};
    if (!is_cached(problem) || !bli_slots_own(&slots, bli_slots_free))
        return make(own, problem);
    slot = bli_slots_find(slots, problem, matches, hash_of);
    if (slot)
        bli_slot_use(slots, slot);
    else
        BL_TRY(make_kept(problem, &slot));
    if (!slot)
        return make(own, problem);
    *loan = (struct bli_reduce_loan){&((struct entry *)slot->entry)->plan, slot};
    return BL_OK;
}

void bli_reduce_cache_release(const struct bli_reduce_loan *loan)
{
    if (loan->slot)
        bli_slot_return(loan->slot);
}
