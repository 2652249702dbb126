/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joins siblings: groups that use nothing of each other but read the same array, which
 * one fusion of both reads once.
 */
#include "expr/phases.h"

/* Whether a value that a step reads has an element for each that it goes through. */
static bool is_read_whole(const bl_expr_plan *plan, int32_t s, int32_t v)
{
    const struct bli_expr_value *const value = &plan->value[v];

    return (value->rank > 0 || value->step >= 0) &&
           bli_expr_same_shape(value, bli_phases_domain(plan, s));
}

/* ---- outputs ---- */

static bool has_output(const struct bli_phases *phases, int32_t group)
{
    const bl_expr_plan *const plan = phases->plan;
    bool has = false;

    for (int32_t i = group; i >= 0; i = phases->grouping.item[i].next)
        has = has || plan->value[plan->step[i].value].output >= 0;
    return has;
}

/* Whether other steps that may fail need, by way of any, what a group makes. */
static bool feeds_failures(struct bli_phases *phases, int32_t group)
{
    const bl_expr_plan *const plan = phases->plan;
    struct bli_phase_state *const state = phases->state;
    bool feeds = false;

    for (int32_t s = 0; s < plan->steps; s++) {
        const struct bli_expr_step *const step = &plan->step[s];
        const bool is_own = phases->grouping.item[s].group == group;

        state[s].is_done = is_own;
        for (int32_t k = 0; k < step->count; k++) {
            const int32_t from = plan->value[step->operand[k]].step;

            state[s].is_done = state[s].is_done || (from >= 0 && state[from].is_done);
        }
        feeds = feeds || (state[s].is_done && !is_own && bli_phases_may_fail(step));
    }
    return feeds;
}

/*
 * Whether outputs of a group, joined with another one, would be written before
 * something fails that needs the other: they would go through the workspace, which
 * takes two passes more.
 */
static bool are_delayed(struct bli_phases *phases, int32_t group, int32_t other)
{
    return has_output(phases, group) && feeds_failures(phases, other) &&
           !feeds_failures(phases, group);
}

/* ---- siblings ---- */

/* Join the groups of two steps, if they are two and both are willing to. */
static void join(struct bli_phases *phases, int32_t s, int32_t t)
{
    struct bli_phase_state *const state = phases->state;
    const int32_t a = phases->grouping.item[s].group;
    const int32_t b = phases->grouping.item[t].group;

    if (a == b || state[s].is_loner || state[t].is_loner || are_delayed(phases, a, b) ||
        are_delayed(phases, b, a) || !bli_grouping_join(&phases->grouping, s, t))
        return;
    state[s].is_sibling = state[t].is_sibling = true;
}

void bli_phases_join_siblings(struct bli_phases *phases)
{
    bl_expr_plan *const plan = phases->plan;

    /* The first step that reads a value, with which later ones are joined. */
    for (int32_t v = 0; v < plan->values; v++)
        plan->value[v].last = -1;
    for (int32_t s = 0; s < plan->steps; s++) {
        phases->state[s].is_sibling = false;
        if (phases->grouping.item[s].class < 0)
            continue;
        for (int32_t k = 0; k < plan->step[s].count; k++) {
            struct bli_expr_value *const value = &plan->value[plan->step[s].operand[k]];

            if (!is_read_whole(plan, s, plan->step[s].operand[k]))
                continue;
            if (value->last < 0)
                value->last = s;
            else
                join(phases, s, value->last);
        }
    }
}

bool bli_phases_part_siblings(struct bli_phases *phases,
                              const struct bli_expr_phase *phase)
{
    for (int32_t i = 0; i < phase->count && phase->has_siblings; i++)
        phases->state[phase->step[i]].is_loner = true;
    return phase->has_siblings;
}
