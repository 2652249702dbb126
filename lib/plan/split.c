/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The split of iterations: first over nodes, so that the same node works on the same
 * memory in every call, then over the threads that a team has on each node.
 */
#include "plan/split.h"

/*
 * Alignment of split points between nodes: huge pages where the balance allows it, else
 * at least pages.
 */
#define LARGEST_BORDER  (2 << 20)
#define SMALLEST_BORDER (4 << 10)

int64_t bli_split_point(int64_t count, int64_t line, int32_t part, int32_t parts)
{
    const int64_t even = count / parts * part + count % parts * part / parts;

    return part == parts ? count : even / line * line;
}

bl_range bli_split_range(int64_t count, int64_t line, int32_t part, int32_t parts)
{
    return (bl_range){bli_split_point(count, line, part, parts),
                      bli_split_point(count, line, part + 1, parts)};
}

static int64_t sum_of(int32_t nodes, const int32_t *weight)
{
    int64_t sum = 0;

    for (int32_t n = 0; n < nodes; n++)
        sum += weight[n];
    return sum;
}

/* count * share / total, rounded down, without overflow: share <= total < 2^31. */
static int64_t scale(int64_t count, int64_t share, int64_t total)
{
    return count / total * share + count % total * share / total;
}

/*
 * Number of elements that split points between nodes are multiples of.  Rounding moves
 * a split point by at most half of them, which must stay within 1 % of the smallest
 * node range at either end.
 */
static int64_t border_unit(int64_t count, int64_t size, int32_t nodes,
                           const int32_t *weight, int64_t total)
{
    int64_t unit = LARGEST_BORDER / size, least = count;

    for (int32_t n = 0; n < nodes; n++)
        if (weight[n] > 0 && scale(count, weight[n], total) < least)
            least = scale(count, weight[n], total);
    while (unit > SMALLEST_BORDER / size && unit / 2 > least / 100)
        unit /= 2;
    return unit;
}

void bli_node_ranges_even(struct bli_node_ranges *ranges, int64_t count, int64_t size,
                          int32_t nodes, const int32_t *weight)
{
    const int64_t total = sum_of(nodes, weight);
    int64_t begin = 0, passed = 0;

    ranges->count = 0;
    ranges->is_untouched = false;
    if (total == 0) {
        ranges->node_range[ranges->count++] = (struct bli_node_range){{0, count}, 0};
        return;
    }
    const int64_t unit = border_unit(count, size, nodes, weight, total);

    for (int32_t n = 0; n < nodes && begin < count; n++) {
        passed += weight[n];
        int64_t end = count;

        /* Rounding up stays below 2^63: a later node has a share. */
        if (passed < total && ranges->count < BLI_MAX_NODE_RANGES - 1)
            end = (scale(count, passed, total) + unit / 2) / unit * unit;
        if (end > count)
            end = count;
        if (weight[n] > 0 && end > begin) {
            ranges->node_range[ranges->count++] =
                (struct bli_node_range){{begin, end}, n};
            begin = end;
        }
    }
}

int32_t bli_assign_node(int32_t part, int32_t parts, int32_t nodes,
                        const int32_t *weight)
{
    const int64_t total = sum_of(nodes, weight);
    /*
     * The middle of the part's share, so that a team of few threads gets the heavy
     * nodes.
     */
    const int64_t at = total * (2 * (int64_t)part + 1) / (2 * (int64_t)parts);
    int64_t passed = 0;

    for (int32_t n = 0; n < nodes; n++) {
        passed += weight[n];
        if (at < passed)
            return n;
    }
    return 0;
}

static bool has_part(const struct bli_team_map *team_map, int32_t node)
{
    for (int32_t p = 0; p < team_map->parts; p++)
        if (team_map->node[p] == node)
            return true;
    return false;
}

/* Whether a node range belongs to the current phase of a share. */
static bool is_mine(const struct bli_work_share *share,
                    const struct bli_node_range *node_range)
{
    if (share->team_map->nodes == 1)
        return share->phase == 0;
    if (share->phase == 0)
        return node_range->node == share->team_map->node[share->part];
    return !has_part(share->team_map, node_range->node);
}

/* Add up the node ranges of this phase and compute this part's share of them. */
static void begin_phase(struct bli_work_share *share)
{
    const struct bli_team_map *const team_map = share->team_map;
    int32_t part = share->part, parts = team_map->parts;
    int64_t length = 0;

    if (share->phase == 0 && team_map->nodes > 1) {
        part = parts = 0;
        for (int32_t p = 0; p < team_map->parts; p++) {
            part += p < share->part && team_map->node[p] == team_map->node[share->part];
            parts += team_map->node[p] == team_map->node[share->part];
        }
    }
    for (int32_t i = 0; i < share->ranges->count; i++)
        if (is_mine(share, &share->ranges->node_range[i]))
            length += share->ranges->node_range[i].range.end -
                      share->ranges->node_range[i].range.begin;
    share->next = 0;
    share->passed = 0;
    share->begin = bli_split_point(length, share->line, part, parts);
    share->end = bli_split_point(length, share->line, part + 1, parts);
}

void bli_work_share_begin(struct bli_work_share *share,
                          const struct bli_node_ranges *ranges,
                          const struct bli_team_map *team_map, int32_t part,
                          int64_t line)
{
    share->ranges = ranges;
    share->team_map = team_map;
    share->line = line;
    share->part = part;
    share->phase = 0;
    begin_phase(share);
}

/* Write the next range of this phase.  Returns false if none is left. */
static bool next_in_phase(struct bli_work_share *share, bl_range *range)
{
    while (share->next < share->ranges->count && share->passed < share->end) {
        const struct bli_node_range *const node_range =
            &share->ranges->node_range[share->next++];
        const int64_t first = share->passed;

        if (!is_mine(share, node_range))
            continue;
        share->passed += node_range->range.end - node_range->range.begin;

        const int64_t begin = share->begin > first ? share->begin : first;
        const int64_t end = share->end < share->passed ? share->end : share->passed;

        if (begin < end) {
            share->node = node_range->node;
            *range = (bl_range){node_range->range.begin + (begin - first),
                                node_range->range.begin + (end - first)};
            return true;
        }
    }
    return false;
}

bool bli_work_share_next(struct bli_work_share *share, bl_range *range)
{
    for (; share->phase < 2; share->phase++, begin_phase(share))
        if (next_in_phase(share, range))
            return true;
    return false;
}
