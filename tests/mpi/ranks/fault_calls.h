/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls, each of which can be made with a fault of this rank (faults.c).
 */
#ifndef TESTS_FAULT_CALLS_H
#define TESTS_FAULT_CALLS_H

#include "mpi/ranks/world.h"

enum { ROWS = 12, COLUMNS = 7, MOST_RANKS = 1024 };

enum fault {
    NONE,
    MEMORY,
    FUNCTION,
    SHAPE,
    DTYPE,
    BORDER,
    OPTION,
    NULL_ARGUMENT,
    ZERO,
    FAULTS
};
enum kind {
    EMPTY,
    WRAP,
    APPLY,
    APPLY_NEW,
    DIVIDE,
    OVERLAP,
    PLAN,
    EXECUTE,
    MOVE,
    GATHER,
    SCATTER,
    REDUCE,
    VARIANCE,
    RANDOM,
    KINDS
};

/* What the calls are about; all of it was made without a fault. */
struct fault_world {
    bl_mpi_grid *grid;
    bl_context *ctx; /* whose allocations may fail */
    bl_tensor *whole;
    bl_mpi_tensor *a, *b;        /* that lie in different ways */
    bl_mpi_tensor *larger;       /* by a row */
    bl_mpi_tensor *narrow;       /* of another dtype */
    bl_mpi_tensor *real;         /* `a` in f64 */
    bl_mpi_tensor *out;          /* that lies as `a` does */
    bl_mpi_tensor *left, *right; /* of one tensor, all but its last and first column */
    bl_mpi_plan *plan, *other_plan;
    bl_mpi_dim rows[2], columns[2];
    int64_t border[MOST_RANKS + 1];
};
extern struct fault_world its;

/* One call: what is made by it is released again. */
struct fault_call {
    enum kind kind;
    enum fault fault; /* on this rank */
    bl_mpi_tensor *made;
    bl_tensor *gathered;
    bl_mpi_plan *plan;
};
extern struct fault_call call;

/* Make all that calls are about, and free it. */
void faults_open(void);
void faults_close(void);

/* Make the call that `call` says. */
bl_status faults_call(void);

/* Write the elements of a tensor, or a number that tells of no result. */
void faults_fill(const bl_mpi_tensor *tensor, bool poison);

/*
 * Whether this rank's part is `times` the elements that faults_fill() writes; 0: ones;
 * negative: no result.
 */
bool faults_holds(const bl_mpi_tensor *tensor, int32_t times);

/* Whether a tensor is the sums over the rows of what faults_fill() writes. */
bool faults_sums(const bl_mpi_tensor *sums);

#endif
