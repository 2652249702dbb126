/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Halves, f16 and bf16, that are computed as f32.  With wide halves all are.  Without,
 * a function that has no kernel for halves is three steps where it is fused: operands
 * are converted, it is computed, its value is rounded; a call does the same in one.
 */
#include "expr/fusion.h"
#include "expr/half_steps.h"
#include "expr/literals.h"

#include <string.h>

bl_status bli_expr_widen(struct bli_expr_making *making, int32_t count,
                         int32_t *operand)
{
    bl_expr_plan *const plan = making->plan;

    for (int32_t k = 0; k < count; k++) {
        const int32_t from = operand[k], v = bli_expr_widened(plan, from);
        int32_t *const own = plan->list + plan->expr->listed + plan->outputs + from;

        if (!bli_expr_is_half(plan->value[from].dtype))
            continue;
        operand[k] = v;
        if (plan->value[v].dtype != BL_DTYPE_NONE)
            continue;
        *own = from;
        plan->value[v].dtype = BL_DTYPE_F32;
        plan->value[v].plain = plan->value[from].dtype;
        plan->value[v].flags =
            bli_expr_value_array(plan, from, NULL).flags & BL_ARRAY_SCALAR;
        BL_TRY(bli_expr_add_step(making, v, from, 1, own));
    }
    return BL_OK;
}

/* ---- functions ---- */

bool bli_expr_may_split(const bl_expr *expr, const bl_array *const *inputs,
                        uint32_t flags)
{
    int32_t operations = 0;
    bool has_halves = false;

    if (flags & (BL_EXPR_UNFUSED | BL_EXPR_WIDE_HALVES))
        return false;
    for (bl_node n = 0; n < expr->nodes; n++) {
        const struct bli_expr_node *const node = bli_expr_node(expr, n);
        const bl_array *const array =
            node->kind == BLI_NODE_INPUT && inputs ? inputs[node->what] : NULL;

        has_halves = has_halves || bli_expr_is_half(array ? array->dtype : node->dtype);
        operations += node->kind == BLI_NODE_APPLY || node->kind == BLI_NODE_REDUCE;
    }
    return has_halves && operations > 1;
}

/*
 * Whether a half has a number as it is.  Calls round numbers to halves before they
 * compute with them.
 */
static bool fits(const bl_scalar *number, bl_dtype half)
{
    const int digits = half == BL_DTYPE_F16 ? 10 : 7;
    const uint64_t most = half == BL_DTYPE_F16 ? 15 : 127;
    const int64_t whole = number->dtype == BL_DTYPE_I64 ? number->value.i64 : 0;
    const double value =
        number->dtype == BL_DTYPE_F64 ? number->value.f64 : (double)(whole % 128);

    return (number->dtype == BL_DTYPE_F64 || number->dtype == BL_DTYPE_I64) &&
           whole == whole % 128 && bli_literal_fits(value, digits, most);
}

/*
 * Whether a step computes halves as f32 in one pass, broadcasts its operands, and
 * converts neither them to another half before, nor its result after.
 */
static bool is_function(const bl_expr_plan *plan, const struct bli_expr_step *step)
{
    const struct bl_plan *const call = step->plan;
    bool is_function =
        call && bli_expr_is_half(call->common) && call->dtype[0] == call->common &&
        call->computed[0] == BL_DTYPE_F32 && call->op != BL_OP_COPY && step->is_plain &&
        !step->has_alpha && call->nest.count > 0 && call->tiling.dims == 0;

    for (int32_t k = 0; is_function && k < step->count; k++) {
        const bl_node n = bli_expr_value_node(plan, step->operand[k]);
        const struct bli_expr_node *const node = bli_expr_node(plan->expr, n);

        is_function = node->kind == BLI_NODE_NUMBER
                          ? fits(&node->number, call->common)
                          : call->dtype[1 + k] == call->common;
    }
    return is_function;
}

bl_status bli_expr_split(struct bli_expr_making *making, bl_node n, int32_t *operand)
{
    bl_expr_plan *const plan = making->plan;
    struct bli_expr_step *const step = &plan->step[plan->value[n].step];
    const int32_t count = step->count, unrounded = bli_expr_unrounded(plan, n);
    int32_t *const own = plan->list + plan->expr->listed + plan->outputs +
                         (unrounded - bli_expr_widened(plan, 0));
    const bl_dtype dtype = plan->value[n].dtype;

    if (!plan->splits || making->is_whole[n] || !is_function(plan, step))
        return BL_OK;
    plan->steps--;
    bli_plan_free(step->plan, &plan->allocator);
    *step = (struct bli_expr_step){.plan = NULL};
    plan->value[n].step = -1;
    BL_TRY(bli_expr_widen(making, count, operand));
    BL_TRY(bli_expr_add_step(making, unrounded, n, count, operand));
    *own = unrounded;
    plan->value[n].dtype = dtype;
    return bli_expr_add_step(making, n, n, 1, own);
}

/* Whether a fusion computes a split function, with the step of another node. */
static bool is_fused(const bl_expr_plan *plan, bl_node n)
{
    const struct bli_expr_value *const value = &plan->value[n];
    const struct bli_expr_value *const wide = &plan->value[bli_expr_unrounded(plan, n)];
    const struct bli_expr_phase *const phase = &plan->phase[value->phase];
    const struct bli_expr_step *const function = &plan->step[wide->step];
    bool has_other = false, is_apart = wide->phase != value->phase || !phase->fusion;

    for (int32_t i = 0; i < phase->count; i++) {
        const int32_t v = plan->step[phase->step[i]].value;

        has_other = has_other || (v != n && v < plan->nodes);
    }
    /* A converted operand in memory is twice as large as it was. */
    for (int32_t k = 0; k < function->count; k++) {
        const struct bli_expr_value *const from = &plan->value[function->operand[k]];

        is_apart =
            is_apart || (function->operand[k] >= plan->nodes &&
                         from->phase != value->phase && from->bytes > value->bytes / 8);
    }
    return has_other && !is_apart;
}

bool bli_expr_find_whole(struct bli_expr_making *making, bool is_last)
{
    const bl_expr_plan *const plan = making->plan;
    bool finds = false;

    for (bl_node n = 0; plan->splits && n < plan->nodes; n++)
        if (bli_expr_is_split(plan, n) && !is_fused(plan, n))
            finds = making->is_whole[n] = true;
    if (finds && is_last)
        memset(making->is_whole, true, (size_t)plan->nodes);
    return finds;
}
