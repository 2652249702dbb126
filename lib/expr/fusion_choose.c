/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the way in which steps are fused, and whether that is better than calls. */
#include "expr/fusion_cost.h"
#include "expr/fusion_memory.h"

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
 * As many of rows from memory, which pass through more buffers by kernels.  Zen 4, 64
 * MiB: those of 100 to 256 take .52 to .7 of the time so in max((a - b) * c, 1) and
 * all(a * b > c, 1), of 100 .86 in (a - b) * c / max(a, 1, keepdim); of 64 1.2 to 1.3
 * in layer norm and others.
 */
#define MOST_FAR_ROW 64

/*
 * As many of rows that kernels take where they are, for a longer one is a box, however
 * long: bf16((a - b) * c) of f32[3,1000000] and columns took 1.2 of the time of calls
 * so, of [300,10000] .58, and takes .36 in parts of rows (Emerald Rapids, AVX-512).
 */
#define MOST_TAKEN_ROW 2048

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
 * As many of short rows that are reduced as columns (Emerald Rapids, AVX2): any(a > b,
 * 1) of f64[8333,24] and a row b takes 1.4 of the time of calls, of rows of 32 and 48
 * 1.07 and 1.24, all estimated at .77 to .81; any(a * 2 > b, 1) of two such arrays .46
 * to .67 at up to .7, of [333,24] 1.0 to 1.08 at .67 and .75.
 */
#define CALLS_TURNED 0.76

/*
 * Siblings are in one fusion where calls are estimated to take longer by this.  Emerald
 * Rapids, one thread, AVX-512: max(a, 1) - min(a, 1) of f32[256,256] takes 1.24 of the
 * time of calls, sum(a * b, 1) / sum(b, 1) 1.1 of that with two fusions, sin(a); cos(a)
 * of f64[1024,1024] 1.05, all estimated at .91 to .97; those below take .31 to 1.08.
 */
#define CALLS_SIBLINGS 0.9

/*
 * As many with AVX2, where operands are in L2.  a + b; a - b of 4096 and 65536 f32
 * takes 1.16 to 1.25 of the time of calls, with a * b 1.02 to 1.14, estimated at .61 to
 * .7, sum(a * b, 1) / sqrt(sum(a * a, 1) * sum(b * b, 1)) of f32[64,64] 1.18, at .72;
 * rotations of pairs .5 to .56 at .36, and whole sums .72 to .88 at up to .66.  So it
 * is with several results of steps that use each other: t = a > b; t; where(t, a, b) of
 * 1024 to 90000 elements takes 1.1 to 1.4, at .66 to .91, t = a * b; t; t + c of 2048
 * 1.2, at .8.  With this 144 of them take .94 of the time of calls, and four more than
 * 1.05 of it; without it .92 and 15; with 512 bits .85 without it, and three.
 */
#define CALLS_NEAR         0.58
#define CALLS_NEAR_REDUCED 0.68
#define NEAR               (2 << 20)

/*
 * Ways to fuse: steps of a program at first; whether boxes are parts of rows, or
 * several that kernels take where they are.
 */
struct way {
    int32_t most;
    bool has_rows, takes_rows;
};

/* The way that is estimated to be best, and what decides whether another one is. */
struct best {
    const struct way *way; /* NULL: there is none yet */
    double ns;             /* the least estimate */
    double excess;         /* see bli_fusion_excess_ns() */
    bool rounds;           /* programs take longer than kernels, to round to bf16 */
};

/*
 * Decide operations and operands, which depend on the steps of a program alone: nothing
 * where that is done.  Reductions' are decided together with the rest.
 */
static bool arrange(struct bli_fusion_draft *draft, int32_t most)
{
    if (draft->most == most && !draft->domain)
        return true;
    draft->most = most;
    return bli_fusion_operations(draft) && bli_fusion_operands(draft);
}

/*
 * Decide all of a fusion in one way: false where it does not fit.  With fewer steps in
 * a program its registers may be enough; other memory would only be more.
 */
static bool decide(struct bli_fusion_draft *draft, const struct way *way)
{
    draft->has_rows = way->has_rows;
    draft->made.takes_rows = way->takes_rows;
    for (int32_t most = way->most; most > 0; most /= 2) {
        if (!arrange(draft, most) ||
            !(draft->domain ? bli_fusion_rows(draft) : bli_fusion_boxes(draft)))
            return false;
        if (bli_fusion_programs(draft))
            return true;
    }
    return false;
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
    draft->most = 0;
    draft->first_segment.count = 0;
    draft->made.lead = NULL;
    draft->made.order = BLI_ORDER_BOXES;
    draft->made.pieced = 0;
    draft->made.joined = 0;
    draft->made.folds = 0;
    draft->made.partials = 0;
    draft->made.is_small = false;
    return bli_fusion_find_domain(draft);
}

/* Whether a result is large enough for non-temporal stores. */
static bool has_large_result(const struct bli_fusion_draft *draft)
{
    bool has = false;

    for (int32_t r = 0; r < draft->made.results; r++)
        has = has || bli_fusion_wants_nt(draft, r, BLI_NT_ROW);
    return has;
}

/*
 * Whether a way cannot be better than those before, the last of which is in the draft.
 * Programs take rows that are stored non-temporally one at a time, or dense ones.
 */
static bool is_idle(const struct way *way, const struct best *best,
                    const struct bli_fusion_draft *draft)
{
    const bool is_one =
        draft->frame.loops == 1 || draft->domain || draft->made.is_small;

    if (way->takes_rows)
        return is_one || draft->frame.extent[0] > MOST_TAKEN_ROW ||
               (way->most > 1 ? has_large_result(draft)
                              : draft->traffic > BLI_FUSION_CACHE);
    return (way->has_rows && is_one) ||
           (way->most == 1 && (draft->made.programs == 0 ||
                               (row_of(draft) > MOST_PARTS && !best->rounds)));
}

/*
 * The estimate below which kernels are better than calls, of which they do much the
 * same: where that is to round, both take what estimates leave out.
 */
static double kernels_limit(const struct best *best,
                            const struct bli_fusion_draft *draft)
{
    const double common = best->rounds ? bli_fusion_common_ns(draft) : 0;

    return CALLS_PART * (bli_fusion_calls_ns(draft) + common) - common;
}

/* The estimate from which on one more way is not better than the best. */
static double limit_of(const struct way *way, const struct best *best,
                       const struct bli_fusion_draft *draft)
{
    double least = best->ns, kernels;

    if (way->most > 1 || !(way->takes_rows || best->rounds))
        return least;
    if (way->takes_rows)
        least -= best->excess;
    kernels = kernels_limit(best, draft);
    return least < kernels ? least : kernels;
}

/* Whether rows are so short that they are reduced as columns. */
static bool is_turned(const struct bli_fusion_draft *draft)
{
    bool is = false;

    for (int32_t f = 0; f < draft->made.folds; f++)
        is = is || draft->fold[f].pass[0].turn;
    return is;
}

/* The part of the time of calls that a fusion is to be below. */
static double share_of_calls(const struct bli_fusion_draft *draft)
{
    const bool has_siblings = draft->phase->has_siblings;
    const bool is_near =
        draft->traffic <= NEAR && !bli_isa_has_512_bits(draft->made.isa);

    if (is_near && !draft->domain && (has_siblings || draft->made.results > 1))
        return CALLS_NEAR;
    if (has_siblings)
        return is_near ? CALLS_NEAR_REDUCED : CALLS_SIBLINGS;
    if (is_turned(draft))
        return CALLS_TURNED;
    return draft->domain && !draft->is_resident ? CALLS_REDUCED : 1;
}

/* Whether a fusion that takes `ns` is better than calls. */
static bool is_good(const struct bli_fusion_draft *draft, double ns)
{
    return (draft->plan->flags & BL_EXPR_FUSED) != 0 ||
           ns < share_of_calls(draft) * bli_fusion_calls_ns(draft);
}

/* Whether a kernel for each step is not chosen, whatever is estimated. */
static bool is_barred(const struct best *best, const struct bli_fusion_draft *draft)
{
    return draft->domain && !best->rounds &&
           row_of(draft) > (bli_fusion_is_from_memory(draft) ? MOST_FAR_ROW : MOST_ROW);
}

/* Whether a way of kernels needs no estimate. */
static bool is_hopeless(const struct way *way, const struct best *best,
                        const struct bli_fusion_draft *draft)
{
    return way->most == 1 &&
           ((is_barred(best, draft) && is_good(draft, best->ns)) ||
            bli_fusion_least_kernels_ns(draft) >= limit_of(way, best, draft));
}

bool bli_fusion_choose(struct bli_fusion_draft *draft, double *ns)
{
    static const struct way ways[] = {{PROGRAM_STEPS, false, false},
                                      {PROGRAM_STEPS, true, false},
                                      {PROGRAM_STEPS, false, true},
                                      {1, false, false},
                                      {1, false, true},
                                      {1, true, false}};
    const struct way *decided = NULL;
    struct best best = {.way = NULL};

    for (const struct way *way = ways; way < ways + sizeof ways / sizeof ways[0];
         way++) {
        double estimate;

        if (best.way && (is_idle(way, &best, draft) || is_hopeless(way, &best, draft)))
            continue;
        if (!decide(draft, way))
            return false;
        decided = way;
        if (!best.way)
            best.rounds = bli_fusion_rounds_slowly(draft);
        estimate = bli_fusion_ns(draft);
        if (best.way && estimate >= limit_of(way, &best, draft))
            continue;
        best.ns = estimate;
        if (!best.way || way->most > 1 || !is_barred(&best, draft)) {
            best.way = way;
            best.excess = bli_fusion_excess_ns(draft);
        }
    }
    *ns = best.ns;
    return (best.way == decided || decide(draft, best.way)) && is_good(draft, *ns);
}
