/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Staging that is too much for the stacks of small threads: reserved before anything is
 * written, of memory that the calling thread keeps.
 */
#include "call/call.h"

/*
 * Parts begin on pages, which the threads that use them are the first to touch, and
 * are so many bytes apart, which nobody touches: on two threads a sum of permuted
 * operands, 100 MB, took 1.05 to 1.5 of the time with parts side by side.
 */
#define PAGE  4096
#define APART (64 << 10)

bl_status bli_staging_make(struct bli_staging *staging, int32_t threads, int64_t bytes)
{
    const int64_t pages = (bytes + PAGE - 1) / PAGE * PAGE;

    staging->memory = NULL;
    staging->each = pages + APART;
    staging->threads = threads;
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

bl_status bli_stage(struct bli_binding *binding, const struct bl_plan *plan,
                    const struct bli_team *team)
{
    int32_t threads = 1;

    if (binding->is_sequential)
        return bli_staging_make(&binding->staging, 1, bli_sequence_bytes());
    if (plan->threads > 1 && team)
        threads = bli_team_size(team, plan->threads, NULL);
    return bli_staging_make(&binding->staging, threads, plan->tiling.staging);
}
