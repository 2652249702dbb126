/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plan of a reduction over ranks: which rank combines which elements, and what has
 * to be sent for it.
 *
 * A reduction is made in rounds, of which var and std have two where results' elements
 * are on several ranks: means, and sums of squares of distances from them.  In a round
 *
 *   1. elements that continue a block go to the rank of the elements before them, as
 *      lanes (BLI_WAY_LANES), or the operand moves (BLI_WAY_MOVE);
 *   2. the ranks of a group, which have elements of the same results, send what they
 *      have combined (bl_reduce_pieces, as bytes) to those that finish results;
 *   3. finished results go to where they are needed.
 *
 * Results have the shape of keepdim here: reduced dimensions have extent 1.
 */
#ifndef BLI_REDUCTION_H
#define BLI_REDUCTION_H

#include <broadloom/reduce_pieces.h>

#include "mpi/spread/call.h"
#include "mpi/spread/ways.h"

/* What is to be reduced. */
struct bli_reduction_query {
    bl_context *ctx; /* NULL: the default */
    bl_reduction op;
    const struct bli_spread *from;
    bl_dtype dtype; /* of the elements */
    int32_t axes_count;
    const int32_t *axes;
    bool keepdim;
    const bl_reduce_options *options;
    const struct bli_dim *dims; /* of the result; NULL: as the operand's */
    bool everywhere;            /* every rank gets all results; dims are NULL */
};

/* Elements whose squares are computed at once, unless a step has more. */
enum { BLI_SQUARES = 32768 };

/* How a group's results are finished. */
enum bli_finishing {
    BLI_FINISH_HERE,     /* each rank has all elements of the results it finishes */
    BLI_FINISH_EXCHANGE, /* ranks join each other's, in pairs: all finish all results */
    BLI_FINISH_TREE,     /* two by two, towards the group's first rank, and back */
    BLI_FINISH_SHARES,   /* each rank of the group finishes a part of the results */
    BLI_FINISHINGS
};

struct bli_round {
    bl_reduction op;
    bl_dtype dtype;            /* of the elements that are combined */
    bl_reduce_options options; /* of bl_reduce_pieces_create() */
    bl_dtype to;               /* of the results */
    bool is_free;              /* any order gives the same bits */
    int64_t partial_size;      /* bytes of a partial result */
    enum bli_finishing finishing;
    struct bli_spread *finished; /* where results are finished; references */
    struct bli_spread *result;   /* and where they go */
};

struct bli_reduction {
    bl_context *ctx;
    bl_reduction op;
    bl_reduce_options options;
    uint64_t reduced; /* bit d: dimension d is reduced */
    int64_t count;    /* elements of each result */
    struct bli_ways ways;
    struct bli_spread *from;  /* references */
    struct bli_spread *input; /* where elements lie when they are combined */
    struct bli_spread *given; /* the result as the caller wants its shape */
    bl_dtype dtype, to;       /* of operand and result */
    int32_t cut;              /* the last reduced dimension that is cut; -1: none */
    int64_t inner;            /* elements behind each index of it */
    int32_t group_axes;       /* axes of the grid that divide a group, */
    int32_t group_axis[BLI_MAX_AXES]; /* the one of the first dimension first */
    int32_t group;                    /* ranks of it */
    int32_t rounds;
    struct bli_round round[2];
};

/*
 * Plan a reduction.  Refused is what bl_reduce() of the whole would refuse, before
 * data; BL_ERR_MEMORY.  Free with bli_reduction_free().
 */
bl_status bli_reduction_make(const struct bli_reduction_query *query,
                             struct bli_reduction *plan);
void bli_reduction_free(struct bli_reduction *plan);

/* ---- where results are (reduction_results.c) ---- */

/* Results that lie as the other dimensions of `as` do; reduced ones are whole. */
bl_status bli_reduction_follow(const struct bli_reduction *plan,
                               const struct bli_spread *as, struct bli_spread **out);

/* Find where the results of a round are finished, and how. */
bl_status bli_reduction_place_finished(const struct bli_reduction *plan,
                                       struct bli_round *round, int64_t partial_size);

/* Where the caller wants results: in its own shape, and in that of keepdim. */
bl_status bli_reduction_place_result(const struct bli_reduction_query *query,
                                     struct bli_reduction *plan,
                                     struct bli_spread **result);

/* ---- parts (reduction_parts.c) ---- */

/* Ranges of elements of each result, in order. */
struct bli_runs {
    int64_t count, room;
    bl_range *range;
};
void bli_runs_free(struct bli_runs *runs);

/* The place of a rank in its group, and the rank at a place of it. */
int32_t bli_reduction_place(const struct bli_reduction *plan, int32_t of_rank);
int32_t bli_reduction_peer(const struct bli_reduction *plan, int32_t of_rank,
                           int32_t place);

/*
 * The elements that the rank at `place` of a rank's group has: run after run, in order.
 * Where order is free they are numbered rank by rank.  BL_ERR_MEMORY.
 */
bl_status bli_reduction_runs(const struct bli_reduction *plan,
                             const struct bli_round *round, int32_t of_rank,
                             int32_t place, struct bli_runs *runs);

/* The most runs of a result that a rank has. */
int64_t bli_reduction_most_runs(const struct bli_reduction *plan);

/* What of a run goes to the rank of the elements behind it: lanes of a cut block. */
bl_range bli_reduction_tail(const struct bli_reduction *plan, bl_range run);

/* The place in the group of element `at` of a result. */
int32_t bli_reduction_owner(const struct bli_reduction *plan, int64_t at);

/* The tails of the rank at `from` that go to the one at `to`.  BL_ERR_MEMORY. */
bl_status bli_reduction_tails(const struct bli_reduction *plan,
                              const struct bli_round *round, int32_t of_rank,
                              int32_t from, int32_t to, struct bli_runs *tails);

/*
 * The elements that the ranks at `count` places from `place` on have combined, after
 * tails were sent.  BL_ERR_MEMORY.
 */
bl_status bli_reduction_combined(const struct bli_reduction *plan,
                                 const struct bli_round *round, int32_t of_rank,
                                 int32_t place, int32_t count, struct bli_runs *runs);

/*
 * The results that the rank at `place` of a rank's group finishes, or with `place` -1
 * all results whose elements the group has.  Returns the number of results.
 */
int64_t bli_reduction_share(const struct bli_reduction *plan,
                            const struct bli_round *round, int32_t of_rank,
                            int32_t place, struct bli_box *box);

/* A reduction in pieces of the results in a box, without elements. */
bl_status bli_reduction_pieces(const struct bli_reduction *plan,
                               const struct bli_round *round, const struct bli_box *box,
                               bl_reduce_pieces **pieces);

/* ---- messages (reduction_schedule.c) ---- */

enum bli_parcel_kind {
    BLI_PARCEL_TAILS,   /* lanes of cut blocks, for the results of each share */
    BLI_PARCEL_STATE,   /* what was combined, of the results of one share */
    BLI_PARCEL_WHOLE,   /* all elements', in place of what the receiver has */
    BLI_PARCEL_RESULTS, /* finished results */
};

/* Bytes that a rank sends or receives. */
struct bli_parcel {
    enum bli_parcel_kind kind;
    bool is_sent;
    int32_t stage; /* parcels of one are on the way together, stages in order */
    int32_t place; /* of the peer in the group */
    int32_t peer;  /* its rank */
    int64_t bytes;
    int64_t at; /* bytes of the parcels before it */
};

/* All that a rank sends and receives in a round until results are finished. */
struct bli_schedule {
    int64_t count, room;
    struct bli_parcel *parcel;
    int64_t bytes; /* of all */
    int64_t own; /* bytes of what the rank has combined itself, if ranks exchange it */
};

/* Shares that the results of a group are combined in. */
int32_t bli_reduction_shares(const struct bli_reduction *plan,
                             const struct bli_round *round);

/*
 * Make a rank's schedule of a round, in the order in which it sends and receives:
 * within a stage by distance in the group.  BL_ERR_MEMORY.
 */
bl_status bli_schedule_make(const struct bli_reduction *plan,
                            const struct bli_round *round, int32_t of_rank,
                            struct bli_schedule *schedule);
void bli_schedule_free(struct bli_schedule *schedule);

/*
 * Whether every rank of the grid has all that any other one combined once parcels are
 * exchanged, and so knows whether one has failed before.
 */
bool bli_reduction_tells_all(const struct bli_reduction *plan);

/* Memory that joining what arrives takes at most, of such a plan. */
int64_t bli_schedule_joining(const struct bli_schedule *schedule);

/* The move of a round's results from where they are finished, and of the operand. */
struct bli_move bli_round_move(const struct bli_round *round);
struct bli_move bli_reduction_move(const struct bli_reduction *plan);

/*
 * What a rank sends, receives and needs in all rounds: memory for messages, states,
 * what moved and what is finished (reduction_totals.c).  BL_ERR_MEMORY.
 */
bl_status bli_reduction_totals(const struct bli_reduction *plan, int32_t of_rank,
                               struct bli_spread_totals *totals);

/* ---- limits (reduction_limits.c) ---- */

struct bli_reduction_limits {
    enum bli_may_move move;
    int64_t small_bytes; /* of BLI_MOVE_SMALL: of the operand, or that a rank receives;
                            0: 1 MiB */
    int64_t most_bytes;  /* that a rank receives; 0: 4 times its part of operand and
                            result, or 1 MiB if that is more */
    int64_t most_memory; /* workspace of a rank; 0: 256 MiB, or 4 times these parts */
};

/* A rank's totals, if they keep within limits: else BL_ERR_RULES, with what it would
 * do. */
bl_status bli_reduction_check(const struct bli_reduction *plan,
                              const struct bli_reduction_limits *limits,
                              int32_t of_rank, struct bli_spread_totals *totals);

/*
 * The bytes that no plan for this result can do without: each result's elements are on
 * some ranks, of which all but one send a partial result, and all but one of those that
 * want it get it; or elements, where these are less.
 */
int64_t bli_reduction_least(const struct bli_reduction *plan);

#endif
