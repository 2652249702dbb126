/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPICH's ranks wait without yielding, and in tests several share a processor: whoever
 * waits lets the others run.
 */
#include <sched.h>

#include "mpi/ranks/world.h"

double world_seconds_of_element;

void world_compute(int64_t elements)
{
    (void)elements;
}

static int yield_until(MPI_Request *request, int code)
{
    int is_done = 0;

    while (code == MPI_SUCCESS && !is_done) {
        code = PMPI_Test(request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done)
            sched_yield();
    }
    return code;
}

int world_allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm)
{
    MPI_Request request;

    return yield_until(&request,
                       PMPI_Iallreduce(in, out, count, type, op, comm, &request));
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    MPI_Request request;

    return yield_until(&request, PMPI_Ibcast(data, count, type, root, comm, &request));
}

int MPI_Allgather(const void *in, int count, MPI_Datatype type, void *out,
                  int out_count, MPI_Datatype out_type, MPI_Comm comm)
{
    MPI_Request request;

    return yield_until(&request, PMPI_Iallgather(in, count, type, out, out_count,
                                                 out_type, comm, &request));
}

int MPI_Waitany(int count, MPI_Request *request, int *which, MPI_Status *status)
{
    int is_done = 0, code = MPI_SUCCESS;

    while (code == MPI_SUCCESS && !is_done) {
        code = PMPI_Testany(count, request, which, &is_done, status);
        if (!is_done)
            sched_yield();
    }
    return code;
}
