/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communication beside computation, simulated: exp of a matrix that goes from rows to
 * columns, by SimGrid's time for messages and a time for each element that is computed.
 * What is hidden of the lesser of both is (messages + computation - all) / lesser: 0
 * where one follows the other, 1 where the lesser takes no time of its own.
 * Blocks are 1 / SCALE of those that are modelled, as in model.c.
 */
#include <math.h>
#include <stdio.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

#define LEAST 0.7

/* Elements of a block, 64 MiB in the model, along rows and columns. */
enum { SCALE = 128, BLOCK = 65536 };

static bl_mpi_tensor *from, *to;
static bl_tensor *whole;
static int64_t numel; /* of this rank's part */

static double most(double number)
{
    PMPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return number;
}

/* The time of a planned call, and of computation after it, if that is so. */
static double measure(bl_op op, double each, bool is_apart)
{
    const bl_mpi_options options = {
        .size = sizeof options, .most_bytes = INT64_MAX, .most_memory = INT64_MAX};
    const void *const data[1] = {bl_mpi_local(from)->data};
    bl_mpi_plan *plan;
    double start;

    must(bl_mpi_plan_create(NULL, op, to, 1, &(bl_mpi_operand){.tensor = from},
                            &options, &plan));
    MPI_Barrier(MPI_COMM_WORLD);
    start = most(MPI_Wtime());
    world_seconds_of_element = each;
    must(bl_mpi_plan_execute(NULL, plan, bl_mpi_local(to)->data, data));
    if (is_apart)
        world_compute(numel);
    world_seconds_of_element = 0;
    bl_mpi_plan_destroy(plan);
    return most(MPI_Wtime() - start);
}

/* Let computation take `share` of the time of messages. */
static void compare(double messages, double share)
{
    const double each = share * messages / (double)numel;
    const double computed = most(each * (double)numel);
    const double least = computed < messages ? computed : messages;
    const double apart = measure(BL_OP_COPY, each, true);
    const double all = measure(BL_OP_EXP, each, false);
    const double hidden = (messages + computed - all) / least;

    world_ok(hidden >= LEAST,
             "%d ranks: of messages and %.1f of it computed, %.2f are hidden",
             world_ranks, share, hidden);
    world_ok(fabs(messages + computed - apart) < .05 * least,
             "%d ranks: a copy and then exp hide %.2f", world_ranks,
             (messages + computed - apart) / least);
    if (world_self == 0)
        tap_note("messages %.3f ms, exp %.3f, one after the other %.3f, together %.3f",
                 messages * 1e3, computed * 1e3, apart * 1e3, all * 1e3);
}

int main(int count, char **arguments)
{
    const bl_mpi_dim rows[2] = {{0, NULL}, {BL_MPI_WHOLE, NULL}};
    const bl_mpi_dim columns[2] = {{BL_MPI_WHOLE, NULL}, {0, NULL}};
    bl_tensor *want;
    bl_mpi_grid *grid;

    world_open(count, arguments, 60);
    must(bl_context_set_threads(NULL, 1));
    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    const int64_t side = lround(sqrt((double)BLOCK * world_ranks));
    const int64_t extent[2] = {side, side};

    must(bl_tensor_rand(NULL, BL_DTYPE_F64, 2, extent, 1, &whole));
    must(bl_mpi_rand(NULL, grid, BL_DTYPE_F64, 2, extent, rows, 1, &from));
    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 2, extent, columns, &to));
    must(bl_exp(NULL, bl_tensor_array(whole), &want));
    numel = bl_tensor_numel(whole) / world_ranks;

    const double messages = measure(BL_OP_EXP, 0, false);

    world_ok(world_is_part(to, bl_tensor_array(want)), "%d ranks: exp of what moved",
             world_ranks);
    for (double share = .5; share <= 2; share *= 2)
        compare(messages, share);
    bl_tensor_release(want);
    bl_tensor_release(whole);
    bl_mpi_tensor_release(from);
    bl_mpi_tensor_release(to);
    bl_mpi_grid_release(grid);
    return world_close();
}
