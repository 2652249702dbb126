/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints what ranks send and receive, as text and as JSON.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "ranks.h"

/* ---- names ---- */

/* Write "f32[8,8]@0,1" of the result. */
static const char *result_text(const struct ranks *ranks, char *text, size_t size)
{
    const struct bli_spread *const result = ranks->plan.result;
    size_t used = (size_t)snprintf(text, size, "%s[", bl_dtype_name(ranks->plan.dtype));
    char lies[RANKS_TEXT];

    for (int32_t d = 0; d < result->rank && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%" PRId64, d ? "," : "",
                                 result->extent[d]);
    if (used < size)
        snprintf(text + used, size - used, "]%s",
                 ranks_lie_text(result, lies, sizeof lies));
    return text;
}

static int64_t result_count(const struct ranks *ranks)
{
    const struct bli_spread *const result = ranks->plan.result;
    int64_t numel = 0;

    BL_IGNORE(bl_shape_numel(result->rank, result->extent, &numel));
    return numel;
}

/* Print a rank as "rank 65 (1,1)". */
static void print_rank(const struct ranks *ranks, int32_t r)
{
    int32_t place[BLI_MAX_AXES];

    printf("rank %d", (int)r);
    bli_grid_place(&ranks->grid, r, place);
    for (int32_t a = 0; ranks->grid.axes > 1 && a < ranks->grid.axes; a++)
        printf("%s%d%s", a ? "," : " (", (int)place[a],
               a == ranks->grid.axes - 1 ? ")" : "");
}

/* ---- text ---- */

static void print_head(const struct ranks *ranks)
{
    char text[RANKS_TEXT];

    printf("call     %s", ranks->request->op);
    for (int32_t k = 0; k < ranks->plan.count; k++)
        printf(" %s", ranks->text[k]);
    printf("%s\nranks    %d", ranks->request->inplace ? ", in place" : "",
           (int)ranks->grid.ranks);
    for (int32_t a = 0; ranks->grid.axes > 1 && a < ranks->grid.axes; a++)
        printf("%s%d", a ? " x " : " as ", (int)ranks->grid.extent[a]);
    if (ranks->grid.node > 1)
        printf(", %d on a node", (int)ranks->grid.node);
    printf("\nresult   %s, %" PRId64 " elements", result_text(ranks, text, sizeof text),
           result_count(ranks));
    if (ranks->plan.follows >= 0)
        printf("; lies as operand %d", (int)ranks->plan.follows + 1);
    putchar('\n');
}

static void print_moved(const struct ranks *ranks, const struct ranks_moved *moved)
{
    printf(" %14" PRId64 " %17" PRId64, moved->messages, moved->bytes);
    if (ranks->grid.node > 1)
        printf(" %17" PRId64, moved->between_nodes);
    printf(" %9d %17" PRId64 "\n", (int)moved->receivers, moved->most_received);
}

static void print_moves(const struct ranks *ranks)
{
    printf("moves    %10s %14s %17s%s %9s %17s\n", "", "messages", "bytes",
           ranks->grid.node > 1 ? "     between nodes" : "", "to ranks", "most to one");
    for (int32_t k = 0; k < ranks->plan.count; k++) {
        printf("         operand %-2d", (int)k + 1);
        print_moved(ranks, &ranks->moved[k]);
    }
    if (ranks->plan.count > 1) {
        printf("         all       ");
        print_moved(ranks, &ranks->all);
    }
    if (ranks->all.shared > 0)
        printf("         shared     %32" PRId64
               ", through memory of a node, without messages\n",
               ranks->all.shared);
    printf("         least      %32" PRId64 ", what any plan for this result moves\n",
           ranks->least);
}

static void print_flow(const char *verb, int64_t bytes, const char *where,
                       int64_t peers)
{
    printf(" %s %" PRId64 " bytes %s %" PRId64 " rank%s\n         ", verb, bytes, where,
           peers, peers == 1 ? "" : "s");
}

static void print_most(const struct ranks *ranks)
{
    const struct bli_spread_totals *const rank = ranks->rank;

    printf("most     ");
    print_rank(ranks, ranks->most_computed);
    printf(" computes %" PRId64 " elements\n", rank[ranks->most_computed].local_count);
    if (ranks->all.bytes == 0)
        return;
    printf("         ");
    print_rank(ranks, ranks->most_sent);
    print_flow("sends", rank[ranks->most_sent].traffic.sent, "to",
               rank[ranks->most_sent].traffic.sent_peers);
    print_rank(ranks, ranks->most_received);
    print_flow("receives", rank[ranks->most_received].traffic.received, "from",
               rank[ranks->most_received].traffic.received_peers);
    print_rank(ranks, ranks->most_workspace);
    printf(" needs %" PRId64 " bytes of workspace\n",
           rank[ranks->most_workspace].workspace);
}

/* Whether two ranks move elements through memory of their node. */
static bool is_shared(const struct ranks *ranks, int32_t r, int32_t peer)
{
    return ranks->grid.is_shared && r / ranks->grid.node == peer / ranks->grid.node;
}

/* Print what a rank sends or receives of operand k, a line for each message. */
static void print_messages(const struct ranks *ranks, int32_t k, int32_t r,
                           enum bli_direction direction)
{
    const struct bli_move *const move = &ranks->plan.move[k];
    struct bli_messages list;
    struct bli_message message;

    bli_messages_begin(move, r, direction, &list);
    while (bli_messages_next(&list, &message)) {
        printf("         %-8s operand %d[",
               direction == BLI_SENT ? "sends" : "receives", (int)k + 1);
        for (int32_t d = 0; d < move->from->rank; d++)
            printf("%s%" PRId64 ":%" PRId64, d ? "," : "", message.box.begin[d],
                   message.box.end[d]);
        printf("], %" PRId64 " bytes, %s%s ", message.bytes,
               is_shared(ranks, r, message.peer) ? "shared, " : "",
               direction == BLI_SENT ? "to" : "from");
        print_rank(ranks, message.peer);
        putchar('\n');
    }
}

static void print_one(const struct ranks *ranks, int32_t r)
{
    const struct bli_spread_totals *const rank = &ranks->rank[r];

    printf("of       ");
    print_rank(ranks, r);
    printf(": computes %" PRId64 " elements, keeps %" PRId64
           " bytes of operands\n         sends %" PRId64 " bytes, messages: %" PRId64
           "\n         receives %" PRId64 " bytes, messages: %" PRId64
           "\n         needs %" PRId64 " bytes of workspace\n",
           rank->local_count, rank->traffic.kept, rank->traffic.sent,
           rank->traffic.sent_messages - rank->traffic.shared_sent_messages,
           rank->traffic.received,
           rank->traffic.received_messages - rank->traffic.shared_received_messages,
           rank->workspace);
    for (int32_t k = 0; k < ranks->plan.count; k++) {
        print_messages(ranks, k, r, BLI_SENT);
        print_messages(ranks, k, r, BLI_RECEIVED);
    }
}

void ranks_report_words(const struct ranks *ranks)
{
    print_head(ranks);
    print_moves(ranks);
    print_most(ranks);
    if (ranks->request->rank >= 0)
        print_one(ranks, (int32_t)ranks->request->rank);
}

/* ---- JSON ---- */

static void json_moved(struct json *json, const struct ranks_moved *moved)
{
    json_integer(json, "messages", moved->messages);
    json_integer(json, "bytes", moved->bytes);
    json_integer(json, "between_nodes", moved->between_nodes);
    json_integer(json, "shared", moved->shared);
    json_integer(json, "receivers", moved->receivers);
    json_integer(json, "most_received", moved->most_received);
}

/* Write a number of every rank as an array. */
static void json_of_ranks(struct json *json, const struct ranks *ranks, const char *key,
                          size_t offset)
{
    json_open(json, key, '[');
    for (int32_t r = 0; r < ranks->grid.ranks; r++) {
        int64_t number;

        memcpy(&number, (const char *)&ranks->rank[r] + offset, sizeof number);
        json_integer(json, NULL, number);
    }
    json_close(json, ']');
}

static void json_messages(struct json *json, const struct ranks *ranks, int32_t r,
                          enum bli_direction direction)
{
    struct bli_messages list;
    struct bli_message message;

    json_open(json, direction == BLI_SENT ? "sends" : "receives", '[');
    for (int32_t k = 0; k < ranks->plan.count; k++) {
        const struct bli_move *const move = &ranks->plan.move[k];

        bli_messages_begin(move, r, direction, &list);
        while (bli_messages_next(&list, &message)) {
            json_open(json, NULL, '{');
            json_integer(json, "operand", k);
            json_integer(json, "peer", message.peer);
            json_integer(json, "bytes", message.bytes);
            if (ranks->grid.is_shared)
                json_integer(json, "shared", is_shared(ranks, r, message.peer));
            json_integers(json, "begin", move->from->rank, message.box.begin);
            json_integers(json, "end", move->from->rank, message.box.end);
            json_close(json, '}');
        }
    }
    json_close(json, ']');
}

static void json_result(struct json *json, const struct ranks *ranks)
{
    const struct bli_spread *const result = ranks->plan.result;
    char text[RANKS_TEXT];

    json_open(json, "result", '{');
    json_string(json, "dtype", bl_dtype_name(ranks->plan.dtype));
    json_integers(json, "shape", result->rank, result->extent);
    json_integer(json, "elements", result_count(ranks));
    json_string(json, "lies", ranks_lie_text(result, text, sizeof text));
    json_integer(json, "follows", ranks->plan.follows);
    json_close(json, '}');
}

void ranks_report_json(const struct ranks *ranks)
{
    struct json json = {stdout, false};

    json_open(&json, NULL, '{');
    json_string(&json, "op", ranks->request->op);
    json_open(&json, "operands", '[');
    for (int32_t k = 0; k < ranks->plan.count; k++)
        json_string(&json, NULL, ranks->text[k]);
    json_close(&json, ']');
    json_open(&json, "grid", '[');
    for (int32_t a = 0; a < ranks->grid.axes; a++)
        json_integer(&json, NULL, ranks->grid.extent[a]);
    json_close(&json, ']');
    json_integer(&json, "ranks", ranks->grid.ranks);
    json_integer(&json, "node", ranks->grid.node);
    json_result(&json, ranks);
    json_open(&json, "moves", '[');
    for (int32_t k = 0; k < ranks->plan.count; k++) {
        json_open(&json, NULL, '{');
        json_moved(&json, &ranks->moved[k]);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_moved(&json, &ranks->all);
    json_integer(&json, "least_bytes", ranks->least);
    json_of_ranks(&json, ranks, "computed",
                  offsetof(struct bli_spread_totals, local_count));
    json_of_ranks(&json, ranks, "sent",
                  offsetof(struct bli_spread_totals, traffic.sent));
    json_of_ranks(&json, ranks, "received",
                  offsetof(struct bli_spread_totals, traffic.received));
    json_of_ranks(&json, ranks, "workspace",
                  offsetof(struct bli_spread_totals, workspace));
    if (ranks->request->rank >= 0) {
        json_integer(&json, "rank", ranks->request->rank);
        json_messages(&json, ranks, (int32_t)ranks->request->rank, BLI_SENT);
        json_messages(&json, ranks, (int32_t)ranks->request->rank, BLI_RECEIVED);
    }
    json_close(&json, '}');
    putchar('\n');
}
