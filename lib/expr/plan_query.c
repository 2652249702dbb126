/* SPDX-License-Identifier: BSD-3-Clause */
/* What plans of expressions tell of themselves. */
#include "expr/fusion.h"
#include "expr/half_steps.h"

#include "core/sized.h"

#include <inttypes.h>

/* ---- figures ---- */

/* Add bytes, up to INT64_MAX. */
static void add_bytes(int64_t *sum, int64_t bytes)
{
    if (!bli_add_i64(*sum, bytes, sum))
        *sum = INT64_MAX;
}

/* Bytes of a value's elements; 0 of a number. */
static int64_t value_bytes(const bl_expr_plan *plan, int32_t v)
{
    const struct bli_expr_value *const value = &plan->value[v];
    int64_t bytes;

    if (v < plan->nodes && bli_expr_node(plan->expr, v)->kind == BLI_NODE_NUMBER)
        return 0;
    return bli_shape_numel(value->rank, value->extent, &bytes) &&
                   bli_mul_i64(bytes, bli_dtypes[value->dtype].size, &bytes)
               ? bytes
               : INT64_MAX;
}

/* Whether a phase reads a value in steps before `i`, and operands before `k` of it. */
static bool is_counted(const bl_expr_plan *plan, const struct bli_expr_phase *phase,
                       int32_t i, int32_t k)
{
    const int32_t v = plan->step[phase->step[i]].operand[k];
    bool is_counted = false;

    for (int32_t j = 0; j <= i; j++) {
        const struct bli_expr_step *const step = &plan->step[phase->step[j]];

        for (int32_t l = 0; l < (j < i ? step->count : k); l++)
            is_counted = is_counted || step->operand[l] == v;
    }
    return is_counted;
}

/* Bytes that a phase reads and writes: a call's operands, a fusion's once each. */
static int64_t phase_bytes(const bl_expr_plan *plan, int32_t p)
{
    const struct bli_expr_phase *const phase = &plan->phase[p];
    int64_t bytes = 0;

    for (int32_t i = 0; i < phase->count; i++) {
        const struct bli_expr_step *const step = &plan->step[phase->step[i]];

        if (!plan->value[step->value].is_internal)
            add_bytes(&bytes, value_bytes(plan, step->value));
        for (int32_t k = 0; k < step->count; k++)
            if (plan->value[step->operand[k]].phase != p &&
                !(phase->fusion && is_counted(plan, phase, i, k)))
                add_bytes(&bytes, value_bytes(plan, step->operand[k]));
    }
    return bytes;
}

/* Bytes of a node's call: its operands and its value, as they are in memory. */
static int64_t node_bytes(const bl_expr_plan *plan, bl_node n)
{
    const struct bli_expr_node *const node = bli_expr_node(plan->expr, n);
    int64_t bytes = value_bytes(plan, n);

    for (int32_t k = 0; k < node->count; k++)
        add_bytes(&bytes,
                  value_bytes(plan, bli_expr_node(plan->expr,
                                                  bli_expr_operand(plan->expr, node, k))
                                        ->same));
    return bytes;
}

static int64_t step_bytes(const bl_expr_plan *plan, const struct bli_expr_step *step)
{
    int64_t bytes = value_bytes(plan, step->value);

    for (int32_t k = 0; k < step->count; k++)
        add_bytes(&bytes, value_bytes(plan, step->operand[k]));
    return bytes;
}

static void count_phases(const bl_expr_plan *plan, bl_expr_plan_info *info)
{
    info->phases = plan->phases;
    for (int32_t p = 0; p < plan->phases; p++) {
        const struct bli_fusion *const fusion = plan->phase[p].fusion;

        add_bytes(&info->bytes, phase_bytes(plan, p));
        info->fusions += fusion != NULL;
        for (int32_t i = 0; fusion && i < plan->phase[p].count; i++)
            info->fused +=
                !bli_expr_is_conversion(plan, plan->step[plan->phase[p].step[i]].value);
    }
    for (int32_t v = 0; v < plan->values; v++)
        info->materialised += plan->value[v].phase >= 0 &&
                              !plan->value[v].is_internal && plan->value[v].output < 0;
}

void bli_expr_plan_count(const bl_expr_plan *plan, bl_expr_plan_info *info)
{
    *info = (bl_expr_plan_info){.size = sizeof *info};
    info->inputs = plan->expr->inputs;
    info->outputs = plan->outputs;
    info->nodes = plan->nodes;
    for (int32_t s = 0; s < plan->steps; s++)
        info->calls += !bli_expr_is_conversion(plan, plan->step[s].value);
    info->workspace = plan->workspace[1];
    if (plan->partials > BLI_FUSION_SMALL_PARTIALS)
        add_bytes(&info->workspace, plan->partials);
    info->part_phases = plan->part_phases;
    info->part_workspace = bli_expr_part_bytes(plan);
    for (bl_node n = 0; n < plan->nodes; n++) {
        const struct bli_expr_value *const same =
            &plan->value[bli_expr_node(plan->expr, n)->same];

        info->dead += !plan->is_needed[n];
        info->distinct += plan->value[n].dtype != BL_DTYPE_NONE;
        if (plan->is_needed[n] && same->step >= 0)
            add_bytes(&info->bytes_apart,
                      plan->splits
                          ? node_bytes(plan, bli_expr_node(plan->expr, n)->same)
                          : step_bytes(plan, &plan->step[same->step]));
        if (plan->is_needed[n] && same->step < 0)
            add_bytes(&info->bytes_least, value_bytes(plan, n));
    }
    count_phases(plan, info);
    for (int32_t s = 0; s < plan->steps; s++)
        if (plan->step[s].value >= plan->nodes &&
            (!plan->splits || plan->step[s].value < bli_expr_widened(plan, 0)))
            add_bytes(&info->bytes_apart, step_bytes(plan, &plan->step[s]));
    for (int32_t k = 0; k < plan->outputs; k++) {
        const int64_t bytes = value_bytes(plan, plan->out[k].value);

        add_bytes(&info->bytes_least, bytes);
        /* Written to the workspace, and copied. */
        if (!plan->out[k].is_direct)
            for (int i = 0; i < 2; i++)
                add_bytes(&info->bytes, bytes);
    }
}

/* ---- queries ---- */

static bl_status query(const bl_expr_plan *plan, bl_expr_plan_info *info)
{
    bl_expr_plan_info known;

    if (!plan)
        return bli_error_null("plan");
    BL_TRY(BLI_SIZED_CHECK(info, reserved, "info"));
    bli_expr_plan_count(plan, &known);
    bli_sized_write(info, &known, sizeof known);
    return BL_OK;
}

bl_status bl_expr_plan_query(const bl_expr_plan *plan, bl_expr_plan_info *info)
{
    BLI_RETURN_CALL(query(plan, info), "");
}

static int32_t place_of(const bl_expr_plan *plan, const struct bli_expr_node *node,
                        const struct bli_expr_value *value)
{
    if (node->kind == BLI_NODE_INPUT)
        return BL_EXPR_INPUT;
    if (node->kind == BLI_NODE_NUMBER)
        return BL_EXPR_NUMBER;
    if (value->is_internal)
        return BL_EXPR_REGISTERS;
    return value->lodges >= 0 ||
                   (value->output >= 0 && plan->out[value->output].is_direct)
               ? BL_EXPR_OUTPUT
               : BL_EXPR_WORKSPACE;
}

/* The number of the call that a step is, or is a part of. */
static int32_t call_of(const bl_expr_plan *plan, int32_t step)
{
    int32_t call = 0;

    for (int32_t s = 0; s < step; s++)
        call += !bli_expr_is_conversion(plan, plan->step[s].value);
    return step < 0 ? -1 : call;
}

static bl_status query_node(const bl_expr_plan *plan, bl_node n,
                            bl_expr_node_info *info)
{
    bl_expr_node_info known = {
        .size = sizeof known, .call = -1, .slot = -1, .phase = -1};

    if (!plan)
        return bli_error_null("plan");
    if (n < 0 || n >= plan->nodes)
        return bli_error_argument("node", "%" PRId32 " is no node, there are %" PRId32,
                                  n, plan->nodes);
    BL_TRY(BLI_SIZED_CHECK(info, reserved, "info"));

    const struct bli_expr_node *const node = bli_expr_node(plan->expr, n);
    const struct bli_expr_value *const value = &plan->value[node->same];

    known.same = node->same;
    known.begin = node->begin;
    known.end = node->end;
    known.position = node->position;
    if (plan->is_needed[n]) {
        known.place = place_of(plan, node, value);
        known.call =
            call_of(plan, plan->value[bli_expr_computed(plan, node->same)].step);
        known.phase = value->phase;
        known.slot = known.place == BL_EXPR_INPUT    ? node->what
                     : value->lodges >= 0            ? value->lodges
                     : known.place == BL_EXPR_OUTPUT ? value->output
                                                     : -1;
        known.dtype = value->dtype;
        known.rank = value->rank;
        known.extent = value->extent;
    }
    bli_sized_write(info, &known, sizeof known);
    return BL_OK;
}

bl_status bl_expr_plan_node(const bl_expr_plan *plan, bl_node node,
                            bl_expr_node_info *info)
{
    BLI_RETURN_CALL(query_node(plan, node, info), "node %d", node);
}

static bl_status query_output(const bl_expr_plan *plan, int32_t k, bl_array *array)
{
    if (!plan)
        return bli_error_null("plan");
    if (k < 0 || k >= plan->outputs)
        return bli_error_argument("k", "%" PRId32 " is no output, there are %" PRId32,
                                  k, plan->outputs);
    if (!array)
        return bli_error_null("array");
    *array = plan->out[k].array;
    return BL_OK;
}

bl_status bl_expr_plan_output(const bl_expr_plan *plan, int32_t k, bl_array *array)
{
    BLI_RETURN_CALL(query_output(plan, k, array), "output %d", k);
}
