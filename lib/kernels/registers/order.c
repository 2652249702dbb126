/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order in which a program's nodes are made: after their inputs, and of two inputs
 * the one that needs more banks first (Sethi and Ullman's rule). And which of its steps
 * prefetch.
 */
#include "config.h"

#include "kernels/registers/make.h"

enum { NONE = -1 };

/* Banks that each node needs. */
static void score_nodes(const struct bli_nodes *nodes, uint8_t *score)
{
    for (int32_t k = 0; k < nodes->count; k++) {
        const struct bli_node *const node = &nodes->node[k];
        int32_t most = 0, ties = 0;

        for (int32_t i = 0; i < 3; i++) {
            const int32_t input = node->input[i] < 0 ? 0 : score[node->input[i]];

            ties = input > most ? 0 : ties + (input == most && most > 0);
            most = input > most ? input : most;
        }
        most += ties;
        score[k] = (uint8_t)(bli_is_leaf(node) ? 0 : most > 0 ? most : 1);
    }
}

/* Append a node, after those that it needs, to the order. */
static void order_node(struct bli_order *order, const struct bli_nodes *nodes,
                       const uint8_t *score, int32_t root, bool *is_placed)
{
    int16_t stack[BLI_NODES];
    int32_t depth = 0;

    stack[depth++] = (int16_t)root;
    while (depth > 0) {
        const int16_t k = stack[depth - 1];
        const struct bli_node *const node = &nodes->node[k];
        int32_t next = NONE;

        for (int32_t i = 0; i < 3; i++) {
            const int32_t input = node->input[i];

            if (input >= 0 && !is_placed[input] && !bli_is_leaf(&nodes->node[input]) &&
                (next == NONE || score[input] > score[next]))
                next = input;
        }
        if (next != NONE) {
            stack[depth++] = (int16_t)next;
            continue;
        }
        depth--;
        if (!is_placed[k] && !bli_is_leaf(node))
            order->action[order->actions++] = k;
        is_placed[k] = true;
    }
}

/* ---- uses ---- */

int32_t bli_order_uses(const struct bli_order *order, const struct bli_nodes *nodes,
                       int32_t at, int16_t *node)
{
    const int32_t action = order->action[at];
    int32_t count = 0;

    if (action >= BLI_STORES) {
        node[count++] = nodes->result[action - BLI_STORES].node;
        return count;
    }
    for (int32_t i = 0; i < 3; i++)
        if (nodes->node[action].input[i] >= 0)
            node[count++] = nodes->node[action].input[i];
    return count;
}

int32_t bli_order_next(const struct bli_order *order, const struct bli_nodes *nodes,
                       int32_t at, int32_t k)
{
    int16_t node[3];

    for (int32_t next = at + 1; next <= order->last[k]; next++)
        for (int32_t n = bli_order_uses(order, nodes, next, node); n > 0; n--)
            if (node[n - 1] == k)
                return next;
    return BLI_ACTIONS;
}

static void find_last_uses(struct bli_order *order, const struct bli_nodes *nodes)
{
    int16_t node[3];

    for (int32_t k = 0; k < nodes->count; k++)
        order->last[k] = NONE;
    for (int32_t at = 0; at < order->actions; at++)
        for (int32_t n = bli_order_uses(order, nodes, at, node); n > 0; n--)
            order->last[node[n - 1]] = (int16_t)at;
}

/*
 * Whether a result is stored when all streams have been loaded, one of which may be
 * where it is. What is added to lanes is nowhere.
 */
static bool waits(const struct bli_store *result, bool is_in_place)
{
    return is_in_place && result->name != BLI_NAME_fold;
}

void bli_nodes_order(struct bli_order *order, const struct bli_nodes *nodes,
                     bool is_in_place)
{
    bool is_placed[BLI_NODES] = {false};
    uint8_t score[BLI_NODES];

    score_nodes(nodes, score);
    order->actions = 0;
    for (int32_t k = 0; k < nodes->results; k++) {
        order_node(order, nodes, score, nodes->result[k].node, is_placed);
        if (!waits(&nodes->result[k], is_in_place))
            order->action[order->actions++] = (int16_t)(BLI_STORES + k);
    }
    for (int32_t k = 0; k < nodes->results; k++)
        if (waits(&nodes->result[k], is_in_place))
            order->action[order->actions++] = (int16_t)(BLI_STORES + k);
    find_last_uses(order, nodes);
}

void bli_program_prefetch(struct bli_program *program, uint32_t operands)
{
    for (int32_t s = 0; s < program->steps; s++)
        if ((program->prefetches >> s & 1) != 0 &&
            (operands >> program->step[s].operand & 1) == 0)
            program->prefetches &= ~(UINT64_C(1) << s);
}
