/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans a reduction over ranks: the ways in which it gets the bits of one process.
 */
#include <inttypes.h>
#include <stdio.h>

#include "json.h"
#include "ranks.h"

#include "mpi/spread/reduction.h"

static const char *const way_name[BLI_WAYS] = {[BLI_WAY_HERE] = "here",
                                               [BLI_WAY_NODES] = "nodes",
                                               [BLI_WAY_LANES] = "lanes",
                                               [BLI_WAY_ELEMENTS] = "elements",
                                               [BLI_WAY_MOVE] = "move"};

static const char *const way_text[BLI_WAYS] = {
    [BLI_WAY_HERE] = "each result's elements are on one rank",
    [BLI_WAY_NODES] = "no block of 1024 is cut, or the order is free: partial results",
    [BLI_WAY_LANES] = "64 bytes of each cut block to the rank of its next element",
    [BLI_WAY_ELEMENTS] = "the elements of each cut block to one rank",
    [BLI_WAY_MOVE] = "the operand first, so that no reduced dimension is cut"};

/* Parse the reduced dimensions, "0,-1"; all of them where there is no text. */
static bl_status parse_over(const char *text, int32_t rank, uint64_t *reduced)
{
    int64_t axis[BL_MAX_RANK];
    char list[400];
    const char *rest = list;
    int32_t count;

    *reduced = rank == BL_MAX_RANK ? UINT64_MAX : (UINT64_C(1) << rank) - 1;
    if (!text)
        return BL_OK;
    snprintf(list, sizeof list, "%.398s)", text);
    *reduced = 0;
    TRY(list_parse(&rest, ')', true, &count, axis));
    for (int32_t k = 0; k < count; k++) {
        const int64_t d = axis[k] < 0 ? axis[k] + rank : axis[k];

        if (d < 0 || d >= rank || (*reduced >> d & 1))
            return bl_error_set(BL_ERR_ARGUMENT,
                                "over must name each of %d dimensions once, got %.40s",
                                (int)rank, text);
        *reduced |= UINT64_C(1) << d;
    }
    return BL_OK;
}

/* Most runs of elements, of all ranks, that are gone through to count what is sent. */
#define MOST_RUNS (INT64_C(1) << 20)

/* A planned reduction, and what ranks send in it. */
struct reduced {
    struct bli_reduction plan;
    bool is_counted;
    int64_t messages, bytes; /* of all ranks */
    int64_t most, most_rank; /* bytes that one rank sends and receives */
};

/* Plan a reduction to a result that lies as the operand's other dimensions do. */
static bl_status plan_reduction(const struct ranks *ranks, bl_reduction op,
                                uint64_t reduced, struct reduced *out)
{
    struct bli_reduction_query query = {
        .op = op, .from = ranks->operand[0].spread, .dtype = ranks->parsed[0].dtype};
    int32_t axes[BL_MAX_RANK];

    for (int32_t d = 0; d < query.from->rank; d++)
        if (reduced >> d & 1)
            axes[query.axes_count++] = d;
    query.axes = axes;
    return bli_reduction_make(&query, &out->plan);
}

/* Count what all ranks send, unless that takes long. */
static bl_status count_totals(struct reduced *reduced)
{
    const struct bli_reduction *const plan = &reduced->plan;
    const struct bli_spread *const from = plan->from;
    int64_t runs = from->grid.ranks;

    for (int32_t d = 0; d < plan->cut && runs <= MOST_RUNS; d++)
        if (plan->reduced >> d & 1)
            runs *= from->extent[d];
    reduced->is_counted = runs <= MOST_RUNS;
    for (int32_t r = 0; reduced->is_counted && r < from->grid.ranks; r++) {
        struct bli_spread_totals totals;

        TRY(bli_reduction_totals(plan, r, &totals));
        const struct bli_traffic *const traffic = &totals.traffic;

        reduced->messages += traffic->sent_messages - traffic->shared_sent_messages;
        reduced->bytes += traffic->sent;
        if (traffic->sent + traffic->received > reduced->most) {
            reduced->most = traffic->sent + traffic->received;
            reduced->most_rank = r;
        }
    }
    return BL_OK;
}

static void print_words(const struct ranks *ranks, const struct reduced *reduced)
{
    const struct bli_ways *const ways = &reduced->plan.ways;
    const struct ranks_request *const request = ranks->request;
    char lies[RANKS_TEXT];

    printf("call     %s %s", request->op, ranks->text[0]);
    if (request->over)
        printf(" over %s", request->over);
    printf("\nranks    %d\n", (int)ranks->grid.ranks);
    if (ways->way != BLI_WAY_HERE)
        printf("blocks   %" PRId64 " of a result are cut; a rank has %" PRId64
               " elements in a row at least\n",
               ways->cuts, ways->least_run);
    printf("ways     %-9s %14s %17s, about\n", "", "messages", "bytes");
    for (int w = 0; w < BLI_WAYS; w++)
        if (ways->cost[w].is_possible)
            printf("       %c %-9s %14" PRId64 " %17" PRId64 "  %s\n",
                   w == (int)ways->way ? '*' : ' ', way_name[w], ways->cost[w].messages,
                   ways->cost[w].bytes, way_text[w]);
    if (ways->way == BLI_WAY_MOVE)
        printf("moved    to %s\n", ranks_lie_text(ways->moved, lies, sizeof lies));
    if (reduced->is_counted && reduced->bytes > 0)
        printf("sent     by all ranks %" PRId64 " bytes in %" PRId64
               " messages; rank %" PRId64 " sends and receives most, %" PRId64
               " bytes\n",
               reduced->bytes, reduced->messages, reduced->most_rank, reduced->most);
}

static void print_json(const struct ranks *ranks, const struct reduced *reduced)
{
    const struct bli_ways *const ways = &reduced->plan.ways;
    struct json json = {stdout, false};
    char lies[RANKS_TEXT];

    json_open(&json, NULL, '{');
    json_string(&json, "op", ranks->request->op);
    json_string(&json, "operand", ranks->text[0]);
    json_integer(&json, "ranks", ranks->grid.ranks);
    json_integer(&json, "cuts", ways->cuts);
    json_string(&json, "way", way_name[ways->way]);
    json_open(&json, "ways", '{');
    for (int w = 0; w < BLI_WAYS; w++) {
        if (!ways->cost[w].is_possible)
            continue;
        json_open(&json, way_name[w], '{');
        json_integer(&json, "messages", ways->cost[w].messages);
        json_integer(&json, "bytes", ways->cost[w].bytes);
        json_close(&json, '}');
    }
    json_close(&json, '}');
    if (reduced->is_counted) {
        json_integer(&json, "messages", reduced->messages);
        json_integer(&json, "bytes", reduced->bytes);
        json_integer(&json, "most_bytes", reduced->most);
    }
    if (ways->moved)
        json_string(&json, "moved", ranks_lie_text(ways->moved, lies, sizeof lies));
    json_close(&json, '}');
    putchar('\n');
}

static bl_status reduce(struct ranks *ranks, int count, char *const *word, bool is_json)
{
    const struct ranks_request *const request = ranks->request;
    const bl_reduction op = bl_reduction_find(request->op);
    struct reduced planned = {.is_counted = false};
    bl_status status;
    bl_dtype dtype;
    uint64_t reduced;

    TRY(ranks_parse(ranks, count, word));
    if (count != 1)
        return bl_error_set(BL_ERR_ARGUMENT, "%s takes 1 operand, got %d", request->op,
                            count);
    TRY(bl_reduction_result_dtype(op, ranks->parsed[0].dtype, &dtype));
    TRY(parse_over(request->over, ranks->parsed[0].layout.rank, &reduced));
    if (!ranks->operand[0].spread)
        return bl_error_set(BL_ERR_ARGUMENT, "no operand is spread over ranks");

    TRY(plan_reduction(ranks, op, reduced, &planned));
    status = count_totals(&planned);
    if (status == BL_OK && is_json)
        print_json(ranks, &planned);
    else if (status == BL_OK)
        print_words(ranks, &planned);
    bli_reduction_free(&planned.plan);
    return status;
}

bl_status ranks_reduce(const struct ranks_request *request, int count,
                       char *const *word, bool is_json)
{
    static struct ranks ranks;
    bl_status status;

    if (request->result || request->inplace || request->rank >= 0 || request->move ||
        request->most_bytes || request->most_memory)
        return bl_error_set(BL_ERR_ARGUMENT,
                            "a reduction over ranks takes no result, rank or limits");
    ranks = (struct ranks){.request = request};
    status = reduce(&ranks, count, word, is_json);
    ranks_free(&ranks);
    return status;
}
