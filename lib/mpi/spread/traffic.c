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

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- peers ---- */

/* Some parts of a dimension: those that have elements, and elements of a range. */
struct share {
    int64_t filled;
    int64_t count;
};

/*
 * The parts of a reach along the axes of a dimension, by its first axis, as far as
 * they have indices begin to end - 1: for each place along the axes before the last
 * one, the parts along this follow each other.
 */
static struct share share_of(const struct bli_spread *spread, int32_t axis,
                             const struct bli_reach *reach, int64_t begin, int64_t end)
{
    const struct bli_borders *const cut = &spread->cut[axis];
    const int32_t fast = 31 - __builtin_clz(cut->axes);
    int64_t tuples = 1;
    struct share share = {0, 0};

    for (int32_t a = axis; a < fast; a++)
        if (cut->axes >> a & 1)
            tuples *= reach->last[a] - reach->first[a];
    for (int64_t t = 0; t < tuples; t++) {
        int64_t stride = spread->grid.extent[fast], rest = t, row = 0;

        for (int32_t a = fast - 1; a >= axis; a--) {
            if (!(cut->axes >> a & 1))
                continue;
            const int32_t count = reach->last[a] - reach->first[a];

            row += (reach->first[a] + rest % count) * stride;
            rest /= count;
            stride *= spread->grid.extent[a];
        }

        const int64_t low = most(row + reach->first[fast], reach->low[axis]);
        const int64_t high = least(row + reach->last[fast], reach->high[axis]);

        if (low >= high)
            continue;
        share.filled += cut->filled[high] - cut->filled[low];
        share.count +=
            most(0, least(cut->border[high], end) - most(cut->border[low], begin));
    }
    return share;
}

/* Places of a reach along an axis that have elements, counted by the first axis of a
 * dimension. */
static int64_t filled(const struct bli_spread *spread, int32_t axis,
                      const struct bli_reach *reach)
{
    if (spread->dim[axis] == BLI_WHOLE)
        return reach->last[axis] - reach->first[axis];
    return bli_spread_first(spread, axis) == BLI_WHOLE
               ? 1
               : share_of(spread, axis, reach, 0, 0).filled;
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

/*
 * Elements of `own`, what a rank has or needs, that it sends to or receives from all of
 * a reach, itself included.
 */
static int64_t moved_count(const struct bli_move *move, const struct bli_box *own,
                           enum bli_direction direction, const struct bli_reach *reach)
{
    const struct bli_spread *const other =
        direction == BLI_SENT ? move->to : move->from;
    int64_t extent[BL_MAX_RANK], count = 1;

    for (int32_t d = 0; d < move->from->rank; d++)
        extent[d] = own->end[d] - own->begin[d];
    for (int32_t a = 0; a < other->grid.axes; a++) {
        const int32_t d =
            direction == BLI_SENT ? bli_move_divided(move, a) : other->dim[a];

        if (d == BLI_WHOLE)
            count *= filled(other, a, reach);
        else if (bli_spread_first(other, a) != BLI_WHOLE)
            extent[d] = share_of(other, a, reach, own->begin[d], own->end[d]).count;
    }
    for (int32_t d = 0; d < move->from->rank; d++)
        count *= extent[d];
    return count;
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

/* What a rank exchanges with the other ranks of its node. */
static struct amount within_node(const struct bli_move *move, int32_t of_rank,
                                 const int32_t *place, const struct bli_box *own,
                                 enum bli_direction direction,
                                 const struct bli_reach *reach)
{
    const struct bli_grid *const grid = &move->to->grid;
    const int32_t begin = of_rank - of_rank % grid->node;
    const int32_t end = (int32_t)least((int64_t)begin + grid->node, grid->ranks);
    struct amount sum = {0, 0};

    for (int32_t r = begin; grid->node > 1 && r < end;) {
        struct bli_reach ranges, both = *reach;

        r = bli_reach_ranks(grid, r, end, &ranges);
        if (!bli_reach_meet(&both, &ranges, grid->axes))
            continue;
        const struct amount one = exchanged(move, place, own, direction, &both);

        sum.peers += one.peers;
        sum.count += one.count;
    }
    return sum;
}

/* Count one direction: of `own`, what a rank has or needs. */
static struct flow flow_of(const struct bli_move *move, int32_t of_rank,
                           enum bli_direction direction, const struct bli_box *own)
{
    struct flow flow = {0};
    struct bli_reach reach;
    struct amount amount, within;
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
    within = within_node(move, of_rank, place, own, direction, &reach);
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

int64_t bli_traffic_buffers(const struct bli_traffic *traffic, int32_t window)
{
    const int64_t sends = traffic->sent_messages - traffic->shared_sent_messages;
    const int64_t receives =
        traffic->received_messages - traffic->shared_received_messages;

    return (least(sends, window) + least(receives, window)) * traffic->largest;
}
