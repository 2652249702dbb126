/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All that is sent: communicators, votes, transfers.  The only folder that calls MPI.
 * Of MPI it uses what all of them do well: point-to-point messages of bytes, Allreduce,
 * Allgather and Bcast; and within a node, where it can be had, a window of shared
 * memory.
 */
#ifndef BLI_CARRY_H
#define BLI_CARRY_H

#include <mpi.h>

#include <stdatomic.h>

#include <broadloom/tensor.h>

#include "mpi/spread/call.h"
#include "mpi/spread/lines.h"
#include "mpi/spread/reduction.h"

/*
 * Memory that the ranks of a node share: a window of MPI's, of which each rank has a
 * segment.
 */
struct bli_shared {
    bool was_tried;     /* to make it, by all ranks */
    MPI_Win window;     /* MPI_WIN_NULL: there is none */
    int32_t ranks;      /* of each node; 0 where some node has no window */
    char *base;         /* of the segments of this node, each after the other */
    int64_t segment;    /* bytes of one */
    int64_t piece;      /* bytes of the pieces that go through it */
    uint32_t transfers; /* so far: equal on all ranks */
};

/* ---- the copy of a program's communicator (link.c) ---- */

struct bli_link {
    MPI_Comm comm; /* MPI_COMM_NULL: freed */
    int32_t ranks, self;
    int32_t grids;     /* that use it */
    bool is_attribute; /* of the program's communicator, which is still there */
    bool is_broken;    /* by an error of MPI */
    int64_t calls;     /* votes so far: equal on all ranks */
    int64_t made;      /* grids so far: equal on all ranks */
    int64_t place;     /* among all links: an order that is equal on all ranks */
    char error[256];   /* of MPI, where it is broken */
    struct bli_shared shared;
    struct bli_link *next;
};

/*
 * The copy of `comm`, which is made where there is none yet: collective.  Returns a
 * reference for a grid.  BL_ERR_UNSUPPORTED where MPI cannot be called from here or is
 * another one than this library was built with.
 */
bl_status bli_link_open(MPI_Comm comm, bool keep_errors, struct bli_link **out);

/* Give a reference back.  NULL: nothing. */
void bli_link_close(struct bli_link *link);

/* Check that MPI can be called on this thread, and that the link is not broken. */
bl_status bli_link_enter(const struct bli_link *link);

/* Break the link after MPI's `function` returned `code`; returns BL_ERR_MPI. */
bl_status bli_link_fail(struct bli_link *link, const char *function, int code);

/* The thread level that MPI was initialised with. */
int32_t bli_link_thread_level(void);

/* The extents of a Cartesian communicator; returns its axes, 0 where it is none. */
int32_t bli_link_cartesian(MPI_Comm comm, int64_t extent[BLI_MAX_AXES]);

/* Gather `bytes` of every rank to `all`, in the order of ranks.  Collective. */
bl_status bli_link_gather(struct bli_link *link, const void *mine, size_t bytes,
                          void *all);

/* Give the `bytes` of rank `root` to all.  Collective. */
bl_status bli_link_broadcast(struct bli_link *link, int32_t root, void *data,
                             size_t bytes);

/* Write the lowest rank of each rank's node to `node`.  Collective. */
bl_status bli_link_nodes(struct bli_link *link, int32_t *node);

/* Largest size of a sized struct, as in libbroadloom: a larger one is garbage. */
enum { BLI_MOST_SIZE = 4096 };

/* ---- the vote (vote.c) ---- */

/* What all ranks must call alike: hashed argument by argument, and in words. */
struct bli_ballot {
    const char *function;
    uint64_t hash;
    char text[256];
};

void bli_ballot_begin(struct bli_ballot *ballot, const char *function);
void bli_ballot_number(struct bli_ballot *ballot, int64_t number);
void bli_ballot_bytes(struct bli_ballot *ballot, const void *bytes, size_t count);
void bli_ballot_spread(struct bli_ballot *ballot, const struct bli_spread *spread);
void bli_ballot_options(struct bli_ballot *ballot, const bl_options *options);
/* A tensor, in words, too. */
void bli_ballot_shape(struct bli_ballot *ballot, bl_dtype dtype, int32_t rank,
                      const int64_t *extent);
/* Words of the call, as "add f64[2,3]", for its message. */
void bli_ballot_text(struct bli_ballot *ballot, const char *format, ...)
    BL_PRINTF(2, 3);

/*
 * Agree on a call: BL_OK where `status` is BL_OK on all ranks and their ballots are
 * equal.  Else the same status and error message on all ranks: that of the lowest rank
 * that refuses the call, or BL_ERR_ARGUMENT.  Collective.
 */
bl_status bli_mpi_vote(struct bli_link *link, const struct bli_ballot *ballot,
                       bl_status status);

/* ---- boxes of memory (boxes.c) ---- */

/* An array of a box of a tensor. */
struct bli_block {
    bl_dtype dtype;
    struct bli_box box;
    bl_layout layout; /* of the box, from `base` */
    void *base;
};

/* The compact block of a box at `base`. */
void bli_block_compact(struct bli_block *block, bl_dtype dtype, int32_t rank,
                       const struct bli_box *box, void *base);

/* The part `box` of a block. */
void bli_block_part(const struct bli_block *block, const struct bli_box *box,
                    struct bli_block *part);

/* The bytes of its elements, and of what is between them; false: it has none. */
bool bli_block_span(const struct bli_block *block, char **first, int64_t *bytes);

/* Whether the memory of two blocks may overlap. */
bool bli_blocks_overlap(const struct bli_block *a, const struct bli_block *b);

/* The address of its first element. */
char *bli_block_data(const struct bli_block *block);

/* Copy an array, repeated and converted, whatever rules and limits `ctx` has. */
bl_status bli_mpi_copy(bl_context *ctx, const bl_array *to, const bl_array *from);

/* Copy elements between blocks of equal boxes and dtypes.  Cannot fail. */
void bli_block_copy(bl_context *ctx, const struct bli_block *to,
                    const struct bli_block *from);

/* ---- copies to large blocks (stream.c) ---- */

/* Whether a block is too large for the caches. */
bool bli_block_is_large(const struct bli_block *block);

/*
 * As bli_block_copy(), on this thread, to a block that is not read again soon: long
 * rows are written with non-temporal stores.
 */
void bli_block_stream(bl_context *ctx, const struct bli_block *to,
                      const struct bli_block *from);

/* ---- memory of the node (shared.c) ---- */

/*
 * Make the window of a link, once, where all nodes have `ranks` ranks, each after the
 * other; returns whether there is one on all ranks.  Collective.
 */
bool bli_shared_open(struct bli_link *link, int32_t ranks);

/* Free it, with the link's communicator: collective where there is one. */
void bli_shared_close(struct bli_shared *shared);

/* Whether all ranks vote through it. */
bool bli_shared_has_votes(const struct bli_link *link);

/*
 * Make each word the most that any rank has there, as MPI_Allreduce() does; returns
 * MPI's code.  `number`, of the vote, is above 0.  Collective.
 */
enum { BLI_VOTE_WORDS = 4 };
int bli_shared_vote(const struct bli_link *link, int64_t number,
                    int64_t word[BLI_VOTE_WORDS]);

/*
 * Elements on their way from a rank to another one of its node, piece by piece.  The
 * sender copies a piece to its segment while the receiver copies the one before out of
 * it, so that pieces stay in caches.
 */
struct bli_passage {
    struct bli_block block;     /* where they come from, or go to */
    struct bli_cut cut;         /* its pieces */
    int64_t done;               /* of them */
    struct bli_segment *sender; /* whose segment they pass through */
    int32_t lane;               /* of it; -1: not found yet */
    uint64_t ticket;            /* on their lane: transfer, receiver, and number */
    bool is_sent;               /* by this rank */
    bool is_streamed;           /* to a block that is large */
};

/*
 * Begin with message `number` of those to or from a peer in this transfer.  A rank has
 * BLI_WINDOW lanes, which take one message each; a receiver does not say which.
 */
void bli_passage_begin(const struct bli_shared *shared, int32_t self, int32_t peer,
                       int32_t number, int32_t lane, struct bli_passage *passage);

/* Copy the next piece, where that can be done now; returns whether it was. */
bool bli_passage_step(const struct bli_shared *shared, bl_context *ctx,
                      struct bli_passage *passage);

/* Whether all has passed; the lane is then free for another message. */
bool bli_passage_ends(struct bli_passage *passage);

/* ---- transfers (transfer.c) ---- */

/* What a rank does while messages are on the way. */
struct bli_beside {
    void (*land)(void *user, const struct bli_box *box); /* elements that are there */
    bool (*work)(void *user); /* does a part of it; false: there is none now */
    void *user;
};

/*
 * Send what other ranks need of `from`, this rank's block, and assemble in `to` what it
 * needs itself, doing something beside it, or NULL.  A `to` whose base is NULL is not
 * used: nothing is received.  Collective.  `buffers` has bli_traffic_buffers() of the
 * rank's traffic and `window`, the messages on the way in each direction.  Cannot fail
 * but by MPI.
 */
bl_status bli_mpi_transfer_beside(struct bli_link *link, bl_context *ctx,
                                  const struct bli_move *move, int32_t window,
                                  const struct bli_block *from,
                                  const struct bli_block *to, char *buffers,
                                  const struct bli_beside *beside);

static inline bl_status bli_mpi_transfer(struct bli_link *link, bl_context *ctx,
                                         const struct bli_move *move, int32_t window,
                                         const struct bli_block *from,
                                         const struct bli_block *to, char *buffers)
{
    return bli_mpi_transfer_beside(link, ctx, move, window, from, to, buffers, NULL);
}

/* ---- bytes (parcels.c) ---- */

/*
 * Send and receive the parcels of one stage of a schedule, `count` of them: to and from
 * `buffers` at their places in it.  Cannot fail but by MPI.
 */
bl_status bli_mpi_exchange(struct bli_link *link, int64_t count,
                           const struct bli_parcel *parcel, char *buffers);

/* ---- transfers by linear order (lines.c) ---- */

/* Memory of a transfer by linear order, for one rank. */
struct bli_lines_memory {
    int64_t *bytes[2]; /* sent to and received from each rank, itself included */
    int64_t *begin[2]; /* where they are in the buffers */
    int64_t *place;    /* next in a buffer, of each rank */
    char *buffer[2];   /* what is sent and what arrives, rank by rank */
    bl_tensor *block;  /* that the others are parts of; NULL: none */
};

/* Count and reserve what a transfer takes; bli_lines_free() in any case. */
bl_status bli_lines_reserve(const struct bli_link *link, bl_context *ctx,
                            const struct bli_lines *lines,
                            struct bli_lines_memory *memory);
void bli_lines_free(struct bli_lines_memory *memory);

/*
 * Move elements from this rank's box of lines->from, which are at `from` in row-major
 * order, to its box of lines->to, at `to`.  Collective.  Cannot fail but by MPI.
 */
bl_status bli_mpi_lines(struct bli_link *link, const struct bli_lines *lines,
                        const char *from, char *to,
                        const struct bli_lines_memory *memory);

#endif
