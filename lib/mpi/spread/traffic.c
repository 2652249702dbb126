/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank sends and receives, in bytes and messages, and how many of them are on
 * the way at once.
 */
#include "mpi/spread/move.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/*
 * An upper bound of the bytes that one peer moves of a box, by the other side's largest
 * parts.
 */
static int64_t largest_part(const struct bli_move *move, const struct bli_box *box,
                            enum bli_direction direction)
{
    const bool is_sent = direction == BLI_SENT;
    const struct bli_spread *const other = is_sent ? move->to : move->from;
    int64_t widest[BL_MAX_RANK], bytes = move->size;

    for (int32_t d = 0; d < move->from->rank; d++)
        widest[d] = box->end[d] - box->begin[d];
    for (int32_t a = 0; a < other->grid.axes; a++) {
        const int32_t d = is_sent ? bli_move_divided(move, a) : other->dim[a];

        if (d != BLI_WHOLE && bli_spread_first(other, a) != BLI_WHOLE)
            widest[d] = least(widest[d], other->cut[a].widest);
    }
    for (int32_t d = 0; d < move->from->rank; d++)
        bytes *= widest[d];
    return bytes;
}

/* ---- one direction ---- */

struct flow {
    int64_t peers, messages, bytes, between_nodes, largest;
    int64_t shared, shared_messages;
};

/* Go through the messages: all, or those within the node. */
static int64_t count_messages(const struct bli_move *move, int32_t of_rank,
                              enum bli_direction direction, bool is_within)
{
    const int32_t node = move->to->grid.node;
    struct bli_messages list;
    struct bli_message message;
    int64_t count = 0;

    bli_messages_begin(move, of_rank, direction, &list);
    while (bli_messages_next(&list, &message))
        count += !is_within || message.peer / node == of_rank / node;
    return count;
}

/* Count one direction: of `own`, what a rank has or needs. */
static struct flow flow_of(const struct bli_move *move, int32_t of_rank,
                           enum bli_direction direction, const struct bli_box *own)
{
    struct bli_amount within;
    const struct bli_amount amount =
        bli_move_amount(move, of_rank, direction, own, &within);
    struct flow flow = {0};

    if (amount.count == 0)
        return flow;
    flow.bytes = amount.count * move->size;
    flow.peers = flow.messages = amount.peers;
    flow.largest = largest_part(move, own, direction);
    flow.between_nodes = flow.bytes - within.count * move->size;
    if (move->to->grid.is_shared) {
        flow.shared = within.count * move->size;
        flow.shared_messages = within.peers;
    }
    if (flow.largest > BLI_MESSAGE_BYTES) {
        flow.messages = count_messages(move, of_rank, direction, false);
        flow.largest = BLI_MESSAGE_BYTES;
        if (flow.shared > 0)
            flow.shared_messages = count_messages(move, of_rank, direction, true);
    }
    return flow;
}

void bli_traffic_count(const struct bli_move *move, int32_t of_rank,
                       struct bli_traffic *traffic)
{
    struct bli_box own, need, box;
    struct flow sent = {0}, received = {0};
    const int64_t kept = bli_move_kept(move, of_rank, &box);
    const int64_t needed = bli_move_need(move, of_rank, &need);

    if (bli_spread_box(move->from, of_rank, &own) > 0)
        sent = flow_of(move, of_rank, BLI_SENT, &own);
    if (needed > kept)
        received = flow_of(move, of_rank, BLI_RECEIVED, &need);
    *traffic = (struct bli_traffic){
        .sent_peers = sent.peers,
        .sent_messages = sent.messages,
        .sent = sent.bytes,
        .received_peers = received.peers,
        .received_messages = received.messages,
        .received = received.bytes,
        .kept = kept * move->size,
        .node_sent = sent.between_nodes,
        .node_received = received.between_nodes,
        .shared_sent_messages = sent.shared_messages,
        .shared_sent = sent.shared,
        .shared_received_messages = received.shared_messages,
        .shared_received = received.shared,
        .assembled = received.bytes > 0 ? needed * move->size : 0,
        .largest = sent.largest > received.largest ? sent.largest : received.largest,
    };
}

int64_t bli_traffic_entering(const struct bli_move *move, int64_t limit)
{
    int64_t bytes = 0;

    for (int32_t r = 0; r < move->to->grid.ranks && bytes <= limit; r++) {
        struct bli_box need, kept;
        struct bli_amount within;

        if (bli_move_need(move, r, &need) == bli_move_kept(move, r, &kept))
            continue;
        bytes +=
            bli_move_amount(move, r, BLI_RECEIVED, &need, &within).count * move->size;
        bytes -= within.count * move->size;
    }
    return bytes;
}

int64_t bli_traffic_buffers(const struct bli_traffic *traffic, int32_t window)
{
    const int64_t sends = traffic->sent_messages - traffic->shared_sent_messages;
    const int64_t receives =
        traffic->received_messages - traffic->shared_received_messages;

    return (least(sends, window) + least(receives, window)) * traffic->largest;
}
