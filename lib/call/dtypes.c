/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dtypes of a call: what its inputs are converted to, and what the result is.
 * Promotion itself is in promote.c.
 */
#include "call/call.h"

static const char minus_bools[] =
    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the "
    "`^` or `logical_xor()` operator instead.";
static const char minus_bool[] =
    "Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
    "trying to invert a mask, use the `~` or `logical_not()` operator instead.";
static const char negated_bool[] =
    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying "
    "to invert a mask, use the `~` or `logical_not()` operator instead.";

/*
 * Refuse `dtype`, which the call's inputs promote to: its operator does not compute in
 * it.  Returns BL_ERR_DTYPE.
 */
static bl_status refuse_dtype(const struct bli_call *call, bl_dtype dtype)
{
    const bl_op op = call->op;

    if (op == BL_OP_LERP)
        (void)bl_error_set(BL_ERR_DTYPE, "\"lerp_kernel_%s\" not implemented for '%s'",
                           call->inputs[2]->flags & BL_ARRAY_SCALAR ? "scalar"
                                                                    : "tensor",
                           bli_dtypes[dtype].torch);
    else if (dtype == BL_DTYPE_BOOL && op == BL_OP_NEG)
        (void)bl_error_set(BL_ERR_DTYPE, "%s", negated_bool);
    else if (dtype == BL_DTYPE_BOOL && (op == BL_OP_SUB || op == BL_OP_SUB_SCALED))
        (void)bl_error_set(BL_ERR_DTYPE, "%s", minus_bools);
    else
        (void)bl_error_set(BL_ERR_DTYPE, "%s does not take %s%s", bli_ops[op].name,
                           bli_dtypes[dtype].name,
                           op == BL_OP_BITWISE_XOR ? "; a power is pow, or ** in texts"
                                                   : "");
    return bli_fault_dtypes(BL_ERR_DTYPE,
                            call->count == 1 ? bli_input_name(call, 0) : NULL, dtype,
                            BL_DTYPE_NONE);
}

/* Check that sub does not mix booleans and other dtypes, which PyTorch refuses too. */
static bl_status check_difference(const struct bli_call *call)
{
    const bl_array *const *const in = call->inputs;
    const int32_t k = in[0]->dtype == BL_DTYPE_BOOL ? 0 : 1;

    if ((in[0]->dtype == BL_DTYPE_BOOL) == (in[1]->dtype == BL_DTYPE_BOOL))
        return BL_OK;
    return bli_fault_dtypes(bl_error_set(BL_ERR_DTYPE, "%s", minus_bool),
                            bli_input_name(call, k), BL_DTYPE_BOOL, in[1 - k]->dtype);
}

/*
 * Check the inputs of lerp: it promotes scalars only.  Its arrays have one dtype, which
 * scalars must not change.
 */
static bl_status check_lerp(const struct bli_call *call, bl_dtype common)
{
    static const char *const names[] = {"self", "end", "weight"};
    const bl_array *const *const in = call->inputs;
    bl_dtype expected = BL_DTYPE_NONE;

    for (int32_t k = 0; k < 3; k++) {
        if (in[k]->flags & BL_ARRAY_SCALAR)
            continue;
        if (expected == BL_DTYPE_NONE)
            expected = in[k]->dtype;
        if (in[k]->dtype != expected)
            return bli_fault_dtypes(
                bl_error_set(
                    BL_ERR_DTYPE, "expected dtype %s for `%s` but got dtype %s",
                    bli_dtypes[expected].cxx, names[k], bli_dtypes[in[k]->dtype].cxx),
                bli_input_name(call, k), in[k]->dtype, expected);
    }
    if (expected == BL_DTYPE_NONE || expected == common)
        return BL_OK;
    if (bli_dtypes[expected].class & BLI_DOMAIN_BITS)
        return refuse_dtype(call, expected);
    return bli_fault_dtypes(bl_error_set(BL_ERR_DTYPE,
                                         "lerp of %s takes no complex number",
                                         bl_dtype_name(expected)),
                            NULL, common, expected);
}

/* The dtype that the operator's inputs, except the mask of where, promote to. */
static bl_status promote_inputs(const struct bli_call *call, bl_dtype *common)
{
    const int32_t first = bli_ops[call->op].inputs == BLI_INPUTS_SELECT ? 1 : 0;
    const bl_array *const *const in = call->inputs;
    uint32_t flags = in[first]->flags;
    bool is_one = true;

    if (first == 1 && in[0]->dtype != BL_DTYPE_BOOL)
        return bli_fault_dtypes(bl_error_set(BL_ERR_DTYPE, "%s is %s, expected bool",
                                             bli_input_name(call, 0),
                                             bl_dtype_name(in[0]->dtype)),
                                bli_input_name(call, 0), in[0]->dtype, BL_DTYPE_BOOL);
    for (int32_t k = first + 1; k < call->count; k++) {
        is_one = is_one && in[k]->dtype == in[first]->dtype;
        flags &= in[k]->flags;
    }
    /* The fast path of almost all calls.  Scalars alone promote to default dtypes. */
    *common = in[first]->dtype;
    if (is_one && !(flags & BL_ARRAY_SCALAR))
        return BL_OK;
    *common = bli_promote(call->count - first, in + first);
    if (call->op == BL_OP_LERP)
        return check_lerp(call, *common);
    if (call->op == BL_OP_SUB || call->op == BL_OP_SUB_SCALED)
        return check_difference(call);
    return BL_OK;
}

/* The dtype that the caller requests for the result; NONE: the operator's. */
static bl_status wanted_dtype(const struct bli_call *call, bl_dtype *dtype)
{
    const bl_dtype asked = call->options ? call->options->dtype : BL_DTYPE_NONE;

    if (asked != BL_DTYPE_NONE)
        BL_TRY(bli_dtype_check("options", asked));
    *dtype = call->out ? call->out->dtype : asked;
    if (asked != BL_DTYPE_NONE && asked != *dtype)
        return bli_fault_dtypes(
            bl_error_set(BL_ERR_DTYPE, "%s is %s, but options ask for %s",
                         bli_call_result(call), bl_dtype_name(*dtype),
                         bl_dtype_name(asked)),
            bli_call_result(call), *dtype, asked);
    return BL_OK;
}

/*
 * Whether the call adds booleans with a scalar alpha, a boolean too.  They are added as
 * integers; the result is true where the sum is not 0.
 */
static bool is_sum_of_bools(const struct bli_call *call, bl_dtype common)
{
    return call->op == BL_OP_ADD_SCALED && common == BL_DTYPE_BOOL &&
           (call->inputs[2]->flags & BL_ARRAY_SCALAR);
}

bl_status bli_resolve_dtypes(struct bli_problem *problem, const struct bli_call *call)
{
    bl_dtype wanted = BL_DTYPE_NONE;
    bl_dtype common = BL_DTYPE_NONE;
    bl_dtype result;

    BL_TRY(wanted_dtype(call, &wanted));
    if (bli_ops[call->op].inputs == BLI_INPUTS_CONVERT) {
        problem->common = call->inputs[0]->dtype;
        problem->dtype[0] = wanted != BL_DTYPE_NONE ? wanted : problem->common;
        return BL_OK;
    }
    BL_TRY(promote_inputs(call, &common));
    problem->common = bli_op_computed(call->op, common);
    if (problem->common != BL_DTYPE_NONE) {
        result = bli_op_result(call->op, problem->common);
    } else if (is_sum_of_bools(call, common)) {
        problem->common = BL_DTYPE_U8;
        result = BL_DTYPE_BOOL;
    } else {
        return refuse_dtype(call, common);
    }
    problem->dtype[0] = wanted != BL_DTYPE_NONE ? wanted : result;
    if (result != problem->dtype[0] && !bl_can_cast(result, problem->dtype[0]))
        return bli_fault_dtypes(
            bl_error_set(BL_ERR_DTYPE,
                         "result type %s can't be cast to the desired output type %s",
                         bli_dtypes[result].torch, bli_dtypes[problem->dtype[0]].torch),
            call->out ? bli_call_result(call) : "options", problem->dtype[0], result);
    return BL_OK;
}
