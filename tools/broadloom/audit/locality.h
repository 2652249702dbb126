/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts memory touched on the node where it lies, and on another.
 */
#ifndef TALLY_H
#define TALLY_H

#include "slices.h"

/* Memory is looked at in pieces of this size, whatever the pages of the system are. */
enum { PIECE_BYTES = 4096 };

/* Bytes that a node touched in its own memory and in that of others. */
struct tally_node {
    int64_t local, remote;
};
struct tally {
    int32_t nodes;
    int64_t unknown; /* bytes whose node the system did not tell */
    struct tally_node *node;
};

bl_status tally_open(int32_t nodes, struct tally *tally);
void tally_free(struct tally *tally);

/* All nodes together. */
struct tally_node tally_sum(const struct tally *tally);

/* Local bytes in percent of all; 100 of none. */
double tally_percent(const struct tally *tally);

/* The memory of an operand: `bytes` of it, element (0, ..., 0) at `first`. */
struct extent {
    int64_t bytes;
    int64_t first;
    int64_t size; /* of an element */
};

/*
 * Add what iterations `range`, done on node `node`, touch of operand `k`: each cache
 * line once.  where[p] is the node of piece p of the memory, negative where it is
 * unknown.
 */
bl_status tally_range(struct tally *tally, const bl_plan_info *info, int32_t k,
                      const struct extent *extent, const int32_t *where, bl_range range,
                      int32_t node);

/*
 * Add what the slices of a plan touch of operand `k` where its memory is divided over
 * the nodes in order, as a team of `threads` first touches it.
 */
bl_status tally_ideal(struct tally *tally, const bl_plan_info *info, int32_t k,
                      const struct extent *extent, const struct slices *slices,
                      int32_t threads);

/* Pieces of that much memory. */
int64_t pieces_of(int64_t bytes);

#endif
