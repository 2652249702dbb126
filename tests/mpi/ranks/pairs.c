/* SPDX-License-Identifier: BSD-3-Clause */
/* One sum over ranks that join what they have combined in pairs. */
#include "mpi/ranks/pairs.h"

#include <string.h>

#include "harness/same.h"
#include "mpi/ranks/world.h"

bool sum_of_pairs(void)
{
    const bl_mpi_grid_options options = {.size = sizeof options, .axes = 1};
    int64_t border[65] = {0};
    const bl_mpi_dim line = {0, border};
    double want, sum = 0;
    const bl_array wanted = {.data = &want, .dtype = BL_DTYPE_F64};
    const bl_array out = {.data = &sum, .dtype = BL_DTYPE_F64};
    bl_mpi_grid *grid;
    bl_tensor *whole;
    bl_mpi_tensor *in;

    if (world_ranks > 64)
        return true;
    for (int p = 1; p <= world_ranks; p++)
        border[p] = p == 1 ? 7265 : border[p - 1] + 1390;
    const int64_t extent = border[world_ranks];

    must(bl_mpi_grid_create(MPI_COMM_WORLD, &options, &grid));
    must(bl_tensor_rand(NULL, BL_DTYPE_F64, 1, &extent, 7, &whole));
    must(bl_mpi_rand(NULL, grid, BL_DTYPE_F64, 1, &extent, &line, 7, &in));
    must(bl_reduce(NULL, BL_REDUCTION_SUM, &wanted, bl_tensor_array(whole), 0, NULL,
                   false, NULL));
    const bl_status status =
        bl_mpi_reduce(NULL, BL_REDUCTION_SUM, &out, in, 0, NULL, false, NULL, NULL);

    bl_mpi_tensor_release(in);
    bl_tensor_release(whole);
    bl_mpi_grid_release(grid);
    return status == BL_OK && memcmp(&sum, &want, sizeof sum) == 0;
}
