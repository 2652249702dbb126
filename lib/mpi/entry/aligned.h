/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements that are not aligned, as members of packed structs: plans take none, so that
 * a call works on copies of these operands, as bl_apply() does.
 */
#ifndef BLI_MPI_ALIGNED_H
#define BLI_MPI_ALIGNED_H

#include "mpi/entry/remember.h"

/* What a call works on in the place of such operands, on this rank. */
struct bli_mpi_aligned {
    bool is_used;
    bl_context *ctx;
    bl_mpi_operand in[BL_MAX_INPUTS];
    bl_array array[BL_MAX_INPUTS];
    bl_tensor *block[BL_MAX_INPUTS];      /* of an array's copy, or NULL */
    bl_mpi_tensor *tensor[BL_MAX_INPUTS]; /* an operand's copy, or NULL */
    bl_mpi_tensor *result;                /* in the place of the result, or NULL */
    struct bli_block to, from;            /* the result, and that */
};

/* Whether an array has elements that are not aligned; one that is none has not. */
bool bli_mpi_is_unaligned(const bl_array *array);

/*
 * Refuse a block of which elements are in one place, as bl_apply() refuses a result,
 * whether they are aligned or not.
 */
bl_status bli_mpi_check_apart(const struct bli_block *block);

/*
 * Replace the operands and the result of a call that are not aligned, as long as their
 * elements need no order.  Checks nothing else: what is no operand stays.  Local; what
 * was made before a failure is given back by bli_mpi_aligned_end(), too.
 */
bl_status bli_mpi_align(struct bli_mpi_aligned *aligned, struct bli_plan_key *key,
                        bl_context *ctx);

/* Write the result of a call that ended so, and give back what was made.  Local. */
void bli_mpi_aligned_end(struct bli_mpi_aligned *aligned, bl_status status);

#endif
