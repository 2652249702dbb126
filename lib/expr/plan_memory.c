/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides where the values of an expression are: in outputs, or in the workspace, where
 * values that are not needed at the same time share memory.
 */
#include "expr/fusion.h"

#include "core/lend.h"

#include <string.h>

/* A part of the workspace. */
struct slot {
    int64_t at, bytes;
    bool is_free;
};

struct slots {
    int32_t count;
    int64_t end;
    struct slot slot[];
};

static struct slot *slot_at(struct slots *slots, int64_t at)
{
    for (int32_t i = 0; i < slots->count; i++)
        if (slots->slot[i].at == at)
            return &slots->slot[i];
    return NULL;
}

/* Append `bytes` of memory to the workspace, on cache lines of their own. */
static bl_status append(int64_t *end, int64_t bytes, int64_t *at)
{
    if (!bli_add_i64(bytes, BLI_ALIGNMENT - 1, &bytes) ||
        !bli_add_i64(*end, bytes & -(int64_t)BLI_ALIGNMENT, &bytes))
        return bl_error_set(BL_ERR_OVERFLOW,
                            "the workspace's bytes do not fit in 64 bits");
    *at = *end;
    *end = bytes;
    return BL_OK;
}

/* Take the smallest free slot that is large enough, or a new one. */
static bl_status take_slot(struct slots *slots, int64_t bytes, int64_t *at)
{
    struct slot *best = NULL;

    for (int32_t i = 0; i < slots->count; i++) {
        struct slot *const slot = &slots->slot[i];

        if (slot->is_free && slot->bytes >= bytes &&
            (!best || slot->bytes < best->bytes))
            best = slot;
    }
    if (!best) {
        best = &slots->slot[slots->count];
        BL_TRY(append(&slots->end, bytes, &best->at));
        best->bytes = slots->end - best->at;
        slots->count++;
    }
    best->is_free = false;
    *at = best->at;
    return BL_OK;
}

/*
 * Whether a phase may write its result over an operand that is no output, element by
 * element.
 */
static bool fits_over(const bl_expr_plan *plan, const struct bli_expr_value *value,
                      const struct bli_expr_value *operand)
{
    return operand->phase >= 0 && operand->output < 0 && !operand->is_internal &&
           operand->last == value->phase && plan->phase[value->phase].is_elementwise &&
           operand->rank == value->rank &&
           bli_dtypes[operand->dtype].size == bli_dtypes[value->dtype].size &&
           (value->rank == 0 ||
            memcmp(operand->extent, value->extent,
                   (size_t)value->rank * sizeof *value->extent) == 0);
}

/* Whether a value is in an output, in the workspace's layout `l`. */
static bool is_elsewhere(const struct bli_expr_value *value, int l)
{
    return value->output >= 0 || (l == 1 && value->lodges >= 0);
}

/* Choose memory for a result of a phase. */
static bl_status place_result(bl_expr_plan *plan, const struct bli_expr_phase *phase,
                              struct bli_expr_value *value, struct slots *slots, int l)
{
    if (is_elsewhere(value, l) || value->is_internal)
        return BL_OK;
    for (int32_t i = 0; i < phase->count; i++) {
        const struct bli_expr_step *const step = &plan->step[phase->step[i]];

        for (int32_t k = 0; k < step->count && value->at[l] < 0; k++)
            if (fits_over(plan, value, &plan->value[step->operand[k]]))
                value->at[l] = plan->value[step->operand[k]].at[l];
    }
    return value->at[l] < 0 ? take_slot(slots, value->bytes, &value->at[l]) : BL_OK;
}

/* Whether one of a phase's results is where an operand was. */
static bool is_taken_over(const bl_expr_plan *plan, const struct bli_expr_phase *phase,
                          int64_t at, int l)
{
    bool is_taken = false;

    for (int32_t i = 0; i < phase->count; i++)
        is_taken |= plan->value[plan->step[phase->step[i]].value].at[l] == at;
    return is_taken;
}

/* Choose memory for the results of a phase, and free that of what it reads last. */
static bl_status place_phase(bl_expr_plan *plan, int32_t p, struct slots *slots, int l)
{
    const struct bli_expr_phase *const phase = &plan->phase[p];

    for (int32_t i = 0; i < phase->count; i++)
        BL_TRY(place_result(plan, phase, &plan->value[plan->step[phase->step[i]].value],
                            slots, l));
    for (int32_t i = 0; i < phase->count; i++) {
        const struct bli_expr_step *const step = &plan->step[phase->step[i]];

        for (int32_t k = 0; k < step->count; k++) {
            const struct bli_expr_value *const operand = &plan->value[step->operand[k]];

            if (operand->at[l] >= 0 && operand->last == p &&
                !is_taken_over(plan, phase, operand->at[l], l))
                slot_at(slots, operand->at[l])->is_free = true;
        }
    }
    return BL_OK;
}

/*
 * Decide which outputs are written by the calls that compute them: those after which
 * nothing fails.  The others are computed in the workspace, and copied at the end.
 */
static void find_direct(bl_expr_plan *plan)
{
    bool is_sure = true;

    for (int32_t p = plan->phases - 1; p >= 0; p--) {
        struct bli_expr_phase *const phase = &plan->phase[p];

        phase->may_write = is_sure;
        for (int32_t i = 0; i < phase->count; i++) {
            const int32_t k = plan->value[plan->step[phase->step[i]].value].output;

            if (k >= 0)
                plan->out[k].is_direct = phase->may_write;
            is_sure =
                is_sure && (plan->step[phase->step[i]].is_sure ||
                            bli_expr_is_checked_first(plan, phase->step[i]) ||
                            bli_expr_take_check(plan, &plan->step[phase->step[i]]));
        }
    }
}

/*
 * The operand of a step over which its phase may write, if that may be in an output,
 * which is aligned to `align` bytes; -1: there is none.
 */
static int32_t find_operand(const bl_expr_plan *plan, const struct bli_expr_step *step,
                            const struct bli_expr_value *value, int32_t align)
{
    for (int32_t k = 0; k < step->count; k++) {
        const struct bli_expr_value *const operand = &plan->value[step->operand[k]];
        const struct bli_expr_phase *const phase = bli_expr_phase_of(plan, operand);

        if (fits_over(plan, value, operand) && operand->lodges < 0 &&
            bli_dtypes[operand->dtype].align <= align && phase->is_elementwise &&
            phase->may_write)
            return step->operand[k];
    }
    return -1;
}

/* A lodger of the phase that computes a value, or -1. */
static int32_t find_lodger(const bl_expr_plan *plan, const struct bli_expr_value *value,
                           int32_t align)
{
    const struct bli_expr_phase *const phase = &plan->phase[value->phase];
    int32_t lodger = -1;

    for (int32_t i = 0; i < phase->count && lodger < 0; i++)
        lodger = find_operand(plan, &plan->step[phase->step[i]], value, align);
    return lodger;
}

/*
 * Let the values that end up as an output lodge in its memory, from the first one on
 * over which calls write.
 */
static void find_lodgers(bl_expr_plan *plan)
{
    for (int32_t k = 0; k < plan->outputs; k++) {
        struct bli_expr_out *const out = &plan->out[k];
        int32_t v = out->value;

        out->first = plan->value[v].phase;
        while (out->is_direct && out->is_compact && v >= 0) {
            v = find_lodger(plan, &plan->value[v], bli_dtypes[out->array.dtype].align);
            if (v >= 0) {
                plan->value[v].lodges = k;
                out->first = plan->value[v].phase;
            }
        }
    }
}

/* Append memory for outputs: of those that always need it if `direct` is false. */
static bl_status place_outputs(bl_expr_plan *plan, bool direct, int64_t *end)
{
    for (int32_t k = 0; k < plan->outputs; k++)
        if (plan->out[k].is_direct == direct)
            BL_TRY(append(end, plan->value[plan->out[k].value].bytes,
                          &plan->out[k].at[0]));
    return BL_OK;
}

/* Lay the workspace out, with values in outputs or not. */
static bl_status place_all(bl_expr_plan *plan, struct slots *slots, int l)
{
    slots->count = 0;
    slots->end = 0;
    for (int32_t v = 0; v < plan->values; v++)
        plan->value[v].at[l] = -1;
    for (int32_t p = 0; p < plan->phases; p++)
        BL_TRY(place_phase(plan, p, slots, l));
    plan->workspace[l] = slots->end;
    return place_outputs(plan, false, &plan->workspace[l]);
}

/* Find the room that partial results of fusions need: each phase has all of it. */
static void find_partials(bl_expr_plan *plan)
{
    for (int32_t p = 0; p < plan->phases; p++) {
        const int64_t bytes = bli_fusion_phase_partials(&plan->phase[p]);

        plan->partials = bytes > plan->partials ? bytes : plan->partials;
    }
}

bl_status bli_expr_plan_memory(bl_expr_plan *plan)
{
    struct slots *const slots =
        bli_thread_lend(sizeof *slots + (size_t)plan->steps * sizeof slots->slot[0]);
    bl_status status;

    if (!slots)
        return BL_ERR_MEMORY;
    find_direct(plan);
    find_lodgers(plan);
    find_partials(plan);
    status = place_all(plan, slots, 1);
    for (int32_t k = 0; k < plan->outputs; k++)
        plan->out[k].at[1] = plan->out[k].at[0];
    if (status == BL_OK)
        status = place_all(plan, slots, 0);
    bli_thread_return(slots);
    BL_TRY(status);
    plan->workspace_all = plan->workspace[0];
    return place_outputs(plan, true, &plan->workspace_all);
}
