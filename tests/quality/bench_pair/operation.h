/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A cell as calls can be made of it: operands in memory, and a plan of each library.
 */
#ifndef BENCH_PAIR_OPERATION_H
#define BENCH_PAIR_OPERATION_H

#include "cells.h"
#include "library.h"

struct operation {
    const struct library *library; /* of LIBRARIES; borrowed */
    bl_op op;
    int32_t inputs;
    int64_t elements; /* of the result */
    bool is_large;
    /* The result is the last operand. */
    bl_array operand[BL_MAX_INPUTS + 1];
    int64_t extent[BL_MAX_INPUTS + 1][2], stride[BL_MAX_INPUTS + 1][2];
    void *out;
    const void *data[BL_MAX_INPUTS];
    bl_plan *plan[LIBRARIES];
};

/*
 * Lay out and fill the operands of a cell and plan it with each of two libraries,
 * library `first` first. Operands are in memory of this file, which the next call of it
 * uses again.  On failure writes a message to stderr and returns false; on success free
 * the plans by operation_end().
 */
bool operation_begin(const struct library *library, int first, const struct pair *pair,
                     const struct shape *shape, struct operation *operation);
void operation_end(struct operation *operation);

/* Execute the plan of library `which` so many times. */
bool operation_run(const struct operation *operation, int which, long times);

#endif
