/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The beginning of collective calls, and what all functions do with their arguments.
 */
#include <inttypes.h>
#include <string.h>

#include "mpi/entry/entry.h"

bl_status bli_mpi_null(const char *name)
{
    return bl_error_set(BL_ERR_ARGUMENT, "%s is null", name);
}

bl_status bli_mpi_begin(const bl_mpi_grid *grid, struct bli_ballot *ballot,
                        const char *function)
{
    if (!grid)
        return bli_mpi_null("grid");
    if (grid->link)
        BL_TRY(bli_link_enter(grid->link));
    bli_ballot_begin(ballot, function);
    bli_ballot_number(ballot, grid->number);
    return BL_OK;
}

bl_status bli_mpi_agree(const bl_mpi_grid *grid, const struct bli_ballot *ballot,
                        bl_status status)
{
    return grid->link ? bli_mpi_vote(grid->link, ballot, status) : status;
}

bl_context *bli_mpi_context(bl_context *ctx, const bl_mpi_grid *grid)
{
    return ctx ? ctx : grid->ctx;
}

bl_status bli_mpi_dims(int32_t rank, const bl_mpi_dim *dims,
                       struct bli_dim dim[BL_MAX_RANK])
{
    if (rank < 0 || rank > BL_MAX_RANK)
        return bl_error_set(BL_ERR_ARGUMENT, "rank %" PRId32 " is not within 0 to %d",
                            rank, BL_MAX_RANK);
    for (int32_t d = 0; dims && d < rank; d++)
        dim[d] = (struct bli_dim){dims[d].axis, dims[d].border};
    return BL_OK;
}

/* Read the size of a sized struct, and refuse what is none. */
static bl_status read_size(const char *name, const void *given, size_t least,
                           size_t *size)
{
    memcpy(size, given, sizeof *size);
    if (*size < least || *size > BLI_MOST_SIZE)
        return bl_error_set(BL_ERR_ARGUMENT, "%s: size is %zu, not %zu to %d", name,
                            *size, least, BLI_MOST_SIZE);
    return BL_OK;
}

bl_status bli_mpi_read_options(const char *name, const void *given, void *known,
                               size_t bytes)
{
    size_t size;

    memset(known, 0, bytes);
    if (!given)
        return BL_OK;
    BL_TRY(read_size(name, given, bytes, &size));
    for (size_t i = bytes; i < size; i++)
        if (((const char *)given)[i] != 0)
            return bl_error_set(BL_ERR_UNSUPPORTED,
                                "%s: byte %zu is of a newer version", name, i);
    memcpy(known, given, bytes);
    return BL_OK;
}

bl_status bli_mpi_write_info(void *info, const void *known, size_t bytes)
{
    size_t size;

    if (!info)
        return bli_mpi_null("info");
    BL_TRY(read_size("info", info, bytes, &size));
    memset(info, 0, size);
    memcpy(info, known, bytes);
    memcpy(info, &size, sizeof size);
    return BL_OK;
}
