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

/* Narrow a range of dimension d to the parts first to last - 1 along an axis. */
static void narrow(struct bli_box *box, int32_t d, const struct bli_borders *cut,
                   int32_t first, int32_t last)
{
    if (cut->border[first] > box->begin[d])
        box->begin[d] = cut->border[first];
    if (cut->border[last] < box->end[d])
        box->end[d] = cut->border[last];
}

/*
 * Elements of `own`, what a rank has or needs, that it sends to or receives from all of
 * a reach, itself included.
 */
static int64_t moved_count(const struct bli_move *move, const struct bli_box *own,
                           enum bli_direction direction, const struct bli_reach *reach)
{
    const struct bli_spread *const other =
        direction == BLI_SENT ? move->to : move->from;
    struct bli_box moved = *own;
    int64_t copies = 1;

    for (int32_t a = 0; a < other->grid.axes; a++) {
        const int32_t d =
            direction == BLI_SENT ? bli_move_divided(move, a) : other->dim[a];

        if (d != BLI_WHOLE)
            narrow(&moved, d, &other->cut[a], reach->first[a], reach->last[a]);
        else
            copies *= filled(other, a, reach);
    }
    return copies * bli_box_count(move->from->rank, &moved);
}

/* The ranks of a reach that have the same part of the operand as one at a place. */
static bool alike(const struct bli_move *move, const int32_t *place,
                  const struct bli_reach *reach, struct bli_reach *same)
{
    *same = *reach;
    for (int32_t a = 0; a < move->to->grid.axes; a++) {
        if (bli_move_is_replicated(move, a))
            continue;
        if (place[a] < reach->first[a] || place[a] >= reach->last[a])
            return false;
        same->first[a] = place[a];
        same->last[a] = place[a] + 1;
    }
    return true;
}

/* Ranks, and the elements that they exchange with one. */
struct amount {
    int64_t peers;
    int64_t count;
};

/* What a rank exchanges with those of a reach that do not have it anyway. */
static struct amount exchanged(const struct bli_move *move, const int32_t *place,
                               const struct bli_box *own, enum bli_direction direction,
                               const struct bli_reach *reach)
{
    const struct bli_spread *const other =
        direction == BLI_SENT ? move->to : move->from;
    struct amount amount = {peers(other, reach),
                            moved_count(move, own, direction, reach)};
    struct bli_reach same;

    if (alike(move, place, reach, &same)) {
        amount.peers -= peers(other, &same);
        amount.count -= moved_count(move, own, direction, &same);
    }
    return amount;
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
        const int32_t d = is_sent ? bli_move_divided(move, a) : other->dim[a];

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

/*
 * Ranks `first` to `last` - 1 as far as they are a product of ranges, which are
 * written; the first rank after them is returned.
 */
static int32_t first_ranges(const struct bli_grid *grid, int32_t first, int32_t last,
                            struct bli_reach *ranges)
{
    int32_t place[BLI_MAX_AXES], stride = 1, axis = grid->axes - 1, count;

    bli_grid_place(grid, first, place);
    while (axis > 0 && place[axis] == 0 && last - first >= stride * grid->extent[axis])
        stride *= grid->extent[axis--];
    count = (int32_t)least((last - first) / stride, grid->extent[axis] - place[axis]);
    for (int32_t a = 0; a < grid->axes; a++) {
        ranges->first[a] = place[a];
        ranges->last[a] = a < axis    ? place[a] + 1
                          : a == axis ? place[a] + count
                                      : grid->extent[a];
    }
    return first + count * stride;
}

/* Keep the places that are in both; false if there are none. */
static bool meet(struct bli_reach *reach, const struct bli_reach *other, int32_t axes)
{
    for (int32_t a = 0; a < axes; a++) {
        if (other->first[a] > reach->first[a])
            reach->first[a] = other->first[a];
        reach->last[a] = (int32_t)least(reach->last[a], other->last[a]);
        if (reach->first[a] >= reach->last[a])
            return false;
    }
    return true;
}

/* Elements that a rank exchanges with the other ranks of its node. */
static int64_t within_node(const struct bli_move *move, int32_t of_rank,
                           const int32_t *place, const struct bli_box *own,
                           enum bli_direction direction, const struct bli_reach *reach)
{
    const struct bli_grid *const grid = &move->to->grid;
    const int32_t begin = of_rank - of_rank % grid->node;
    const int32_t end = (int32_t)least((int64_t)begin + grid->node, grid->ranks);
    int64_t count = 0;

    for (int32_t r = begin; grid->node > 1 && r < end;) {
        struct bli_reach ranges;

        r = first_ranges(grid, r, end, &ranges);
        if (meet(&ranges, reach, grid->axes))
            count += exchanged(move, place, own, direction, &ranges).count;
    }
    return count;
}

/* Count one direction: of `own`, what a rank has or needs. */
static struct flow flow_of(const struct bli_move *move, int32_t of_rank,
                           enum bli_direction direction, const struct bli_box *own)
{
    struct flow flow = {0};
    struct bli_reach reach;
    struct amount amount;
    int32_t place[BLI_MAX_AXES];

    if (!bli_move_reach(move, of_rank, direction, &reach))
        return flow;
    bli_grid_place(&move->to->grid, of_rank, place);
    amount = exchanged(move, place, own, direction, &reach);
    if (amount.count == 0)
        return flow;
    flow.bytes = amount.count * move->size;
    flow.peers = flow.messages = amount.peers;
    flow.largest = largest_part(move, own, direction);
    if (flow.largest > BLI_MESSAGE_BYTES) {
        flow.messages = count_messages(move, of_rank, direction);
        flow.largest = BLI_MESSAGE_BYTES;
    }
    flow.between_nodes =
        flow.bytes -
        within_node(move, of_rank, place, own, direction, &reach) * move->size;
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
        .assembled = received.bytes > 0 ? needed * move->size : 0,
        .largest = sent.largest > received.largest ? sent.largest : received.largest,
    };
}
