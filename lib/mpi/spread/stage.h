/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An operand of which several ranks of a node need the same elements, from other nodes:
 * these enter the node once, divided among its ranks, who then pass them on to each
 * other through memory that they share.  What a rank of the node has does not enter it.
 */
#ifndef BLI_STAGE_H
#define BLI_STAGE_H

#include "mpi/spread/move.h"

/*
 * The two moves of such an operand, over a grid in which the ranks of a node are
 * axes of their own: ranks have the same numbers in it.
 */
struct bli_stage {
    struct bli_spread *from, *to; /* those of the move */
    struct bli_spread *way;       /* where the operand lies between both */
    struct bli_move enter;        /* from -> way: it enters each node once */
    struct bli_move pass;         /* way -> to: within nodes alone */
};

/*
 * Find the stages of a move; `*out` is NULL where they would save no more than 5 % of
 * the bytes between nodes, where ranks of a node do not share memory, and where these
 * are no part of the grid.  Pure, and of the same result on all ranks.  BL_ERR_MEMORY.
 */
bl_status bli_stage_make(const struct bli_move *move, struct bli_stage **out);
void bli_stage_free(struct bli_stage *stage); /* NULL: nothing */

/* Bytes that a rank has of it between both. */
int64_t bli_stage_bytes(const struct bli_stage *stage, int32_t of_rank);

#endif
