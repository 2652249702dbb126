/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Weak scaling, simulated: SimGrid's time of planned calls, of blocks of the same size
 * on any number of ranks, against what the bytes alone take, as the plan counts them,
 * on links that are never shared.  It is a model: it knows links and messages, and a
 * time for each byte of memory, but nothing of caches, packing, or other programs.
 * Blocks are 1 / SCALE of those that are modelled, and so are links and memory.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

#define SCALE  128
#define LINK   (12.5e9 / SCALE) /* bytes a second, of the platform */
#define MEMORY (10e9 / SCALE)   /* and of a rank */

/* A block is f64[SIDE,SIDE]: 0.5 MiB, for 64 MiB. */
enum { SIDE = 256, SIZE = 8 };

/* Planned calls on a square grid. */
struct model {
    const char *name;
    double least; /* the time that the bytes alone take, over the simulated one */
    bl_op op;
    int32_t count;
    bl_mpi_tensor *out, *in[2];
};

static void make(bl_mpi_grid *grid, struct model model[3])
{
    const int64_t side = lround(sqrt(world_ranks)), wide = side * SIDE;
    const int64_t square[2] = {wide, wide}, longer[2] = {wide + 1, wide};
    const int64_t cube[3] = {side, wide, SIDE};
    const bl_mpi_dim both[2] = {{0, NULL}, {1, NULL}};
    const bl_mpi_dim pencils[3] = {{0, NULL}, {1, NULL}, {BL_MPI_WHOLE, NULL}};
    const bl_mpi_dim others[3] = {{0, NULL}, {BL_MPI_WHOLE, NULL}, {1, NULL}};
    bl_mpi_tensor *large;

    model[0] = (struct model){"a row added to each row", .95, BL_OP_ADD, 2};
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 2, square, both, &model[0].out));
    model[0].in[0] = bl_mpi_tensor_retain(model[0].out);
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 1, &wide, &both[1], &model[0].in[1]));

    model[1] = (struct model){"a[:-1] + a[1:]", .90, BL_OP_ADD, 2};
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 2, longer, both, &large));
    must(bl_mpi_narrow(large, 0, 0, wide, &model[1].in[0]));
    must(bl_mpi_narrow(large, 0, 1, wide, &model[1].in[1]));
    bl_mpi_tensor_release(large);
    model[1].out = bl_mpi_tensor_retain(model[0].out);

    model[2] = (struct model){"pencils turned", .80, BL_OP_COPY, 1};
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 3, cube, pencils, &model[2].in[0]));
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 3, cube, others, &model[2].out));
}

static double most(double number)
{
    PMPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return number;
}

static void simulate(const struct model *model)
{
    const bl_mpi_options options = {
        .size = sizeof options, .most_bytes = INT64_MAX, .most_memory = INT64_MAX};
    bl_mpi_operand in[2] = {{model->in[0], NULL}, {model->in[1], NULL}};
    const void *data[2];
    bl_mpi_plan_info info = {.size = sizeof info};
    bl_mpi_plan *plan;

    for (int32_t k = 0; k < model->count; k++)
        data[k] = bl_mpi_local(model->in[k])->data;
    must(bl_mpi_plan_create(NULL, model->op, model->out, model->count, in, &options,
                            &plan));
    must(bl_mpi_plan_query(plan, world_self, &info));
    const int64_t moved =
        info.bytes > info.received_bytes ? info.bytes : info.received_bytes;
    const double computed = model->op == BL_OP_COPY ? 0
                                                    : (double)info.local_count * SIZE *
                                                          (model->count + 1) / MEMORY;
    const double bound = most((double)moved / LINK + computed);

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = most(MPI_Wtime());

    must(bl_mpi_plan_execute(NULL, plan, bl_mpi_local(model->out)->data, data));
    const double time = most(MPI_Wtime() - start) + computed;

    world_ok(bound >= model->least * time,
             "%d ranks: %s in %.2f ms of the model, the bytes alone in %.2f",
             world_ranks, model->name, time * 1e3, bound * 1e3);
    bl_mpi_plan_destroy(plan);
}

int main(int count, char **arguments)
{
    struct model model[3];
    const bl_mpi_grid_options options = {
        .size = sizeof options, .axes = 2, .extent = (const int64_t[]){0, 0}};
    bl_mpi_grid *grid;

    world_open(count, arguments, 60);
    must(bl_context_set_threads(NULL, 1));
    must(bl_mpi_grid_create(MPI_COMM_WORLD, &options, &grid));
    make(grid, model);
    for (int i = 0; i < 3; i++) {
        simulate(&model[i]);
        bl_mpi_tensor_release(model[i].out);
        for (int32_t k = 0; k < model[i].count; k++)
            bl_mpi_tensor_release(model[i].in[k]);
    }
    bl_mpi_grid_release(grid);
    return world_close();
}
