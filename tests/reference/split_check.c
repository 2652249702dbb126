/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The invariants of every split.
 */
#include "split_check.h"

#include <stdlib.h>
#include <string.h>

const char *fault_of_node_ranges(const struct bli_node_ranges *node_ranges,
                                 int64_t count, int64_t size, const struct subject *s)
{
    int64_t at = 0;
    int32_t node = -1;

    for (int32_t i = 0; i < node_ranges->count; i++) {
        const struct bli_node_range *const home = &node_ranges->node_range[i];

        if (home->range.begin != at || home->range.end < at + (count > 0))
            return "node ranges leave a gap, overlap or are empty";
        if (home->node <= node || home->node >= s->nodes)
            return "node ranges are not in the order of nodes";
        if (s->total > 0 && s->weight[home->node] == 0)
            return "a node without processors has a range";
        if (home->range.begin * size % 4096 != 0)
            return "a border lies inside a page";
        at = home->range.end;
        node = home->node;
    }
    return at == count ? NULL : "node ranges do not end where the result does";
}

const char *fault_of_split_points(const struct bli_node_ranges *node_ranges,
                                  int64_t count, int64_t size, const struct subject *s)
{
    const double mean = (double)count / (double)(s->total ? s->total : 1);

    for (int32_t n = 0; n < s->nodes; n++)
        if (s->weight[n] > 0 && mean * s->weight[n] * (double)size < 101.0 * MIB)
            return NULL;
    for (int32_t i = 0; s->total > 0 && i < node_ranges->count; i++) {
        const struct bli_node_range *const home = &node_ranges->node_range[i];
        const double length = (double)(home->range.end - home->range.begin);
        const double share = mean * s->weight[home->node];

        if (home->range.begin * size % (2 * MIB) != 0)
            return "a border could lie on a huge page's and does not";
        if (node_ranges->count < BLI_MAX_NODE_RANGES &&
            (length > 1.02 * share || length < 0.98 * share))
            return "a node has more or less than its share";
    }
    return NULL;
}

static int by_begin(const void *a, const void *b)
{
    const int64_t first = ((const bl_range *)a)->begin;
    const int64_t second = ((const bl_range *)b)->begin;

    return (first > second) - (first < second);
}

void collect_ranges(struct ranges *ranges, const struct bli_node_ranges *node_ranges,
                    const struct bli_team_map *crew, int64_t line)
{
    memset(ranges, 0, sizeof *ranges);
    ranges->is_rising = true;
    for (int32_t part = 0; part < crew->parts; part++) {
        struct bli_work_share share;
        bl_range range;
        int64_t sum = 0, last = 0;
        int32_t phase = 0;

        bli_work_share_begin(&share, node_ranges, crew, part, line);
        while (bli_work_share_next(&share, &range)) {
            ranges->range[ranges->count++] = range;
            last = share.phase == phase ? last : 0;
            ranges->is_rising = ranges->is_rising && range.begin >= last;
            phase = share.phase;
            last = range.end;
            sum += range.end - range.begin;
        }
        ranges->largest = sum > ranges->largest ? sum : ranges->largest;
    }
}

const char *fault_of_ranges(struct ranges *ranges, int64_t count, int64_t size)
{
    int64_t at = 0;

    if (!ranges->is_rising)
        return "a part's ranges do not rise";
    qsort(ranges->range, (size_t)ranges->count, sizeof ranges->range[0], by_begin);
    for (int32_t i = 0; i < ranges->count; i++) {
        if (ranges->range[i].begin != at)
            return ranges->range[i].begin < at ? "something is done twice"
                                               : "something is left out";
        if (ranges->range[i].end <= at)
            return "an empty range was given out";
        if (at * size % 64 != 0)
            return "two threads share a cache line";
        at = ranges->range[i].end;
    }
    return at == count ? NULL : "the end is left out";
}
