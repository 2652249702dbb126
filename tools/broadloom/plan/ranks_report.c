/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints what ranks send and receive, as text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

int64_t ranks_result_count(const struct ranks *ranks)
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
           ranks_result_count(ranks));
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
    for (int32_t k = 0; k < ranks->plan.count; k++)
        if (ranks->plan.stage[k])
            printf(
                "         operand %-2d enters each node once, and moves on within it\n",
                (int)k + 1);
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

bool ranks_is_shared(const struct ranks *ranks, int32_t r, int32_t peer)
{
    return ranks->grid.is_shared && r / ranks->grid.node == peer / ranks->grid.node;
}

/* Print what a rank sends or receives of operand k in one of its moves, a line for each
 * message. */
static void print_messages(const struct ranks *ranks, int32_t k,
                           const struct bli_move *move, int32_t r,
                           enum bli_direction direction)
{
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
               ranks_is_shared(ranks, r, message.peer) ? "shared, " : "",
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
        const struct bli_move *moves[2];
        const int32_t count = bli_call_moves(&ranks->plan, k, moves);

        for (int32_t m = 0; m < count; m++) {
            print_messages(ranks, k, moves[m], r, BLI_SENT);
            print_messages(ranks, k, moves[m], r, BLI_RECEIVED);
        }
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
