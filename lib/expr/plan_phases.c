/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides which steps of a plan are executed together, and in which order: connected
 * element-wise steps whose results have the same shape are fused.
 */
#include "expr/fusion.h"
#include "expr/phases.h"

#include "core/lend.h"

/* Most steps of a fusion, and roughly most operands that it has in memory. */
#define MOST_STEPS    48
#define MOST_OPERANDS 26

/* ---- which ---- */

/* Whether conversions of a step's operands take one pass each. */
static bool converts_once(const struct bl_plan *call)
{
    bool once = call->dtype[0] == call->computed[0];

    for (int32_t k = 1; k <= call->inputs; k++)
        once = once && (call->dtype[k] == call->computed[k] || !call->tiling.narrow[k]);
    return once;
}

static bool is_permuted(const struct bl_plan *call)
{
    return call && call->tiling.dims != 0;
}

/*
 * Why a step that is no reduction may not be part of a fusion; NULL: it may.  Calls
 * have tiles across several loops, for operands and outputs that are permuted.
 */
static const char *why_apart(const struct bli_expr_step *step)
{
    if (!step->is_plain)
        return "its elements go in a certain order";
    if (!step->is_sure && !step->refuses)
        return "it may fail";
    if (step->plan->nest.count == 0)
        return "it has no elements";
    if (is_permuted(step->plan) || is_permuted(step->direct))
        return "its operands are permuted";
    if (step->plan->self_overlaps)
        return "its result overlaps itself";
    return converts_once(step->plan) ? NULL : "its conversions are several passes";
}

static void classify(struct bli_phases *phases)
{
    const bl_expr_plan *const plan = phases->plan;
    const bool fuses = !(plan->flags & BL_EXPR_UNFUSED);

    for (int32_t s = 0; s < plan->steps; s++)
        phases->state[s] = (struct bli_phase_state){.level = BLI_FOLD_APART};
    if (fuses)
        bli_phases_find_levels(phases);
    for (int32_t s = 0; s < plan->steps; s++) {
        int32_t *const class = &phases->state[s].class;
        struct bli_expr_step *const step = &plan->step[s];

        if (fuses && step->plan)
            step->why = why_apart(step);
        *class = fuses && (step->plan ? !step->why
                                      : phases->state[s].level != BLI_FOLD_APART)
                     ? s
                     : -1;
        for (int32_t t = 0; *class == s && t < s; t++)
            if (phases->state[t].class == t &&
                bli_expr_same_shape(bli_phases_domain(plan, t),
                                    bli_phases_domain(plan, s)))
                *class = t;
    }
}

static void group(struct bli_phases *phases)
{
    const bl_expr_plan *const plan = phases->plan;

    phases->grouping.count = phases->grouping.uses = phases->grouping.marks = 0;
    phases->grouping.most_items = MOST_STEPS;
    phases->grouping.most_weight = MOST_OPERANDS;
    for (int32_t s = 0; s < plan->steps; s++) {
        const struct bli_expr_step *const step = &plan->step[s];
        const int32_t class = bli_phases_classify(phases, s);
        struct bli_grouping_use use[BL_MAX_INPUTS];
        int32_t uses = 0;

        for (int32_t k = 0; k < step->count; k++) {
            const int32_t from = plan->value[step->operand[k]].step;

            if (from >= 0)
                use[uses++] =
                    (struct bli_grouping_use){from, bli_phases_may_join(phases, s, k)};
        }
        bli_grouping_add(&phases->grouping, class, phases->state[s].kind,
                         step->count - uses + step->has_alpha +
                             (plan->value[step->value].output >= 0),
                         uses, use);
    }
    bli_phases_join_siblings(phases);
}

/* ---- fusions ---- */

/* Whether an output of the phase is not compact. */
static bool has_direct(const bl_expr_plan *plan, const struct bli_expr_phase *phase)
{
    bool has = false;

    for (int32_t i = 0; i < phase->count; i++) {
        const int32_t k = plan->value[plan->step[phase->step[i]].value].output;

        has = has || (k >= 0 && !plan->out[k].is_compact);
    }
    return has;
}

/* Make the fusion of a phase, or have its steps be calls. */
static bl_status fuse(struct bli_phases *phases, struct bli_expr_phase *phase)
{
    BL_TRY(bli_fusion_make(phases->making, phase, false, &phase->fusion));
    phase->direct = phase->fusion;
    if (phase->fusion && has_direct(phases->plan, phase)) {
        phase->direct = NULL;
        BL_TRY(bli_fusion_make(phases->making, phase, true, &phase->direct));
    }
    if (phase->fusion && phase->direct)
        return BL_OK;
    bli_fusion_free(phase->fusion, &phases->plan->allocator);
    phase->fusion = phase->direct = NULL;
    phases->is_final = false;
    if (bli_phases_part_siblings(phases, phase))
        return BL_OK;
    if (bli_phases_lower(phases, phase))
        return BL_OK;
    for (int32_t i = 0; i < phase->count; i++) {
        phases->state[phase->step[i]].class = -1;
        phases->plan->step[phase->step[i]].why = "a fusion would not be faster";
    }
    return BL_OK;
}

static void free_fusions(bl_expr_plan *plan)
{
    for (int32_t p = 0; p < plan->phases; p++) {
        struct bli_expr_phase *const phase = &plan->phase[p];

        if (phase->direct != phase->fusion)
            bli_fusion_free(phase->direct, &plan->allocator);
        bli_fusion_free(phase->fusion, &plan->allocator);
        phase->fusion = phase->direct = NULL;
    }
}

/* Make the phases, and those fusions that are faster than calls. */
static bl_status make_phases(struct bli_phases *phases)
{
    bl_expr_plan *const plan = phases->plan;

    phases->is_final = true;
    group(phases);
    bli_phases_put_in_order(phases);
    for (int32_t p = 0; p < plan->phases; p++)
        if (plan->phase[p].count > 1)
            BL_TRY(fuse(phases, &plan->phase[p]));
    return BL_OK;
}

/* Copy the extents of values whose calls are fused to memory of the plan. */
static bl_status keep_extents(bl_expr_plan *plan)
{
    int64_t *to;

    plan->kept = 0;
    for (int32_t s = 0; s < plan->steps; s++)
        if (plan->phase[plan->value[plan->step[s].value].phase].fusion)
            plan->kept += plan->value[plan->step[s].value].rank;
    plan->kept *= (int64_t)sizeof *to;
    if (plan->kept == 0)
        return BL_OK;
    to = plan->kept_extent = bli_allocate_object(&plan->allocator, (size_t)plan->kept);
    if (!to)
        return BL_ERR_MEMORY;
    for (int32_t s = 0; s < plan->steps; s++) {
        struct bli_expr_value *const value = &plan->value[plan->step[s].value];

        if (!plan->phase[value->phase].fusion)
            continue;
        for (int32_t d = 0; d < value->rank; d++)
            to[d] = value->extent[d];
        value->extent = to;
        to += value->rank;
    }
    for (int32_t k = 0; k < plan->outputs; k++) {
        const bl_node node = plan->expr->output[k];

        plan->out[k].array.extent =
            plan->value[bli_expr_node(plan->expr, node)->same].extent;
    }
    return BL_OK;
}

/* Complete the plans of a step that is a call. */
static void complete(const struct bli_expr_step *step)
{
    if (step->plan)
        bli_plan_complete(step->plan);
    if (step->direct && step->direct != step->plan)
        bli_plan_complete(step->direct);
}

/*
 * Complete the plans of calls, and free those of calls that are fused, except where
 * these have values to check.
 */
static bl_status finish_plans(bl_expr_plan *plan)
{
    BL_TRY(keep_extents(plan));
    for (int32_t s = 0; s < plan->steps; s++)
        if (!plan->phase[plan->value[plan->step[s].value].phase].fusion)
            complete(&plan->step[s]);
    for (int32_t p = 0; p < plan->phases; p++)
        for (int32_t i = 0; plan->phase[p].fusion && i < plan->phase[p].count; i++) {
            struct bli_expr_step *const step = &plan->step[plan->phase[p].step[i]];

            if (step->direct != step->plan)
                bli_plan_free(step->direct, &plan->allocator);
            step->direct = NULL;
            if (step->refuses)
                continue;
            bli_plan_free(step->plan, &plan->allocator);
            step->plan = NULL;
        }
    return BL_OK;
}

/* Put what is needed for so many steps into memory, or with NULL find its bytes. */
static size_t lay_out(struct bli_phases *phases, size_t steps, char *memory)
{
    const size_t each = sizeof *phases->made + sizeof *phases->grouping.item +
                        sizeof *phases->state +
                        (BL_MAX_INPUTS + 1) * sizeof *phases->grouping.use;

    if (!memory)
        return steps * each;
    phases->made = (struct bli_expr_phase *)(void *)memory;
    phases->grouping.item = (struct bli_grouped *)(void *)(phases->made + steps);
    phases->state = (struct bli_phase_state *)(void *)(phases->grouping.item + steps);
    phases->grouping.stack = (int32_t *)(void *)(phases->state + steps);
    phases->grouping.use = phases->grouping.stack + steps;
    return steps * each;
}

bl_status bli_expr_plan_phases(struct bli_expr_making *making)
{
    bl_expr_plan *const plan = making->plan;
    const size_t steps = (size_t)plan->steps;
    struct bli_phases phases = {.making = making, .plan = plan};
    bl_status status;
    char *const memory = bli_thread_lend(lay_out(&phases, steps, NULL));

    if (!memory)
        return BL_ERR_MEMORY;
    (void)lay_out(&phases, steps, memory);
    classify(&phases);
    status = make_phases(&phases);
    while (status == BL_OK && !phases.is_final) {
        free_fusions(plan);
        status = make_phases(&phases);
    }
    bli_thread_return(memory);
    return status == BL_OK ? finish_plans(plan) : status;
}
