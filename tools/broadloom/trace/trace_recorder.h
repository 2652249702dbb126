/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a context's tracer is seen, kept.
 */
#ifndef TRACE_RECORDER_H
#define TRACE_RECORDER_H

#include <stdatomic.h>

#include "tool.h"

/* The first `capacity` events; more are counted and lost. */
struct trace_recorder {
    bl_trace *event;
    int64_t capacity;
    atomic_int_least64_t seen;
};

/* Record the calls of `ctx` from now on; close after the last one. */
bl_status trace_recorder_open(struct trace_recorder *recorder, bl_context *ctx,
                              int64_t capacity);
void trace_recorder_close(struct trace_recorder *recorder, bl_context *ctx);

/* Events that were kept; BL_ERR_MEMORY where some were lost. */
bl_status trace_recorder_count(const struct trace_recorder *recorder, int64_t *count);

/* Forget what was kept. */
void trace_recorder_clear(struct trace_recorder *recorder);

#endif
