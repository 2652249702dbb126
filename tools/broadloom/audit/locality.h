/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts memory touched on the node where it lies, and on another.
 */
#ifndef LOCALITY_H
#define LOCALITY_H

#include "slices.h"

/* Memory is looked at in pieces of this size, whatever the pages of the system are. */
enum { PIECE_BYTES = 4096 };

/* Bytes that a node touched in its own memory and in that of others. */
struct locality_node {
    int64_t local, remote;
};
struct locality {
    int32_t nodes;
    int64_t unknown; /* bytes whose node the system did not tell */
    struct locality_node *node;
};

bl_status locality_open(int32_t nodes, struct locality *locality);
void locality_free(struct locality *locality);

/* All nodes together. */
struct locality_node locality_sum(const struct locality *locality);

/* Local bytes in percent of all; 100 of none. */
double locality_percent(const struct locality *locality);

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
bl_status locality_range(struct locality *locality, const bl_plan_info *info, int32_t k,
                         const struct extent *extent, const int32_t *where,
                         bl_range range, int32_t node);

/*
 * Add what the slices of a plan touch of operand `k` where its memory is divided over
 * the nodes in order, as a team of `threads` first touches it.
 */
bl_status locality_ideal(struct locality *locality, const bl_plan_info *info, int32_t k,
                         const struct extent *extent, const struct slices *slices,
                         int32_t threads);

/* Pieces of that much memory. */
int64_t pieces_of(int64_t bytes);

#endif
