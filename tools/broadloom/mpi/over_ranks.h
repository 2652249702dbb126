/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions over the ranks of an MPI program, computed call by call.
 */
#ifndef OVER_RANKS_H
#define OVER_RANKS_H

#include "../eval/evaluation.h"

#include <broadloom/expr_call.h>
#include <broadloom/mpi.h>

/* A value: over ranks, or the same array on all of them. */
struct value {
    bl_mpi_tensor *tensor;
    bl_tensor *array;
};

/* An expression over a grid; ranks have all of it alike but the tensors' blocks. */
struct over_ranks {
    bl_mpi_grid *grid;
    bl_expr *expr;
    const bl_expr_options *options;
    bl_mpi_options limits;            /* of each call */
    const bl_array *const *described; /* inputs as a whole, without data */
    int32_t files;
    const char *const *file;   /* of the first inputs */
    const struct value *given; /* of each other one, by its slot */
    int64_t position;          /* in the text, of the call that was refused; -1 */
};

/*
 * Agree on what each rank has done alone: the first rank that failed prints, where that
 * is not rank 0.  Collective.
 */
bl_status agree(bl_status status);

/* Refuse a file that is a dataset of HDF5. */
bl_status over_ranks_check_file(const char *file);

/* The grid of all ranks that a text describes, as "4x0"; NULL: of one axis.
 * Collective. */
bl_status over_ranks_grid(const char *text, bl_mpi_grid **grid);

/*
 * How inputs of these shapes are cut: dimensions that broadcasting pairs with each
 * other lie along the same axis of the grid.  An axis is given the outermost dimension
 * that has an element for each of its ranks, or else the longest that is left.
 */
void over_ranks_lie(const bl_mpi_grid_info *grid, int32_t count,
                    const bl_array *const *described, int32_t k, bl_mpi_dim *dims);

/*
 * Refuse what one process refuses before it reads data, then load the inputs that are
 * used and compute the outputs.  Collective.  Values are released by the caller.
 */
bl_status over_ranks_run(struct over_ranks *run, struct value *out);

void value_release(struct value *value);
struct value value_retain(const struct value *value);

#endif
