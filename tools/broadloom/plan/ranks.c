/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans a call over ranks, and adds up what all of them move.
 */
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parse ---- */

/* Parse "64x64", or one number of ranks to divide into `axes` extents. */
static bl_status parse_grid(const struct ranks_request *request, struct bli_grid *grid)
{
    const char *text = request->ranks;
    int64_t extent[BLI_MAX_AXES + 1] = {0};
    int32_t axes = 0;
    char word[32];

    do {
        const size_t length = strcspn(text, "x");

        if (axes == BLI_MAX_AXES)
            return bl_error_set(BL_ERR_ARGUMENT, "ranks '%.40s': more than %d axes",
                                request->ranks, BLI_MAX_AXES);
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), text);
        TRY(parse_integer("an extent of ranks", word, 1, INT32_MAX, &extent[axes++]));
        text += length;
    } while (*text++ == 'x');
    if (request->axes == 0)
        return bli_grid_make(0, axes, extent, (int32_t)request->node, grid);
    if (axes > 1)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "axes divide one number of ranks, got ranks '%.40s'",
                            request->ranks);

    const int32_t count = (int32_t)extent[0];

    extent[0] = 0;
    return bli_grid_make(count, (int32_t)request->axes, extent, (int32_t)request->node,
                         grid);
}

/* Parse an operand and how it lies: "f32[8,8]@0,1"; without @ every rank has it. */
static bl_status parse_operand(struct ranks *ranks, int32_t k, const char *word)
{
    const char *const lies = strchr(word, '@');
    const size_t length = lies ? (size_t)(lies - word) : strlen(word);
    struct operand *const parsed = &ranks->parsed[k];
    char *const text = ranks->text[k], why[300];
    struct bli_spread *spread = NULL;

    if (length >= RANKS_TEXT)
        return bl_error_set(BL_ERR_FORMAT, "bad operand '%.40s...': too long", word);
    snprintf(text, RANKS_TEXT, "%.*s", (int)length, word);
    TRY(operand_parse(text, ranks->request->dtype, parsed));
    if (text[length - 1] != ']')
        return bl_error_set(BL_ERR_FORMAT,
                            "bad operand '%.200s': over ranks it has no layout, since "
                            "each rank chooses its own",
                            word);
    if (lies && ranks_lie(lies + 1, &ranks->grid, parsed->layout.rank,
                          parsed->layout.extent, &spread) != BL_OK) {
        snprintf(why, sizeof why, "%s", bl_error_message());
        return bl_error_set(BL_ERR_FORMAT, "bad operand '%.200s': %s", word, why);
    }
    ranks->operand[k].spread = spread;
    ranks->operand[k].array = operand_array(parsed, NULL);
    snprintf(text, RANKS_TEXT, "%s%.*s",
             *word == '[' ? bl_dtype_name(parsed->dtype) : "", RANKS_TEXT - 16, word);
    return BL_OK;
}

bl_status ranks_read_move(const char *text, void *place)
{
    static const char *const name[] = {
        [BLI_MOVE_AUTO] = "auto", [BLI_MOVE_SMALL] = "small", [BLI_MOVE_NONE] = "none"};

    for (size_t m = 0; m < sizeof name / sizeof name[0]; m++)
        if (strcmp(text, name[m]) == 0) {
            *(enum bli_may_move *)place = (enum bli_may_move)m;
            return BL_OK;
        }
    return bl_error_set(BL_ERR_ARGUMENT, "move must be auto, small or none, got '%s'",
                        text);
}

/* ---- plan ---- */

/* Plan the call again, for a result that lies as the command line says. */
static bl_status plan_result(struct ranks *ranks, struct bli_spread_options *options)
{
    const bl_op op = ranks->plan.op;
    const int32_t count = ranks->plan.count;
    struct bli_spread *out;
    bl_status status;
    char why[300];

    if (ranks_lie(ranks->request->result, &ranks->grid, ranks->plan.result->rank,
                  ranks->plan.result->extent, &out) != BL_OK) {
        snprintf(why, sizeof why, "%s", bl_error_message());
        return bl_error_set(BL_ERR_FORMAT, "bad result '%.100s': %s",
                            ranks->request->result, why);
    }
    options->out = out;
    options->out_dtype = ranks->plan.dtype;
    bli_spread_call_free(&ranks->plan);
    status = bli_spread_call_make(op, count, ranks->operand, options, &ranks->plan);
    if (status != BL_OK)
        ranks->plan = (struct bli_spread_call){0};
    bli_spread_release(out);
    return status;
}

static bl_status plan(struct ranks *ranks, bl_op op, int32_t count)
{
    const struct ranks_request *const request = ranks->request;
    struct bli_spread_options limits = {.call = &request->call,
                                        .move = request->move,
                                        .most_bytes = request->most_bytes,
                                        .most_memory = request->most_memory,
                                        .in_place = request->inplace};
    struct bli_spread_options options = {.call = &request->call,
                                         .most_bytes = INT64_MAX,
                                         .most_memory = INT64_MAX,
                                         .in_place = request->inplace};

    if (request->result && request->inplace)
        return bl_error_set(BL_ERR_ARGUMENT, "a result in place lies as it does");
    if (!request->result)
        return bli_spread_call_make(op, count, ranks->operand, &limits, &ranks->plan);
    /* The first plan is for the result's shape alone, without limits. */
    TRY(bli_spread_call_make(op, count, ranks->operand, &options, &ranks->plan));
    return plan_result(ranks, &limits);
}

/* ---- totals ---- */

static void add_operands(struct ranks *ranks, int32_t r)
{
    for (int32_t k = 0; k < ranks->plan.count; k++) {
        struct ranks_moved *const moved = &ranks->moved[k];
        struct bli_traffic traffic;

        bli_spread_call_traffic(&ranks->plan, k, r, &traffic);
        moved->messages += traffic.sent_messages - traffic.shared_sent_messages;
        moved->shared += traffic.shared_sent;
        moved->bytes += traffic.sent;
        moved->between_nodes += traffic.node_sent;
        moved->receivers += traffic.received > 0;
        if (traffic.received > moved->most_received)
            moved->most_received = traffic.received;
    }
}

static bl_status add_up(struct ranks *ranks)
{
    struct bli_spread_totals *const rank =
        calloc((size_t)ranks->grid.ranks, sizeof *rank);

    if (!rank)
        return bl_error_set(BL_ERR_MEMORY, "no memory for %d ranks",
                            (int)ranks->grid.ranks);
    ranks->rank = rank;
    for (int32_t r = 0; r < ranks->grid.ranks; r++) {
        bli_spread_call_totals(&ranks->plan, r, &rank[r]);
        add_operands(ranks, r);
        ranks->all.receivers += rank[r].traffic.received > 0;
        if (rank[r].traffic.sent > rank[ranks->most_sent].traffic.sent)
            ranks->most_sent = r;
        if (rank[r].traffic.received > rank[ranks->most_received].traffic.received)
            ranks->most_received = r;
        if (rank[r].workspace > rank[ranks->most_workspace].workspace)
            ranks->most_workspace = r;
        if (rank[r].local_count > rank[ranks->most_computed].local_count)
            ranks->most_computed = r;
    }
    for (int32_t k = 0; k < ranks->plan.count; k++) {
        ranks->all.messages += ranks->moved[k].messages;
        ranks->all.bytes += ranks->moved[k].bytes;
        ranks->all.between_nodes += ranks->moved[k].between_nodes;
        ranks->all.shared += ranks->moved[k].shared;
    }
    ranks->all.most_received = rank[ranks->most_received].traffic.received;
    ranks->least = bli_spread_call_least(&ranks->plan);
    return BL_OK;
}

bl_status ranks_check(const struct ranks_request *request)
{
    struct bli_grid grid;

    TRY(parse_grid(request, &grid));
    if (request->rank >= grid.ranks)
        return bl_error_set(BL_ERR_ARGUMENT, "rank must be below %d, got %d",
                            (int)grid.ranks, (int)request->rank);
    return BL_OK;
}

bl_status ranks_parse(struct ranks *ranks, int count, char *const *word)
{
    TRY(parse_grid(ranks->request, &ranks->grid));
    ranks->grid.is_shared = ranks->grid.node > 1;
    for (int k = 0; k < count && k < BL_MAX_INPUTS; k++)
        TRY(parse_operand(ranks, k, word[k]));
    return BL_OK;
}

bl_status ranks_plan(const struct ranks_request *request, int count, char *const *word,
                     struct ranks *ranks)
{
    bl_op_info info = {.size = sizeof info};
    const bl_op op = bl_op_find(request->op);

    *ranks = (struct ranks){.request = request};
    if (bl_op_query(op, &info) != BL_OK)
        return bl_error_set(BL_ERR_ARGUMENT, "unknown operator '%s'", request->op);
    TRY(ranks_parse(ranks, count, word));
    if (count != info.inputs)
        return bl_error_set(BL_ERR_ARGUMENT, "%s takes %d operand%s, got %d",
                            request->op, (int)info.inputs, info.inputs == 1 ? "" : "s",
                            count);
    TRY(plan(ranks, op, count));
    return add_up(ranks);
}

void ranks_free(struct ranks *ranks)
{
    for (int32_t k = 0; k < BL_MAX_INPUTS; k++)
        bli_spread_release((struct bli_spread *)(uintptr_t)ranks->operand[k].spread);
    bli_spread_call_free(&ranks->plan);
    free(ranks->rank);
}
