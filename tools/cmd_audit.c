/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom audit: whether memory is worked on where it lies.
 */
#include "audit.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    FLAG_OP = FLAG_FIRST,
    FLAG_DTYPE,
    FLAG_CHAIN,
    FLAG_THREADS,
    FLAG_TOUCH,
    FLAG_PLACEMENT,
    FLAG_BIND,
    FLAG_INPLACE,
    FLAG_MIN,
    FLAG_JSON
};

static const struct flag flags[] = {
    {FLAG_OP, "op", "NAME", "the operator; add"},
    {FLAG_DTYPE, "dtype", "NAME", "for operands that name none; f32"},
    {FLAG_CHAIN, "chain", "N", "calls, of which the first is not counted; 5"},
    {FLAG_THREADS, "threads", "N", "at most N threads"},
    {FLAG_TOUCH, "touch", "WHO", "touches memory first: team, one or spread; team"},
    {FLAG_PLACEMENT, "placement", "POLICY",
     "first-touch, interleave, bind-range, node:N or off"},
    {FLAG_BIND, "bind", NULL, "bind threads to their nodes during calls"},
    {FLAG_INPLACE, "inplace", NULL, "the first operand is the result"},
    {FLAG_MIN, "min", "PERCENT", "fail below this share of what is achievable"},
    {FLAG_JSON, "json", NULL, "print one line of JSON"},
    FLAGS_END,
};

struct request {
    const char *op, *placement;
    bl_dtype dtype;
    enum touch touch;
    int64_t chain, threads;
    double least;
    bool bind, inplace, json, help;
};

static bl_status parse_percent(const char *text, double *percent)
{
    char *end;

    *percent = strtod(text, &end);
    if (end == text || *end != '\0' || !(*percent >= 0 && *percent <= 100))
        return bl_error_set(BL_ERR_ARGUMENT, "min must be 0 to 100 percent, got '%s'",
                            text);
    return BL_OK;
}

static bl_status read_flag(int key, struct request *request)
{
    switch (key) {
    case FLAG_OP:
        request->op = optarg;
        return BL_OK;
    case FLAG_DTYPE:
        return parse_dtype(optarg, &request->dtype);
    case FLAG_CHAIN:
        return parse_integer("chain", optarg, 2, 1000, &request->chain);
    case FLAG_THREADS:
        return parse_integer("threads", optarg, 1, MOST_THREADS, &request->threads);
    case FLAG_TOUCH:
        return parse_touch(optarg, &request->touch);
    case FLAG_PLACEMENT:
        request->placement = optarg;
        return BL_OK;
    case FLAG_BIND:
        request->bind = true;
        return BL_OK;
    case FLAG_INPLACE:
        request->inplace = true;
        return BL_OK;
    case FLAG_MIN:
        return parse_percent(optarg, &request->least);
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

static bl_status set_up(const struct request *request, bl_context *ctx)
{
    if (request->bind)
        bl_context_set_bind(ctx, true);
    return request->placement ? set_placement(ctx, request->placement) : BL_OK;
}

/* Audit, print, and compare with what is wanted. */
static int audit_words_of(const struct request *request, int count, char *const *word)
{
    static struct call call;
    struct audit audit;
    bl_context *ctx;
    bl_status status;
    double verdict;

    if (call_read(request->op, request->dtype, request->inplace, count, word, &call) !=
            BL_OK ||
        context_open(request->threads, &ctx) != BL_OK)
        return fail_status(NULL);
    status = set_up(request, ctx);
    if (status == BL_OK)
        status = audit_run(ctx, &call, request->touch, (int32_t)request->chain, &audit);
    if (status != BL_OK) {
        bl_context_destroy(ctx);
        return fail_status(NULL);
    }
    verdict = audit_verdict(&audit);
    (request->json ? audit_json : audit_words)(&audit);
    audit_free(&audit);
    bl_context_destroy(ctx);
    if (verdict >= request->least)
        return 0;
    return fail("%.2f %% of what can be local is, less than %g %%", verdict,
                request->least);
}

static int run(const struct command *command, int argc, char **argv)
{
    struct request request = {.op = "add", .dtype = BL_DTYPE_F32, .chain = 5};
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
    return audit_words_of(&request, argc - optind, argv + optind);
}

const struct command command_audit = {
    .name = "audit",
    .arguments = "OPERAND [OPERAND]...",
    .text = "Run a call and print which memory was worked on where it lies",
    .notes =
        "Makes a chain of calls over existing memory, each on the last one's result, "
        "and counts the\ncache lines that each node's threads touched in their own "
        "node's memory and in others'.\nAchievable is what would be local if the "
        "memory "
        "of each array were divided over the\nnodes in order, and each node worked on "
        "its part of the result.  Operands are written as\nfor the plan command.",
    .flags = flags,
    .run = run,
};
