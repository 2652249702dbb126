/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Staging memory that does not fit on the stacks of small threads: reserved before
 * anything is written, in memory that the calling thread keeps.
 */
#include "call/call.h"

/*
 * Each thread's part begins on a page, which that thread touches first.  Parts are
 * separated by a gap that nobody touches: on two threads a sum of permuted operands,
 * 100 MB, took 1.05 to 1.5 of the time with adjacent parts.
 */
#define PAGE  4096
#define APART (64 << 10)

bl_status bli_staging_make(struct bli_staging *staging, int32_t threads, int64_t bytes)
{
    const int64_t pages = (bytes + PAGE - 1) / PAGE * PAGE;

    staging->memory = NULL;
    staging->each = pages + APART;
    if (bytes == 0 || (threads == 1 && bytes <= BLI_STACK_BYTES))
        return BL_OK;
    staging->memory = bli_thread_lend((size_t)(staging->each * (threads - 1) + pages));
    return staging->memory ? BL_OK : BL_ERR_MEMORY;
}

void bli_staging_free(const struct bli_staging *staging)
{
    if (staging->memory)
        bli_thread_return(staging->memory);
}
