/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of more than fits in memory: an expression that is one reduction is
 * computed in pieces, of files that are mapped, where its operand is larger than the
 * limit.  The bits are those of computing it at once.
 */
#ifndef PIECEWISE_H
#define PIECEWISE_H

#include "evaluation.h"

#include <broadloom/reduce_pieces.h>

/* A reduction of an expression of the inputs, and how it is cut. */
struct piecewise {
    struct evaluation *evaluation;
    const bool *is_mapped; /* of each input */
    bl_reduction op;
    bl_expr *operand;
    int32_t input; /* that is the operand, as it is; -1: it is computed */
    bl_dtype dtype, to;
    int32_t rank;
    int64_t extent[BL_MAX_RANK]; /* of the operand */
    int32_t axes_count, axes[BL_MAX_RANK];
    bool keepdim;
    int32_t cut;   /* the first axis that is reduced: pieces are ranges of it */
    int32_t strip; /* an axis whose ranges are reduced one after another; -1: none */
    int64_t cut_step, strip_step;
};

/*
 * Read an expression that has been parsed.  Returns whether it is a reduction that is
 * to be computed in pieces, of at most `limit` bytes in memory; others are computed at
 * once.  Free with piecewise_free(), in any case.
 */
bool piecewise_read(struct piecewise *job, struct evaluation *evaluation,
                    const bool *is_mapped, const char *text, int64_t limit);
void piecewise_free(struct piecewise *job);

/* Compute the result into a new tensor. */
bl_status piecewise_run(struct piecewise *job, bl_tensor **out);

#endif
