/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a plan element by element in row-major order, so that inputs are read as the
 * result has been written so far.
 */
#ifndef BLI_SEQUENTIAL_H
#define BLI_SEQUENTIAL_H

#include "exec/exec.h"

/* The loops over an operand's elements in its logical order, and the element now. */
struct bli_sequence_operand {
    int32_t loops;
    int64_t extent[BL_MAX_RANK];
    int64_t stride[BL_MAX_RANK]; /* in bytes */
    int64_t index[BL_MAX_RANK];
};

/* What is decided for a sequential binding: the contents of its staging memory. */
struct bli_sequence {
    struct bl_plan single;                                 /* of one element */
    struct bli_sequence_operand operand[BLI_MAX_OPERANDS]; /* at the first element */
};

/* Run all of a plan on the calling thread, bound with BLI_METHOD_SEQUENTIAL. */
void bli_sequential_run(const struct bl_plan *plan, const struct bli_binding *binding);

#endif
