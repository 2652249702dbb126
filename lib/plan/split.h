/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The split of a result's iteration space over nodes and threads: pure functions of the
 * numel, the weights of the machine's nodes and the team.
 */
#ifndef BLI_SPLIT_H
#define BLI_SPLIT_H

#include <broadloom/plan.h>

#include "core/core.h"

/* A contiguous range of iterations that belongs to a node. */
struct bli_node_range {
    bl_range range;
    int32_t node;
};

/* Node ranges in rising order that together cover every iteration once. */
#define BLI_MAX_NODE_RANGES 256
struct bli_node_ranges {
    int32_t count;
    bool is_untouched; /* its memory may have no pages yet: first touch places them on
                          the range's node */
    struct bli_node_range node_range[BLI_MAX_NODE_RANGES];
};

/* What the split needs to know of a team. */
struct bli_team_map {
    int32_t parts;
    int32_t nodes;       /* of the machine */
    const int16_t *node; /* of each part; ignored if there is one node */
};

/*
 * Make one node range for each node of nonzero weight, in the order of the nodes and in
 * proportion to their weights (processors).  Split points lie on multiples of 2 MiB of
 * a dense result with elements of `size` bytes, or of a smaller power of two where 2
 * MiB would unbalance the nodes by more than 2 %.
 */
void bli_node_ranges_even(struct bli_node_ranges *ranges, int64_t count, int64_t size,
                          int32_t nodes, const int32_t *weight);

/*
 * The node of part `part` of `parts` when parts are distributed over the nodes by
 * weight.
 */
int32_t bli_assign_node(int32_t part, int32_t parts, int32_t nodes,
                        const int32_t *weight);

/*
 * The work share of one part, returned range by range: first its share of the ranges of
 * its node, then its share of the ranges of nodes that have no part.  The shares of all
 * parts together cover the node ranges exactly once; split points between parts lie on
 * multiples of `line` iterations of a node range.
 */
struct bli_work_share {
    const struct bli_node_ranges *ranges;
    const struct bli_team_map *team_map;
    int64_t line;
    int32_t part;
    int32_t phase;  /* 0: ranges of this part's node; 1: ranges of nodes without a part;
                       2: done */
    int32_t next;   /* next node range to visit */
    int64_t passed; /* iterations of this phase's node ranges before `next` */
    int32_t node;   /* of the range returned last */
    int64_t begin;  /* this part's share of this phase's iterations */
    int64_t end;
};

void bli_work_share_begin(struct bli_work_share *share,
                          const struct bli_node_ranges *ranges,
                          const struct bli_team_map *team_map, int32_t part,
                          int64_t line);
bool bli_work_share_next(struct bli_work_share *share, bl_range *range);

/*
 * The split point before part `part` of `parts`: an even share, rounded down to a
 * multiple of `line`.
 */
int64_t bli_split_point(int64_t count, int64_t line, int32_t part, int32_t parts);

/* The range of part `part` of `parts`: from its split point to the next one. */
bl_range bli_split_range(int64_t count, int64_t line, int32_t part, int32_t parts);

#endif
