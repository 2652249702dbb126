/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps in which a reduction's plan is made, in the order of their calls. */
#ifndef BLI_PLAN_REDUCE_CHOOSE_H
#define BLI_PLAN_REDUCE_CHOOSE_H

#include "plan/reduce.h"

/*
 * Choose how elements are staged as `reduced`, which those of the problem are converted
 * to, for a plan whose nests are set.
 */
void bli_reduce_choose_stage(struct bli_reduce_plan *plan,
                             const struct bli_reduce_problem *problem,
                             bl_dtype reduced);

/* Choose whether columns are packed, and with how many others. */
void bli_reduce_choose_packing(struct bli_reduce_plan *plan);

/* Choose what is done with partial results, and where the results are stored. */
void bli_reduce_choose_finish(struct bli_reduce_plan *plan,
                              const struct bli_reduce_choice *choice,
                              const struct bli_reduce_problem *problem);

/*
 * Decide how runs that are not one after another in memory are read: set `gathered`,
 * `strips`, and what says more of these.  From memory strips are `width` rows wide.
 */
void bli_reduce_choose_runs(struct bli_reduce_plan *plan, bool is_converted,
                            int64_t width);

/* Take the reducer with the width of registers that a plan is fastest with. */
void bli_reduce_choose_registers(struct bli_reduce_plan *plan,
                                 const struct bli_reduce_choice *choice);

/*
 * Number of blocks gathered at once: several runs if an outer loop has the shorter
 * stride, or `is_across`; else 0.
 */
int64_t bli_reduce_blocks_at_once(const struct bli_reduce_plan *plan, bool is_across);

#endif
