/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides which steps of a fusion are computed in registers together: connected ones
 * with a form for the same machine are one program, each other step is a kernel.
 */
#include "expr/fusion_plan.h"
#include "expr/grouping.h"

/* Roughly most operands of a program. */
#define MOST_OPERANDS 26

/* Whether a step is a power with the number 2 as its exponent. */
bool bli_fusion_is_square(const struct bli_fusion_draft *draft,
                          const struct bli_expr_step *step)
{
    const struct bl_plan *const call = step->plan;
    const struct bli_expr_node *node;

    if (call->op != BL_OP_POW || step->operand[1] >= draft->plan->nodes ||
        (call->computed[0] != BL_DTYPE_F32 && call->computed[0] != BL_DTYPE_F64))
        return false;
    node = bli_expr_node(draft->plan->expr, step->operand[1]);
    return node->kind == BLI_NODE_NUMBER &&
           ((node->number.dtype == BL_DTYPE_I64 && node->number.value.i64 == 2) ||
            (node->number.dtype == BL_DTYPE_F64 && node->number.value.f64 == 2));
}

/*
 * The dtype of the register machine that computes a step; -1: none.  Steps of booleans
 * alone are computed where their operands are.
 */
static int32_t machine_of(const struct bli_fusion_draft *draft, int32_t i)
{
    const struct bli_expr_step *const step = bli_fusion_step(draft, i);
    const struct bl_plan *const call = step->plan;

    if (draft->is_row[i])
        return -1;

    const bl_dtype from = call->computed[call->inputs], to = call->computed[0];
    int32_t machine =
        from == BL_DTYPE_F64 || to == BL_DTYPE_F64 ? BL_DTYPE_F64 : BL_DTYPE_F32;

    if (from == BL_DTYPE_BOOL && to == BL_DTYPE_BOOL) {
        machine = -1;
        for (int32_t k = 0; k < step->count && machine < 0; k++) {
            const int32_t j = bli_fusion_member(draft, step->operand[k]);

            machine = j >= 0 ? draft->class[j] : -1;
        }
    }
    /*
     * Of resident rows the distances from a mean, which are stored, too, are squared by
     * a kernel: on Zen 3 layer norm takes 1.1 to 1.25 of the time with a program.
     */
    if (bli_fusion_is_square(draft, step))
        return draft->is_resident ? -1 : machine;
    return machine >= 0 && bli_has_register_form(call->op, (bl_dtype)machine, from, to)
               ? machine
               : -1;
}

/* Whether a value can be in a register of a machine. */
static bool is_number(int32_t machine, bl_dtype dtype)
{
    return dtype == (bl_dtype)machine || dtype == BL_DTYPE_BOOL ||
           (machine == BL_DTYPE_F32 && bli_dtype_widened(dtype) == BL_DTYPE_F32);
}

static void group(struct bli_fusion_draft *draft, struct bli_grouping *grouping)
{
    for (int32_t i = 0; i < draft->phase->count; i++) {
        const struct bli_expr_step *const step = bli_fusion_step(draft, i);
        struct bli_grouping_use use[BL_MAX_INPUTS];
        int32_t uses = 0;

        draft->class[i] = machine_of(draft, i);
        for (int32_t k = 0; k < step->count; k++) {
            const int32_t v = step->operand[k], j = bli_fusion_member(draft, v);

            if (j >= 0)
                use[uses++] = (struct bli_grouping_use){
                    j, is_number(draft->class[i], draft -> plan -> value[v].dtype)};
        }
        bli_grouping_add(grouping, draft->class[i], 0,
                         bli_fusion_inputs(step) - uses +
                             !draft->plan->value[step->value].is_internal,
                         uses, use);
    }
}

static bool is_array(const bl_expr_plan *plan, int32_t v)
{
    return plan->value[v].step >= 0 ||
           bli_expr_node(plan->expr, v)->kind == BLI_NODE_INPUT;
}

/* Whether two steps read the same array. */
static bool share_operand(const struct bli_fusion_draft *draft, int32_t i, int32_t j)
{
    const struct bli_expr_step *const a = bli_fusion_step(draft, i);
    const struct bli_expr_step *const b = bli_fusion_step(draft, j);
    bool share = false;

    for (int32_t k = 0; k < a->count; k++)
        for (int32_t l = 0; l < b->count; l++)
            share = share || (a->operand[k] == b->operand[l] &&
                              is_array(draft->plan, a->operand[k]));
    return share;
}

/* Have steps of one machine that read the same array be one program. */
static void join_siblings(const struct bli_fusion_draft *draft,
                          struct bli_grouping *grouping)
{
    for (int32_t i = 1; i < draft->phase->count; i++)
        for (int32_t j = 0; draft->class[i] >= 0 && j < i; j++)
            if (grouping->item[j].group != grouping->item[i].group &&
                draft->class[j] == draft->class[i] && share_operand(draft, i, j))
                (void)bli_grouping_join(grouping, i, j);
}

/* Whether all that an operation uses of others is computed; `done` has their steps. */
static bool is_ready(const struct bli_fusion_draft *draft,
                     const struct bli_grouping *grouping, int32_t group,
                     const bool *done)
{
    bool ready = true;

    for (int32_t i = group; i >= 0; i = grouping->item[i].next) {
        const struct bli_expr_step *const step = bli_fusion_step(draft, i);

        for (int32_t k = 0; k < step->count; k++) {
            const int32_t j = bli_fusion_member(draft, step->operand[k]);

            ready = ready && (j < 0 || done[j] || grouping->item[j].group == group);
        }
    }
    return ready;
}

static bool is_sum(const struct bli_reduce_call *call)
{
    return call->op == BL_REDUCTION_SUM || call->op == BL_REDUCTION_MEAN;
}

/* Elements into each result that the value of step `i` is summed to; 0: it is not. */
static int64_t summed(const struct bli_fusion_draft *draft, int32_t i)
{
    const struct bli_expr_value *const domain = draft->domain;
    bool is_summed = false;
    int64_t count = 1;

    if (!domain || draft->is_resident || !(draft->axes >> (domain->rank - 1) & 1))
        return 0;
    for (int32_t d = 0; d < domain->rank; d++)
        count *= draft->axes >> d & 1 ? domain->extent[d] : 1;
    for (int32_t j = i + 1; j < draft->phase->count; j++) {
        const struct bli_expr_step *const step = bli_fusion_step(draft, j);

        is_summed = is_summed || (step->reduce && is_sum(step->reduce) &&
                                  step->operand[0] == bli_fusion_step(draft, i)->value);
    }
    return is_summed ? count : 0;
}

/*
 * Whether a program of step `i` alone is better than a kernel: it adds what is summed
 * to lanes (fusion_folds.c).  Zen 3, AVX2, one thread, in the caches: sums of a * a of
 * f32 take 1.2 of the time, of f64 .84, of a * b 1.0 and .76.  From memory: Zen 4, two
 * threads, sum(a * b, 1) of 64 MiB in rows of 128 to 1024 f32 .52 to .71, of 150 .82.
 */
static bool is_program(const struct bli_fusion_draft *draft, int32_t i)
{
    const int64_t count = draft->most > 1 ? summed(draft, i) : 0;
    const bool is_f64 = draft->class[i] == BL_DTYPE_F64;

    if (count > 0 && draft->domain->bytes > BLI_FUSION_CACHE)
        return count >= BLI_FUSION_ADDED_FAR || (is_f64 && count == BLI_FUSION_ADDED);
    return is_f64 &&
           (count > BLI_REDUCE_BLOCK || (count > 0 && count % BLI_FUSION_ADDED == 0));
}

/* Add the steps of a group as the next operation. */
static int32_t add(struct bli_fusion_draft *draft, const struct bli_grouping *grouping,
                   int32_t group, int32_t members, bool *done)
{
    const int32_t next = draft->made.operations++;

    draft->first[next] = members;
    for (int32_t i = group; i >= 0; i = grouping->item[i].next) {
        done[i] = true;
        draft->operation[i] = next;
        draft->member[members++] = i;
    }
    draft->count[next] = members - draft->first[next];
    /* A kernel computes one step as well. */
    if (draft->count[next] == 1 && !is_program(draft, group))
        draft->class[group] = -1;
    return members;
}

bool bli_fusion_operations(struct bli_fusion_draft *draft)
{
    struct bli_grouped items[BLI_FUSION_STEPS];
    int32_t use[BLI_FUSION_STEPS * BL_MAX_INPUTS], stack[BLI_FUSION_STEPS];
    struct bli_grouping grouping = {.most_items = draft->most,
                                    .most_weight = MOST_OPERANDS,
                                    .item = items,
                                    .use = use,
                                    .stack = stack};
    bool done[BLI_FUSION_STEPS] = {false};
    int32_t members = 0;

    if (draft->phase->count > BLI_FUSION_STEPS)
        return false;
    group(draft, &grouping);
    join_siblings(draft, &grouping);
    draft->made.operations = 0;
    while (members < draft->phase->count)
        for (int32_t i = 0; i < draft->phase->count; i++) {
            const int32_t group = items[i].group;

            if (!done[i] && is_ready(draft, &grouping, group, done))
                members = add(draft, &grouping, group, members, done);
        }
    return true;
}
