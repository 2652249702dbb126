/* SPDX-License-Identifier: BSD-3-Clause */
/* The reductions, files and random numbers of workloads.c. */
#include "mpi/ranks/workloads.h"

#include <string.h>

#include "harness/same.h"

enum { W = BL_MPI_WHOLE };

static bl_mpi_tensor *reduce(bl_reduction op, const bl_mpi_tensor *a, int32_t count,
                             const int32_t *axis)
{
    bl_mpi_tensor *made;

    must(bl_mpi_reduce_new(NULL, op, a, count, axis, true, NULL, NULL, &made));
    return made;
}

static bl_tensor *reduce_alone(bl_reduction op, const bl_tensor *a, int32_t count,
                               const int32_t *axis)
{
    bl_tensor *made;

    must(bl_reduce_new(NULL, op, bl_tensor_array(a), count, axis, true, NULL, &made));
    return made;
}

/* ---- reductions ---- */

void workload_open_channels(void)
{
    OPEN(0, its.line, F32, EXTENT(its.n * its.m / 65536, 64, 32, 32), AXIS(0, W, W, W));
}

void workload_run_channels(void)
{
    workload_keep(reduce(BL_REDUCTION_MEAN, its.in[0], 3, AXIS(0, 2, 3)));
}

void workload_channels_alone(void)
{
    its.alone = reduce_alone(BL_REDUCTION_MEAN, its.whole[0], 3, AXIS(0, 2, 3));
}

void workload_open_columns(void)
{
    OPEN(0, its.line, F32, EXTENT(its.n, its.m), AXIS(W, 0));
}

void workload_run_softmax(void)
{
    bl_mpi_tensor *step[4];

    step[0] = reduce(BL_REDUCTION_MAX, its.in[0], 1, AXIS(1));
    step[1] = workload_apply(BL_OP_SUB, its.in[0], step[0]);
    step[2] = workload_apply(BL_OP_EXP, step[1], NULL);
    step[3] = reduce(BL_REDUCTION_SUM, step[2], 1, AXIS(1));
    workload_keep(workload_apply(BL_OP_DIV, step[2], step[3]));
    for (int i = 0; i < 4; i++)
        bl_mpi_tensor_release(step[i]);
}

void workload_softmax_alone(void)
{
    bl_tensor *step[4];

    step[0] = reduce_alone(BL_REDUCTION_MAX, its.whole[0], 1, AXIS(1));
    step[1] = workload_apply_alone(BL_OP_SUB, its.whole[0], step[0]);
    step[2] = workload_apply_alone(BL_OP_EXP, step[1], NULL);
    step[3] = reduce_alone(BL_REDUCTION_SUM, step[2], 1, AXIS(1));
    its.alone = workload_apply_alone(BL_OP_DIV, step[2], step[3]);
    for (int i = 0; i < 4; i++)
        bl_tensor_release(step[i]);
}

void workload_run_sum_and_ten(void)
{
    bl_mpi_tensor *const sum = reduce(BL_REDUCTION_SUM, its.in[0], 1, AXIS(1));
    const bl_array ten = {.data = &(float){10}, .dtype = BL_DTYPE_F32};
    const bl_mpi_operand operand[2] = {{sum, NULL}, {NULL, &ten}};
    bl_mpi_tensor *made;

    must(bl_mpi_apply_new(NULL, BL_OP_ADD, 2, operand, NULL, &made));
    bl_mpi_tensor_release(sum);
    workload_keep(made);
}

void workload_sum_and_ten_alone(void)
{
    bl_tensor *const sum = reduce_alone(BL_REDUCTION_SUM, its.whole[0], 1, AXIS(1));
    const bl_array ten = {.data = &(float){10}, .dtype = BL_DTYPE_F32};

    must(bl_apply_new(NULL, BL_OP_ADD, 2,
                      (const bl_array *[]){bl_tensor_array(sum), &ten}, NULL,
                      &its.alone));
    bl_tensor_release(sum);
}

/* The result of a distance, a 0-d tensor of each rank, as one over ranks. */
void workload_run_dist(void)
{
    bl_tensor *distance;

    must(bl_mpi_dist(NULL, its.in[0], its.in[1], 2.0, &distance));
    if (!its.out)
        must(bl_mpi_empty(NULL, its.line, bl_tensor_dtype(distance), 0, NULL, NULL,
                          &its.out));
    memcpy(bl_mpi_local(its.out)->data, bl_tensor_data(distance),
           bl_dtype_size(bl_tensor_dtype(distance)));
    bl_tensor_release(distance);
}

void workload_dist_alone(void)
{
    must(bl_dist(NULL, bl_tensor_array(its.whole[0]), bl_tensor_array(its.whole[1]),
                 2.0, &its.alone));
}

void workload_open_pair(void)
{
    OPEN(0, its.line, F32, EXTENT(its.n, its.m), AXIS(0, W));
    OPEN(1, its.line, F32, EXTENT(its.n, its.m), AXIS(0, W));
}

/* A block with a ghost on each side of its planes, of the program's. */
void workload_open_ghosts(void)
{
    static const int64_t before[3] = {1, 1, 1};
    int64_t extent[3] = {its.edge / 2, its.edge / 2, its.edge / 2};
    const bl_mpi_dim dims[3] = {{0, NULL}, {W, NULL}, {W, NULL}};
    bl_tensor *ghosts; /* lives as long as the program */

    OPEN(2, its.line, F32, extent, AXIS(0, W, W));
    const bl_array *const block = bl_mpi_local(its.in[2]);

    for (int d = 0; d < 3; d++)
        extent[d] = block->extent[d] + 2;
    must(bl_tensor_zeros(NULL, BL_DTYPE_F32, 3, extent, &ghosts));
    must(bl_mpi_wrap(NULL, its.line, bl_tensor_array(ghosts), before, before, dims,
                     NULL, NULL, &its.in[0]));
    must(bl_apply(NULL, BL_OP_COPY, bl_mpi_local(its.in[0]), 1,
                  (const bl_array *[]){block}, NULL));
    its.whole[0] = its.self == 0 ? bl_tensor_retain(its.whole[2]) : NULL;
}

void workload_run_sum(void)
{
    workload_keep(reduce(BL_REDUCTION_SUM, its.in[0], 0, NULL));
}

void workload_sum_alone(void)
{
    its.alone = reduce_alone(BL_REDUCTION_SUM, its.whole[0], 0, NULL);
}

/* ---- files and random numbers ---- */

void workload_open_cube(void)
{
    OPEN(0, its.line, F32, EXTENT(its.edge / 2, its.edge / 2, its.edge / 2),
         AXIS(0, W, W));
}

void workload_run_file(void)
{
    const bl_mpi_dim columns[3] = {{W, NULL}, {W, NULL}, {0, NULL}};
    bl_mpi_tensor *made;

    must(bl_mpi_npy_save(NULL, its.path, its.in[0]));
    must(bl_mpi_npy_load(NULL, its.line, its.path, columns, &made));
    workload_keep(made);
}

void workload_run_random(void)
{
    const bl_mpi_dim columns[2] = {{W, NULL}, {0, NULL}};
    bl_mpi_tensor *made;

    must(bl_mpi_randn(NULL, its.line, BL_DTYPE_F32, 2, EXTENT(its.n, its.m), columns, 7,
                      &made));
    workload_keep(made);
}
