/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What MPI is asked, and what is done when it fails.
 */
#include "mpi/carry/carry.h"

#include <stdio.h>
#include <string.h>

bl_status bli_link_enter(const struct bli_link *link)
{
    int is_initialised, is_finalised, level, is_main;

    MPI_Initialized(&is_initialised);
    MPI_Finalized(&is_finalised);
    if (!is_initialised || is_finalised)
        return bl_error_set(BL_ERR_UNSUPPORTED, "MPI is %s",
                            is_finalised ? "finalised" : "not initialised");
    MPI_Query_thread(&level);
    if (level == MPI_THREAD_FUNNELED) {
        MPI_Is_thread_main(&is_main);
        if (!is_main)
            return bl_error_set(BL_ERR_UNSUPPORTED,
                                "MPI was initialised with MPI_THREAD_FUNNELED, and "
                                "this is not the main thread");
    }
    if (link && link->is_broken)
        return bl_error_set(BL_ERR_MPI, "the grid is broken since %s", link->error);
    return BL_OK;
}

bl_status bli_link_fail(struct bli_link *link, const char *function, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;

    MPI_Error_string(code, text, &length);
    if (link && !link->is_broken) {
        link->is_broken = true;
        snprintf(link->error, sizeof link->error, "%s failed: %.200s", function, text);
    }
    return bl_error_set(BL_ERR_MPI, "%s failed: %.200s", function, text);
}

int32_t bli_link_thread_level(void)
{
    int level = MPI_THREAD_SINGLE;

    MPI_Query_thread(&level);
    return level;
}

int32_t bli_link_cartesian(MPI_Comm comm, int64_t extent[BLI_MAX_AXES])
{
    int dims[BLI_MAX_AXES], periods[BLI_MAX_AXES], place[BLI_MAX_AXES];
    int kind, axes = 0;

    if (MPI_Topo_test(comm, &kind) != MPI_SUCCESS || kind != MPI_CART ||
        MPI_Cartdim_get(comm, &axes) != MPI_SUCCESS || axes < 1 ||
        axes > BLI_MAX_AXES ||
        MPI_Cart_get(comm, axes, dims, periods, place) != MPI_SUCCESS)
        return 0;
    for (int a = 0; a < axes; a++)
        extent[a] = dims[a];
    return axes;
}

bl_status bli_link_gather(struct bli_link *link, const void *mine, size_t bytes,
                          void *all)
{
    const int code = MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes,
                                   MPI_BYTE, link->comm);

    return code == MPI_SUCCESS ? BL_OK : bli_link_fail(link, "MPI_Allgather", code);
}

bl_status bli_link_broadcast(struct bli_link *link, int32_t root, void *data,
                             size_t bytes)
{
    const int code = MPI_Bcast(data, (int)bytes, MPI_BYTE, root, link->comm);

    return code == MPI_SUCCESS ? BL_OK : bli_link_fail(link, "MPI_Bcast", code);
}

bl_status bli_link_nodes(struct bli_link *link, int32_t *node)
{
    MPI_Comm shared;
    int32_t lowest = link->self;
    int code = MPI_Comm_split_type(link->comm, MPI_COMM_TYPE_SHARED, link->self,
                                   MPI_INFO_NULL, &shared);

    if (code != MPI_SUCCESS)
        return bli_link_fail(link, "MPI_Comm_split_type", code);
    code = MPI_Bcast(&lowest, 1, MPI_INT32_T, 0, shared);
    MPI_Comm_free(&shared);
    if (code != MPI_SUCCESS)
        return bli_link_fail(link, "MPI_Bcast", code);
    return bli_link_gather(link, &lowest, sizeof lowest, node);
}
