/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long a sum of all elements takes where each rank has few, simulated: by SimGrid's
 * time for messages, computation takes none.  What a call takes beside its vote is
 * compared with MPI_Allreduce of one number by MPI_SUM, which has other bits.
 */
#include <stdio.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "mpi/ranks/world.h"

#define MOST 1.3

enum { EACH = 8192 };

static bl_mpi_tensor *tensor;

static void sum(void)
{
    double result;
    const bl_array out = {.data = &result, .dtype = BL_DTYPE_F64};

    must(bl_mpi_reduce(NULL, BL_REDUCTION_SUM, &out, tensor, 0, NULL, false, NULL,
                       NULL));
}

static void sum_by_mpi(void)
{
    double number = 1;

    PMPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void vote(void)
{
    int64_t word[4] = {0};

    PMPI_Allreduce(MPI_IN_PLACE, word, 4, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
}

/* The time of a call until the last rank has made it. */
static double measure(void (*call)(void))
{
    double seconds, most;

    MPI_Barrier(MPI_COMM_WORLD);
    seconds = -MPI_Wtime();
    call();
    seconds += MPI_Wtime();
    PMPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

int main(int count, char **arguments)
{
    const bl_mpi_dim line = {0, NULL};
    bl_mpi_grid *grid;

    world_open(count, arguments, 60);
    must(bl_context_set_threads(NULL, 1));
    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &grid));
    const int64_t extent = (int64_t)EACH * world_ranks;

    must(bl_mpi_zeros(NULL, grid, BL_DTYPE_F64, 1, &extent, &line, &tensor));
    const double all = measure(sum), of_vote = measure(vote), mpi = measure(sum_by_mpi);

    world_ok(of_vote > 0 && all > of_vote && all - of_vote <= MOST * mpi,
             "%d ranks: a sum takes %.2f of MPI_Allreduce's time and its vote's",
             world_ranks, (all - of_vote) / mpi);
    if (world_self == 0)
        tap_note("sum %.1f us, vote %.1f, MPI_Allreduce %.1f", all * 1e6, of_vote * 1e6,
                 mpi * 1e6);
    bl_mpi_tensor_release(tensor);
    bl_mpi_grid_release(grid);
    return world_close();
}
