/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts the phases of a plan in order, and finds which of them reads each value and what
 * each may write over.
 */
#include "expr/phases.h"

#include <string.h>

/* List the steps of each phase. */
static void list_steps(struct bli_phases *phases)
{
    bl_expr_plan *const plan = phases->plan;
    int32_t next = 0;

    plan->phases = 0;
    for (int32_t s = 0; s < plan->steps; s++) {
        const int32_t first = phases->grouping.item[s].group;

        phases->state[s].is_done = false;
        if (first == s) {
            phases->state[s].phase = plan->phases;
            phases->made[plan->phases++] =
                (struct bli_expr_phase){.count = 0, .step = plan->member + next};
            next += phases->grouping.item[s].items;
        } else {
            phases->state[s].phase = phases->state[first].phase;
        }

        struct bli_expr_phase *const phase = &phases->made[phases->state[s].phase];

        phase->has_siblings = phase->has_siblings || phases->state[s].is_sibling;
        plan->member[phase->step - plan->member + phase->count++] = s;
    }
}

/* Whether all that a phase uses of other phases is done. */
static bool is_ready(const struct bli_phases *phases,
                     const struct bli_expr_phase *phase)
{
    const bl_expr_plan *const plan = phases->plan;
    bool ready = true;

    for (int32_t i = 0; ready && i < phase->count; i++) {
        const struct bli_expr_step *const step = &plan->step[phase->step[i]];

        for (int32_t k = 0; k < step->count; k++) {
            const int32_t from = plan->value[step->operand[k]].step;

            ready = ready &&
                    (from < 0 || phases->state[from].is_done ||
                     phases->state[from].phase == phases->state[phase->step[0]].phase);
        }
    }
    return ready;
}

bool bli_phases_may_fail(const struct bli_expr_step *step)
{
    return !step->is_sure && !step->refuses;
}

/* Bytes of the outputs that a phase writes; -1: none. */
static int64_t output_bytes(const bl_expr_plan *plan,
                            const struct bli_expr_phase *phase)
{
    int64_t bytes = -1;

    for (int32_t i = 0; i < phase->count; i++) {
        const struct bli_expr_value *const value =
            &plan->value[plan->step[phase->step[i]].value];

        if (value->output < 0)
            continue;
        bytes = bytes < 0 ? 0 : bytes;
        if (!bli_add_i64(bytes, value->bytes, &bytes))
            bytes = INT64_MAX;
    }
    return bytes;
}

/*
 * Whether other phases that are left may fail: behind these one writes outputs where
 * they are, before them to the workspace.
 */
static bool may_others_fail(const struct bli_phases *phases,
                            const struct bli_expr_phase *phase)
{
    const bl_expr_plan *const plan = phases->plan;
    const int32_t own = phases->state[phase->step[0]].phase;
    bool may_fail = false;

    for (int32_t s = 0; !may_fail && s < plan->steps; s++)
        may_fail = !phases->state[s].is_done && phases->state[s].phase != own &&
                   bli_phases_may_fail(&plan->step[s]);
    return may_fail;
}

/* Make a phase the next one. */
static void place(struct bli_phases *phases, const struct bli_expr_phase *phase,
                  int32_t p)
{
    bl_expr_plan *const plan = phases->plan;

    for (int32_t i = 0; i < phase->count; i++) {
        phases->state[phase->step[i]].is_done = true;
        plan->step[phase->step[i]].member = i;
        plan->value[plan->step[phase->step[i]].value].phase = p;
    }
    plan->phase[p] = *phase;
}

/*
 * Put the phases in order: each as soon as it is ready and one of its steps comes, but
 * outputs behind what may fail, as far as that does not need them; small ones first.
 */
static void put_in_order(struct bli_phases *phases)
{
    const bl_expr_plan *const plan = phases->plan;

    for (int32_t done = 0; done < plan->phases;) {
        const int32_t before = done;
        const struct bli_expr_phase *least = NULL;

        for (int32_t s = 0; s < plan->steps; s++) {
            const struct bli_expr_phase *const phase =
                &phases->made[phases->state[s].phase];

            if (phases->state[s].is_done || !is_ready(phases, phase))
                continue;

            const int64_t bytes = output_bytes(plan, phase);

            if (bytes < 0 || !may_others_fail(phases, phase))
                place(phases, phase, done++);
            else if (!least || bytes < output_bytes(plan, least))
                least = phase;
        }
        if (done == before)
            place(phases, least, done++);
    }
}

/* Find the phases that read each value, and the values that need no memory. */
static void find_readers(bl_expr_plan *plan)
{
    for (int32_t v = 0; v < plan->values; v++)
        plan->value[v].last = -1;
    for (int32_t p = 0; p < plan->phases; p++)
        for (int32_t i = 0; i < plan->phase[p].count; i++) {
            const struct bli_expr_step *const step =
                &plan->step[plan->phase[p].step[i]];

            for (int32_t k = 0; k < step->count; k++)
                plan->value[step->operand[k]].last = p;
        }
    for (int32_t v = 0; v < plan->values; v++) {
        struct bli_expr_value *const value = &plan->value[v];

        value->is_internal =
            value->phase >= 0 && value->last == value->phase && value->output < 0;
    }
}

static bool have_same_shape(const struct bli_expr_value *a,
                            const struct bli_expr_value *b)
{
    return a->rank == b->rank &&
           (a->rank == 0 ||
            memcmp(a->extent, b->extent, (size_t)a->rank * sizeof *a->extent) == 0);
}

bool bli_expr_is_whole(const bl_expr_plan *plan, const struct bli_expr_value *value)
{
    const struct bli_expr_phase *const phase = &plan->phase[value->phase];
    bool is_whole = true;

    for (int32_t i = 0; i < phase->count; i++) {
        const struct bli_expr_step *const step = &plan->step[phase->step[i]];

        if (step->reduce)
            is_whole =
                is_whole && have_same_shape(value, &plan->value[step->operand[0]]);
    }
    return is_whole;
}

/* Whether a phase has one result and reads and writes it element by element. */
static bool is_elementwise(const bl_expr_plan *plan, const struct bli_expr_phase *phase)
{
    const struct bl_plan *const call = plan->step[phase->step[0]].plan;
    int32_t results = 0;
    bool is_whole = true;

    for (int32_t i = 0; i < phase->count; i++) {
        const struct bli_expr_value *const value =
            &plan->value[plan->step[phase->step[i]].value];

        results += !value->is_internal;
        is_whole = is_whole && (value->is_internal || bli_expr_is_whole(plan, value));
    }
    return phase->count > 1
               ? results == 1 && is_whole
               : call && call->nest.needs_linear_copy == 0 && !call->adds_to_result;
}

void bli_phases_put_in_order(struct bli_phases *phases)
{
    list_steps(phases);
    put_in_order(phases);
    find_readers(phases->plan);
    for (int32_t p = 0; p < phases->plan->phases; p++)
        phases->plan->phase[p].is_elementwise =
            is_elementwise(phases->plan, &phases->plan->phase[p]);
}
