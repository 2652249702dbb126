/* SPDX-License-Identifier: BSD-3-Clause */
/* The grid of ranks, and how the inputs of an expression are cut over it. */
#include "over_ranks.h"

#include <string.h>

/* The largest extent of a dimension of the inputs, counted from the last one. */
static int64_t widest(int32_t count, const bl_array *const *described, int32_t back)
{
    int64_t most = 1;

    for (int32_t k = 0; k < count; k++) {
        const int32_t d = described[k]->rank - 1 - back;

        if (d >= 0 && described[k]->extent[d] > most)
            most = described[k]->extent[d];
    }
    return most;
}

/* The dimension that an axis of so many ranks cuts, counted from the last; -1: none. */
static int32_t choose(int32_t count, const bl_array *const *described, int32_t rank,
                      int64_t ranks, uint64_t used)
{
    int32_t longest = -1;

    for (int32_t back = rank - 1; back >= 0; back--) {
        const int64_t extent = widest(count, described, back);

        if (used >> back & 1)
            continue;
        if (extent >= ranks)
            return back;
        if (extent > 1 && (longest < 0 || extent > widest(count, described, longest)))
            longest = back;
    }
    return longest;
}

void over_ranks_lie(const bl_mpi_grid_info *grid, int32_t count,
                    const bl_array *const *described, int32_t k, bl_mpi_dim *dims)
{
    int32_t rank = 0;
    uint64_t used = 0;

    for (int32_t i = 0; i < count; i++)
        rank = described[i]->rank > rank ? described[i]->rank : rank;
    for (int32_t d = 0; d < described[k]->rank; d++)
        dims[d] = (bl_mpi_dim){BL_MPI_WHOLE, NULL};
    for (int32_t a = 0; a < grid->axes; a++) {
        const int32_t back = choose(count, described, rank, grid->extent[a], used);
        const int32_t d = described[k]->rank - 1 - back;

        if (back < 0)
            continue;
        used |= UINT64_C(1) << back;
        if (d >= 0 && described[k]->extent[d] > 1)
            dims[d].axis = a;
    }
}

/* Parse "4x0" to the extents of a grid. */
static bl_status read_grid(const char *text, int64_t *extent, int32_t *axes)
{
    for (*axes = 0; *axes < BL_MPI_MAX_AXES; text++) {
        const size_t digits = strspn(text, "0123456789");
        char number[16] = "";

        if (digits > 0 && digits < sizeof number)
            memcpy(number, text, digits);
        TRY(parse_integer("grid", number, 0, INT32_MAX, &extent[(*axes)++]));
        text += digits;
        if (*text == '\0')
            return BL_OK;
        if (*text != 'x')
            break;
    }
    return bl_error_set(BL_ERR_ARGUMENT, "expected a grid, as 4x2, got '%s'", text);
}

bl_status over_ranks_grid(const char *text, bl_mpi_grid **grid)
{
    int64_t extent[BL_MPI_MAX_AXES];
    bl_mpi_grid_options options = {.size = sizeof options, .axes = 1, .extent = NULL};

    if (text) {
        TRY(read_grid(text, extent, &options.axes));
        options.extent = extent;
    }
    return bl_mpi_grid_create(MPI_COMM_WORLD, &options, grid);
}
