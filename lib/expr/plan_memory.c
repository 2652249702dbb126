/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides where the values of an expression are: in outputs, or in the workspace, where
 * values that are not needed at the same time share memory.
 */
#include "expr/plan.h"

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
 * Whether a call may write its result over an operand that is no output, element by
 * element.
 */
static bool fits_over(const bl_expr_plan *plan, const struct bli_expr_step *step,
                      const struct bli_expr_value *operand)
{
    const struct bli_expr_value *const value = &plan->value[step->value];

    return operand->step >= 0 && operand->output < 0 && operand->last == value->step &&
           step->plan && step->plan->nest.needs_linear_copy == 0 &&
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

/* Choose memory for the result of a call, and free that of operands it reads last. */
static bl_status place_result(bl_expr_plan *plan, const struct bli_expr_step *step,
                              struct slots *slots, int l)
{
    struct bli_expr_value *const value = &plan->value[step->value];
    const bool is_there = is_elsewhere(value, l);

    for (int32_t k = 0; !is_there && k < step->count && value->at[l] < 0; k++)
        if (fits_over(plan, step, &plan->value[step->operand[k]]))
            value->at[l] = plan->value[step->operand[k]].at[l];
    if (!is_there && value->at[l] < 0)
        BL_TRY(take_slot(slots, value->bytes, &value->at[l]));
    for (int32_t k = 0; k < step->count; k++) {
        const struct bli_expr_value *const operand = &plan->value[step->operand[k]];

        if (operand->at[l] >= 0 && operand->last == value->step &&
            operand->at[l] != value->at[l])
            slot_at(slots, operand->at[l])->is_free = true;
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

    for (int32_t s = plan->steps - 1; s >= 0; s--) {
        const int32_t k = plan->value[plan->step[s].value].output;

        plan->step[s].may_write = is_sure;
        if (k >= 0)
            plan->out[k].is_direct = is_sure;
        is_sure = is_sure && plan->step[s].is_sure;
    }
}

/*
 * The operand of a call over which it may write, if that may be in an output, which is
 * aligned to `align` bytes; -1: there is none.
 */
static int32_t find_lodger(const bl_expr_plan *plan, const struct bli_expr_step *step,
                           int32_t align)
{
    for (int32_t k = 0; k < step->count; k++) {
        const struct bli_expr_value *const operand = &plan->value[step->operand[k]];

        if (fits_over(plan, step, operand) && operand->lodges < 0 &&
            bli_dtypes[operand->dtype].align <= align &&
            plan->step[operand->step].plan && plan->step[operand->step].may_write)
            return step->operand[k];
    }
    return -1;
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

        out->first = plan->value[v].step;
        while (out->is_direct && out->is_compact && v >= 0) {
            v = find_lodger(plan, &plan->step[out->first],
                            bli_dtypes[out->array.dtype].align);
            if (v >= 0) {
                plan->value[v].lodges = k;
                out->first = plan->value[v].step;
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
    for (int32_t v = 0; v < plan->nodes + plan->outputs; v++)
        plan->value[v].at[l] = -1;
    for (int32_t s = 0; s < plan->steps; s++)
        BL_TRY(place_result(plan, &plan->step[s], slots, l));
    plan->workspace[l] = slots->end;
    return place_outputs(plan, false, &plan->workspace[l]);
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
