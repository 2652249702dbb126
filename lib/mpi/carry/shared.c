/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks of one node give each other without messages: through a window of bounded
 * size, piece by piece, from any memory to any memory.
 *
 * A segment has lanes of two pieces each.  A lane belongs to its sender, who writes on
 * it a ticket, by which the receiver finds it, and how many pieces are there; the
 * receiver writes how many it has taken.
 *
 * Where all ranks are on one node, they vote through it, too: each writes what it says
 * to its own segment, and reads all others.
 */
#include "mpi/carry/carry.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* SimGrid's ranks take turns inside MPI alone: they would wait for memory for ever. */
#ifdef SIMGRID_HAVE_MC
enum { IS_SIMULATED = 1 };
#else
enum { IS_SIMULATED = 0 };
#endif

/* Bytes of a piece, at most, which tests make less, and of all pieces of a node. */
#ifndef BLI_PIECE
#define BLI_PIECE (INT64_C(128) << 10)
#endif
#define LEAST_PIECE (INT64_C(16) << 10)
#define NODE_BYTES  (INT64_C(16) << 20)

enum { LINE = 64, PAGE = 4096, PIECES = 2, TO = 20 };

/* Most ranks that read what all others say; and looks before others may run. */
enum { MOST_VOTES = 16, SPINS = 1000 };

struct lane {
    _Alignas(LINE) atomic_uint_least64_t ticket; /* 0: free */
    atomic_int_least64_t written;
    _Alignas(LINE) atomic_int_least64_t taken;
};

/* What a rank says in a vote.  It may be one vote ahead of the others. */
struct say {
    _Alignas(LINE) atomic_int_least64_t number; /* of the vote */
    int64_t word[BLI_VOTE_WORDS];
};

struct bli_segment {
    struct lane lane[BLI_WINDOW];
    struct say say[2];
    _Alignas(PAGE) char piece[]; /* those of lane 0, then those of lane 1, ... */
};

static struct bli_segment *segment_of(const struct bli_shared *shared, int32_t of_rank)
{
    return (struct bli_segment *)(void *)(shared->base +
                                          of_rank % shared->ranks * shared->segment);
}

/* ---- the window ---- */

/*
 * Make the window over the ranks of a node; returns MPI's code.  MPI begins it
 * anywhere, segments on the first page in it.
 */
static int make(MPI_Comm node, int32_t self, struct bli_shared *shared)
{
    const int32_t place = self % shared->ranks;
    const MPI_Aint own = (MPI_Aint)shared->segment + (place == 0 ? PAGE : 0);
    const int64_t before = place == 0 ? 0 : place * shared->segment + PAGE;
    struct bli_segment *segment;
    char *mine, *first;
    MPI_Aint bytes;
    int unit, size;
    int code = MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN);

    if (code == MPI_SUCCESS)
        code = MPI_Comm_size(node, &size);
    if (code == MPI_SUCCESS)
        code = MPI_Win_allocate_shared(own, 1, MPI_INFO_NULL, node, &mine,
                                       &shared->window);
    if (code != MPI_SUCCESS) {
        shared->window = MPI_WIN_NULL;
        return code;
    }
    code = MPI_Win_shared_query(shared->window, 0, &bytes, &unit, &first);
    if (code != MPI_SUCCESS || size != shared->ranks || mine != first + before)
        return code != MPI_SUCCESS ? code : MPI_ERR_OTHER;
    shared->base = first + (PAGE - (uintptr_t)first % PAGE) % PAGE;
    segment = segment_of(shared, self);
    for (int32_t lane = 0; lane < BLI_WINDOW; lane++)
        atomic_init(&segment->lane[lane].ticket, 0);
    for (int i = 0; i < 2; i++)
        atomic_init(&segment->say[i].number, 0);
    return MPI_Win_lock_all(MPI_MODE_NOCHECK, shared->window);
}

/* Whether this rank's environment allows a window. */
static bool may_share(void)
{
    const char *const text = secure_getenv("BROADLOOM_MPI_SHARED");

    return !IS_SIMULATED && (!text || strcmp(text, "0") != 0);
}

bool bli_shared_open(struct bli_link *link, int32_t ranks)
{
    struct bli_shared *const shared = &link->shared;
    MPI_Comm node = MPI_COMM_NULL;
    int64_t piece = ranks > 0 ? NODE_BYTES / ranks / (PIECES * BLI_WINDOW) : 0;
    int is_there = may_share(), code;

    if (shared->was_tried || ranks < 2 || ranks >= 1 << (32 - TO))
        return shared->ranks > 0;
    shared->was_tried = true;
    code = MPI_Allreduce(MPI_IN_PLACE, &is_there, 1, MPI_INT, MPI_MIN, link->comm);
    if (code != MPI_SUCCESS || !is_there)
        return false;
    shared->ranks = ranks;
    piece = piece < LEAST_PIECE ? LEAST_PIECE : piece / LINE * LINE;
    shared->piece = piece < BLI_PIECE ? piece : BLI_PIECE;
    shared->segment = ((int64_t)sizeof(struct bli_segment) +
                       PIECES * BLI_WINDOW * shared->piece + PAGE - 1) /
                      PAGE * PAGE;
    code = MPI_Comm_split_type(link->comm, MPI_COMM_TYPE_SHARED, link->self,
                               MPI_INFO_NULL, &node);
    if (code == MPI_SUCCESS)
        code = make(node, link->self, shared);
    if (node != MPI_COMM_NULL)
        MPI_Comm_free(&node);
    is_there = code == MPI_SUCCESS;
    /* All lanes are free then, too, and nothing is said. */
    code = MPI_Allreduce(MPI_IN_PLACE, &is_there, 1, MPI_INT, MPI_MIN, link->comm);
    if (code != MPI_SUCCESS || !is_there)
        shared->ranks = 0;
    return shared->ranks > 0;
}

void bli_shared_close(struct bli_shared *shared)
{
    /* One that others failed to make is left to MPI, since all ranks would free it. */
    if (shared->ranks > 0) {
        MPI_Win_unlock_all(shared->window);
        MPI_Win_free(&shared->window);
    }
    shared->ranks = 0;
}

/* ---- votes ---- */

bool bli_shared_has_votes(const struct bli_link *link)
{
    return link->shared.ranks == link->ranks && link->ranks <= MOST_VOTES;
}

/*
 * Wait until a rank has said what it says in this vote; returns MPI's code.  A rank
 * that comes later may be waiting for what the program sends from here, so MPI is
 * called.
 */
static int await(const struct bli_link *link, const struct say *say, int64_t number)
{
    int code = MPI_SUCCESS, is_there;

    for (int spins = 0;
         code == MPI_SUCCESS &&
         atomic_load_explicit(&say->number, memory_order_acquire) != number;
         spins++) {
        if (spins < SPINS)
            continue;
        code = MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, link->comm, &is_there,
                          MPI_STATUS_IGNORE);
        sched_yield();
    }
    return code;
}

int bli_shared_vote(const struct bli_link *link, int64_t number,
                    int64_t word[BLI_VOTE_WORDS])
{
    struct say *const own = &segment_of(&link->shared, link->self)->say[number % 2];
    int code = MPI_SUCCESS;

    memcpy(own->word, word, sizeof own->word);
    atomic_store_explicit(&own->number, number, memory_order_release);
    for (int32_t r = 0; r < link->ranks && code == MPI_SUCCESS; r++) {
        const struct say *const say = &segment_of(&link->shared, r)->say[number % 2];

        code = await(link, say, number);
        for (int i = 0; i < BLI_VOTE_WORDS; i++)
            word[i] = say->word[i] > word[i] ? say->word[i] : word[i];
    }
    return code;
}

/* ---- messages through it ---- */

void bli_passage_begin(const struct bli_shared *shared, int32_t self, int32_t peer,
                       int32_t number, int32_t lane, struct bli_passage *passage)
{
    const struct bli_block *const block = &passage->block;
    const int64_t bytes =
        bl_layout_numel(&block->layout) * (int64_t)bl_dtype_size(block->dtype);
    const int32_t to = passage->is_sent ? peer : self;

    passage->cut = bli_cut_box(block->layout.rank, &block->box, bytes, shared->piece);
    passage->done = 0;
    passage->sender = segment_of(shared, passage->is_sent ? self : peer);
    passage->lane = passage->is_sent ? lane : -1;
    passage->ticket = (uint64_t)shared->transfers << 32 |
                      (uint64_t)(to % shared->ranks + 1) << TO | (uint32_t)number;
    if (!passage->is_sent)
        return;
    struct lane *const own = &passage->sender->lane[lane];

    atomic_store_explicit(&own->written, 0, memory_order_relaxed);
    atomic_store_explicit(&own->taken, 0, memory_order_relaxed);
    atomic_store_explicit(&own->ticket, passage->ticket, memory_order_release);
}

/* The lane that has a passage's ticket, or -1. */
static int32_t find_lane(const struct bli_passage *passage)
{
    for (int32_t lane = 0; lane < BLI_WINDOW; lane++)
        if (atomic_load_explicit(&passage->sender->lane[lane].ticket,
                                 memory_order_acquire) == passage->ticket)
            return lane;
    return -1;
}

bool bli_passage_step(const struct bli_shared *shared, bl_context *ctx,
                      struct bli_passage *passage)
{
    struct bli_block part, piece;
    struct bli_box box;

    if (passage->lane < 0)
        passage->lane = find_lane(passage);
    if (passage->lane < 0 || passage->done == passage->cut.pieces)
        return false;
    struct lane *const lane = &passage->sender->lane[passage->lane];
    const int64_t ready =
        passage->is_sent
            ? atomic_load_explicit(&lane->taken, memory_order_acquire) + PIECES
            : atomic_load_explicit(&lane->written, memory_order_acquire);

    if (passage->done >= ready)
        return false;
    bli_cut_piece(&passage->cut, passage->block.layout.rank, &passage->block.box,
                  passage->done, &box);
    bli_block_part(&passage->block, &box, &part);
    bli_block_compact(&piece, part.dtype, part.layout.rank, &box,
                      passage->sender->piece +
                          (passage->lane * PIECES + passage->done % PIECES) *
                              shared->piece);
    if (passage->is_sent)
        bli_block_copy(ctx, &piece, &part);
    else if (passage->is_streamed)
        bli_block_stream(ctx, &part, &piece);
    else
        bli_block_copy(ctx, &part, &piece);
    passage->done++;
    atomic_store_explicit(passage->is_sent ? &lane->written : &lane->taken,
                          passage->done, memory_order_release);
    return true;
}

bool bli_passage_ends(struct bli_passage *passage)
{
    if (passage->done < passage->cut.pieces)
        return false;
    if (!passage->is_sent)
        return true;
    struct lane *const lane = &passage->sender->lane[passage->lane];

    if (atomic_load_explicit(&lane->taken, memory_order_acquire) < passage->cut.pieces)
        return false;
    atomic_store_explicit(&lane->ticket, 0, memory_order_relaxed);
    return true;
}
