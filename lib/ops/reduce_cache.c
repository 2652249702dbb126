/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of reductions that a thread keeps. */
#include "ops/reduce_cache.h"

#include <string.h>

#include "core/core.h"
#include "core/float_control.h"

/* Arrays of larger rank are planned each time. */
#define CACHED_RANK 6

#define CACHED_ENTRIES 4

/* What a plan depends on, with the axes' extents and strides one after the other. */
struct signature {
    bl_reduction op; /* BL_REDUCTION_NONE: the entry is empty */
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
    int32_t uses; /* calls under way with the plan: an allocator may call again */
    struct bli_reduce_plan plan;
};

static _Thread_local void *entries; /* CACHED_ENTRIES; NULL until the first is made */

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

static struct entry *place(const struct bli_reduce_problem *problem)
{
    const uint32_t mix = (uint32_t)problem->op * 5 + (uint32_t)problem->from * 3 +
                         (uint32_t)problem->folding.rank +
                         (uint32_t)problem->folding.axes;

    return (struct entry *)entries + mix % CACHED_ENTRIES;
}

/* Whether two numbers are equal, or both NaN: the same bits. */
static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool matches(const struct signature *known,
                    const struct bli_reduce_problem *problem)
{
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
    known->op = problem->op;
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

bl_status bli_reduce_cache_find(const struct bli_reduce_problem *problem,
                                struct bli_reduce_plan *own,
                                const struct bli_reduce_plan **plan)
{
    struct entry *entry = NULL;

    *plan = own;
    if (!is_cached(problem) ||
        (!entries && !bli_thread_own(&entries, CACHED_ENTRIES * sizeof *entry)))
        return make(own, problem);
    entry = place(problem);
    if (!matches(&entry->signature, problem)) {
        if (entry->uses > 0)
            return make(own, problem);
        entry->signature.op = BL_REDUCTION_NONE;
        BL_TRY(make(&entry->plan, problem));
        note(&entry->signature, problem);
    }
    entry->uses++;
    *plan = &entry->plan;
    return BL_OK;
}

void bli_reduce_cache_release(const struct bli_reduce_plan *plan)
{
    const uintptr_t offset = (uintptr_t)plan - (uintptr_t)entries;

    if (offset < CACHED_ENTRIES * sizeof(struct entry))
        ((struct entry *)((uintptr_t)plan - offsetof(struct entry, plan)))->uses--;
}
