/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that expressions of the library do not have, over the ranks of MPI.
 */
#ifndef EXTRA_OVER_RANKS_H
#define EXTRA_OVER_RANKS_H

#include "../eval/extra_calls.h"
#include "over_ranks.h"

/*
 * Call one of them; arguments that are not given are empty.  Nothing is collected on
 * one rank: what a mask selects comes after what ranks before select, so that operands
 * of masks move to linear order first, each element once.  Collective.
 */
bl_status extra_call_over_ranks(bl_mpi_grid *grid, const bl_mpi_options *limits,
                                enum extra_function function,
                                const struct value *argument, struct value *out);

/* The array that a value is as a whole, without data; `extent` has room for its own. */
bl_array value_describe(const struct value *value, int64_t extent[BL_MAX_RANK]);

/* ---- for the other file here ---- */

/* A call while it is made. */
struct extra_call {
    bl_mpi_grid *grid;
    const bl_mpi_options *limits;
    bl_mpi_grid_info info; /* of the grid */
    bl_array whole[EXTRA_ARGUMENTS];
    int64_t extent[EXTRA_ARGUMENTS][BL_MAX_RANK];
};

/* A tensor of blocks that ranks have; takes `local` in any case. */
bl_status extra_wrap(const struct extra_call *call, bl_tensor *local,
                     const bl_mpi_dim *dims, bl_mpi_tensor **out);

/* Copy a value to a tensor, by rules that broadcast it, or take its linear order. */
bl_status extra_copy(const struct extra_call *call, const bl_mpi_tensor *to,
                     const struct value *from, const bl_rules *rules);

/* ---- masks_over_ranks.c ---- */

bl_status extra_select(const struct extra_call *call, const struct value *argument,
                       bl_mpi_tensor **out);
bl_status extra_scatter(const struct extra_call *call, const struct value *argument,
                        bl_mpi_tensor **out);

#endif
