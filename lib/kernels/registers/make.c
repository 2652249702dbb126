/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From nodes to instructions: a bank for each value.
 *
 * An instruction takes the bank of an input that nothing needs any longer. Where no
 * bank is free, the value that is needed last goes to a slot in memory (Belady's rule).
 * The machine with one bank is tried first.
 */
#include "config.h"

#include "kernels/registers/make.h"

#include <string.h>

/* Instructions by name, form and bank, of machines with one and three; 0: none. */
static const uint16_t chain_codes[BLI_NAMES][BLI_FORMS] = {
#define BLI_BANKS    1
#define BLI_COMPUTES 0
#define BLI_BOTH(kind, name, form)                                                     \
    [BLI_NAME_##name][BLI_FORM_##form] = BLI_CODE(name, form, BLI_D),
#include "kernels/registers/each_bank.h"
#undef BLI_BANKS
};
enum { BLI_BANK_a, BLI_BANK_b, BLI_BANK_c, BLI_BANK_COUNT };
static const uint16_t tree_codes[BLI_NAMES][BLI_FORMS][BLI_BANK_COUNT] = {
#define BLI_BANKS        3
#define BLI_INDEX_(bank) BLI_BANK_##bank
#define BLI_INDEX(bank)  BLI_INDEX_(bank)
#define BLI_BOTH(kind, name, form)                                                     \
    [BLI_NAME_##name][BLI_FORM_##form][BLI_INDEX(BLI_D)] = BLI_CODE(name, form, BLI_D),
#include "kernels/registers/each_bank.h"
#undef BLI_BANKS
#undef BLI_COMPUTES
};

enum { NONE = -1 };

struct making {
    const struct bli_nodes *nodes;
    struct bli_program *program;
    int32_t banks;
    struct bli_order order;
    int32_t at;                   /* the current action */
    int16_t bank[BLI_BANK_COUNT]; /* nodes */
    int16_t slot[BLI_PROGRAM_SLOTS];
    bool is_busy[BLI_BANK_COUNT]; /* banks of the current action */
    bool has_failed;
};

/* ---- instructions ---- */

/* Join a multiplication, step `s`, and what adds after it; and such a pair before. */
static void join(struct bli_step *step, int32_t s)
{
    const uint16_t pair = chain_codes[BLI_NAME_mul_add][BLI_FORM_S];

    if (s < 0 || step[s].number != chain_codes[BLI_NAME_mul][BLI_FORM_M])
        return;
    if (s >= 2 && step[s - 2].number == pair && step[s - 2].operand == step[s].operand)
        step[s - 2].number = chain_codes[BLI_NAME_mul_add_twice][BLI_FORM_S];
    else
        step[s].number = pair;
}

static void emit(struct making *m, int32_t name, int32_t form, int32_t bank,
                 int32_t operand)
{
    const uint16_t code =
        m->banks == 1 ? chain_codes[name][form] : tree_codes[name][form][bank];
    const bool is_first = form % BLI_FORM_R == BLI_FORM_M &&
                          m->program->dtype[operand] == m->program->computes &&
                          m->program->last_at[operand] == 0;

    if (code == 0 || m->program->steps == BLI_PROGRAM_STEPS) {
        m->has_failed = true;
        return;
    }
    m->program->prefetches |= (uint64_t)is_first << m->program->steps;
    m->program->step[m->program->steps++] = (struct bli_step){code, (uint8_t)operand};
    if (m->banks == 1 && code == chain_codes[BLI_NAME_add][BLI_FORM_S])
        join(m->program->step, m->program->steps - 2);
    if (form % BLI_FORM_R <= BLI_FORM_S)
        m->program->last_at[operand] = m->program->steps;
}

/* The form for bank `other` beside bank `bank`. */
static int32_t beside(int32_t bank, int32_t other)
{
    return (other - bank + 3) % 3 == 1 ? BLI_FORM_X : BLI_FORM_Y;
}

static int32_t bank_of(const struct making *m, int32_t node)
{
    for (int32_t b = 0; b < m->banks; b++)
        if (m->bank[b] == node)
            return b;
    return NONE;
}

static int32_t slot_of(const struct making *m, int32_t node)
{
    for (int32_t s = 0; s < BLI_PROGRAM_SLOTS; s++)
        if (m->slot[s] == node)
            return s;
    return NONE;
}

/* Whether nothing after the current action uses a node. */
static bool is_last_use(const struct making *m, int32_t node)
{
    return m->order.last[node] <= m->at;
}

/* Keep bank `b`'s value in a slot. */
static void spill(struct making *m, int32_t b)
{
    int32_t free = NONE;

    if (bli_is_leaf(&m->nodes->node[m->bank[b]]) || slot_of(m, m->bank[b]) != NONE)
        return;
    for (int32_t s = BLI_PROGRAM_SLOTS - 1; s >= 0; s--)
        if (m->slot[s] == NONE || m->order.last[m->slot[s]] < m->at)
            free = s;
    if (free == NONE || m->banks == 1) {
        m->has_failed = true;
        return;
    }
    m->slot[free] = m->bank[b];
    if (free >= m->program->slots)
        m->program->slots = (uint8_t)(free + 1);
    emit(m, BLI_NAME_spill, BLI_FORM_N, b, BLI_PROGRAM_OPERANDS + free);
}

/* A bank for `node`, which nobody else needs; it is busy until the action ends. */
static int32_t take_bank(struct making *m, int32_t node)
{
    int32_t best = NONE, best_use = NONE;

    for (int32_t b = 0; b < m->banks; b++) {
        const int32_t held = m->bank[b];
        const int32_t use = held == NONE || (m->order.last[held] < m->at)
                                ? BLI_ACTIONS + 1
                                : bli_order_next(&m->order, m->nodes, m->at, held);

        if (!m->is_busy[b] && use > best_use) {
            best = b;
            best_use = use;
        }
    }
    if (best == NONE) {
        m->has_failed = true;
        return 0;
    }
    if (best_use < BLI_ACTIONS)
        spill(m, best);
    m->bank[best] = (int16_t)node;
    m->is_busy[best] = true;
    return best;
}

/* Bring an input into a bank. */
static int32_t bring(struct making *m, int32_t k)
{
    const struct bli_node *const node = &m->nodes->node[k];
    int32_t b = bank_of(m, k);

    if (b == NONE) {
        b = take_bank(m, k);
        if (bli_is_leaf(node))
            emit(m, BLI_NAME_load,
                 node->kind == BLI_NODE_STREAM ? BLI_FORM_M : BLI_FORM_S, b,
                 node->operand);
        else
            emit(m, BLI_NAME_fill, BLI_FORM_N, b, BLI_PROGRAM_OPERANDS + slot_of(m, k));
    }
    m->is_busy[b] = true;
    return b;
}

/* ---- actions ---- */

/*
 * A bank that becomes node `k`'s, with the value of its input `x` in it: x's own if it
 * is x's last use and `may_take`, else a copy.
 */
static int32_t own(struct making *m, int32_t k, int32_t x, bool may_take)
{
    const struct bli_node *const node = &m->nodes->node[x];
    int32_t b;

    if (bli_is_leaf(node) && bank_of(m, x) == NONE) {
        b = bring(m, x);
    } else if (may_take && is_last_use(m, x)) {
        b = bring(m, x);
    } else {
        const int32_t from = bring(m, x);

        b = take_bank(m, k);
        emit(m, BLI_NAME_load, beside(b, from), b, 0);
    }
    m->bank[b] = (int16_t)k;
    return b;
}

/* An instruction with operand `y`; `is_reversed`: y is the first of the two. */
static void emit_with(struct making *m, int32_t name, int32_t bank, int32_t y,
                      bool is_reversed)
{
    const struct bli_node *const node = &m->nodes->node[y];
    const int32_t reversed = is_reversed ? BLI_FORM_R : 0;
    const int32_t form = node->kind == BLI_NODE_STREAM ? BLI_FORM_M : BLI_FORM_S;

    if (bli_is_leaf(node) && bank_of(m, y) == NONE &&
        (m->banks == 1 || tree_codes[name][form + reversed][bank] != 0))
        emit(m, name, form + reversed, bank, node->operand);
    else
        emit(m, name, beside(bank, bring(m, y)) + reversed, bank, 0);
}

/* Whether input `x` should be the destination rather than input `y`. */
static bool is_better(const struct making *m, int32_t x, int32_t y)
{
    const bool x_ends = !bli_is_leaf(&m->nodes->node[x]) && is_last_use(m, x);
    const bool y_ends = !bli_is_leaf(&m->nodes->node[y]) && is_last_use(m, y);

    return x_ends || !y_ends;
}

static void make_pair(struct making *m, int32_t k, const struct bli_node *node)
{
    const bool is_where = node->kind == BLI_NODE_WHERE;
    const int16_t *const in = &node->input[is_where];
    const bool is_reversed = !is_better(m, in[0], in[1]);
    const int32_t x = in[is_reversed], y = in[!is_reversed];
    const int32_t c = is_where ? bring(m, node->input[0]) : NONE;
    int32_t name = node->name, bank;

    if (!bli_is_leaf(&m->nodes->node[y]))
        bring(m, y);
    bank = own(m, k, x, x != y && (!is_where || x != node->input[0]));
    if (is_where && beside(bank, c) == BLI_FORM_Y)
        name = BLI_NAME_where_y;
    emit_with(m, name, bank, y, is_reversed && !node->commutes);
}

static void act(struct making *m)
{
    const int32_t k = m->order.action[m->at];
    int16_t node[3];

    for (int32_t b = 0; b < BLI_BANK_COUNT; b++)
        m->is_busy[b] = false;
    for (int32_t n = bli_order_uses(&m->order, m->nodes, m->at, node); n > 0; n--)
        if (bank_of(m, node[n - 1]) != NONE)
            m->is_busy[bank_of(m, node[n - 1])] = true;
    if (k >= BLI_STORES) {
        const struct bli_store *const result = &m->nodes->result[k - BLI_STORES];

        emit(m, result->name, BLI_FORM_M, bring(m, result->node), result->operand);
    } else if (m->nodes->node[k].kind == BLI_NODE_LOAD) {
        emit(m, m->nodes->node[k].name, BLI_FORM_M, take_bank(m, k),
             m->nodes->node[k].operand);
    } else if (m->nodes->node[k].kind == BLI_NODE_UNARY) {
        emit(m, m->nodes->node[k].name, BLI_FORM_N,
             own(m, k, m->nodes->node[k].input[0], true), 0);
    } else {
        make_pair(m, k, &m->nodes->node[k]);
    }
}

/* Make the instructions for a machine with `banks`. */
static bool make(struct making *m, int32_t banks)
{
    m->banks = banks;
    m->has_failed = false;
    m->program->prefetches = 0;
    memset(m->program->last_at, 0, sizeof m->program->last_at);
    m->program->banks = (uint8_t)banks;
    m->program->steps = m->program->slots = 0;
    memset(m->bank, NONE, sizeof m->bank);
    memset(m->slot, NONE, sizeof m->slot);
    for (m->at = 0; m->at < m->order.actions && !m->has_failed; m->at++)
        act(m);
    m->program->step[m->program->steps] = (struct bli_step){.number = code_end};
    return !m->has_failed;
}

bool bli_program_make(struct bli_program *program, const struct bli_segment *segment)
{
    struct bli_nodes nodes;
    struct making making = {.nodes = &nodes, .program = program};

    if (!bli_segment_lower(&nodes, segment))
        return false;
    *program = (struct bli_program){.computes = (uint8_t)segment->computes,
                                    .operands = (uint8_t)segment->operands};
    bli_nodes_order(&making.order, &nodes, segment->is_in_place);
    bli_program_set_operands(program, segment, &nodes, &making.order);
    return make(&making, 1) || make(&making, 3);
}
