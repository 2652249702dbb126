/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the operations of expressions: operators, casts, reductions. */
#include "expr/build.h"

#include "call/call.h"
#include "core/reductions.h"
#include "core/sized.h"
#include "ops/reduce_run.h"
#include "shape/reduce.h"

/* Check and copy a node's options. */
static bl_status read_options(struct bli_expr_node *node, const bl_options *options)
{
    bl_options known = BL_OPTIONS_DEFAULT;

    if (options)
        BL_TRY(BLI_SIZED_READ(&known, alpha, options, "options"));
    if (known.dtype != BL_DTYPE_NONE)
        BL_TRY(bli_dtype_check("options", known.dtype));
    BL_TRY(bli_options_check(&known, node->count));
    node->dtype = known.dtype;
    node->axis = known.axis;
    node->fixed = known.fixed;
    node->max_growth = known.max_growth;
    node->rules = known.rules;
    if (known.alpha) {
        if (node->what != BL_OP_ADD && node->what != BL_OP_SUB)
            return bli_error_argument("options", "options: %s takes no alpha",
                                      bli_ops[node->what].name);
        node->flags |= BLI_NODE_HAS_ALPHA;
        node->number = bli_expr_clean_scalar(known.alpha);
    }
    return BL_OK;
}

static bl_status apply(bl_expr *expr, bl_op op, int32_t count, const bl_node *nodes,
                       const bl_options *options, bl_node *made)
{
    struct bli_expr_node node = {
        .kind = BLI_NODE_APPLY, .what = (int32_t)op, .count = count};

    BL_TRY(bli_expr_check_open(expr));
    if (!bli_op_is_valid(op))
        return bli_error_argument("op", "op: %d is no operator", (int)op);
    if (count != bli_ops[op].count)
        return bli_error_argument("count", "%s takes %d inputs, not %d",
                                  bli_ops[op].name, (int)bli_ops[op].count, (int)count);
    if (!nodes)
        return bli_error_null("nodes");
    BL_TRY(bli_expr_check_nodes(expr, count, nodes));
    BL_TRY(read_options(&node, options));
    return bli_expr_add_node(expr, node, nodes, NULL, made);
}

bl_node bl_expr_apply(bl_expr *expr, bl_op op, int32_t count, const bl_node *nodes,
                      const bl_options *options)
{
    bl_node made = BL_NODE_NONE;
    const bl_status status = apply(expr, op, count, nodes, options, &made);

    return status == BL_OK ? made : bli_expr_refuse_node(expr, status, __func__);
}

static bl_status cast(bl_expr *expr, bl_node node, bl_dtype dtype, bl_node *made)
{
    BL_TRY(bli_expr_check_open(expr));
    BL_TRY(bli_dtype_check("dtype", dtype));
    BL_TRY(bli_expr_check_nodes(expr, 1, &node));
    return bli_expr_add_node(
        expr,
        (struct bli_expr_node){
            .kind = BLI_NODE_CAST, .dtype = dtype, .count = 1, .axis = BL_AXIS_LAST},
        &node, NULL, made);
}

bl_node bl_expr_cast(bl_expr *expr, bl_node node, bl_dtype dtype)
{
    bl_node made = BL_NODE_NONE;
    const bl_status status = cast(expr, node, dtype, &made);

    return status == BL_OK ? made : bli_expr_refuse_node(expr, status, __func__);
}

/* Refuse axes that no array has, and one that is named twice. */
static bl_status check_axes(int32_t count, const int32_t *axes)
{
    uint64_t set;

    if (count < 0 || count > BL_MAX_RANK)
        return bli_error_argument("axes_count", "%d axes", (int)count);
    if (count > 0 && !axes)
        return bli_error_null("axes");
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k <= i; k++) {
            const int32_t pair[] = {axes[k], axes[i]};

            if (k == i || pair[0] == pair[1])
                BL_TRY(bli_reduce_axes(BL_MAX_RANK, k == i ? 1 : 2, pair, &set));
        }
    return BL_OK;
}

static bl_status reduce(bl_expr *expr, bl_reduction op, bl_node operand, int32_t count,
                        const int32_t *axes, bool keepdim,
                        const bl_reduce_options *options, bl_node *made)
{
    struct bli_expr_node node = {.kind = BLI_NODE_REDUCE,
                                 .what = (int32_t)op,
                                 .flags = keepdim ? BLI_NODE_KEEPDIM : 0,
                                 .count = 1,
                                 .axes = count};
    bl_reduce_options known;

    BL_TRY(bli_expr_check_open(expr));
    if (!bli_reduction_is_valid(op))
        return bli_error_argument("op", "op: %d is no reduction", (int)op);
    BL_TRY(bli_expr_check_nodes(expr, 1, &operand));
    BL_TRY(bli_reduce_options_read(op, options, &known));
    node.dtype = known.dtype;
    node.correction = known.correction;
    return bli_expr_add_node(expr, node, &operand, axes, made);
}

bl_node bli_expr_reduce(bl_expr *expr, bl_reduction op, bl_node node, int32_t count,
                        const int32_t *axes, bool keepdim,
                        const bl_reduce_options *options)
{
    bl_node made = BL_NODE_NONE;
    const bl_status status =
        reduce(expr, op, node, count, axes, keepdim, options, &made);

    return status == BL_OK ? made
                           : bli_expr_refuse_node(expr, status, "bl_expr_reduce");
}

bl_node bl_expr_reduce(bl_expr *expr, bl_reduction op, bl_node node, int32_t axes_count,
                       const int32_t *axes, bool keepdim,
                       const bl_reduce_options *options)
{
    const bl_status status = check_axes(axes_count, axes);

    return status == BL_OK
               ? bli_expr_reduce(expr, op, node, axes_count, axes, keepdim, options)
               : bli_expr_refuse_node(expr, status, __func__);
}
