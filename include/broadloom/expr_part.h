/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole expressions executed in parts, by a team of threads of the program's.
 * Experimental until 1.0, as <broadloom/expr.h>.
 */
#ifndef BROADLOOM_EXPR_PART_H
#define BROADLOOM_EXPR_PART_H

#include <broadloom/expr.h>

BL_BEGIN_DECLS

/*
 * Execute part `part` of `parts` of a phase on the calling thread, for a team of the
 * program's.  An execution is part_phases phases (bl_expr_plan_info); in each of them
 * each part is called once, always by the same thread, and all have returned before a
 * part of the next phase is called: the program's barrier is between phases.
 *
 *     for (int32_t phase = 0; phase < info.part_phases; phase++) {
 *         status = bl_expr_plan_execute_part(ctx, plan, phase, thread, threads, outs,
 *                                            data, workspace);
 *         barrier();
 *     }
 *
 * Results are those of bl_expr_plan_execute() for any number of parts, and so are
 * refusals, before any output is written.  What one part refuses is refused by every
 * part of each later phase, so that none has to leave the loop, and the status of the
 * last phase is that of the execution.
 *
 * `workspace` is info.part_workspace bytes, aligned to 64, for this execution alone; it
 * need not be initialised.  All parts get the same arguments.  Threads keep staging
 * buffers, BL_ERR_MEMORY before anything is written; other memory is allocated only for
 * reductions that are not fused and for operands in another order of elements, which
 * are computed by part 0 alone.
 */
BL_API BL_MUST_CHECK bl_status bl_expr_plan_execute_part(
    bl_context *ctx, const bl_expr_plan *plan, int32_t phase, int32_t part,
    int32_t parts, void *const *outs, const void *const *data, void *workspace);

BL_END_DECLS

#endif
