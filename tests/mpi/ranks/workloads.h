/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls over ranks that are checked and timed (workloads.c).
 */
#ifndef TESTS_WORKLOADS_H
#define TESTS_WORKLOADS_H

#include <broadloom.h>
#include <broadloom/mpi.h>

/* The workload that is measured. */
struct workload {
    int self;
    int64_t edge;                /* of a cube */
    int64_t n, m;                /* rows and columns of a matrix */
    const char *path;            /* of a file */
    bl_mpi_grid *line, *square;  /* of one axis, and of two */
    bl_mpi_tensor *in[3], *out;  /* operands and result */
    bl_tensor *whole[3], *alone; /* the same on one process, rank 0 */
};
extern struct workload its;

/* A workload: make operands; the call; the same on one process. */
struct workload_kind {
    const char *name;
    void (*open)(void), (*run)(void), (*run_alone)(void);
};
enum { WORKLOADS = 15 };
extern const struct workload_kind workload_kinds[WORKLOADS];

/* ---- what the calls share (workload_calls.c) ---- */

/* Operand k, of random numbers, and all of it on rank 0. */
void workload_operand(int k, bl_mpi_grid *grid, bl_dtype dtype, int32_t rank,
                      const int64_t *extent, const int32_t *axis);

#define OPEN(k, grid, dtype, extents, axes)                                            \
    workload_operand(k, grid, BL_DTYPE_##dtype,                                        \
                     (int32_t)(sizeof(extents) / sizeof(int64_t)), extents, axes)
#define EXTENT(...) ((const int64_t[]){__VA_ARGS__})
#define AXIS(...)   ((const int32_t[]){__VA_ARGS__})

/* Keep a new result in place of the one before. */
void workload_keep(bl_mpi_tensor *made);

/* An operator of one operand, or two, over ranks and on one process. */
bl_mpi_tensor *workload_apply(bl_op op, const bl_mpi_tensor *a, const bl_mpi_tensor *b);
bl_tensor *workload_apply_alone(bl_op op, const bl_tensor *a, const bl_tensor *b);

/* ---- reductions, files, random numbers (workload_sums.c) ---- */

void workload_open_channels(void);
void workload_run_channels(void);
void workload_channels_alone(void);
void workload_open_columns(void);
void workload_run_softmax(void);
void workload_softmax_alone(void);
void workload_run_dist(void);
void workload_dist_alone(void);
void workload_open_pair(void);
void workload_open_ghosts(void);
void workload_run_sum(void);
void workload_sum_alone(void);
void workload_open_cube(void);
void workload_run_file(void);
void workload_run_sum_and_ten(void);
void workload_sum_and_ten_alone(void);
void workload_run_random(void);

/* Release operands and results. */
void workload_close(void);

#endif
