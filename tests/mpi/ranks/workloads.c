/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fourteen calls over ranks that are asked for in public, each checked bit by bit
 * against one process and then timed: lines of its name, "broadloom", the median of
 * seconds, and "same" or "other" bits.  ../bench_ranks.sh puts those of peers beside.
 * usage: workloads EDGE ROUNDS FILE; matrices have as many elements as a sixteenth of
 * the cube of this edge
 */
#include "mpi/ranks/workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/same.h"

enum { MOST_ROUNDS = 100 };

/* Whether the result has the bits of one process; on rank 0. */
static bool is_same(void)
{
    bl_tensor *all;
    bool same = true;

    must(bl_mpi_gather(NULL, its.out, 0, &all));
    if (its.self == 0)
        same = arrays_are_same(bl_tensor_array(all), bl_tensor_array(its.alone));
    bl_tensor_release(all);
    return same;
}

static double measure(const struct workload_kind *kind)
{
    double seconds, longest;

    MPI_Barrier(MPI_COMM_WORLD);
    seconds = -MPI_Wtime();
    kind->run();
    seconds += MPI_Wtime();
    MPI_Allreduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return longest;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void try(const struct workload_kind *kind, int rounds)
{
    double seconds[MOST_ROUNDS];
    bool same;

    kind->open();
    kind->run();
    if (its.self == 0)
        kind->run_alone();
    same = is_same();
    for (int i = 0; i < rounds; i++)
        seconds[i] = measure(kind);
    qsort(seconds, (size_t)rounds, sizeof *seconds, by_value);
    if (its.self == 0)
        printf("%s\tbroadloom\t%.6f\t%s\n", kind->name, seconds[rounds / 2],
               same ? "same" : "other");
    fflush(stdout);
    workload_close();
}

int main(int count, char **arguments)
{
    const int64_t axes[2] = {0, 0};
    const bl_mpi_grid_options two = {.size = sizeof two, .axes = 2, .extent = axes};
    int level, given;

    MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &its.self);
    its.edge = count > 1 ? atoll(arguments[1]) : 64;
    given = count > 2 ? atoi(arguments[2]) : 3;
    its.path = count > 3 ? arguments[3] : "workloads.npy";
    its.n = its.edge * its.edge / 64;
    its.m = its.edge * 4;
    must(bl_mpi_grid_create(MPI_COMM_WORLD, NULL, &its.line));
    must(bl_mpi_grid_create(MPI_COMM_WORLD, &two, &its.square));
    for (int k = 0; k < WORKLOADS; k++)
        try(&workload_kinds[k], given < MOST_ROUNDS ? given : MOST_ROUNDS);
    bl_mpi_grid_release(its.line);
    bl_mpi_grid_release(its.square);
    MPI_Finalize();
    return 0;
}
