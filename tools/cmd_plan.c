/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom plan: what a call will do, without data.
 */
#include "operand.h"
#include "parse_shape.h"
#include "plan_report.h"

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
    FLAG_JSON
};

static const struct flag flags[] = {
    {FLAG_OP, "op", "NAME", "the operator; add"},
    {FLAG_DTYPE, "dtype", "NAME", "for operands that name none; f32"},
    {FLAG_THREADS, "threads", "N", "at most N threads"},
    {FLAG_RULES, "rules", "NAME", "modern, strict or paddle"},
    {FLAG_AXIS, "axis", "N", "PaddlePaddle's axis; implies its rules unless -1"},
    {FLAG_INPLACE, "inplace", NULL, "the first operand is the result"},
    {FLAG_JSON, "json", NULL, "print one line of JSON"},
    FLAGS_END,
};

struct request {
    const char *op;
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
    case FLAG_HELP:
        request->help = true;
        return BL_OK;
    default:
        return BL_ERR_ARGUMENT;
    }
}

static bl_status find_op(const char *name, int count, bl_op *op)
{
    bl_op_info info = {.size = sizeof info};

    *op = bl_op_find(name);
    if (bl_op_query(*op, &info) != BL_OK)
        return bl_error_set(BL_ERR_ARGUMENT, "unknown operator '%s'", name);
    if (count != info.inputs)
        return bl_error_set(BL_ERR_ARGUMENT, "%s takes %d operand%s, got %d", name,
                            (int)info.inputs, info.inputs == 1 ? "" : "s", count);
    return BL_OK;
}

/* Make the plan, print it, free it. */
static bl_status report(const struct request *request, bl_context *ctx, bl_op op,
                        int count, const bl_array *const *in,
                        const char *const *written)
{
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_plan_info info = {.size = sizeof info};
    struct plan_report report = {.op = request->op,
                                 .operand = written,
                                 .inplace = request->inplace,
                                 .info = &info};
    bl_plan *plan;
    bl_status status;

    options.axis = (int32_t)request->axis;
    TRY(choose_rules(request->rules, request->axis, &options.rules));
    TRY(bl_plan_create(ctx, op, count, in, request->inplace ? in[0] : NULL, &options,
                       &plan));
    status = bl_plan_query(plan, &info);
    if (status == BL_OK) {
        const int32_t most = context_team(ctx);

        report.plan = plan;
        report.threads = info.threads < most ? info.threads : most;
        status = request->json ? plan_report_json(&report) : plan_report_words(&report);
    }
    bl_plan_destroy(plan);
    return status;
}

/* The operand as it was written, with the dtype that it got. */
static char *notation(const struct operand *operand, const char *word, char *text,
                      size_t size)
{
    snprintf(text, size, "%s%s", *word == '[' ? bl_dtype_name(operand->dtype) : "",
             word);
    return text;
}

static bl_status plan_words(const struct request *request, int count, char *const *word)
{
    struct operand operand[BL_MAX_INPUTS];
    char text[BL_MAX_INPUTS][2 * SHAPE_TEXT];
    const char *written[BL_MAX_INPUTS];
    bl_array array[BL_MAX_INPUTS];
    const bl_array *in[BL_MAX_INPUTS];
    bl_context *ctx;
    bl_status status;
    bl_op op;

    TRY(find_op(request->op, count, &op));
    for (int k = 0; k < count; k++) {
        TRY(operand_parse(word[k], request->dtype, &operand[k]));
        array[k] = operand_array(&operand[k], NULL);
        in[k] = &array[k];
        written[k] = notation(&operand[k], word[k], text[k], sizeof text[k]);
    }
    TRY(context_open(request->threads, &ctx));
    status = report(request, ctx, op, count, in, written);
    bl_context_destroy(ctx);
    return status;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {"add", BL_DTYPE_F32, 0,     BL_AXIS_LAST,
                              NULL,  false,        false, false};
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
