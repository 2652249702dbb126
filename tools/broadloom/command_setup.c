/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Common setup of the commands: a context and a clock.
 */
#define _POSIX_C_SOURCE 200809L

#include "tool.h"

#include <omp.h>
#include <time.h>

bl_status context_open(int64_t threads, bl_context **ctx)
{
    bl_context *made;
    bl_status status;

    TRY(bl_context_create(&made));
    if (threads > 0) {
        /* The library stays within OpenMP's settings; the tool may change them. */
        omp_set_num_threads((int)threads);
        status = bl_context_set_threads(made, (int32_t)threads);
        if (status != BL_OK) {
            bl_context_destroy(made);
            return status;
        }
    }
    *ctx = made;
    return BL_OK;
}

int32_t context_team(bl_context *ctx)
{
    bl_topology_info info = {.size = sizeof info};

    return bl_topology_query(ctx, &info) == BL_OK ? info.team : 1;
}

double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
