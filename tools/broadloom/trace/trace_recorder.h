/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records the events that a context's tracer reports.
 */
#ifndef TRACE_RECORDER_H
#define TRACE_RECORDER_H

#include <stdatomic.h>

#include "tool.h"

/* Stores the first `capacity` events; later ones are counted and lost. */
struct trace_recorder {
    bl_trace *event;
    int64_t capacity;
    atomic_int_least64_t seen;
};

/*
 * Record the calls of `ctx` from now on; call trace_recorder_close() after the last
 * one.
 */
bl_status trace_recorder_open(struct trace_recorder *recorder, bl_context *ctx,
                              int64_t capacity);
void trace_recorder_close(struct trace_recorder *recorder, bl_context *ctx);

/* Number of stored events; BL_ERR_MEMORY where some were lost. */
bl_status trace_recorder_count(const struct trace_recorder *recorder, int64_t *count);

/* Discard the stored events. */
void trace_recorder_clear(struct trace_recorder *recorder);

#endif
