/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alpha, the scalar that add and sub multiply their second input by: a call that has it
 * is rewritten as one of add_scaled or sub_scaled.
 */
#include "call/call.h"

static const char alpha_is_bool[] = "Boolean alpha only supported for Boolean results.";
static const char alpha_is_float[] = "For integral input tensors, argument alpha must "
                                     "not be a floating point number.";
static const char alpha_is_complex[] = "For non-complex input tensors, argument alpha "
                                       "must not be a complex number.";

/*
 * Check that alpha may scale inputs that promote to `common`, as PyTorch's alpha_check
 * does.  BL_ERR_DTYPE.
 */
static bl_status check_alpha(const bl_scalar *alpha, bl_dtype common)
{
    const int32_t class = bli_dtypes[alpha->dtype].class;
    const int32_t inputs = bli_dtypes[common].class;
    const char *const text =
        class == BLI_CLASS_BOOL && inputs != BLI_CLASS_BOOL          ? alpha_is_bool
        : (class & BLI_DOMAIN_INEXACT) && (inputs & BLI_DOMAIN_BITS) ? alpha_is_float
        : class == BLI_CLASS_COMPLEX && inputs != BLI_CLASS_COMPLEX  ? alpha_is_complex
                                                                     : NULL;

    return text ? bli_fault_dtypes(bl_error_set(BL_ERR_DTYPE, "%s", text), "alpha",
                                   alpha->dtype, common)
                : BL_OK;
}

/* Whether a bl_scalar may have this dtype. */
static bool is_scalar_dtype(bl_dtype dtype)
{
    return dtype == BL_DTYPE_BOOL || dtype == BL_DTYPE_I64 || dtype == BL_DTYPE_F64 ||
           dtype == BL_DTYPE_C128;
}

bl_status bli_alpha_call_make(struct bli_alpha_call *scaled,
                              const struct bli_call *call)
{
    static const char *const names[] = {"a", "b"};
    const char *const *const given =
        call->options->names ? call->options->names : names;
    bl_dtype common = BL_DTYPE_NONE;

    if (call->op != BL_OP_ADD && call->op != BL_OP_SUB)
        return bli_error_argument("options", "options: %s takes no alpha",
                                  bli_op_is_valid(call->op) ? bli_ops[call->op].name
                                                            : "no operator");
    if (!is_scalar_dtype(call->options->alpha->dtype))
        return bli_error_argument("options", "options: alpha of dtype %d",
                                  (int)call->options->alpha->dtype);
    if (call->count != 2)
        return bli_error_argument("count", "%s with alpha takes 2 inputs, not %d",
                                  bli_ops[call->op].name, (int)call->count);
    BL_TRY(bl_result_dtype(2, call->inputs, &common));
    scaled->alpha = *call->options->alpha;
    BL_TRY(check_alpha(&scaled->alpha, common));
    /*
     * With boolean inputs an integer alpha becomes a boolean, and does not affect the
     * dtype.
     */
    if (common == BL_DTYPE_BOOL && scaled->alpha.dtype == BL_DTYPE_I64)
        scaled->alpha = bl_scalar_bool(scaled->alpha.value.i64 != 0);
    scaled->array = bl_scalar_array(&scaled->alpha);
    for (int32_t k = 0; k < 2; k++) {
        scaled->inputs[k] = call->inputs[k];
        scaled->names[k] = given[k];
    }
    scaled->inputs[2] = &scaled->array;
    scaled->names[2] = "alpha";
    scaled->options = *call->options;
    scaled->options.alpha = NULL;
    scaled->options.names = scaled->names;
    scaled->call = *call;
    scaled->call.op = call->op == BL_OP_ADD ? BL_OP_ADD_SCALED : BL_OP_SUB_SCALED;
    scaled->call.count = 3;
    scaled->call.inputs = scaled->inputs;
    scaled->call.options = &scaled->options;
    scaled->call.has_default_names = !call->options->names;
    scaled->call.is_alpha_call = true;
    return BL_OK;
}
