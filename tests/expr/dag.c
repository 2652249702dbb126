/* SPDX-License-Identifier: BSD-3-Clause */
#include "dag.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/same.h"
#include "harness/tap.h"
#include "reference/ref.h"

/* ---- nodes ---- */

static bl_dtype any_dtype(struct rng *rng, bool is_plain)
{
    static const bl_dtype plain[] = {BL_DTYPE_F32, BL_DTYPE_F32,  BL_DTYPE_F32,
                                     BL_DTYPE_F32, BL_DTYPE_F64,  BL_DTYPE_F64,
                                     BL_DTYPE_F16, BL_DTYPE_BF16, BL_DTYPE_BOOL,
                                     BL_DTYPE_U8,  BL_DTYPE_I32};

    if (is_plain)
        return plain[rng_below(rng, sizeof plain / sizeof plain[0])];
    return (bl_dtype)(1 + rng_below(rng, REF_DTYPES_END - 1));
}

static bl_scalar any_number(struct rng *rng)
{
    static const double reals[] = {0.5, -2.5, 3, 1e-3, 1e5, 0, INFINITY};
    const double real = reals[rng_below(rng, 7)];

    switch (rng_below(rng, 6)) {
    case 0:
        return bl_scalar_bool(rng_one_in(rng, 2));
    case 1:
    case 2:
        return bl_scalar_f64(real);
    case 3:
        return bl_scalar_c128(real, -real);
    default:
        return bl_scalar_i64(rng_below(rng, 9) - 3);
    }
}

/* A node; of a plain expression often one of the last, for chains and trees. */
static int32_t any_node(struct dag *dag)
{
    const int32_t last = dag->nodes < 4 ? dag->nodes : 4;

    if (dag->is_plain && rng_one_in(dag->rng, 2))
        return dag->nodes - 1 - (int32_t)rng_below(dag->rng, last);
    return (int32_t)rng_below(dag->rng, dag->nodes);
}

static bl_op any_op(struct dag *dag)
{
    static const bl_op plain[] = {
        BL_OP_ADD,          BL_OP_SUB,       BL_OP_MUL,        BL_OP_DIV,
        BL_OP_ADD,          BL_OP_MUL,       BL_OP_NEG,        BL_OP_ABS,
        BL_OP_SQRT,         BL_OP_SQUARE,    BL_OP_MAXIMUM,    BL_OP_MINIMUM,
        BL_OP_CLAMP,        BL_OP_RELU,      BL_OP_LT,         BL_OP_GE,
        BL_OP_NE,           BL_OP_WHERE,     BL_OP_WHERE,      BL_OP_ADD_SCALED,
        BL_OP_ADDCMUL,      BL_OP_EXP,       BL_OP_RECIPROCAL, BL_OP_SIGMOID,
        BL_OP_FLOOR_DIVIDE, BL_OP_REMAINDER, BL_OP_FLOOR,      BL_OP_CEIL,
        BL_OP_TRUNC,        BL_OP_ROUND};

    if (dag->is_plain)
        return plain[rng_below(dag->rng, sizeof plain / sizeof plain[0])];
    return (bl_op)(REF_OPS_BEGIN + rng_below(dag->rng, ref_ops_end() - REF_OPS_BEGIN));
}

static void roll_apply(struct dag *dag, struct dag_node *node)
{
    static const bl_rules *(*const rules[])(void) = {
        bl_rules_strict, bl_rules_legacy, bl_rules_transitional, bl_rules_paddle};

    node->kind = DAG_APPLY;
    node->op = any_op(dag);
    node->count = ref_inputs(node->op);
    for (int32_t k = 0; k < node->count; k++)
        node->operand[k] = any_node(dag);
    if (rng_one_in(dag->rng, dag->is_plain ? 40 : 8))
        node->options.rules = rules[rng_below(dag->rng, 4)]();
    if (rng_one_in(dag->rng, dag->is_plain ? 40 : 8))
        node->options.dtype = any_dtype(dag->rng, false);
    if (node->options.rules == bl_rules_paddle() && rng_one_in(dag->rng, 2))
        node->options.axis = (int32_t)rng_below(dag->rng, 2);
    if ((node->op == BL_OP_ADD || node->op == BL_OP_SUB) && rng_one_in(dag->rng, 3)) {
        node->alpha = any_number(dag->rng);
        node->options.alpha = &node->alpha;
    }
    if (rng_one_in(dag->rng, 30))
        node->options.fixed = 1;
}

/* Reduce the last axes, or the first, or all: most of what fusions have. */
static void roll_rows(struct dag *dag, struct dag_node *node)
{
    static const bl_reduction few[] = {BL_REDUCTION_SUM, BL_REDUCTION_MAX,
                                       BL_REDUCTION_MEAN, BL_REDUCTION_VAR};

    if (rng_one_in(dag->rng, 2))
        node->reduction = few[rng_below(dag->rng, 4)];
    node->keepdim = !rng_one_in(dag->rng, 4);
    node->axes_count = rng_one_in(dag->rng, 6) ? 0 : 1;
    node->axes[0] = rng_one_in(dag->rng, 4) ? 0 : -1;
}

static void roll_reduce(struct dag *dag, struct dag_node *node)
{
    node->kind = DAG_REDUCE;
    while (!bl_reduction_name(node->reduction))
        node->reduction = (bl_reduction)(1 + rng_below(dag->rng, 16));
    node->count = 1;
    node->operand[0] = any_node(dag);
    node->keepdim = rng_one_in(dag->rng, 2);
    node->axes_count = (int32_t)rng_below(dag->rng, 3);
    for (int32_t k = 0; k < node->axes_count; k++)
        node->axes[k] = (int32_t)rng_below(dag->rng, 4) - 2;
    if (rng_one_in(dag->rng, 6))
        node->dtype = any_dtype(dag->rng, dag->is_plain);
    if (dag->reduces)
        roll_rows(dag, node);
}

static void roll(struct dag *dag, struct dag_node *node)
{
    memset(node, 0, sizeof *node);
    node->options = (bl_options)BL_OPTIONS_DEFAULT;
    switch (dag->reduces && rng_one_in(dag->rng, 4)
                ? 2
                : rng_below(dag->rng, dag->is_plain ? 16 : 8)) {
    case 0:
        node->kind = DAG_NUMBER;
        node->number = any_number(dag->rng);
        if (node->number.dtype == BL_DTYPE_I64 && rng_one_in(dag->rng, 3))
            node->number.dtype = BL_DTYPE_U64;
        break;
    case 1:
        node->kind = DAG_CAST;
        node->count = 1;
        node->operand[0] = any_node(dag);
        node->dtype = any_dtype(dag->rng, dag->is_plain);
        break;
    case 2:
        roll_reduce(dag, node);
        break;
    default:
        roll_apply(dag, node);
    }
}

const bl_array *dag_value(const struct dag *dag, int32_t n, bl_array *number)
{
    const struct dag_node *const node = &dag->node[n];

    if (node->kind == DAG_INPUT)
        return dag->array[n];
    if (node->kind != DAG_NUMBER)
        return bl_tensor_array(node->value);
    *number = bl_scalar_array(&node->number);
    return number;
}

bl_status dag_call(const struct dag *dag, const struct dag_node *node,
                   const bl_array *const *in, bl_tensor **value)
{
    bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;

    options.dtype = node->dtype;
    switch (node->kind) {
    case DAG_APPLY:
        return bl_apply_new(dag->ctx, node->op, node->count, in, &node->options, value);
    case DAG_CAST:
        return bl_cast(dag->ctx, in[0], node->dtype, value);
    case DAG_REDUCE:
        return bl_reduce_new(dag->ctx, node->reduction, in[0], node->axes_count,
                             node->axes, node->keepdim, &options, value);
    default:
        return BL_OK;
    }
}

/* Make the call that a node stands for. */
static bl_status call(struct dag *dag, struct dag_node *node)
{
    const bl_array *in[DAG_OPERANDS];
    bl_array number[DAG_OPERANDS];
    bl_status status;

    for (int32_t k = 0; k < node->count; k++)
        in[k] = dag_value(dag, node->operand[k], &number[k]);
    status = dag_call(dag, node, in, &node->value);
    return status == BL_OK && dag->is_wide ? dag_widen(dag, dag->nodes) : status;
}

/*
 * Whether an operator's result would have more than `most` elements: a row and a column
 * of a hundred thousand make ten thousand million.
 */
static bool is_larger(struct dag *dag, const struct dag_node *node, int64_t most)
{
    const bl_array *in[DAG_OPERANDS];
    bl_array number[DAG_OPERANDS];
    bl_plan_info info = {.size = sizeof info};
    bl_plan *plan;

    if (node->kind != DAG_APPLY)
        return false;
    for (int32_t k = 0; k < node->count; k++)
        in[k] = dag_value(dag, node->operand[k], &number[k]);
    if (bl_plan_create(dag->ctx, node->op, NULL, node->count, in, &node->options,
                       &plan) != BL_OK)
        return false;
    must(bl_plan_query(plan, &info));
    bl_plan_destroy(plan);
    return info.numel > most;
}

/* ---- expressions ---- */

static int64_t plain_extent(struct rng *rng, int64_t room)
{
    static const int64_t extents[] = {1,    3,    15,   16,   17,  31,  32,
                                      33,   63,   64,   65,   127, 255, 257,
                                      1023, 1024, 1025, 2049, 5000};
    const int64_t extent = extents[rng_below(rng, 19)];

    return extent < room ? extent : room;
}

/* Make the inputs, of shapes that often broadcast to one. */
static void make_inputs(struct dag *dag, int64_t most)
{
    int64_t extent[DAG_RANK], total = 1;
    const int32_t rank = (int32_t)rng_below(dag->rng, DAG_RANK);

    for (int32_t d = 0; d < rank; d++) {
        const int64_t room = most / total < 1 ? 1 : most / total;

        extent[d] = rng_one_in(dag->rng, 20) ? 0 : 1 + rng_below(dag->rng, room);
        if (d + 1 == rank && most > 1000)
            extent[d] = room;
        if (dag->is_plain && rng_one_in(dag->rng, 2))
            extent[d] = plain_extent(dag->rng, room);
        total *= extent[d] > 0 ? extent[d] : 1;
    }
    dag->inputs = 1 + (int32_t)rng_below(dag->rng, DAG_INPUTS);
    for (int32_t k = 0; k < dag->inputs; k++) {
        const int32_t first = rng_one_in(dag->rng, 3) && rank > 0 ? 1 : 0;
        int64_t own[DAG_RANK];

        for (int32_t d = 0; d < rank; d++)
            own[d] = rng_one_in(dag->rng, 5) ? 1 : extent[d];
        dag_array_make(&dag->input[k], dag->rng, any_dtype(dag->rng, dag->is_plain),
                       rank - first, own + first, true);
        dag->array[k] = &dag->input[k].operand.array;
        dag->node[dag->nodes++] = (struct dag_node){.kind = DAG_INPUT};
    }
}

void dag_open(struct dag *dag, struct rng *rng, bl_context *ctx, int64_t most,
              bool is_plain, bool reduces, bool is_wide)
{
    const int32_t nodes = is_plain ? DAG_NODES : DAG_NODES / 2;

    memset(dag, 0, sizeof *dag);
    dag->rng = rng;
    dag->ctx = ctx;
    dag->is_plain = is_plain;
    dag->reduces = reduces;
    dag->is_wide = is_wide;
    make_inputs(dag, most);
    for (int tries = 0; dag->nodes < nodes && tries < 100; tries++) {
        struct dag_node *const node = &dag->node[dag->nodes];

        roll(dag, node);
        if (is_larger(dag, node, 16 * most))
            continue;
        dag->refused = call(dag, node);
        dag->has_refused = dag->refused != BL_OK;
        if (!dag->has_refused)
            dag->nodes++;
        else
            snprintf(dag->message, sizeof dag->message, "%s", bl_error_message());
        if (node->options.alpha) /* it is part of the node */
            node->options.alpha = &node->alpha;
    }
}

void dag_close(struct dag *dag)
{
    for (int32_t n = 0; n < dag->nodes; n++) {
        bl_tensor_release(dag->node[n].value);
        bl_tensor_release(dag->node[n].wide);
    }
    for (int32_t k = 0; k < dag->inputs; k++)
        dag_array_free(&dag->input[k]);
}
