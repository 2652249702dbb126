/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a reduction over dimensions that are cut gets the bits of one process, and what
 * each way of it moves.
 *
 * Elements of a result are combined by a tree over blocks of 1024 of them, in logical
 * order (<broadloom/reduce.h>).  A rank combines its blocks into nodes of that tree;
 * ranks send these to those that finish the results.  What has to happen before depends
 * on the blocks that are cut by a border between ranks.
 */
#ifndef BLI_WAYS_H
#define BLI_WAYS_H

#include "mpi/spread/spread.h"

enum bli_reduction_way {
    BLI_WAY_HERE,     /* each result's elements are on one rank: nothing moves */
    BLI_WAY_NODES,    /* no block is cut, or the order is free: nodes alone */
    BLI_WAY_LANES,    /* a cut block's lanes go to the rank of its next element */
    BLI_WAY_ELEMENTS, /* a cut block's elements go to one of its ranks */
    BLI_WAY_MOVE,     /* the operand moves first, so that no reduced dimension is cut */
    BLI_WAYS
};

/* A reduction of a spread operand. */
struct bli_ways_query {
    const struct bli_spread *from;
    uint64_t reduced;     /* bit d: dimension d is reduced */
    int64_t size;         /* bytes of an element */
    int64_t partial_size; /* bytes of a partial result */
    bool is_free;         /* any order gives the same bits, as of integers */
};

/*
 * What a way moves until results are finished, of all ranks together, at most, without
 * the headers of messages.
 */
struct bli_way_cost {
    bool is_possible;
    int64_t messages;
    int64_t bytes;
};

struct bli_ways {
    enum bli_reduction_way way; /* the possible one of fewest bytes, then messages */
    struct bli_way_cost cost[BLI_WAYS];
    int64_t cuts;  /* borders between ranks inside blocks, of one result */
    int32_t cut;   /* the last reduced dimension that is on several ranks; -1: none */
    int64_t inner; /* elements of a result behind each index of it */
    int64_t
        least_run; /* elements of a result on a rank that follow each other, least */
    struct bli_spread
        *moved; /* where the operand lies after BLI_WAY_MOVE; a reference */
};

/*
 * Find the ways of a reduction.  Release `moved` with bli_spread_release().
 * BL_ERR_MEMORY.
 */
bl_status bli_ways_find(const struct bli_ways_query *query, struct bli_ways *ways);

#endif
