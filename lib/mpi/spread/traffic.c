/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank sends and receives, counted without going through its messages: peers
 * are a product of ranges, and so are their bytes.
 */
#include "mpi/spread/move.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- peers ---- */

/* Places first to last - 1 along an axis that have elements. */
static int64_t filled(const struct bli_spread *spread, int32_t axis,
                      const struct bli_reach *reach)
{
    const struct bli_borders *const cut = &spread->cut[axis];

    if (spread->dim[axis] == BLI_WHOLE)
        return reach->last[axis] - reach->first[axis];
    return cut->filled[reach->last[axis]] - cut->filled[reach->first[axis]];
}

/* Number of ranks of a reach that have elements of `spread`. */
static int64_t peers(const struct bli_spread *spread, const struct bli_reach *reach)
{
    int64_t count = 1;

    for (int32_t a = 0; a < spread->grid.axes; a++)
        count *= filled(spread, a, reach);
    return count;
}

/* ---- bytes ---- */

/* The dimension of the operand whose elements the result's cut along `axis` divides. */
static int32_t divided(const struct bli_move *move, int32_t axis)
{
    const int32_t e = move->to->dim[axis], d = e - move->shift;

    if (e == BLI_WHOLE || d < 0 || d >= move->from->rank || move->from->extent[d] == 1)
        return BLI_WHOLE;
    return d;
}

/* Elements that a rank with this box sends to all of a reach, itself included. */
static int64_t sent_count(const struct bli_move *move, const struct bli_box *own,
                          const struct bli_reach *reach)
{
    struct bli_box sent = *own;
    int64_t copies = 1;

    for (int32_t a = 0; a < move->to->grid.axes; a++) {
        const int32_t d = divided(move, a);

        if (d == BLI_WHOLE) {
            copies *= filled(move->to, a, reach);
            continue;
        }

        const int64_t *const border = move->to->cut[a].border;

        if (border[reach->first[a]] > sent.begin[d])
            sent.begin[d] = border[reach->first[a]];
        sent.end[d] = least(sent.end[d], border[reach->last[a]]);
    }
    return copies * bli_box_count(move->from->rank, &sent);
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
    int64_t most[BL_MAX_RANK], bytes = move->size;

    for (int32_t d = 0; d < move->from->rank; d++)
        most[d] = box->end[d] - box->begin[d];
    for (int32_t a = 0; a < other->grid.axes; a++) {
        const int32_t d = is_sent ? divided(move, a) : other->dim[a];

        if (d != BLI_WHOLE)
            most[d] = least(most[d], other->cut[a].widest);
    }
    for (int32_t d = 0; d < move->from->rank; d++)
        bytes *= most[d];
    return bytes;
}

/* ---- one direction ---- */

struct flow {
    int64_t peers, messages, bytes, between_nodes, largest;
};

static int64_t count_messages(const struct bli_move *move, int32_t of_rank,
                              enum bli_direction direction)
{
    struct bli_messages list;
    struct bli_message message;
    int64_t count = 0;

    bli_messages_begin(move, of_rank, direction, &list);
    while (bli_messages_next(&list, &message))
        count++;
    return count;
}

/* Bytes that a rank exchanges with the other ranks of its node. */
static int64_t within_node(const struct bli_move *move, int32_t of_rank,
                           enum bli_direction direction)
{
    const struct bli_grid *const grid = &move->to->grid;
    const int32_t first = of_rank / grid->node * grid->node;
    int32_t own[BLI_MAX_AXES], place[BLI_MAX_AXES];
    struct bli_reach reach;
    struct bli_box box;
    int64_t count = 0;

    if (grid->node == 1 || !bli_move_reach(move, of_rank, direction, &reach))
        return 0;
    bli_grid_place(grid, of_rank, own);
    for (int32_t r = first; r < grid->ranks && r - first < grid->node; r++) {
        bool is_peer = r != of_rank;

        bli_grid_place(grid, r, place);
        for (int32_t a = 0; is_peer && a < grid->axes; a++)
            is_peer = place[a] >= reach.first[a] && place[a] < reach.last[a];
        if (is_peer)
            count += direction == BLI_SENT ? bli_move_part(move, own, place, &box)
                                           : bli_move_part(move, place, own, &box);
    }
    return count * move->size;
}

/* Count one direction: `count` elements of `box`, `kept` of which stay. */
static struct flow flow_of(const struct bli_move *move, int32_t of_rank,
                           enum bli_direction direction, const struct bli_box *box,
                           const struct bli_reach *reach, int64_t count, int64_t kept)
{
    const struct bli_spread *const other =
        direction == BLI_SENT ? move->to : move->from;
    struct flow flow = {.bytes = (count - kept) * move->size};

    if (flow.bytes == 0)
        return flow;
    flow.peers = flow.messages = peers(other, reach) - (kept > 0);
    flow.largest = largest_part(move, box, direction);
    if (flow.largest > BLI_MESSAGE_BYTES) {
        flow.messages = count_messages(move, of_rank, direction);
        flow.largest = BLI_MESSAGE_BYTES;
    }
    flow.between_nodes = flow.bytes - within_node(move, of_rank, direction);
    return flow;
}

void bli_traffic_count(const struct bli_move *move, int32_t of_rank,
                       struct bli_traffic *traffic)
{
    struct bli_box own, need, box;
    struct bli_reach reach;
    struct flow sent = {0}, received = {0};
    const int64_t kept = bli_move_kept(move, of_rank, &box);
    const int64_t needed = bli_move_need(move, of_rank, &need);

    if (bli_move_reach(move, of_rank, BLI_SENT, &reach)) {
        bli_spread_box(move->from, of_rank, &own);
        sent = flow_of(move, of_rank, BLI_SENT, &own, &reach,
                       sent_count(move, &own, &reach), kept);
    }
    if (needed > kept && bli_move_reach(move, of_rank, BLI_RECEIVED, &reach))
        received = flow_of(move, of_rank, BLI_RECEIVED, &need, &reach, needed, kept);
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
        .assembled = received.bytes > 0 ? needed * move->size : 0,
        .largest = sent.largest > received.largest ? sent.largest : received.largest,
    };
}
