/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom trace: records when each thread executed which part of a call, in the Trace
 * Event Format of Perfetto and Chrome's about:tracing.
 */
#include "audit/audit_chain.h"
#include "output.h"
#include "trace_recorder.h"
#include "trace_events.h"

#include <getopt.h>
#include <stdio.h>

enum { MOST_EVENTS = 1 << 16 };

struct request {
    const char *op, *output;
    bl_dtype dtype;
    int64_t chain, threads;
    bool bind, inplace;
};

static bl_status read_chain(const char *text, void *place)
{
    return parse_integer("chain", text, 1, 1000, place);
}

static const struct flag flags[] = {
    {0, "op", "NAME", "the operator; add", read_operator, AT(op)},
    {0, "dtype", "NAME", "for operands that name none; f32", read_dtype, AT(dtype)},
    {0, "chain", "N", "calls; 5", read_chain, AT(chain)},
    {0, "threads", "N", "at most N threads", read_threads, AT(threads)},
    {0, "bind", NULL, "bind threads to their nodes during calls", read_true, AT(bind)},
    {0, "inplace", NULL, "the first operand is the result", read_true, AT(inplace)},
    {'o', "output", "FILE", "write there, not on standard output", read_text,
     AT(output)},
    FLAGS_END,
};

static bl_status write_output(const char *path, const bl_trace *event, int64_t count,
                              const char *call)
{
    struct output output;

    TRY(output_open(path, &output));
    trace_events_write(output.file, event, count, call);
    return output_close(&output, BL_OK);
}

static bl_status trace(const struct request *request, bl_context *ctx,
                       const struct call *call)
{
    struct trace_recorder recorder;
    struct audit_chain chain;
    char text[1000];
    bl_status status;
    int64_t count;

    call_text(call, text, sizeof text);
    TRY(audit_chain_open(&chain, ctx, call, TOUCH_TEAM));
    status = trace_recorder_open(&recorder, ctx, MOST_EVENTS);
    if (status == BL_OK) {
        for (int64_t n = 0; status == BL_OK && n < request->chain; n++)
            status = audit_chain_next(&chain);
        if (status == BL_OK)
            status = trace_recorder_count(&recorder, &count);
        if (status == BL_OK)
            status = write_output(request->output, recorder.event, count, text);
        trace_recorder_close(&recorder, ctx);
    }
    audit_chain_close(&chain);
    return status;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {.op = "add", .dtype = BL_DTYPE_F32, .chain = 5};
    const int result = flags_read(command, argc, argv, &request);
    static struct call call;
    bl_context *ctx;
    bl_status status;

    if (result >= 0)
        return result;
    if (call_read(request.op, request.dtype, request.inplace, argc - optind,
                  argv + optind, &call) != BL_OK ||
        context_open(request.threads, &ctx) != BL_OK)
        return fail_status(NULL);
    bl_context_set_thread_binding(ctx, request.bind);
    status = trace(&request, ctx, &call);
    bl_context_destroy(ctx);
    return status == BL_OK ? 0 : fail_status(NULL);
}

const struct command command_trace = {
    .name = "trace",
    .arguments = "OPERAND [OPERAND]...",
    .text = "Run a call and write when each thread did which part",
    .notes =
        "Makes a chain of calls, each on the last one's result, and writes a trace "
        "that\nhttps://ui.perfetto.dev and Chrome's about:tracing show: a row for "
        "each thread, grouped by\nnode.  Operands are written as for the plan "
        "command.",
    .missing = "no operands given",
    .flags = flags,
    .run = run,
};
