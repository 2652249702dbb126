/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom plan: what a call will do, without data.
 */
#include "plan_picture.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

enum {
    FLAG_OP = FLAG_FIRST,
    FLAG_DTYPE,
    FLAG_THREADS,
    FLAG_RULES,
    FLAG_AXIS,
    FLAG_INPLACE,
    FLAG_JSON,
    FLAG_SVG
};

static const struct flag flags[] = {
    {FLAG_OP, "op", "NAME", "the operator; add"},
    {FLAG_DTYPE, "dtype", "NAME", "for operands that name none; f32"},
    {FLAG_THREADS, "threads", "N", "at most N threads"},
    {FLAG_RULES, "rules", "NAME", "modern, strict or paddle"},
    {FLAG_AXIS, "axis", "N", "PaddlePaddle's axis; implies its rules unless -1"},
    {FLAG_INPLACE, "inplace", NULL, "the first operand is the result"},
    {FLAG_JSON, "json", NULL, "print one line of JSON"},
    {FLAG_SVG, "svg", "FILE",
     "draw a picture instead: who does what, where memory lies"},
    FLAGS_END,
};

struct request {
    const char *op, *svg;
    bl_dtype dtype;
    int64_t threads;
    int64_t axis;
    const bl_rules *rules;
    bool inplace, json, help;
};

static bl_status read_flag(int key, struct request *request)
{
    switch (key) {
    case FLAG_OP:
        request->op = optarg;
        return BL_OK;
    case FLAG_DTYPE:
        return parse_dtype(optarg, &request->dtype);
    case FLAG_THREADS:
        return parse_integer("threads", optarg, 1, MOST_THREADS, &request->threads);
    case FLAG_RULES:
        return parse_rules(optarg, &request->rules);
    case FLAG_AXIS:
        return parse_integer("axis", optarg, INT32_MIN, INT32_MAX, &request->axis);
    case FLAG_INPLACE:
        request->inplace = true;
        return BL_OK;
    case FLAG_JSON:
        request->json = true;
        return BL_OK;
    case FLAG_SVG:
        request->svg = optarg;
        return BL_OK;
    case FLAG_HELP:
        request->help = true;
        return BL_OK;
    default:
        return BL_ERR_ARGUMENT;
    }
}

/* Make the plan, print or draw it, free it. */
static bl_status report(const struct request *request, bl_context *ctx,
                        const struct call *call)
{
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_plan_info info = {.size = sizeof info};
    struct plan_report report = {.call = call, .info = &info};
    bl_plan *plan;
    bl_status status;

    options.axis = (int32_t)request->axis;
    TRY(choose_rules(request->rules, request->axis, &options.rules));
    TRY(call_plan(call, ctx, &options, &plan));
    status = bl_plan_query(plan, &info);
    if (status == BL_OK) {
        const int32_t most = context_team(ctx);

        report.plan = plan;
        report.threads = info.threads < most ? info.threads : most;
        if (request->svg)
            status = plan_picture(&report, request->svg);
        else
            status =
                request->json ? plan_report_json(&report) : plan_report_words(&report);
    }
    bl_plan_destroy(plan);
    return status;
}

static bl_status plan_words(const struct request *request, int count, char *const *word)
{
    static struct call call;
    bl_context *ctx;
    bl_status status;

    TRY(call_read(request->op, request->dtype, request->inplace, count, word, &call));
    TRY(context_open(request->threads, &ctx));
    status = report(request, ctx, &call);
    bl_context_destroy(ctx);
    return status;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {.op = "add", .dtype = BL_DTYPE_F32, .axis = BL_AXIS_LAST};
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
    if (plan_words(&request, argc - optind, argv + optind) != BL_OK)
        return fail_status(NULL);
    return 0;
}

const struct command command_plan = {
    .name = "plan",
    .arguments = "OPERAND [OPERAND]...",
    .text = "Print what a call will do: result, loops, kernel, threads",
    .notes =
        "Operands are written dtype[shape]layout, for example f32[4096,4096]T.  "
        "Layouts: none for\ncompact row-major, T for the last two dimensions swapped "
        "in memory, /2 for every second\nelement of a last dimension twice as long, "
        "P0231 for the order of the dimensions in\nmemory, {-4,1}+8 for strides and "
        "an offset in elements.",
    .flags = flags,
    .run = run,
};
