/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the Trace Event Format: complete events "X" with times in microseconds,
 * metadata "M" for names.
 */
#include "trace_events.h"

#include "json.h"

/*
 * The process number of an event: nodes are shown as processes with the team's threads
 * in them; calls are process 0.
 */
static int32_t process_of(const bl_trace *event)
{
    return event->kind == BL_TRACE_REGION ? 0 : event->node + 2;
}

static int32_t thread_of(const bl_trace *event)
{
    return event->kind == BL_TRACE_REGION ? 0 : event->thread;
}

static void write_name(struct json *json, const char *kind, const bl_trace *event,
                       const char *name)
{
    json_open(json, NULL, '{');
    json_string(json, "ph", "M");
    json_string(json, "name", kind);
    json_integer(json, "pid", process_of(event));
    json_integer(json, "tid", thread_of(event));
    json_open(json, "args", '{');
    json_string(json, "name", name);
    json_close(json, '}');
    json_close(json, '}');
}

/* Write the names of the event's process and thread. */
static void write_names(struct json *json, const bl_trace *event)
{
    char process[32], thread[32];

    if (event->kind == BL_TRACE_REGION) {
        snprintf(process, sizeof process, "calls");
        snprintf(thread, sizeof thread, "caller");
    } else {
        snprintf(process, sizeof process, event->node < 0 ? "node unknown" : "node %d",
                 (int)event->node);
        snprintf(thread, sizeof thread, "thread %d", (int)event->thread);
    }
    write_name(json, "process_name", event, process);
    write_name(json, "thread_name", event, thread);
}

static void write_event(struct json *json, const bl_trace *event, int64_t zero,
                        const char *call)
{
    const bool is_region = event->kind == BL_TRACE_REGION;
    bl_op_info op = {.size = sizeof op, .name = ""};

    if (bl_op_query(event->op, &op) != BL_OK)
        op.name = "unknown";
    json_open(json, NULL, '{');
    json_string(json, "ph", "X");
    json_string(json, "name", is_region ? call : op.name);
    json_string(json, "cat", is_region ? "call" : "slice");
    json_integer(json, "pid", process_of(event));
    json_integer(json, "tid", thread_of(event));
    /* In microseconds. */
    json_number(json, "ts", 1e-3 * (double)(event->begin_ns - zero));
    json_number(json, "dur", 1e-3 * (double)(event->end_ns - event->begin_ns));
    json_open(json, "args", '{');
    json_integer(json, "call", event->call);
    json_integer(json, "begin", event->range_begin);
    json_integer(json, "end", event->range_end);
    if (is_region) {
        json_integer(json, "threads", event->thread);
    } else {
        json_integer(json, "node", event->node);
        json_integer(json, "processor", event->processor);
    }
    json_close(json, '}');
    json_close(json, '}');
}

/* Whether an earlier event has the same process and thread. */
static bool is_named(const bl_trace *event, int64_t at)
{
    for (int64_t e = 0; e < at; e++)
        if (process_of(&event[e]) == process_of(&event[at]) &&
            thread_of(&event[e]) == thread_of(&event[at]))
            return true;
    return false;
}

void trace_events_write(FILE *file, const bl_trace *event, int64_t count,
                        const char *call)
{
    struct json json = {file, false};
    int64_t zero = INT64_MAX;

    for (int64_t e = 0; e < count; e++)
        zero = event[e].begin_ns < zero ? event[e].begin_ns : zero;
    json_open(&json, NULL, '{');
    json_string(&json, "displayTimeUnit", "ns");
    json_open(&json, "traceEvents", '[');
    for (int64_t e = 0; e < count; e++) {
        if (!is_named(event, e))
            write_names(&json, &event[e]);
        write_event(&json, &event[e], zero, call);
    }
    json_close(&json, ']');
    json_close(&json, '}');
    putc('\n', file);
}
