/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks send each other so that each has the elements of one operand that its part
 * of the result takes: messages, in the same order at both ends, and their bytes.
 */
#ifndef BLI_MOVE_H
#define BLI_MOVE_H

#include "mpi/spread/spread.h"

/* Most bytes of a message: counts of bytes then fit every interface of MPI. */
#define BLI_MESSAGE_BYTES (INT64_C(64) << 20)

/*
 * The move of an operand.  Dimension d of the operand lies along dimension d + shift of
 * the result; one of extent 1 is repeated along it, and one that falls outside has
 * extent 1.  Both spreads are borrowed, and have the same grid.
 */
struct bli_move {
    const struct bli_spread *from; /* where the operand lies */
    const struct bli_spread *to;   /* where the result lies */
    int32_t shift;
    int64_t size; /* bytes of an element */
    /* Bit a: of replicas along axis a, that at the receiver's own place sends. */
    uint32_t near;
};

/* ---- move.c ---- */

/*
 * The box of the operand that a rank needs for its part of the result, and the box of
 * that which it has itself.  Both return the number of elements: where that is 0, the
 * box means nothing.
 */
int64_t bli_move_need(const struct bli_move *move, int32_t of_rank,
                      struct bli_box *need);
int64_t bli_move_kept(const struct bli_move *move, int32_t of_rank,
                      struct bli_box *kept);

/* The box of the operand that a box of the result takes. */
void bli_move_taken(const struct bli_move *move, const struct bli_box *result,
                    struct bli_box *taken);

/*
 * Narrow a box of the result to what takes elements that a rank has itself; false where
 * it has none that it needs.
 */
bool bli_move_narrow(const struct bli_move *move, int32_t of_rank,
                     struct bli_box *result);

/* Whether no rank sends anything. */
bool bli_move_is_local(const struct bli_move *move);

enum bli_direction { BLI_SENT, BLI_RECEIVED };

/*
 * A product of ranges of places, first[a] to last[a] - 1 along each axis: ranks that a
 * rank may exchange elements with.  Of these, some have no elements to exchange, and
 * some have what the rank has: those at the same place along each axis that is not
 * replicated.
 */
struct bli_reach {
    int32_t first[BLI_MAX_AXES];
    int32_t last[BLI_MAX_AXES];
    /* By the first axis of each cut dimension of the other side, its parts low to high
     * - 1 alone: along several axes together these are not all of the product. */
    int32_t low[BLI_MAX_AXES];
    int32_t high[BLI_MAX_AXES];
};

/* ---- reach.c, for the other files here ---- */

/* The ranks that a rank sends to or receives from; false if there are none. */
bool bli_move_reach(const struct bli_move *move, int32_t of_rank,
                    enum bli_direction direction, struct bli_reach *reach);

/* Whether ranks that differ along an axis alone have the same part of the operand. */
bool bli_move_is_replicated(const struct bli_move *move, int32_t axis);

/* The dimension of the operand that receivers along an axis divide, or BLI_WHOLE. */
int32_t bli_move_divided(const struct bli_move *move, int32_t axis);

/*
 * Ranks `first` to `last` - 1 as far as they are a product of ranges of places, which
 * are written; the first rank after them is returned.
 */
int32_t bli_reach_ranks(const struct bli_grid *grid, int32_t first, int32_t last,
                        struct bli_reach *ranks);

/* Keep the places of a reach that are in another one's ranges; false: there are none.
 */
bool bli_reach_meet(struct bli_reach *reach, const struct bli_reach *other,
                    int32_t axes);

/* What moves from one place to another; returns the number of elements. */
int64_t bli_move_part(const struct bli_move *move, const int32_t *from,
                      const int32_t *to, struct bli_box *box);

/* ---- amount.c, for traffic.c ---- */

/* Ranks, and the elements that they exchange with one. */
struct bli_amount {
    int64_t peers;
    int64_t count;
};

/*
 * What a rank exchanges of `own`, what it has or needs, with ranks that do not have it
 * anyway, and what of that with ranks of its node.
 */
struct bli_amount bli_move_amount(const struct bli_move *move, int32_t of_rank,
                                  enum bli_direction direction,
                                  const struct bli_box *own, struct bli_amount *within);

/* ---- messages.c ---- */

/* A message: the elements of `box`, indices of the operand, in row-major order. */
struct bli_message {
    int32_t peer;  /* another rank */
    int64_t bytes; /* 1 to BLI_MESSAGE_BYTES */
    struct bli_box box;
};

/* A box in pieces: ranges of one dimension, one index of each dimension before it. */
struct bli_cut {
    int32_t dim; /* -1: the box is one piece */
    int64_t step, pieces;
};

/*
 * Cut a box of `bytes` into pieces of at most `most`: along the outermost dimension of
 * which one index is not too large, as many indices at a time as fit.
 */
struct bli_cut bli_cut_box(int32_t rank, const struct bli_box *box, int64_t bytes,
                           int64_t most);

/* Piece number `piece` of a box that is cut so. */
void bli_cut_piece(const struct bli_cut *cut, int32_t rank, const struct bli_box *whole,
                   int64_t piece, struct bli_box *box);

/* Where a list of messages is; only messages.c looks inside. */
struct bli_messages {
    const struct bli_move *move;
    enum bli_direction direction;
    int32_t of_rank;
    int32_t own[BLI_MAX_AXES];
    struct bli_reach reach;
    int64_t start, tuple, tuples; /* which of them */
    struct bli_message whole;     /* all that this pair moves */
    struct bli_cut cut;           /* and its messages */
    int64_t piece;                /* the number of the next one of them */
};

/*
 * Go through the messages that a rank sends or receives, by increasing distance: peer -
 * rank of those that are sent, rank - peer of those that are received, modulo the
 * number of ranks.  Between two ranks both ends have the same messages in the same
 * order.  What a rank keeps is no message: bli_move_kept().
 */
void bli_messages_begin(const struct bli_move *move, int32_t of_rank,
                        enum bli_direction direction, struct bli_messages *list);
bool bli_messages_next(struct bli_messages *list, struct bli_message *message);

/* ---- traffic.c ---- */

/* What a rank sends and receives: other ranks, messages, bytes. */
struct bli_traffic {
    int64_t sent_peers, sent_messages, sent;
    int64_t received_peers, received_messages, received;
    int64_t kept;          /* bytes that it needs and has */
    int64_t node_sent;     /* of those sent, to ranks of other nodes */
    int64_t node_received; /* of those received, from ranks of other nodes */
    /* Of those sent and received, what no message carries, but memory of the node. */
    int64_t shared_sent_messages, shared_sent;
    int64_t shared_received_messages, shared_received;
    /*
     * Bytes of a block for all that it needs, the operand's and the others' parts side
     * by side; 0 where nothing is received.
     */
    int64_t assembled;
    int64_t largest; /* no message of it has more bytes */
};

/*
 * Count what a rank sends and receives of one operand, without going through its
 * messages.  What is on the way within and between nodes is counted where a node has
 * several ranks.  Two ranks' counts agree: the sum of what is sent over all ranks is
 * the sum of what is received.
 */
void bli_traffic_count(const struct bli_move *move, int32_t of_rank,
                       struct bli_traffic *traffic);

/* Bytes that all ranks receive from other nodes, added up until they exceed `limit`. */
int64_t bli_traffic_entering(const struct bli_move *move, int64_t limit);

/* Bytes for so many messages on the way in each direction; shared ones take none. */
int64_t bli_traffic_buffers(const struct bli_traffic *traffic, int32_t window);

#endif
