/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom trace: when each thread did which part of a call, in the Trace Event Format
 * that Perfetto and Chrome's about:tracing show.
 */
#include "chain.h"
#include "recording.h"
#include "trace_events.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { MOST_EVENTS = 1 << 16 };

enum {
    FLAG_OP = FLAG_FIRST,
    FLAG_DTYPE,
    FLAG_CHAIN,
    FLAG_THREADS,
    FLAG_BIND,
    FLAG_INPLACE,
    FLAG_OUTPUT = 'o'
};

static const struct flag flags[] = {
    {FLAG_OP, "op", "NAME", "the operator; add"},
    {FLAG_DTYPE, "dtype", "NAME", "for operands that name none; f32"},
    {FLAG_CHAIN, "chain", "N", "calls; 5"},
    {FLAG_THREADS, "threads", "N", "at most N threads"},
    {FLAG_BIND, "bind", NULL, "bind threads to their nodes during calls"},
    {FLAG_INPLACE, "inplace", NULL, "the first operand is the result"},
    {FLAG_OUTPUT, "output", "FILE", "write there, not on standard output"},
    FLAGS_END,
};

struct request {
    const char *op, *output;
    bl_dtype dtype;
    int64_t chain, threads;
    bool bind, inplace, help;
};

static bl_status read_flag(int key, struct request *request)
{
    switch (key) {
    case FLAG_OP:
        request->op = optarg;
        return BL_OK;
    case FLAG_DTYPE:
        return parse_dtype(optarg, &request->dtype);
    case FLAG_CHAIN:
        return parse_integer("chain", optarg, 1, 1000, &request->chain);
    case FLAG_THREADS:
        return parse_integer("threads", optarg, 1, MOST_THREADS, &request->threads);
    case FLAG_BIND:
        request->bind = true;
        return BL_OK;
    case FLAG_INPLACE:
        request->inplace = true;
        return BL_OK;
    case FLAG_OUTPUT:
        request->output = optarg;
        return BL_OK;
    case FLAG_HELP:
        request->help = true;
        return BL_OK;
    default:
        return BL_ERR_ARGUMENT;
    }
}

static bl_status write_output(const char *path, const bl_trace *event, int64_t count,
                              const char *call)
{
    FILE *const file = path ? fopen(path, "w") : stdout;
    bool is_lost;

    if (!file)
        return bl_error_set(BL_ERR_IO, "cannot write %s: %s", path, strerror(errno));
    trace_events_write(file, event, count, call);
    if (!path)
        return BL_OK;
    is_lost = ferror(file) != 0;
    if (fclose(file) != 0 || is_lost)
        return bl_error_set(BL_ERR_IO, "cannot write %s", path);
    return BL_OK;
}

static bl_status trace(const struct request *request, bl_context *ctx,
                       const struct call *call)
{
    struct recording recording;
    struct chain chain;
    char text[1000];
    bl_status status;
    int64_t count;

    call_text(call, text, sizeof text);
    TRY(chain_open(&chain, ctx, call, TOUCH_TEAM));
    status = recording_open(&recording, ctx, MOST_EVENTS);
    if (status == BL_OK) {
        for (int64_t n = 0; status == BL_OK && n < request->chain; n++)
            status = chain_next(&chain);
        if (status == BL_OK)
            status = recording_count(&recording, &count);
        if (status == BL_OK)
            status = write_output(request->output, recording.event, count, text);
        recording_close(&recording, ctx);
    }
    chain_close(&chain);
    return status;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {.op = "add", .dtype = BL_DTYPE_F32, .chain = 5};
    static struct call call;
    bl_context *ctx;
    bl_status status;
    int key;

    optind = 0;
    while ((key = flag_next(command, argc, argv)) != -1)
        if (read_flag(key, &request) != BL_OK)
            return fail_usage(command);
    if (request.help) {
        command_help(command);
        return 0;
    }
    if (optind == argc) {
        (void)bl_error_set(BL_ERR_ARGUMENT, "no operands given");
        return fail_usage(command);
    }
    if (call_read(request.op, request.dtype, request.inplace, argc - optind,
                  argv + optind, &call) != BL_OK ||
        context_open(request.threads, &ctx) != BL_OK)
        return fail_status(NULL);
    bl_context_set_bind(ctx, request.bind);
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
    .flags = flags,
    .run = run,
};
