/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A reduction over ranks while it runs.  After the vote a rank goes on to the end
 * whatever fails on it, memory above all: it sends what the others wait for, and a
 * second vote tells all of them.
 */
#ifndef BLI_MPI_REDUCE_H
#define BLI_MPI_REDUCE_H

#include "mpi/entry/entry.h"
#include "mpi/spread/reduction.h"

/* The arguments that all functions of reductions have. */
struct bli_reduction_query bli_reduction_query_of(bl_reduction op, int32_t axes_count,
                                                  const int32_t *axes, bool keepdim,
                                                  const bl_reduce_options *options);

/* Read the program's limits, and where the result is to lie, and add them to a ballot,
 * which may be NULL. */
bl_status bli_reduction_read_limits(const bl_mpi_options *given,
                                    struct bli_reduction_query *query,
                                    struct bli_reduction_limits *limits,
                                    struct bli_ballot *ballot);

/* One round of it. */
struct bli_effort {
    const struct bli_reduction *plan;
    const struct bli_round *round;
    bl_mpi_grid *grid;
    bl_context *ctx;
    bl_status status; /* of this rank, so far */
    bool is_lame;     /* another rank has failed, and sent nothing of use */
    const struct bli_block *input; /* its elements */
    const struct bli_block *means; /* what is subtracted first; NULL: nothing */
    double divisor;                /* with means: of the sums of squares */
    struct bli_schedule schedule;
    struct bli_runs runs;
    int32_t own, shares;      /* its place in the group; of the results */
    bl_reduce_pieces **state; /* what is combined of each share */
    bl_tensor *buffers;       /* of the schedule's parcels, then of the move's */
    bl_tensor *arena;         /* to join in; NULL: that allocates, and may fail */
    bl_context *joining;      /* of what is joined: the call's, or the arena's */
    struct bli_block finished, result;
    bl_tensor *finished_tensor, *result_tensor;
};

/* Reserve what a round needs, except states (reduce_reserve.c).  BL_ERR_MEMORY. */
bl_status bli_effort_open(struct bli_effort *effort);

/* Free its states; reserve memory for its results, in place of what there is. */
void bli_effort_clear(struct bli_effort *effort);
bl_status bli_effort_reserve_results(struct bli_effort *effort);

/* Make a round, after the vote.  Only MPI's errors are returned; others are kept. */
bl_status bli_effort_run(struct bli_effort *effort);
void bli_effort_close(struct bli_effort *effort);

/* ---- a call (reduce.c) ---- */

/* Most axes of a call that is remembered. */
enum { BLI_KEPT_AXES = 8 };

struct bli_reducing {
    bl_mpi_grid *grid;
    bl_context *ctx;
    const bl_mpi_tensor *in;
    struct bli_reduction_limits limits;
    struct bli_reduction plan;
    struct bli_block own, input; /* the operand's block, and what is combined */
    bl_tensor *moved, *buffers;  /* of BLI_WAY_MOVE */
    const bl_array *out;         /* the program's; NULL: a new tensor is the result */
    bl_mpi_tensor *made;         /* what the last round writes, in its final shape */
    struct bli_effort effort[2];

    /* Of a remembered one: the arguments that the plan does not have. */
    const char *function; /* NULL: it was not remembered */
    int32_t axes_count, axes[BLI_KEPT_AXES];
    bool keepdim;
    struct bli_ballot ballot;
};

/* Reserve what the operand's move needs.  BL_ERR_MEMORY. */
bl_status bli_reducing_reserve_move(struct bli_reducing *call);

/* Let its rounds refer to the call itself, also where it is another one's copy. */
void bli_reducing_bind(struct bli_reducing *call);

/* Free what it holds, but not itself. */
void bli_reducing_release(struct bli_reducing *call);

/* ---- remembered calls (reduce_remember.c) ---- */

/* What is asked for again. */
struct bli_reducing_key {
    const char *function; /* the __func__ of it */
    bl_context *ctx;
    const bl_mpi_tensor *in;
    const bl_array *out;
    const struct bli_reduction_query *query;
    const bl_mpi_options *limits;
    bool is_refused; /* it has no result */
};

/* Take a remembered call, or NULL: it is planned, and has the call's ballot. */
struct bli_reducing *bli_reducing_recall(const struct bli_reducing_key *key);

/*
 * Keep a call that was made, in memory of its own, which one that was remembered has,
 * or release it.
 */
void bli_reducing_remember(struct bli_reducing *call,
                           const struct bli_reducing_key *key,
                           const struct bli_ballot *ballot);

/* ---- this rank's elements (reduce_add.c) ---- */

/* Add some neighbouring elements of this rank, or squares of distances from means. */
bl_status bli_effort_add(const struct bli_effort *effort, int32_t share,
                         bl_reduce_pieces *pieces, bl_range range);

/* All of this rank's elements by one bl_reduce(), to the finished results. */
bl_status bli_effort_reduce(const struct bli_effort *effort);

/* Write the results of a reduction in pieces to the finished ones. */
bl_status bli_effort_finish(const struct bli_effort *effort,
                            const bl_reduce_pieces *pieces);

#endif
