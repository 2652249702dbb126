/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that compute values: their arguments, and errors that name them. */
#include "expr/half_steps.h"

#include <broadloom/compat.h>

#include <string.h>

bl_array bli_expr_value_array(const bl_expr_plan *plan, int32_t v, void *data)
{
    const struct bli_expr_value *const value = &plan->value[v];
    const struct bli_expr_node *const node =
        v < plan->nodes ? bli_expr_node(plan->expr, v) : NULL;

    if (node && node->kind == BLI_NODE_NUMBER)
        return bl_scalar_array(&node->number);
    return (bl_array){data,          value->dtype,  value->rank,
                      value->extent, value->stride, value->flags};
}

bl_dtype bli_expr_asked_dtype(const bl_expr_plan *plan, bl_dtype dtype)
{
    return bli_expr_is_wide(plan) && bli_expr_is_half(dtype) ? BL_DTYPE_F32 : dtype;
}

/* The options that a call of a node has. */
static bl_options options_of(const bl_expr_plan *plan, const struct bli_expr_node *node,
                             const struct bli_expr_call *made)
{
    bl_options options = BL_OPTIONS_DEFAULT;
    int32_t arrays = 0;

    options.dtype = node->dtype;
    options.fixed = node->fixed;
    options.max_growth = node->max_growth;
    options.rules = node->rules;
    options.axis = node->axis;
    if (node->rules)
        return options;
    options.rules = plan->rules;
    if (node->axis == BL_AXIS_LAST)
        options.axis = plan->axis;
    for (int32_t k = 0; k < node->count; k++)
        arrays += (made->array[k].flags & BL_ARRAY_SCALAR) == 0;
    if (options.rules == bl_rules_paddle() && (arrays != 2 || node->count != 2)) {
        options.rules = bl_rules_modern();
        options.axis = BL_AXIS_LAST;
    }
    return options;
}

static bl_status make(struct bli_expr_call *made, const bl_expr_plan *plan, int32_t v,
                      bool is_cited, bool is_plain, const struct bli_call **call)
{
    static const struct bli_expr_node copy = {
        .kind = BLI_NODE_CAST, .count = 1, .axis = BL_AXIS_LAST};
    const struct bli_expr_step *const step = &plan->step[plan->value[v].step];
    const bool copies = bli_expr_is_copy(plan, v);
    const struct bli_expr_node *const node =
        copies ? &copy : bli_expr_node(plan->expr, bli_expr_value_node(plan, v));

    for (int32_t k = 0; k < node->count; k++) {
        const int32_t operand = step->operand[k];

        made->array[k] = bli_expr_value_array(plan, operand, NULL);
        if (is_plain)
            made->array[k].dtype = plan->value[operand].plain;
        made->inputs[k] = &made->array[k];
        made->names[k] = made->text[k];
        if (is_cited)
            bli_expr_cite_node(plan->expr, bli_expr_value_node(plan, operand),
                               made->text[k]);
    }
    made->options = options_of(plan, node, made);
    if (!is_plain && node->kind == BLI_NODE_APPLY)
        made->options.dtype = bli_expr_asked_dtype(plan, made->options.dtype);
    if (copies)
        made->options.dtype = plan->value[v].dtype;
    else if (v >= plan->nodes && bli_expr_is_half(made->options.dtype))
        made->options.dtype = BL_DTYPE_F32;
    if (bli_expr_is_conversion(plan, v))
        made->options.rules = bl_rules_modern(); /* the program has no such call */
    if (is_cited)
        made->options.names = made->names;
    if (node->flags & BLI_NODE_HAS_ALPHA)
        made->options.alpha = &node->number;
    made->call = (struct bli_call){
        .op = node->kind == BLI_NODE_APPLY ? (bl_op)node->what : BL_OP_COPY,
        .count = node->count,
        .inputs = made->inputs,
        .options = &made->options,
        .is_quiet = true,
        .is_checked = true, /* inputs, numbers, and values that are computed */
    };
    *call = &made->call;
    if (!made->options.alpha)
        return BL_OK;
    BL_TRY(bli_alpha_call_make(&made->scaled, &made->call));
    *call = &made->scaled.call;
    return BL_OK;
}

bl_status bli_expr_call_make(struct bli_expr_call *made, const bl_expr_plan *plan,
                             int32_t v, bool is_cited, const struct bli_call **call)
{
    return make(made, plan, v, is_cited, false, call);
}

bl_status bli_expr_call_make_plain(struct bli_expr_call *made, const bl_expr_plan *plan,
                                   int32_t v, bool is_cited,
                                   const struct bli_call **call)
{
    return make(made, plan, v, is_cited, true, call);
}

bl_status bli_expr_refuse(bl_status status, const bl_expr_plan *plan, int32_t v,
                          const char *function)
{
    const struct bli_expr_step *const step = &plan->step[plan->value[v].step];
    const struct bli_expr_node *const node = bli_expr_node(plan->expr, step->node);
    const bool is_copy = bli_expr_is_copy(plan, v);
    struct bli_text text;

    bli_error_open(&text, status, function);
    bli_text_add(&text, "%%%d %s", (int)step->node,
                 is_copy ? "copy" : bli_expr_operation(node));
    for (int32_t k = 0; k < step->count; k++) {
        const bl_node operand = bli_expr_value_node(plan, step->operand[k]);
        const bl_array array = bli_expr_value_array(plan, operand, NULL);
        char name[BLI_EXPR_NAME];

        bli_expr_cite_node(plan->expr, operand, name);
        bli_error_operand(&text, 1 + k, name, &array);
    }
    bli_error_op(is_copy || node->kind == BLI_NODE_CAST ? BL_OP_COPY
                 : node->kind == BLI_NODE_APPLY         ? (bl_op)node->what
                                                        : BL_OP_NONE);
    if (!is_copy && node->kind == BLI_NODE_REDUCE)
        bli_error_reduction((bl_reduction)node->what);
    bli_error_close(&text, 0);
    return bli_fault_position(status, step->node, node->position);
}
