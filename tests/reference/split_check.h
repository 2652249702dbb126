/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every split must keep to; each check returns what is wrong, or NULL.
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

/* All ranges of all parts, in the order in which they were given out. */
struct ranges {
    int32_t count;
    bl_range range[MOST_RANGES + 2 * MOST_PARTS];
    int64_t largest; /* iterations of the busiest part */
    bool is_rising;  /* within each part and phase */
};

/* Homes cover `count` elements of `size` bytes once, in the order of nodes. */
const char *fault_of_homes(const struct bli_node_ranges *homes, int64_t count,
                           int64_t size, const struct subject *s);

/* Where every node has 100 MiB, borders lie on huge pages and within 2 %. */
const char *fault_of_borders(const struct bli_node_ranges *homes, int64_t count,
                             int64_t size, const struct subject *s);

/* Ask for the ranges of every part. */
void collect_ranges(struct ranges *ranges, const struct bli_node_ranges *homes,
                    const struct bli_team_map *crew, int64_t line);

/* They cover `count` elements once and share no cache line; sorts them. */
const char *fault_of_ranges(struct ranges *ranges, int64_t count, int64_t size);

#endif
