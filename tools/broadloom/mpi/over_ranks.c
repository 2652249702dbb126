/* SPDX-License-Identifier: BSD-3-Clause */
#include "over_ranks.h"

#include <stdlib.h>
#include <string.h>

#include <broadloom/compat.h>

/* ---- values ---- */

void value_release(struct value *value)
{
    bl_mpi_tensor_release(value->tensor);
    bl_tensor_release(value->array);
    *value = (struct value){NULL, NULL};
}

struct value value_retain(const struct value *value)
{
    return (struct value){bl_mpi_tensor_retain(value->tensor),
                          value->array ? bl_tensor_retain(value->array) : NULL};
}

/* The values of all nodes, and how often each is still used. */
struct values {
    struct over_ranks *run;
    bl_expr_plan *plan; /* of the whole, which is never executed */
    struct value value[BL_MAX_NODES];
    int32_t uses[BL_MAX_NODES];
    bl_array number[BL_MAX_NODES];
};

static bl_expr_node_info ask(const struct values *values, bl_node node)
{
    bl_expr_node_info info = {.size = sizeof info};

    if (bl_expr_plan_node(values->plan, node, &info) != BL_OK)
        info.same = node;
    return info;
}

/* The node that is computed for a node: the first that is equal to it. */
static bl_node same(const struct values *values, bl_node node)
{
    return ask(values, node).same;
}

/* Whether a node is computed. */
static bool is_used(const struct values *values, bl_node node)
{
    const bl_expr_node_info info = ask(values, node);

    return info.place != BL_EXPR_NOWHERE && info.same == node;
}

/* Give an operand's value back where this was its last use. */
static void use(struct values *values, bl_node node)
{
    if (--values->uses[node] == 0)
        value_release(&values->value[node]);
}

/* ---- calls ---- */

/* The options of an operator's call, as a plan of the expression has them. */
static bl_options options_of(const struct values *values, const bl_expr_call *call)
{
    const bl_expr_options *const given = values->run->options;
    bl_options options = BL_OPTIONS_DEFAULT;
    int32_t arrays = 0;

    options.dtype = call->dtype;
    options.fixed = call->fixed;
    options.max_growth = call->max_growth;
    options.alpha = call->number;
    options.rules = call->rules;
    options.axis = call->axis;
    if (call->rules)
        return options;
    options.rules = given->rules ? given->rules : bl_context_rules(NULL);
    if (call->axis == BL_AXIS_LAST)
        options.axis = given->axis;
    for (int32_t k = 0; k < call->count; k++)
        arrays += values->number[same(values, call->operand[k])].data == NULL;
    if (options.rules == bl_rules_paddle() && (arrays != 2 || call->count != 2)) {
        options.rules = bl_rules_modern();
        options.axis = BL_AXIS_LAST;
    }
    return options;
}

static bl_status apply(struct values *values, const bl_expr_call *call,
                       struct value *out)
{
    const bl_options options = options_of(values, call);
    bl_mpi_options over = values->run->limits;
    const bl_array *array[BL_MAX_INPUTS];
    bl_mpi_operand in[BL_MAX_INPUTS];
    const bl_op op =
        call->kind == BL_NODE_CAST ? BL_OP_COPY : (bl_op)call->what; /* bl_cast() */
    bool is_over = false;

    for (int32_t k = 0; k < call->count; k++) {
        const bl_node node = same(values, call->operand[k]);
        const struct value *const value = &values->value[node];

        array[k] = values->number[node].data ? &values->number[node]
                   : value->array            ? bl_tensor_array(value->array)
                                             : NULL;
        in[k] = (bl_mpi_operand){value->tensor, array[k]};
        is_over = is_over || value->tensor;
    }
    over.call = &options;
    if (is_over)
        return bl_mpi_apply_new(NULL, op, call->count, in, &over, &out->tensor);
    return bl_apply_new(NULL, op, call->count, array, &options, &out->array);
}

static bl_status reduce(struct values *values, const bl_expr_call *call,
                        struct value *out)
{
    const bl_node node = same(values, call->operand[0]);
    const struct value *const value = &values->value[node];
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;

    options.dtype = call->dtype;
    options.correction = call->correction;
    if (!value->tensor)
        return bl_reduce_new(
            NULL, (bl_reduction)call->what,
            value->array ? bl_tensor_array(value->array) : &values->number[node],
            call->axes_count, call->axes, call->keepdim != 0, &options, &out->array);
    return bl_mpi_reduce_new(NULL, (bl_reduction)call->what, value->tensor,
                             call->axes_count, call->axes, call->keepdim != 0, &options,
                             NULL, &out->tensor);
}

static bl_status load(const struct over_ranks *run, int32_t slot, struct value *out)
{
    bl_mpi_grid_info grid = {.size = sizeof grid};
    bl_mpi_dim dims[BL_MAX_RANK];

    if (slot >= run->files) {
        *out = value_retain(&run->given[slot]);
        return BL_OK;
    }
    TRY(bl_mpi_grid_query(run->grid, &grid));
    over_ranks_lie(&grid, run->files, run->described, slot, dims);
    return bl_mpi_npy_load(NULL, run->grid, run->file[slot], dims, &out->tensor);
}

/* Compute the value of a node. */
static bl_status compute(struct values *values, bl_node node, const bl_expr_call *call)
{
    struct value *const out = &values->value[node];
    bl_status status;

    switch (call->kind) {
    case BL_NODE_INPUT:
        return load(values->run, call->what, out);
    case BL_NODE_NUMBER:
        values->number[node] = bl_scalar_array(call->number);
        return BL_OK;
    case BL_NODE_REDUCE:
        status = reduce(values, call, out);
        break;
    default:
        status = apply(values, call, out);
    }
    for (int32_t k = 0; status == BL_OK && k < call->count; k++)
        use(values, same(values, call->operand[k]));
    return status;
}

/* ---- expressions ---- */

/* Count how often each node's value is used: by calls that are made, and outputs. */
static bl_status count_uses(struct values *values, const bl_expr_info *info)
{
    bl_expr_call call = {.size = sizeof call};

    for (bl_node n = 0; n < info->nodes; n++) {
        if (!is_used(values, n))
            continue;
        TRY(bl_expr_node_call(values->run->expr, n, &call));
        for (int32_t k = 0; k < call.count; k++)
            values->uses[same(values, call.operand[k])]++;
    }
    for (int32_t k = 0; k < info->outputs; k++)
        values->uses[same(values, info->output[k])]++;
    return BL_OK;
}

/* The value of an output, which may be a number. */
static bl_status deliver(struct values *values, bl_node node, struct value *out)
{
    if (values->number[node].data)
        return bl_tensor_clone(NULL, &values->number[node], &out->array);
    *out = value_retain(&values->value[node]);
    return BL_OK;
}

static bl_status run_all(struct values *values, struct value *out)
{
    struct over_ranks *const run = values->run;
    bl_expr_info info = {.size = sizeof info};
    bl_expr_call call = {.size = sizeof call};

    TRY(bl_expr_query(run->expr, &info));
    TRY(bl_expr_plan_create(NULL, run->expr, NULL, run->described, run->options,
                            &values->plan));
    TRY(count_uses(values, &info));
    for (bl_node n = 0; n < info.nodes; n++) {
        if (!is_used(values, n))
            continue;
        TRY(bl_expr_node_call(run->expr, n, &call));
        run->position = ask(values, n).position;
        TRY(compute(values, n, &call));
    }
    run->position = -1;
    for (int32_t k = 0; k < info.outputs; k++)
        TRY(deliver(values, same(values, info.output[k]), &out[k]));
    return BL_OK;
}

bl_status over_ranks_run(struct over_ranks *run, struct value *out)
{
    struct values *const values = calloc(1, sizeof *values);
    bl_status status;

    run->position = -1;
    if (!values)
        return bl_error_set(BL_ERR_MEMORY, "no memory for the values of an expression");
    values->run = run;
    status = run_all(values, out);
    for (int32_t n = 0; n < BL_MAX_NODES; n++)
        value_release(&values->value[n]);
    bl_expr_plan_destroy(values->plan);
    free(values);
    return status;
}
