/* SPDX-License-Identifier: BSD-3-Clause */
/* What each rank does alone. */
#include "over_ranks.h"

#include "../eval/dataset.h"

bl_status agree(bl_status status)
{
    int self, ranks, first;

    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    first = status == BL_OK ? ranks : self;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == ranks)
        return BL_OK;
    tool_is_quiet = self != first;
    return status != BL_OK ? status
                           : bl_error_set(BL_ERR_UNSUPPORTED, "rank %d failed", first);
}

bl_status over_ranks_check_file(const char *file)
{
    return dataset_is_named(file)
               ? bl_error_set(BL_ERR_UNSUPPORTED,
                              "%.400s: datasets of HDF5 are not read or written over "
                              "ranks: convert them from and to NPY by broadloom eval",
                              file)
               : BL_OK;
}
