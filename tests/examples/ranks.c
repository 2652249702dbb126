/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI: each rank has a block of rows of one matrix, and its own threads, and the mean
 * of each column is subtracted from all of them.
 *
 *     mpicc -O2 -o ranks ranks.c $(pkg-config --cflags --libs broadloom)
 *     OMP_NUM_THREADS=2 mpiexec -n 3 ./ranks
 *
 * A call uses at most as many threads as OMP_NUM_THREADS, the affinity mask and the
 * control group allow, so bind each rank to cores of its own, and on machines with
 * several NUMA nodes to cores of one node.  With 8 cores a rank:
 *
 *   MPICH      OMP_NUM_THREADS=8 mpiexec -n 4 -bind-to core:8 ./ranks
 *   Open MPI   OMP_NUM_THREADS=8 mpiexec -n 4 --map-by slot:PE=8 ./ranks
 *   Slurm      OMP_NUM_THREADS=8 srun -n 4 -c 8 --cpu-bind=cores ./ranks
 *
 * Where ranks are not bound (MPICH's default), each would use every core: set
 * OMP_NUM_THREADS to cores / ranks.  Open MPI binds each of one or two ranks to one
 * core where nothing is said, and then it has one thread.
 */
#include <broadloom.h>
#include <broadloom/describe.h>
#include <mpi.h>
#include <stdio.h>

enum { ROWS = 1000, COLUMNS = 300 };

static double block[ROWS][COLUMNS], mean[COLUMNS];

static void check(bl_status status)
{
    if (status != BL_OK) {
        fprintf(stderr, "%s: %s\n", bl_error_where(), bl_error_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int count, char **arguments)
{
    const bl_array *const x = BL_VIEW(*block, ROWS, COLUMNS);
    const bl_array *const row = BL_VIEW(mean, COLUMNS);
    int level, rank, ranks;

    MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            block[i][j] = ROWS * rank + i + j;
    check(bl_mean_out(NULL, row, x, 1, (const int32_t[]){0}, false));
    MPI_Allreduce(MPI_IN_PLACE, mean, COLUMNS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int j = 0; j < COLUMNS; j++)
        mean[j] /= ranks;
    check(bl_sub_inplace(NULL, x, row));
    if (rank == 0)
        printf("%d ranks: means %g to %g, first element %g\n", ranks, mean[0],
               mean[COLUMNS - 1], block[0][0]);
    MPI_Finalize();
    return 0;
}
