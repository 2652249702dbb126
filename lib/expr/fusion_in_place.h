/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results of fusions that are exactly over operands.
 *
 * An operation stores a result, and afterwards something reads an operand: another
 * operation, of the same box (`read_after`), or the program that stored it, of the same
 * group of elements (`read_within`).  A result that is over an operand of the first
 * kind is computed elsewhere and copied, with all results of the fusion (bind.c).  For
 * the second kind an operation has another program, `in_place`, which stores all
 * results at its end; an execution takes it where it finds a result over such an
 * operand.
 */
#ifndef BLI_FUSION_IN_PLACE_H
#define BLI_FUSION_IN_PLACE_H

#include "expr/fusion_plan.h"

/* Before programs are made: nothing is read after any result. */
void bli_fusion_begin_reads(struct bli_fusion_draft *draft);

/* Find what an operation's program reads after its stores; whether that is anything. */
bool bli_fusion_find_reads_within(struct bli_fusion_draft *draft,
                                  const struct bli_fusion_operation *operation);

/* Find what operations read after those that write the results. */
void bli_fusion_find_later_reads(struct bli_fusion_draft *draft);

#endif
