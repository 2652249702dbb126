/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call over ranks moves, as one line of JSON. */
#include "json.h"
#include "ranks.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

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

/* The messages of operand k in one of its moves. */
static void json_move(struct json *json, const struct ranks *ranks, int32_t k,
                      const struct bli_move *move, int32_t r,
                      enum bli_direction direction)
{
    struct bli_messages list;
    struct bli_message message;

    bli_messages_begin(move, r, direction, &list);
    while (bli_messages_next(&list, &message)) {
        json_open(json, NULL, '{');
        json_integer(json, "operand", k);
        json_integer(json, "peer", message.peer);
        json_integer(json, "bytes", message.bytes);
        if (ranks->grid.is_shared)
            json_integer(json, "shared", ranks_is_shared(ranks, r, message.peer));
        json_integers(json, "begin", move->from->rank, message.box.begin);
        json_integers(json, "end", move->from->rank, message.box.end);
        json_close(json, '}');
    }
}

static void json_messages(struct json *json, const struct ranks *ranks, int32_t r,
                          enum bli_direction direction)
{
    json_open(json, direction == BLI_SENT ? "sends" : "receives", '[');
    for (int32_t k = 0; k < ranks->plan.count; k++) {
        const struct bli_move *moves[2];
        const int32_t count = bli_call_moves(&ranks->plan, k, moves);

        for (int32_t m = 0; m < count; m++)
            json_move(json, ranks, k, moves[m], r, direction);
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
    json_integer(json, "elements", ranks_result_count(ranks));
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
        if (ranks->plan.stage[k])
            json_integer(&json, "once_per_node", 1);
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
