/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operators and what selects elements: every operation that has a result in place or in
 * an array.
 */
#include "fortran/glue.h"

static const char *const letters[] = {"a", "b", "c", "d"};
static const char *const selects[] = {"mask", "a", "b"};

/* Whether an operator gives booleans, or moves the elements of logicals. */
static bool gives_logical(const struct blf_call *call, bl_op op, int count)
{
    bl_dtype dtype;

    if (op != BL_OP_COPY && op != BL_OP_WHERE)
        return bl_op_result_dtype(op, BL_DTYPE_I32, &dtype) == BL_OK &&
               dtype == BL_DTYPE_BOOL;
    for (int k = op == BL_OP_WHERE ? 1 : 0; k < count; k++)
        if (!blf_is_logical(call->operand[k].actual))
            return false;
    return true;
}

/* Describe the operands, the inputs first; `*result` is that of the result. */
static bl_status open_all(struct blf_call *call, bl_op op, int count,
                          const blf_actual *in, blf_actual out,
                          struct blf_operand **result)
{
    const char *const *const names = op == BL_OP_WHERE ? selects : letters;
    struct blf_operand *operand;
    bl_status status = BL_OK;

    for (int k = 0; status == BL_OK && k < count; k++)
        if (op == BL_OP_WHERE && k == 0)
            status = blf_open_mask(call, names[k], in[k], &operand);
        else if (!out && k == 0)
            status = blf_open_result(call, names[k], in[k], &operand);
        else
            status = blf_open(call, names[k], in[k], &operand);
    if (status == BL_OK && out)
        status = blf_open_result(call, "out", out, &operand);
    *result = &call->operand[out ? count : 0];
    return status;
}

static bl_status apply(struct blf_call *call, bl_op op, int count, const blf_actual *in,
                       blf_actual out, const int *along)
{
    static const bl_options select = {
        .size = sizeof select, .axis = BL_AXIS_LAST, .names = selects};
    const bl_array *const inputs[] = {&call->operand[0].array, &call->operand[1].array,
                                      &call->operand[2].array, &call->operand[3].array};
    struct blf_operand *result = NULL;
    bl_status status = open_all(call, op, count, in, out, &result);

    if (status == BL_OK && blf_is_wide_logical(result->actual))
        status = blf_check_logical(call, gives_logical(call, op, count), result);
    if (status == BL_OK)
        status = blf_align(call, along, &result->array);
    if (status != BL_OK)
        return status;
    return bl_apply(blf_context_of(call), op, &result->array, count, inputs,
                    op == BL_OP_WHERE ? &select : NULL);
}

void blf_apply(const char *procedure, bl_op op, int count, const blf_actual *in,
               blf_actual out, const int *along, struct blf_end end)
{
    struct blf_call call;

    blf_begin(&call, procedure, end);
    blf_finish(&call, apply(&call, op, count, in, out, along));
}
