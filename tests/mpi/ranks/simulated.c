/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks of SimGrid: they wait in the simulator, which sees all of them wait in a
 * deadlock.  What it lacks of MPI.
 */
#include "mpi/ranks/world.h"

/* Of the platform's nodes, a second (ranks.t.sh). */
#define FLOPS 10e9

/* ---- computation ---- */

double world_seconds_of_element;

void world_compute(int64_t elements)
{
    if (world_seconds_of_element > 0)
        smpi_execute_flops((double)elements * world_seconds_of_element * FLOPS);
}

/* ---- what SimGrid lacks ---- */

/* No program makes a Cartesian communicator. */
int MPI_Topo_test(MPI_Comm comm, int *kind)
{
    (void)comm;
    *kind = MPI_UNDEFINED;
    return MPI_SUCCESS;
}
