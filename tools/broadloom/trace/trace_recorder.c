/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tracer that stores events; several threads report slices concurrently.
 */
#include "trace_recorder.h"

#include <inttypes.h>
#include <stdlib.h>

static void record(void *user, const bl_trace *trace)
{
    struct trace_recorder *const recorder = user;
    const int64_t at = atomic_fetch_add(&recorder->seen, 1);

    if (at < recorder->capacity)
        recorder->event[at] = *trace;
}

bl_status trace_recorder_open(struct trace_recorder *recorder, bl_context *ctx,
                              int64_t capacity)
{
    recorder->event = calloc((size_t)capacity, sizeof *recorder->event);
    if (!recorder->event)
        return bl_error_set(BL_ERR_MEMORY, "no memory for %" PRId64 " events",
                            capacity);
    recorder->capacity = capacity;
    atomic_init(&recorder->seen, 0);
    bl_context_set_tracer(ctx, record, recorder);
    return BL_OK;
}

void trace_recorder_close(struct trace_recorder *recorder, bl_context *ctx)
{
    bl_context_set_tracer(ctx, NULL, NULL);
    free(recorder->event);
    recorder->event = NULL;
}

bl_status trace_recorder_count(const struct trace_recorder *recorder, int64_t *count)
{
    const int64_t seen = atomic_load(&recorder->seen);

    if (seen > recorder->capacity)
        return bl_error_set(BL_ERR_MEMORY, "%" PRId64 " of %" PRId64 " events are lost",
                            seen - recorder->capacity, seen);
    *count = seen;
    return BL_OK;
}

void trace_recorder_clear(struct trace_recorder *recorder)
{
    atomic_store(&recorder->seen, 0);
}
