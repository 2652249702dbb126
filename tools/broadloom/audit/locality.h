/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts bytes that threads touch on their own NUMA node and on other nodes.
 */
#ifndef LOCALITY_H
#define LOCALITY_H

#include "slices.h"

/* Memory is examined in pieces of this size, whatever the system's page size is. */
enum { PIECE_BYTES = 4096 };

/* Bytes that a node's threads touched in its own memory and on other nodes. */
struct locality_node {
    int64_t local, remote;
};
struct locality {
    int32_t nodes;
    int64_t unknown; /* bytes whose node the system did not report */
    struct locality_node *node;
};

bl_status locality_open(int32_t nodes, struct locality *locality);
void locality_free(struct locality *locality);

/* The sum over all nodes. */
struct locality_node locality_sum(const struct locality *locality);

/* Local bytes in percent of all bytes; 100 where nothing was touched. */
double locality_percent(const struct locality *locality);

/* The memory of an operand: `bytes` long, with element (0, ..., 0) at byte `first`. */
struct extent {
    int64_t bytes;
    int64_t first;
    int64_t size; /* of an element */
};

/*
 * Add what iterations `range`, executed on node `node`, touch of operand `k`; each
 * cache line counts once. where[p] is the node of piece p of the memory, negative where
 * it is unknown.
 */
bl_status locality_range(struct locality *locality, const bl_plan_info *info, int32_t k,
                         const struct extent *extent, const int32_t *where,
                         bl_range range, int32_t node);

/*
 * Add what the slices of a plan would touch of operand `k` if its memory were divided
 * over the nodes in order, by first touch of a team of `threads`.
 */
bl_status locality_ideal(struct locality *locality, const bl_plan_info *info, int32_t k,
                         const struct extent *extent, const struct slices *slices,
                         int32_t threads);

/* Number of pieces in `bytes` bytes of memory. */
int64_t pieces_of(int64_t bytes);

#endif
