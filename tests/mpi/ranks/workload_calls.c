/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of workloads.c. */
#include "mpi/ranks/workloads.h"

#include <stdio.h>
#include <string.h>

#include "harness/same.h"

enum { W = BL_MPI_WHOLE };

struct workload its;

static const bl_options *call; /* rules, where they are not the default's */

/* ---- tensors ---- */

/* Operand k, of random numbers, and all of it on rank 0. */
void workload_operand(int k, bl_mpi_grid *grid, bl_dtype dtype, int32_t rank,
                      const int64_t *extent, const int32_t *axis)
{
    bl_mpi_dim dims[4];

    for (int32_t d = 0; d < rank; d++)
        dims[d] = (bl_mpi_dim){axis[d], NULL};
    must(bl_mpi_randn(NULL, grid, dtype, rank, extent, dims, 7 + (uint64_t)k,
                      &its.in[k]));
    if (its.self == 0)
        must(
            bl_tensor_randn(NULL, dtype, rank, extent, 7 + (uint64_t)k, &its.whole[k]));
}

/* Keep a new result in place of the one before. */
void workload_keep(bl_mpi_tensor *made)
{
    bl_mpi_tensor_release(its.out);
    its.out = made;
}

bl_mpi_tensor *workload_apply(bl_op op, const bl_mpi_tensor *a, const bl_mpi_tensor *b)
{
    const bl_mpi_options options = {.size = sizeof options,
                                    .call = call,
                                    .most_bytes = INT64_MAX,
                                    .most_memory = INT64_MAX};
    const bl_mpi_operand operand[2] = {{a, NULL}, {b, NULL}};
    bl_mpi_tensor *made;

    must(bl_mpi_apply_new(NULL, op, b ? 2 : 1, operand, &options, &made));
    return made;
}

bl_tensor *workload_apply_alone(bl_op op, const bl_tensor *a, const bl_tensor *b)
{
    const bl_array *const array[2] = {bl_tensor_array(a), bl_tensor_array(b)};
    bl_tensor *made;

    must(bl_apply_new(NULL, op, b ? 2 : 1, array, call, &made));
    return made;
}

/* ---- element-wise: out = its.in[0] + its.in[1] ---- */

static void run_add(void)
{
    workload_keep(workload_apply(BL_OP_ADD, its.in[0], its.in[1]));
}

static void add_alone(void)
{
    its.alone = workload_apply_alone(BL_OP_ADD, its.whole[0], its.whole[1]);
}

static void open_right_bias(void)
{
    OPEN(0, its.square, F32, EXTENT(its.n, its.m), AXIS(0, 1));
    OPEN(1, its.square, F32, EXTENT(its.m), AXIS(1));
}

static void open_wrong_bias(void)
{
    OPEN(0, its.square, F32, EXTENT(its.n, its.m), AXIS(0, 1));
    OPEN(1, its.square, F32, EXTENT(its.m), AXIS(0));
}

static void open_outer(void)
{
    OPEN(0, its.square, F32, EXTENT(its.n, 1), AXIS(0, W));
    OPEN(1, its.square, F32, EXTENT(1, its.m), AXIS(W, 1));
}

static void run_multiply(void)
{
    workload_keep(workload_apply(BL_OP_MUL, its.in[0], its.in[1]));
}

static void multiply_alone(void)
{
    its.alone = workload_apply_alone(BL_OP_MUL, its.whole[0], its.whole[1]);
}

static void open_joint(void)
{
    OPEN(0, its.square, F32, EXTENT(its.edge, its.edge, its.edge), AXIS(0, 1, W));
    OPEN(1, its.square, F32, EXTENT(its.edge, its.edge, its.edge),
         AXIS(W, BL_MPI_AXES(3), W));
}

static void open_shift(void)
{
    bl_mpi_tensor *row;

    OPEN(2, its.line, F32, EXTENT(its.n * its.m), AXIS(0));
    for (int k = 0; k < 2; k++) {
        must(bl_mpi_narrow(its.in[2], 0, k, its.n * its.m - 1, &row));
        its.in[k] = row;
        if (its.self == 0)
            must(
                bl_tensor_narrow(its.whole[2], 0, k, its.n * its.m - 1, &its.whole[k]));
    }
}

static void open_ten_rows(void)
{
    OPEN(0, its.line, F32, EXTENT(10, its.n * its.m / 10), AXIS(0, W));
    OPEN(1, its.line, F32, EXTENT(10, 1), AXIS(0, W));
}

static void open_flat(void)
{
    static bl_options legacy = BL_OPTIONS_DEFAULT;

    legacy.rules = bl_rules_find("legacy");
    call = &legacy;
    OPEN(0, its.line, F32, EXTENT(its.n * its.m, 1), AXIS(0, W));
    OPEN(1, its.line, F32, EXTENT(its.n * its.m), AXIS(0));
}

/* ---- redistribution ---- */

static void open_rows(void)
{
    OPEN(0, its.line, F64, EXTENT(its.n, its.m), AXIS(0, W));
}

static void run_columns(void)
{
    const bl_mpi_dim columns[2] = {{W, NULL}, {0, NULL}};
    bl_mpi_tensor *made;

    must(bl_mpi_redistribute(NULL, its.in[0], columns, &made));
    workload_keep(made);
}

static void columns_alone(void)
{
    its.alone = bl_tensor_retain(its.whole[0]);
}

/* ---- all of them ---- */

const struct workload_kind workload_kinds[WORKLOADS] = {
    {"mean per channel, samples cut", workload_open_channels, workload_run_channels,
     workload_channels_alone},
    {"bias along the right axis of a 2-D grid", open_right_bias, run_add, add_alone},
    {"bias along the wrong axis of it", open_wrong_bias, run_add, add_alone},
    {"outer product", open_outer, run_multiply, multiply_alone},
    {"rows to columns, f64", open_rows, run_columns, columns_alone},
    {"(x,y,-) + (-,xy,-), a cube", open_joint, run_add, add_alone},
    {"a[:-1] + b[1:]", open_shift, run_add, add_alone},
    {"ten rows", open_ten_rows, run_add, add_alone},
    {"softmax over the cut axis", workload_open_columns, workload_run_softmax,
     workload_softmax_alone},
    {"(N,1) with (N), paired flat", open_flat, run_add, add_alone},
    {"distance of two arrays", workload_open_pair, workload_run_dist,
     workload_dist_alone},
    {"sum of what is owned, with ghosts", workload_open_ghosts, workload_run_sum,
     workload_sum_alone},
    {"NPY, saved and loaded, a cube", workload_open_cube, workload_run_file,
     columns_alone},
    {"sum + 10 over the cut axis", workload_open_columns, workload_run_sum_and_ten,
     workload_sum_and_ten_alone},
    {"random normal numbers", workload_open_columns, workload_run_random,
     columns_alone},
};

void workload_close(void)
{
    for (int k = 0; k < 3; k++) {
        bl_mpi_tensor_release(its.in[k]);
        bl_tensor_release(its.whole[k]);
        its.in[k] = NULL;
        its.whole[k] = NULL;
    }
    bl_mpi_tensor_release(its.out);
    bl_tensor_release(its.alone);
    its.out = NULL;
    its.alone = NULL;
    call = NULL;
}
