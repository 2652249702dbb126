/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Home ranges of a bound plan: work goes to the node that has the memory.
 */
#include "exec/region.h"
#include "exec/walk.h"

/* One page is asked for in this many bytes of a result, and more in large ones. */
#define SMALLEST_CHUNK (512 << 10)

/*
 * Most that a node works beyond its share, when its memory is asked for too much: a
 * loop over memory that one thread touched first would keep the other nodes' threads
 * idle.
 */
#define MOST_LOAD 1.5

struct chunks {
    int32_t count;
    int64_t length; /* iterations of each but the last */
    int32_t node[BLI_MAX_HOMES];
};

static bl_range chunk_range(const struct chunks *chunks, int64_t count, int32_t c)
{
    const int64_t begin = c * chunks->length, rest = count - begin;

    return (bl_range){begin, begin + (rest < chunks->length ? rest : chunks->length)};
}

static void cut_chunks(struct chunks *chunks, const struct bl_plan *plan)
{
    const int64_t count = plan->nest.count;

    chunks->length = SMALLEST_CHUNK / plan->size[0];
    while (count / chunks->length >= BLI_MAX_HOMES)
        chunks->length *= 2;
    chunks->count = (int32_t)((count + chunks->length - 1) / chunks->length);
}

/*
 * True where neighbouring iterations lie in one stretch of operand `k`'s memory: its
 * strides are ordered as the loops are, and it does not repeat.
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
 * Ask for the page in the middle of each chunk of operand `k`; false if none is there.
 */
static bool ask_pages(struct chunks *chunks, const struct bli_binding *binding,
                      int32_t k, const struct bli_machine *machine)
{
    const void *address[BLI_MAX_HOMES];
    bool is_placed = false;

    if (!follows_nest(binding->nest, k))
        return false;
    for (int32_t c = 0; c < chunks->count; c++) {
        const bl_range range = chunk_range(chunks, binding->nest->count, c);

        address[c] = bli_walk_address(binding->nest, binding->data[k], k,
                                      range.begin + (range.end - range.begin) / 2);
    }
    if (!bli_page_nodes(machine, chunks->count, address, chunks->node))
        return false;
    for (int32_t c = 0; c < chunks->count; c++)
        is_placed = is_placed || chunks->node[c] >= 0;
    return is_placed;
}

/* The same of the largest input that has pages; false if none has. */
static bool ask_inputs(struct chunks *chunks, const struct bl_plan *plan,
                       const struct bli_binding *binding,
                       const struct bli_machine *machine)
{
    bool is_asked[BLI_MAX_OPERANDS] = {false};

    for (int32_t turn = 0; turn < plan->inputs; turn++) {
        int32_t largest = 0;

        for (int32_t k = 1; k <= plan->inputs; k++)
            if (!is_asked[k] && (largest == 0 || plan->size[k] > plan->size[largest]))
                largest = k;
        is_asked[largest] = true;
        if (ask_pages(chunks, binding, largest, machine))
            return true;
    }
    return false;
}

/* Node that the even split gives an iteration to. */
static int32_t even_node(const struct bli_homes *even, int64_t at)
{
    for (int32_t i = 0; i < even->count; i++)
        if (at < even->home[i].range.end)
            return even->home[i].node;
    return 0;
}

/*
 * Chunks without a page go by the even split; those of overloaded nodes to idle ones.
 */
static void balance(struct chunks *chunks, const struct bli_homes *even, int32_t nodes,
                    const int32_t *weight)
{
    int32_t room[BLI_MAX_NODES];
    int64_t total = 0;

    for (int32_t n = 0; n < nodes; n++)
        total += weight[n];
    for (int32_t n = 0; n < nodes; n++)
        room[n] =
            (int32_t)(MOST_LOAD * chunks->count * weight[n] / (double)total + 0.999);
    for (int32_t c = 0; c < chunks->count; c++) {
        if (chunks->node[c] < 0 || chunks->node[c] >= nodes)
            chunks->node[c] = even_node(even, c * chunks->length);
        if (weight[chunks->node[c]] > 0 && room[chunks->node[c]]-- <= 0)
            chunks->node[c] = -1;
    }
    for (int32_t c = 0; c < chunks->count; c++) {
        int32_t best = 0;

        if (chunks->node[c] >= 0)
            continue;
        for (int32_t n = 1; n < nodes; n++)
            best = room[n] > room[best] ? n : best;
        chunks->node[c] = best;
        room[best]--;
    }
}

/*
 * Where the memory of node `left` gives way to that of `right` near `at`: the even
 * split's border between them if it is within a chunk of there, since that is where the
 * library put it; else `at`.
 */
static int64_t border_near(const struct bli_homes *even, int32_t left, int32_t right,
                           int64_t at, int64_t length)
{
    for (int32_t i = 1; i < even->count; i++) {
        const int64_t border = even->home[i].range.begin;

        if (even->home[i - 1].node == left && even->home[i].node == right &&
            border > at - length && border < at + length)
            return border;
    }
    return at;
}

/* Neighbouring chunks of one node are one home. */
static void join_chunks(struct bli_homes *homes, const struct chunks *chunks,
                        const struct bli_homes *even, int64_t count)
{
    int32_t last = 0;

    homes->home[0] = (struct bli_home){{0, count}, chunks->node[0]};
    for (int32_t c = 1; c < chunks->count; c++) {
        const int32_t left = chunks->node[c - 1], right = chunks->node[c];
        int64_t border = c * chunks->length;

        if (left == right)
            continue;
        /* A chunk alone between two borders must not be passed by either. */
        if (border - homes->home[last].range.begin > chunks->length)
            border = border_near(even, left, right, border, chunks->length);
        homes->home[last].range.end = border;
        homes->home[++last] = (struct bli_home){{border, count}, right};
    }
    homes->count = last + 1;
}

void bli_homes_find(struct bli_homes *homes, const struct bl_plan *plan,
                    const struct bli_binding *binding,
                    const struct bli_machine *machine)
{
    const int64_t count = plan->nest.count;
    int32_t weight[BLI_MAX_NODES];
    const int32_t nodes = bli_weights(machine, weight);
    struct bli_homes even;
    struct chunks chunks;

    bli_homes_even(homes, count, plan->size[0], nodes, weight);
    if (!bli_is_placed(machine, count * plan->size[0]))
        return;
    cut_chunks(&chunks, plan);
    homes->is_fresh = !ask_pages(&chunks, binding, 0, machine);
    if (homes->is_fresh && !ask_inputs(&chunks, plan, binding, machine))
        return;
    even = *homes;
    balance(&chunks, &even, nodes, weight);
    join_chunks(homes, &chunks, &even, count);
}
