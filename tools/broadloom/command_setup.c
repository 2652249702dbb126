/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Common setup of the commands: a context, the memory that there is, and a clock.
 */
#define _POSIX_C_SOURCE 200809L

#include "tool.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
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

bl_status memory_find(int64_t *bytes)
{
    static const char name[] = "BROADLOOM_POOL";
    const char *const text = getenv(name);
    char *const pool = text ? strdup(text) : NULL;
    bl_context *plain;

    if (text && !pool)
        return bl_error_set(BL_ERR_MEMORY, "no memory for a context");
    if (pool)
        unsetenv(name);
    const bl_status status = bl_context_create(&plain);
    if (pool)
        setenv(name, pool, 1);
    free(pool);
    TRY(status);
    *bytes = 8 * bl_context_pool_limit(plain);
    bl_context_destroy(plain);
    return BL_OK;
}

double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
