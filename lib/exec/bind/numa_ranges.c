/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the node ranges of a bound plan: work goes to the node that has the memory.
 */
#include "exec/bind/bind.h"
#include "exec/loops/odometer.h"

/*
 * Results from this size on have the nodes of their pages queried: a page costs about
 * 0.2 us, a call that writes so much a millisecond and more.
 */
#define PLACED_BYTES (4 << 20)

/*
 * The node of one page is queried for each chunk of so many bytes of a result; chunks
 * of large results are longer.
 */
#define SMALLEST_CHUNK (512 << 10)

/*
 * Most work that a node gets, relative to its share, when too much of the memory is its
 * own: a loop over memory whose first touch was by one thread would keep the other
 * nodes' threads idle.
 */
#define MOST_LOAD 1.5

struct chunks {
    int32_t count;
    int64_t length; /* iterations of each but the last */
    int32_t node[BLI_MAX_NODE_RANGES];
};

int32_t bli_nodes(const struct bli_machine *machine)
{
    return machine->nodes < BLI_MAX_NODES ? machine->nodes : BLI_MAX_NODES;
}

bool bli_is_placed(const struct bli_machine *machine, int64_t bytes)
{
    return machine->nodes > 1 && machine->is_this_system && bytes >= PLACED_BYTES;
}

/* Return the iterations of chunk `c` out of `count` in all. */
static bl_range chunk_range(const struct chunks *chunks, int64_t count, int32_t c)
{
    const int64_t begin = c * chunks->length, rest = count - begin;

    return (bl_range){begin, begin + (rest < chunks->length ? rest : chunks->length)};
}

/* Cut a plan's iterations into at most BLI_MAX_NODE_RANGES chunks of equal length. */
static void cut_chunks(struct chunks *chunks, const struct bl_plan *plan)
{
    const int64_t count = plan->nest.count;

    chunks->length = SMALLEST_CHUNK / plan->size[0];
    while (count / chunks->length >= BLI_MAX_NODE_RANGES)
        chunks->length *= 2;
    chunks->count = (int32_t)((count + chunks->length - 1) / chunks->length);
}

/*
 * Return true if neighbouring iterations lie in one segment of operand `k`'s memory:
 * its strides are ordered as the loops are, and no stride is 0.
 */
static bool follows_nest(const struct bli_nest *nest, int32_t k)
{
    int64_t inner = 0;

    for (int32_t i = 0; i < nest->loops; i++) {
        const int64_t step =
            nest->stride[i][k] < 0 ? -nest->stride[i][k] : nest->stride[i][k];

        if (nest->extent[i] == 1)
            continue;
        if (step == 0 || step < inner)
            return false;
        inner = step;
    }
    return true;
}

/*
 * Query the node of the page in the middle of each chunk of operand `k`. Returns false
 * if none of them has a page.
 */
static bool query_pages(struct chunks *chunks, const struct bli_binding *binding,
                        int32_t k, const struct bli_machine *machine)
{
    const void *address[BLI_MAX_NODE_RANGES];
    bool is_placed = false;

    if (!follows_nest(binding->nest, k))
        return false;
    for (int32_t c = 0; c < chunks->count; c++) {
        const bl_range range = chunk_range(chunks, binding->nest->count, c);

        address[c] = bli_nest_address(binding->nest, binding->data[k], k,
                                      range.begin + (range.end - range.begin) / 2);
    }
    if (!bli_page_nodes(machine, chunks->count, address, chunks->node))
        return false;
    for (int32_t c = 0; c < chunks->count; c++)
        is_placed = is_placed || chunks->node[c] >= 0;
    return is_placed;
}

/*
 * Query the pages of the inputs, from the largest on, until one has pages.  Returns
 * false if none has.
 */
static bool query_inputs(struct chunks *chunks, const struct bl_plan *plan,
                         const struct bli_binding *binding,
                         const struct bli_machine *machine)
{
    bool is_queried[BLI_MAX_OPERANDS] = {false};

    for (int32_t turn = 0; turn < plan->inputs; turn++) {
        int32_t largest = 0;

        for (int32_t k = 1; k <= plan->inputs; k++)
            if (!is_queried[k] && (largest == 0 || plan->size[k] > plan->size[largest]))
                largest = k;
        is_queried[largest] = true;
        if (query_pages(chunks, binding, largest, machine))
            return true;
    }
    return false;
}

/* Return the node that the even split gives iteration `at` to. */
static int32_t even_node(const struct bli_node_ranges *even, int64_t at)
{
    for (int32_t i = 0; i < even->count; i++)
        if (at < even->node_range[i].range.end)
            return even->node_range[i].node;
    return 0;
}

/*
 * Give chunks without a page to the node of the even split.  Then move the chunks that
 * a node has beyond MOST_LOAD times its share by weight to nodes with capacity left.
 */
static void balance(struct chunks *chunks, const struct bli_node_ranges *even,
                    int32_t nodes, const int32_t *weight)
{
    int32_t capacity[BLI_MAX_NODES];
    int64_t total = 0;

    for (int32_t n = 0; n < nodes; n++)
        total += weight[n];
    for (int32_t n = 0; n < nodes; n++)
        capacity[n] =
            (int32_t)(MOST_LOAD * chunks->count * weight[n] / (double)total + 0.999);
    for (int32_t c = 0; c < chunks->count; c++) {
        if (chunks->node[c] < 0 || chunks->node[c] >= nodes)
            chunks->node[c] = even_node(even, c * chunks->length);
        if (weight[chunks->node[c]] > 0 && capacity[chunks->node[c]]-- <= 0)
            chunks->node[c] = -1;
    }
    for (int32_t c = 0; c < chunks->count; c++) {
        int32_t best = 0;

        if (chunks->node[c] >= 0)
            continue;
        for (int32_t n = 1; n < nodes; n++)
            best = capacity[n] > capacity[best] ? n : best;
        chunks->node[c] = best;
        capacity[best]--;
    }
}

/*
 * Return the border between the memory of node `left` and that of `right` near `at`:
 * the even split's border between them if it is within a chunk of `at`, since that is
 * where the library placed it; else `at`.
 */
static int64_t border_near(const struct bli_node_ranges *even, int32_t left,
                           int32_t right, int64_t at, int64_t length)
{
    for (int32_t i = 1; i < even->count; i++) {
        const int64_t border = even->node_range[i].range.begin;

        if (even->node_range[i - 1].node == left && even->node_range[i].node == right &&
            border > at - length && border < at + length)
            return border;
    }
    return at;
}

/* Join neighbouring chunks of one node into one node range. */
static void join_chunks(struct bli_node_ranges *ranges, const struct chunks *chunks,
                        const struct bli_node_ranges *even, int64_t count)
{
    int32_t last = 0;

    ranges->node_range[0] = (struct bli_node_range){{0, count}, chunks->node[0]};
    for (int32_t c = 1; c < chunks->count; c++) {
        const int32_t left = chunks->node[c - 1], right = chunks->node[c];
        int64_t border = c * chunks->length;

        if (left == right)
            continue;
        /* Neither border may pass a single chunk that lies between the two. */
        if (border - ranges->node_range[last].range.begin > chunks->length)
            border = border_near(even, left, right, border, chunks->length);
        ranges->node_range[last].range.end = border;
        ranges->node_range[++last] = (struct bli_node_range){{border, count}, right};
    }
    ranges->count = last + 1;
}

void bli_node_ranges_find(struct bli_node_ranges *ranges, const struct bl_plan *plan,
                          const struct bli_binding *binding,
                          const struct bli_machine *machine)
{
    const int64_t count = plan->nest.count;
    const int32_t *const weight = machine->weight;
    const int32_t nodes = bli_nodes(machine);
    struct bli_node_ranges even;
    struct chunks chunks;

    bli_node_ranges_even(ranges, count, plan->size[0], nodes, weight);
    if (!bli_is_placed(machine, count * plan->size[0]))
        return;
    cut_chunks(&chunks, plan);
    ranges->is_untouched = !query_pages(&chunks, binding, 0, machine);
    if (ranges->is_untouched && !query_inputs(&chunks, plan, binding, machine))
        return;
    even = *ranges;
    balance(&chunks, &even, nodes, weight);
    join_chunks(ranges, &chunks, &even, count);
}
