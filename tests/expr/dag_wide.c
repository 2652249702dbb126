/* SPDX-License-Identifier: BSD-3-Clause */
/* What BL_EXPR_WIDE_HALVES stands for, by calls: operands of f16 and bf16 cast to f32.
 */
#include "dag.h"

#include "harness/same.h"

static bool is_half(bl_dtype dtype)
{
    return dtype == BL_DTYPE_F16 || dtype == BL_DTYPE_BF16;
}

const bl_array *dag_result(const struct dag *dag, int32_t n, bl_array *number)
{
    return dag->node[n].wide ? bl_tensor_array(dag->node[n].wide)
                             : dag_value(dag, n, number);
}

bl_status dag_widen(struct dag *dag, int32_t n)
{
    struct dag_node wide = dag->node[n];
    bl_tensor *cast[DAG_OPERANDS] = {NULL};
    const bl_array *in[DAG_OPERANDS];
    bl_array number[DAG_OPERANDS];
    bl_status status;

    for (int32_t k = 0; k < wide.count; k++) {
        in[k] = dag_result(dag, wide.operand[k], &number[k]);
        if (wide.kind == DAG_CAST || !is_half(in[k]->dtype))
            continue;
        must(bl_cast(dag->ctx, in[k], BL_DTYPE_F32, &cast[k]));
        number[k] = *bl_tensor_array(cast[k]);
        number[k].flags |= in[k]->flags & BL_ARRAY_SCALAR;
        in[k] = &number[k];
    }
    if (wide.kind != DAG_CAST && is_half(wide.dtype))
        wide.dtype = BL_DTYPE_F32;
    if (is_half(wide.options.dtype))
        wide.options.dtype = BL_DTYPE_F32;
    status = dag_call(dag, &wide, in, &dag->node[n].wide);
    for (int32_t k = 0; k < wide.count; k++)
        bl_tensor_release(cast[k]);
    if (status != BL_OK) {
        bl_tensor_release(dag->node[n].value);
        dag->node[n].value = NULL;
    }
    return status;
}
