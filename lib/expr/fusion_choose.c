/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the way in which steps are fused, and whether that is better than calls. */
#include "expr/fusion_plan.h"

#include "context/context.h"
#include "plan/non_temporal.h"

/* Most steps of a program at first; fewer where they do not fit in registers. */
#define PROGRAM_STEPS 40

/*
 * Elements up to which kernels may be faster than a part of a program's group; and in
 * rows, of which kernels take several at once, but through buffers: in longer ones
 * programs are at least as fast, whatever is estimated.  With 256 bits, layer norm took
 * 1.42 times as long by kernels in rows of 1024, and 1.15 in rows of 500.
 */
#define MOST_PARTS 1024
#define MOST_ROW   256

/*
 * Kernels that take rows where they are do what those of calls do: they are better only
 * where calls are estimated to take clearly longer, because of what they move.  In
 * memory programs were better, (a - b) * c + d of f32[100000,200] by 1.16.
 */
#define CALLS_PART 0.8

/*
 * Reductions whose results are not used inside are fused where calls are estimated to
 * take longer by this.  Zen 5, one thread: of 64 over short rows those within it took
 * .81 to 1.3 of the time of calls; with one result for all, as a - mean(a, 1, keepdim)
 * of f64[500,100], fusions were better from there on, by 1.3 with 2 threads.
 */
#define CALLS_REDUCED 0.97

/*
 * Ways to fuse: steps of a program at first; whether boxes are parts of rows, or
 * several that kernels take where they are.
 */
struct way {
    int32_t most;
    bool has_rows, takes_rows;
};

/* Decide all of a fusion in one way: false where it does not fit. */
static bool decide(struct bli_fusion_draft *draft, const struct way *way)
{
    bool is_decided = false;

    draft->has_rows = way->has_rows;
    draft->made.takes_rows = way->takes_rows;
    for (draft->most = way->most; !is_decided && draft->most > 0; draft->most /= 2)
        is_decided =
            bli_fusion_operations(draft) && bli_fusion_operands(draft) &&
            (draft->domain ? bli_fusion_rows(draft) : bli_fusion_boxes(draft)) &&
            bli_fusion_programs(draft);
    return is_decided;
}

/* Elements that a program takes at a time. */
static int64_t row_of(const struct bli_fusion_draft *draft)
{
    return draft->domain ? draft->made.length : draft->frame.count;
}

bool bli_fusion_begin(struct bli_fusion_draft *draft,
                      const struct bli_expr_making *making,
                      const struct bli_expr_phase *phase, bool is_direct)
{
    draft->making = making;
    draft->plan = making->plan;
    draft->phase = phase;
    draft->number = (int32_t)(phase - making->plan->phase);
    draft->is_direct = is_direct;
    draft->made.isa = bli_isa_pick(bli_context(making->ctx)->isa);
    draft->made.lead = NULL;
    draft->made.order = BLI_ORDER_BOXES;
    draft->made.folds = 0;
    draft->made.partials = 0;
    draft->made.is_small = false;
    return bli_fusion_find_domain(draft);
}

/* Whether a result is large enough for non-temporal stores. */
static bool has_large_result(const struct bli_fusion_draft *draft)
{
    const double bytes = bli_fusion_traffic(draft);
    bool has = false;

    for (int32_t r = 0; r < draft->made.results; r++)
        has = has || bli_fusion_wants_nt(draft, r, BLI_NT_ROW, bytes);
    return has;
}

/*
 * Whether a way cannot be better than the ways before, of which this is the last.
 * Programs take rows that are stored non-temporally one at a time, or dense ones.
 */
static bool is_idle(const struct way *way, const struct bli_fusion_draft *last)
{
    const bool is_one = last->frame.loops == 1 || last->domain || last->made.is_small;

    if (way->takes_rows)
        return is_one || (way->most > 1 ? has_large_result(last)
                                        : bli_fusion_traffic(last) > BLI_FUSION_CACHE);
    return (way->has_rows && is_one) || (way->most == 1 && row_of(last) > MOST_PARTS);
}

/* Whether one more way is not estimated to be better than the best, of `ns`. */
static bool is_worse(const struct bli_fusion_draft *next, const struct way *way,
                     double estimate, const struct bli_fusion_draft *best, double ns)
{
    if (!best)
        return false;
    if (way->takes_rows && way->most == 1)
        return estimate >= ns - bli_fusion_excess_ns(best) ||
               estimate >= CALLS_PART * bli_fusion_calls_ns(next);
    return estimate >= ns;
}

struct bli_fusion_draft *bli_fusion_choose(struct bli_fusion_draft draft[2], double *ns)
{
    static const struct way ways[] = {{PROGRAM_STEPS, false, false},
                                      {PROGRAM_STEPS, true, false},
                                      {PROGRAM_STEPS, false, true},
                                      {1, false, false},
                                      {1, false, true},
                                      {1, true, false}};
    struct bli_fusion_draft *best = NULL, *last = NULL;
    double share;

    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        struct bli_fusion_draft *const next = best == draft ? draft + 1 : draft;
        double estimate;

        if (last && is_idle(&ways[w], last))
            continue;
        if (next != draft && last != next)
            (void)bli_fusion_begin(next, draft->making, draft->phase, draft->is_direct);
        if (!decide(next, &ways[w]))
            continue;
        last = next;
        estimate = bli_fusion_ns(next);
        if (is_worse(next, &ways[w], estimate, best, *ns))
            continue;
        *ns = estimate;
        if (!best || ways[w].most > 1 || !next->domain || row_of(next) <= MOST_ROW)
            best = next;
    }
    if (!best)
        return NULL;
    if (best->plan->flags & BL_EXPR_FUSED)
        return best;
    share = best->domain && !best->is_resident ? CALLS_REDUCED : 1;
    return *ns < share * bli_fusion_calls_ns(best) ? best : NULL;
}
