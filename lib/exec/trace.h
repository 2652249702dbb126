/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports regions and slices to a tracer.  Costs one test in calls that are not traced.
 */
#ifndef BLI_TRACE_H
#define BLI_TRACE_H

#include "exec/exec.h"

struct bli_trace {
    const struct bli_team *team; /* NULL: not traced */
    bl_op op;
    int64_t call;
};

/* Begin a traced call, and give it its number. */
void bli_trace_open(struct bli_trace *trace, const struct bli_team *team, bl_op op);

/* Return the time of a monotonic clock in nanoseconds. */
int64_t bli_clock_ns(void);

/* The same; 0 where the call is not traced. */
int64_t bli_trace_clock(const struct bli_trace *trace);

/* Report a range that ends now, on the thread that ran it. */
void bli_trace_slice(const struct bli_trace *trace, int32_t thread, bl_range range,
                     int64_t begin);

/* Report a region of `threads` threads that ends now. */
void bli_trace_region(const struct bli_trace *trace, int32_t threads, bl_range range,
                      int64_t begin);

#endif
