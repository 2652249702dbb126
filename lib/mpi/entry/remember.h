/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of a grid's last calls, which programs make again and again.  Kept are those by
 * the grid's own context, whose settings stay, without memory for what moves, and of
 * calls by rules of the library's that raise no warnings.  Whoever makes a call takes a
 * plan out of the grid and gives it back, so that nobody else has it.
 */
#ifndef BLI_MPI_REMEMBER_H
#define BLI_MPI_REMEMBER_H

#include "mpi/entry/plan.h"

/* Whether a call by this context may be one that a grid remembers. */
bool bli_may_remember(const bl_mpi_grid *grid, const bl_context *ctx);

/* Whether an array lies as a layout says. */
bool bli_lies_as(const bl_array *array, const bl_layout *layout);

/* An operator's call. */
struct bli_plan_key {
    const char *function; /* the __func__ of it */
    bl_mpi_grid *grid;
    const bl_context *ctx;
    bl_op op;
    const bl_mpi_tensor *out; /* NULL: a new one */
    int32_t count;
    const bl_mpi_operand *in;
    const bl_mpi_options *options;
};

/* Take a remembered plan of a call, or NULL; its ballot is that of the call. */
bl_mpi_plan *bli_plan_recall(const struct bli_plan_key *key);

/* Keep the plan of a call that was made, or destroy it.  NULL: nothing. */
void bli_plan_remember(bl_mpi_plan *plan, const struct bli_plan_key *key,
                       const struct bli_ballot *ballot);

#endif
