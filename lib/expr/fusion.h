/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fusions: connected steps with results of one shape, which are computed together, a
 * box of elements after the other, so that values in between stay in registers or in
 * the L1 cache.
 */
#ifndef BLI_EXPR_FUSION_H
#define BLI_EXPR_FUSION_H

#include "expr/execute.h"

struct bli_fusion;

/*
 * Make the fusion of a phase's steps, whose plans are there; its results go to compact
 * memory, or with `is_direct` to their outputs' arrays.  `*fusion` is NULL where calls
 * are better.  BL_ERR_MEMORY.
 */
bl_status bli_fusion_make(const struct bli_expr_making *making,
                          const struct bli_expr_phase *phase, bool is_direct,
                          struct bli_fusion **fusion);
void bli_fusion_free(struct bli_fusion *fusion, const bl_allocator *allocator);

/*
 * Whether a result, value `result`, may be written exactly over input `v`: all elements
 * of that are read before.
 */
bool bli_fusion_may_overwrite(const struct bli_fusion *fusion, int32_t result,
                              int32_t v);

/*
 * Execute a fusion, or this part of it, or as a rehearsal only take and give back what
 * that needs.  BL_ERR_MEMORY before anything is written.
 */
bl_status bli_fusion_run(const struct bli_fusion *fusion,
                         const struct bli_expr_execution *run, bool is_rehearsal);

/*
 * Whether a fusion is small and all that a plan with one output executes, and may be
 * executed by itself: bli_fusion_run_alone() does that, or returns false, before
 * anything is written, where addresses are not as usual: refused, or shared with the
 * output.
 */
bool bli_fusion_is_alone(const struct bli_fusion *fusion, const bl_expr_plan *plan);
bool bli_fusion_run_alone(const struct bli_fusion *fusion, void *out,
                          const void *const *data);

/*
 * Most staging memory of a fusion that is on the stack, together with what register
 * machines and kernels take there: more is lent.
 */
#define BLI_FUSION_STACK 4096

/* Partial results of at most so many bytes are on the stack, but in parts. */
#define BLI_FUSION_SMALL_PARTIALS 2048

/*
 * Bytes of partial results that are combined at the end; 0: none.  Those of a phase are
 * the most of its fusions.
 */
int64_t bli_fusion_partials(const struct bli_fusion *fusion);
int64_t bli_fusion_phase_partials(const struct bli_expr_phase *phase);

/* Combine the partial results of all parts: this part's share of the results. */
void bli_fusion_combine_part(const struct bli_fusion *fusion,
                             const struct bli_expr_execution *run);

/* What a fusion consists of, for people. */
struct bli_fusion_info {
    int32_t programs; /* for register machines */
    int32_t kernels;
    int32_t reductions;
    const char *order; /* how it goes through rows that it reduces; NULL */
    int64_t row;       /* elements of such a row, or of a part of it at a time */
    int64_t box;       /* elements that are computed at a time; 0: whole rows */
    int32_t threads;   /* the most that pay */
    bool streams;      /* a result is written by non-temporal stores */
    bool is_ahead;     /* rows of the next box are prefetched */
};

void bli_fusion_query(const struct bli_fusion *fusion, struct bli_fusion_info *info);

#endif
