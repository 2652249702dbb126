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

/* Whether a call may write its result over an operand, element by element. */
static bool fits_over(const bl_expr_plan *plan, const struct bli_expr_step *step,
                      const struct bli_expr_value *operand)
{
    const struct bli_expr_value *const value = &plan->value[step->value];

    return operand->at >= 0 && operand->last == value->step && step->plan &&
           step->plan->nest.needs_linear_copy == 0 && operand->rank == value->rank &&
           bli_dtypes[operand->dtype].size == bli_dtypes[value->dtype].size &&
           (value->rank == 0 ||
            memcmp(operand->extent, value->extent,
                   (size_t)value->rank * sizeof *value->extent) == 0);
}

/* Choose memory for the result of a call, and free that of operands it reads last. */
static bl_status place_result(bl_expr_plan *plan, const struct bli_expr_step *step,
                              struct slots *slots)
{
    struct bli_expr_value *const value = &plan->value[step->value];

    for (int32_t k = 0; value->output < 0 && k < step->count && value->at < 0; k++)
        if (fits_over(plan, step, &plan->value[step->operand[k]]))
            value->at = plan->value[step->operand[k]].at;
    if (value->output < 0 && value->at < 0)
        BL_TRY(take_slot(slots, value->bytes, &value->at));
    for (int32_t k = 0; k < step->count; k++) {
        const struct bli_expr_value *const operand = &plan->value[step->operand[k]];

        if (operand->at >= 0 && operand->last == value->step &&
            operand->at != value->at)
            slot_at(slots, operand->at)->is_free = true;
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

        if (k >= 0)
            plan->out[k].is_direct = is_sure;
        is_sure = is_sure && plan->step[s].is_sure;
    }
}

/* Append memory for outputs: of those that always need it if `direct` is false. */
static bl_status place_outputs(bl_expr_plan *plan, bool direct, int64_t *end)
{
    for (int32_t k = 0; k < plan->outputs; k++)
        if (plan->out[k].is_direct == direct)
            BL_TRY(
                append(end, plan->value[plan->out[k].value].bytes, &plan->out[k].at));
    return BL_OK;
}

bl_status bli_expr_plan_memory(bl_expr_plan *plan)
{
    struct slots *const slots =
        bli_thread_lend(sizeof *slots + (size_t)plan->steps * sizeof slots->slot[0]);
    bl_status status = BL_OK;

    if (!slots)
        return BL_ERR_MEMORY;
    slots->count = 0;
    slots->end = 0;
    for (int32_t v = 0; v < plan->nodes + plan->outputs; v++)
        plan->value[v].at = -1;
    for (int32_t s = 0; status == BL_OK && s < plan->steps; s++)
        status = place_result(plan, &plan->step[s], slots);
    plan->workspace = slots->end;
    bli_thread_return(slots);
    BL_TRY(status);
    find_direct(plan);
    BL_TRY(place_outputs(plan, false, &plan->workspace));
    plan->workspace_all = plan->workspace;
    return place_outputs(plan, true, &plan->workspace_all);
}
