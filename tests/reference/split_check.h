/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks the invariants of a split; each check returns what is wrong, or NULL.
 */
#ifndef TESTS_SPLIT_CHECK_H
#define TESTS_SPLIT_CHECK_H

#include "plan/split.h"

enum { MOST_NODES = 300, MOST_PARTS = 128, MOST_RANGES = 2 * BLI_MAX_NODE_RANGES };
#define MIB (INT64_C(1) << 20)

/* A machine with a weight for each node. */
struct subject {
    int32_t nodes;
    int32_t weight[MOST_NODES];
    int64_t total;
};

/* All ranges of all parts, in the order of assignment. */
struct ranges {
    int32_t count;
    bl_range range[MOST_RANGES + 2 * MOST_PARTS];
    int64_t largest; /* iterations of the busiest part */
    bool is_rising;  /* within each part and phase */
};

/*
 * Check that node ranges cover `count` elements of `size` bytes once, in order of
 * nodes.
 */
const char *fault_of_node_ranges(const struct bli_node_ranges *node_ranges,
                                 int64_t count, int64_t size, const struct subject *s);

/*
 * Check that, with 100 MiB or more per node, ranges end at huge pages and are within 2
 * %.
 */
const char *fault_of_split_points(const struct bli_node_ranges *node_ranges,
                                  int64_t count, int64_t size, const struct subject *s);

/* Get the ranges of every part. */
void collect_ranges(struct ranges *ranges, const struct bli_node_ranges *node_ranges,
                    const struct bli_team_map *crew, int64_t line);

/* Check that ranges cover `count` elements once and share no cache line; sorts them. */
const char *fault_of_ranges(struct ranges *ranges, int64_t count, int64_t size);

#endif
