/* SPDX-License-Identifier: BSD-3-Clause */
/* Random expressions as the library's, and as text for people. */
#include "dag.h"

#include "harness/same.h"
#include "harness/tap.h"
#include "reference/ref.h"

bl_expr *dag_build(const struct dag *dag, int32_t nodes, int32_t outputs,
                   const int32_t *output)
{
    bl_expr *expr = NULL;

    must(bl_expr_create(dag->ctx, &expr));
    for (int32_t n = 0; n < nodes; n++) {
        const struct dag_node *const node = &dag->node[n];
        bl_reduce_options options = BL_REDUCE_OPTIONS_DEFAULT;
        bl_node made = BL_NODE_NONE;

        options.dtype = node->dtype;
        if (node->kind == DAG_INPUT)
            made = bl_expr_input(expr, NULL);
        else if (node->kind == DAG_NUMBER)
            made = bl_expr_number(expr, &node->number);
        else if (node->kind == DAG_APPLY)
            made = bl_expr_apply(expr, node->op, node->count, node->operand,
                                 &node->options);
        else if (node->kind == DAG_CAST)
            made = bl_expr_cast(expr, node->operand[0], node->dtype);
        else
            made =
                bl_expr_reduce(expr, node->reduction, node->operand[0],
                               node->axes_count, node->axes, node->keepdim, &options);
        if (made != n)
            must(bl_expr_status(expr, NULL));
    }
    for (int32_t k = 0; k < outputs; k++)
        bl_expr_output(expr, output[k]);
    must(bl_expr_status(expr, NULL));
    return expr;
}

void dag_note(const struct dag *dag)
{
    for (int32_t n = 0; n < dag->nodes + dag->has_refused; n++) {
        const struct dag_node *const node = &dag->node[n];
        const char *const dtype = bl_dtype_name(node->dtype);

        tap_note("%%%d = %s%s %d %d %d %d, dtype %s, rules %s, axis %d%s", (int)n,
                 node->kind == DAG_INPUT    ? "input"
                 : node->kind == DAG_NUMBER ? "number"
                 : node->kind == DAG_APPLY  ? ref_name(node->op)
                 : node->kind == DAG_CAST   ? "cast"
                                            : bl_reduction_name(node->reduction),
                 node->keepdim ? " keepdim" : "", (int)node->operand[0],
                 (int)node->operand[1], (int)node->operand[2], (int)node->operand[3],
                 dtype ? dtype : "-",
                 node->options.rules ? node->options.rules->name : "-",
                 (int)node->options.axis, node->options.alpha ? ", alpha" : "");
    }
}
