/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a context's tracer is told, kept.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include <stdatomic.h>

#include "tool.h"

/* The first `capacity` events; more are counted and lost. */
struct recording {
    bl_trace *event;
    int64_t capacity;
    atomic_int_least64_t told;
};

/* Record the calls of `ctx` from now on; close after the last one. */
bl_status recording_open(struct recording *recording, bl_context *ctx,
                         int64_t capacity);
void recording_close(struct recording *recording, bl_context *ctx);

/* Events that were kept; BL_ERR_MEMORY where some were lost. */
bl_status recording_count(const struct recording *recording, int64_t *count);

/* Forget what was kept. */
void recording_clear(struct recording *recording);

#endif
