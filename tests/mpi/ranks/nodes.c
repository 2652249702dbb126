/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks of one machine as of several nodes, of BROADLOOM_TEST_NODE ranks each: those
 * that MPI says share memory.
 */
#include <mpi.h>

#include <stdlib.h>

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
    const char *const text = getenv("BROADLOOM_TEST_NODE");
    const int node = text ? atoi(text) : 0;
    int self, code;

    if (node < 1 || type != MPI_COMM_TYPE_SHARED)
        return PMPI_Comm_split_type(comm, type, key, info, out);
    code = PMPI_Comm_rank(comm, &self);
    return code != MPI_SUCCESS ? code : PMPI_Comm_split(comm, self / node, key, out);
}
