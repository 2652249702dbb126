/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports regions and slices to a tracer.
 */
#include "config.h"

#include "exec/trace.h"
#include "machine/machine.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int_least64_t calls;

void bli_trace_open(struct bli_trace *trace, const struct bli_team *team, bl_op op)
{
    (void)bli_machine(); /* discovered once, in milliseconds that are no call's */
    trace->team = team;
    trace->op = op;
    trace->call = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) + 1;
}

int64_t bli_clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t bli_trace_clock(const struct bli_trace *trace)
{
    return trace->team ? bli_clock_ns() : 0;
}

/* Complete an event that ends now, and pass it to the tracer. */
static void report(const struct bli_trace *trace, bl_trace *event)
{
    event->size = sizeof *event;
    event->op = trace->op;
    event->call = trace->call;
    event->end_ns = bli_trace_clock(trace);
    trace->team->tracer(trace->team->tracer_user, event);
}

void bli_trace_slice(const struct bli_trace *trace, int32_t thread, bl_range range,
                     int64_t begin)
{
    if (!trace->team)
        return;
    bl_trace event = {.kind = BL_TRACE_SLICE,
                      .thread = thread,
                      .node = bli_machine_here(bli_machine()),
                      .processor = sched_getcpu(),
                      .begin_ns = begin,
                      .range_begin = range.begin,
                      .range_end = range.end};

    report(trace, &event);
}

void bli_trace_region(const struct bli_trace *trace, int32_t threads, bl_range range,
                      int64_t begin)
{
    if (!trace->team)
        return;
    bl_trace event = {.kind = BL_TRACE_REGION,
                      .thread = threads,
                      .node = -1,
                      .processor = -1,
                      .begin_ns = begin,
                      .range_begin = range.begin,
                      .range_end = range.end};

    report(trace, &event);
}
