/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadloom audit: measures whether threads work on memory of their own node.
 */
#include "audit.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct request {
    const char *op;
    struct placement placement;
    bl_dtype dtype;
    enum touch touch;
    int64_t chain, threads;
    double least;
    bool bind, inplace, json;
};

static bl_status read_chain(const char *text, void *place)
{
    return parse_integer("chain", text, 2, 1000, place);
}

static bl_status read_touch(const char *text, void *place)
{
    return parse_touch(text, place);
}

static bl_status read_percent(const char *text, void *place)
{
    double *const percent = place;
    char *end;

    *percent = strtod(text, &end);
    if (end == text || *end != '\0' || !(*percent >= 0 && *percent <= 100))
        return bl_error_set(BL_ERR_ARGUMENT, "min must be 0 to 100 percent, got '%s'",
                            text);
    return BL_OK;
}

static const struct flag flags[] = {
    {0, "op", "NAME", "the operator; add", read_operator, AT(op)},
    {0, "dtype", "NAME", "for operands that name none; f32", read_dtype, AT(dtype)},
    {0, "chain", "N", "calls, of which the first is not counted; 5", read_chain,
     AT(chain)},
    {0, "threads", "N", "at most N threads", read_threads, AT(threads)},
    {0, "touch", "WHO", "touches memory first: team, one or spread; team", read_touch,
     AT(touch)},
    {0, "placement", "POLICY", "first-touch, interleave, bind-range, node:N or off",
     read_placement, AT(placement)},
    {0, "bind", NULL, "bind threads to their nodes during calls", read_true, AT(bind)},
    {0, "inplace", NULL, "the first operand is the result", read_true, AT(inplace)},
    {0, "min", "PERCENT", "fail below this share of what is achievable", read_percent,
     AT(least)},
    {0, "json", NULL, "print one line of JSON", read_true, AT(json)},
    FLAGS_END,
};

static bl_status set_up(const struct request *request, bl_context *ctx)
{
    if (request->bind)
        bl_context_set_thread_binding(ctx, true);
    return set_placement(ctx, &request->placement);
}

/*
 * Audit the call, print the result, and compare it with the minimum that is asked for.
 */
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
    const int result = flags_read(command, argc, argv, &request);

    if (result >= 0)
        return result;
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
    .missing = "no operands given",
    .flags = flags,
    .run = run,
};
