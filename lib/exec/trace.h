/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Telling a tracer of regions and slices.  Costs a test where nobody listens.
 */
#ifndef BLI_TRACE_H
#define BLI_TRACE_H

#include "exec/exec.h"

struct bli_trace {
    const struct bli_team *team; /* NULL: nobody listens */
    bl_op op;
    int64_t call;
};

/* Begin a traced call: gives it its number. */
void bli_trace_open(struct bli_trace *trace, const struct bli_team *team, bl_op op);

/* Nanoseconds now; 0 where nobody listens. */
int64_t bli_trace_clock(const struct bli_trace *trace);

/* Tell of a range that ends now, on the thread that did it. */
void bli_trace_slice(const struct bli_trace *trace, int32_t thread, bl_range range,
                     int64_t begin);

/* Tell of a region of `threads` threads that ends now. */
void bli_trace_region(const struct bli_trace *trace, int32_t threads, bl_range range,
                      int64_t begin);

#endif
