/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tracer that keeps events; slices come from several threads at once.
 */
#include "trace_recorder.h"

#include <inttypes.h>
#include <stdlib.h>

static void keep(void *user, const bl_trace *trace)
{
    struct recording *const recording = user;
    const int64_t at = atomic_fetch_add(&recording->told, 1);

    if (at < recording->capacity)
        recording->event[at] = *trace;
}

bl_status recording_open(struct recording *recording, bl_context *ctx, int64_t capacity)
{
    recording->event = calloc((size_t)capacity, sizeof *recording->event);
    if (!recording->event)
        return bl_error_set(BL_ERR_MEMORY, "no memory for %" PRId64 " events",
                            capacity);
    recording->capacity = capacity;
    atomic_init(&recording->told, 0);
    bl_context_set_tracer(ctx, keep, recording);
    return BL_OK;
}

void recording_close(struct recording *recording, bl_context *ctx)
{
    bl_context_set_tracer(ctx, NULL, NULL);
    free(recording->event);
    recording->event = NULL;
}

bl_status recording_count(const struct recording *recording, int64_t *count)
{
    const int64_t told = atomic_load(&recording->told);

    if (told > recording->capacity)
        return bl_error_set(BL_ERR_MEMORY, "%" PRId64 " of %" PRId64 " events are lost",
                            told - recording->capacity, told);
    *count = told;
    return BL_OK;
}

void recording_clear(struct recording *recording)
{
    atomic_store(&recording->told, 0);
}
