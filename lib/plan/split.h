/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The split of a result's index space over nodes and threads: pure functions of the
 * count, the machine's weights and the team.
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

/* Homes in rising order that together cover every iteration once. */
#define BLI_MAX_NODE_RANGES 256
struct bli_node_ranges {
    int32_t count;
    bool is_untouched; /* its memory may have no pages yet: they are to lie at home */
    struct bli_node_range node_range[BLI_MAX_NODE_RANGES];
};

/* A team as the split sees it. */
struct bli_team_map {
    int32_t parts;
    int32_t nodes;       /* of the machine */
    const int16_t *node; /* of each part; not looked at where there is one node */
};

/*
 * One home per node that has weight, in the order of nodes and in proportion to their
 * weights (processors).  Borders lie on 2 MiB of a dense result of elements of `size`
 * bytes, on a smaller power of two where that would unbalance the nodes by more than 2
 * %.
 */
void bli_node_ranges_even(struct bli_node_ranges *ranges, int64_t count, int64_t size,
                          int32_t nodes, const int32_t *weight);

/* The node that part `part` of `parts` has when parts are spread by weight. */
int32_t bli_assign_node(int32_t part, int32_t parts, int32_t nodes,
                        const int32_t *weight);

/*
 * What one part does, one range after the other: its share of its node's ranges, then
 * its share of the homes whose node no part is on.  Ranges of all parts together are
 * the homes exactly once; borders between parts lie on multiples of `line` iterations
 * of a node_range.
 */
struct bli_work_share {
    const struct bli_node_ranges *ranges;
    const struct bli_team_map *team_map;
    int64_t line;
    int32_t part;
    int32_t phase;  /* 0: own node's ranges; 1: homes without a thread; 2: done */
    int32_t next;   /* home to look at */
    int64_t passed; /* iterations of this phase's homes before it */
    int32_t node;   /* of the range that was given last */
    int64_t begin;  /* this part's share of them */
    int64_t end;
};

void bli_work_share_begin(struct bli_work_share *share,
                          const struct bli_node_ranges *ranges,
                          const struct bli_team_map *team_map, int32_t part,
                          int64_t line);
bool bli_work_share_next(struct bli_work_share *share, bl_range *range);

/*
 * Border before part `part` of `parts`: an even share, moved down to a multiple of
 * line.
 */
int64_t bli_split_point(int64_t count, int64_t line, int32_t part, int32_t parts);

#endif
