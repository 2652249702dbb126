/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom plan: describes how a call, or an expression, would be executed, without
 * data.
 */
#include "plan_picture.h"
#include "eval/variables.h"
#include "expression_plan.h"
#include "ranks.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct request {
    const char *op, *svg;
    bl_dtype dtype;
    int64_t threads;
    int64_t axis;
    const bl_rules *rules;
    bool inplace, json, unfused;
    struct ranks_request over; /* ranks, where there are any */
};

static bl_status read_axes(const char *text, void *place)
{
    return parse_integer("axes", text, 1, BLI_MAX_AXES, place);
}

static bl_status read_count(const char *text, void *place)
{
    return parse_integer("node", text, 1, INT32_MAX, place);
}

static bl_status read_rank(const char *text, void *place)
{
    return parse_integer("rank", text, 0, INT32_MAX, place);
}

static const struct flag flags[] = {
    {0, "op", "NAME", "the operator; add", read_text, AT(op)},
    {0, "dtype", "NAME", "for operands that name none; f32", read_dtype, AT(dtype)},
    {0, "threads", "N", "at most N threads", read_threads, AT(threads)},
    {0, "rules", "NAME", "modern, strict, paddle, transitional or legacy", read_rules,
     AT(rules)},
    {0, "axis", "N", "PaddlePaddle's axis; implies its rules unless -1", read_axis,
     AT(axis)},
    {0, "inplace", NULL, "the first operand is the result", read_true, AT(inplace)},
    {0, "unfused", NULL, "of an expression: every operator by a call of its own",
     read_true, AT(unfused)},
    {0, "json", NULL, "print one line of JSON", read_true, AT(json)},
    {0, "svg", "FILE", "draw a picture instead: who does what, where memory lies",
     read_text, AT(svg)},
    {0, "ranks", "N[xN]...", "over a grid of ranks: what each sends and receives",
     read_text, AT(over.ranks)},
    {0, "axes", "N", "divide the number of ranks into N axes", read_axes,
     AT(over.axes)},
    {0, "node", "N", "ranks on a node", read_count, AT(over.node)},
    {0, "rank", "N", "list the messages of rank N", read_rank, AT(over.rank)},
    {0, "result", "AXES", "how a result over ranks lies; else chosen", read_text,
     AT(over.result)},
    {0, "over", "AXES", "dimensions that a reduction over ranks is over; all",
     read_text, AT(over.over)},
    {0, "move", "WHAT", "what may move: auto, small or none", ranks_read_move,
     AT(over.move)},
    {0, "most-bytes", "N", "that a rank may receive", read_bytes, AT(over.most_bytes)},
    {0, "most-memory", "N", "bytes of a rank's workspace", read_bytes,
     AT(over.most_memory)},
    FLAGS_END,
};

/* Set the threads that the plan would run on now, and what limits them. */
static void set_team(struct plan_report *report, bl_context *ctx)
{
    bl_topology_info machine = {.size = sizeof machine};
    const bool is_known = bl_topology_query(ctx, &machine) == BL_OK;

    report->threads = is_known ? machine.team : 1;
    report->limit = is_known ? machine.limit_text : "the machine is not known";
    if (report->info->threads <= report->threads) {
        report->threads = report->info->threads;
        report->limit = "the cost model";
    }
}

/* Make the plan, print or draw it, and free it. */
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
        report.plan = plan;
        set_team(&report, ctx);
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

    TRY(call_read(request->op ? request->op : "add", request->dtype, request->inplace,
                  count, word, &call));
    TRY(context_open(request->threads, &ctx));
    status = report(request, ctx, &call);
    bl_context_destroy(ctx);
    return status;
}

/* Whether the words are an expression and its operands: NAME=OPERAND. */
static bool is_expression(int count, char *const *word)
{
    for (int k = 0; k < count; k++)
        if (strchr(word[k], '='))
            return true;
    return false;
}

/* Options and words of an expression. */
static bl_status check_expression(const struct request *request, int count,
                                  char *const *word)
{
    struct variables words;
    bl_status status;

    if (request->op || request->inplace)
        return bl_error_set(BL_ERR_ARGUMENT, "an expression takes no %s",
                            request->op ? "--op" : "--inplace");
    status = variables_read(count - 1, word + 1, &words);
    variables_free(&words);
    return status;
}

/* Check the options against each other, and against the words. */
static bl_status check(const struct request *request, int count, char *const *word)
{
    const struct ranks_request *const over = &request->over;
    const bool may_reduce = over->ranks && !request->svg;
    const bl_rules *rules;

    TRY(choose_rules(request->rules, request->axis, &rules));
    if (!over->ranks &&
        (over->axes || over->node || over->rank >= 0 || over->result || over->over ||
         over->move || over->most_bytes || over->most_memory))
        return bl_error_set(BL_ERR_ARGUMENT, "options of ranks need --ranks");
    if (request->json && request->svg)
        return bl_error_set(BL_ERR_ARGUMENT, "--json and --svg exclude each other");
    if (over->ranks)
        TRY(ranks_check(over));
    else if (is_expression(count, word))
        return check_expression(request, count, word);
    else if (request->unfused)
        return bl_error_set(
            BL_ERR_ARGUMENT,
            "--unfused is of an expression, with operands as x=f32[2,3]");
    if (request->op && bl_op_find(request->op) == BL_OP_NONE &&
        !(may_reduce && bl_reduction_find(request->op) != BL_REDUCTION_NONE))
        return bl_error_set(BL_ERR_ARGUMENT, "unknown operator '%s'", request->op);
    return BL_OK;
}

/* Plan, print or draw a call over ranks. */
static bl_status plan_ranks(struct request *request, int count, char *const *word)
{
    static const bl_options defaults = BL_OPTIONS_DEFAULT;
    struct ranks_request *const over = &request->over;
    static struct ranks ranks;
    bl_status status;

    over->op = request->op ? request->op : "add";
    over->dtype = request->dtype;
    over->inplace = request->inplace;
    over->call = defaults;
    over->call.axis = (int32_t)request->axis;
    TRY(choose_rules(request->rules, request->axis, &over->call.rules));
    if (bl_op_find(over->op) == BL_OP_NONE &&
        bl_reduction_find(over->op) != BL_REDUCTION_NONE && !request->svg)
        return ranks_reduce(over, count, word, request->json);
    status = ranks_plan(over, count, word, &ranks);
    if (status == BL_OK && request->svg)
        status = ranks_picture(&ranks, request->svg);
    else if (status == BL_OK && request->json)
        ranks_report_json(&ranks);
    else if (status == BL_OK)
        ranks_report_words(&ranks);
    ranks_free(&ranks);
    return status;
}

/* Print or draw the plan of an expression. */
static bl_status plan_expression(const struct request *request, int count,
                                 char *const *word)
{
    struct expression_options options = {.dtype = request->dtype,
                                         .plan = BL_EXPR_OPTIONS_DEFAULT};
    struct expression_plan plan;
    bl_status status;

    if (request->rules || request->axis != BL_AXIS_LAST)
        TRY(choose_rules(request->rules, request->axis, &options.plan.rules));
    options.plan.axis = (int32_t)request->axis;
    options.plan.flags = request->unfused ? BL_EXPR_UNFUSED : 0;
    TRY(context_open(request->threads, &options.ctx));
    status = expression_plan_make(&options, word[0], count - 1, word + 1, &plan);
    if (status == BL_OK && request->svg)
        status = expression_picture(&plan, request->svg);
    else if (status == BL_OK && request->json)
        expression_plan_json(&plan);
    else if (status == BL_OK)
        status = expression_plan_words(&plan);
    expression_plan_free(&plan);
    bl_context_destroy(options.ctx);
    return status;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {
        .dtype = BL_DTYPE_F32, .axis = BL_AXIS_LAST, .over.rank = -1};
    const int result = flags_read(command, argc, argv, &request);

    if (result >= 0)
        return result;
    argc -= optind;
    argv += optind;
    if (check(&request, argc, argv) != BL_OK)
        return fail_usage(command);
    if (request.over.ranks)
        return plan_ranks(&request, argc, argv) == BL_OK ? 0 : fail_status(NULL);
    if (is_expression(argc, argv))
        return plan_expression(&request, argc, argv) == BL_OK ? 0 : fail_status(NULL);
    return plan_words(&request, argc, argv) == BL_OK ? 0 : fail_status(NULL);
}

const struct command command_plan = {
    .name = "plan",
    .arguments = "OPERAND... | EXPR NAME=OPERAND...",
    .text = "Print what a call will do: result, loops, kernel, threads",
    .notes =
        "Operands are written dtype[shape]layout, for example f32[4096,4096]T.  "
        "Layouts: none for\ncompact row-major, T for the last two dimensions swapped "
        "in memory, /2 for every second\nelement of a last dimension twice as long, "
        "P0231 for the order of the dimensions in\nmemory, {-4,1}+8 for strides and "
        "an offset in elements,\n{-48,12}B+96 in bytes.\n\n"
        "Over ranks, operands are written dtype[shape]@axes: the axis of the grid that "
        "each dimension\nlies along, or - for one that is whole, as in "
        "f32[4096,4096]@0,1.  Borders follow in\nparentheses, @0(0,10,10,64); @r3 is "
        "all on rank 3, and without @ every rank has all.\n\n"
        "An expression is written as for eval, as '(x - m) / s' x=f32[64,1024] "
        "m=f32[64,1] s=f32[64,1]:\nwhich calls are made, what is where, and what "
        "moves; --svg draws when each value is where.",
    .missing = "no operands given",
    .flags = flags,
    .run = run,
};
