/* SPDX-License-Identifier: BSD-3-Clause */
/* Names, options and dtypes of reductions. */
#include "ops/reduce_run.h"
#include "core/sized.h"

#include <math.h>
#include <string.h>

bl_reduction bl_reduction_find(const char *name)
{
    for (int32_t i = 1; name && bli_reduction_is_valid((bl_reduction)i); i++)
        if (strcmp(name, bli_reductions[i].name) == 0)
            return (bl_reduction)i;
    return BL_REDUCTION_NONE;
}

const char *bl_reduction_name(bl_reduction op)
{
    return bli_reduction_is_valid(op) ? bli_reductions[op].name : NULL;
}

/* Whether the reduction is a variance or its root. */
static bool is_variance(bl_reduction op)
{
    return bli_reductions[op].result == BLI_REDUCED_REAL_PART;
}

/* Refuse a dtype that the reduction does not take. */
static bl_status refuse_dtype(bl_reduction op, bl_dtype dtype)
{
    if (op == BL_REDUCTION_MEAN)
        (void)bl_error_set(BL_ERR_DTYPE,
                           "mean(): could not infer output dtype. Input dtype must be "
                           "either a floating point or complex dtype. Got: %s",
                           bl_dtype_name(dtype));
    else if (is_variance(op))
        (void)bl_error_set(
            BL_ERR_DTYPE,
            "std and var only support floating point and complex dtypes. Got: %s",
            bl_dtype_name(dtype));
    else
        (void)bl_error_set(BL_ERR_DTYPE, "%s does not take %s", bli_reductions[op].name,
                           bl_dtype_name(dtype));
    return bli_fault_dtypes(BL_ERR_DTYPE, "in", dtype, BL_DTYPE_NONE);
}

/* Resolve the result's dtype of a valid reduction of a valid dtype. */
static bl_status resolve_dtype(bl_reduction op, bl_dtype dtype, bl_dtype *result)
{
    if ((bli_reductions[op].domain & bli_dtypes[dtype].class) == 0)
        return refuse_dtype(op, dtype);

    const bool is_whole = (bli_dtypes[dtype].class & BLI_DOMAIN_BITS) != 0;

    if (bli_reductions[op].result == BLI_REDUCED_TRUTH)
        *result = dtype == BL_DTYPE_U8 ? BL_DTYPE_U8 : BL_DTYPE_BOOL;
    else if (bli_reductions[op].result == BLI_REDUCED_WIDE && is_whole)
        *result = BL_DTYPE_I64;
    else if (is_variance(op))
        *result = bli_dtype_real(dtype);
    else
        *result = dtype;
    return BL_OK;
}

static bl_status result_dtype(bl_reduction op, bl_dtype dtype, bl_dtype *result)
{
    if (!result)
        return bli_error_null("result");
    if (!bli_reduction_is_valid(op))
        return bli_error_argument("op", "op: %d is no reduction", (int)op);
    BL_TRY(bli_dtype_check("dtype", dtype));
    return resolve_dtype(op, dtype, result);
}

bl_status bl_reduction_result_dtype(bl_reduction op, bl_dtype dtype, bl_dtype *result)
{
    BLI_RETURN_CALL(result_dtype(op, dtype, result), "%w, dtype %t",
                    bl_reduction_name(op), dtype);
}

static bl_status check_dtype(bl_reduction op, bl_dtype wanted)
{
    const struct bli_reduction *const row = &bli_reductions[op];

    if (wanted == BL_DTYPE_NONE)
        return BL_OK;
    BL_TRY(bli_dtype_check("options", wanted));
    if (row->result != BLI_REDUCED_WIDE && op != BL_REDUCTION_MEAN)
        return bli_fault_dtypes(bl_error_set(BL_ERR_DTYPE,
                                             "%s has a dtype of its own, not %s",
                                             row->name, bl_dtype_name(wanted)),
                                "options", wanted, BL_DTYPE_NONE);
    if ((row->domain & bli_dtypes[wanted].class) == 0)
        return bli_fault_dtypes(
            bl_error_set(BL_ERR_DTYPE,
                         "mean(): could not infer output dtype. Optional dtype must "
                         "be either a floating point or complex dtype. Got: %s",
                         bl_dtype_name(wanted)),
            "options", wanted, BL_DTYPE_NONE);
    return BL_OK;
}

bl_status bli_reduce_options_read(bl_reduction op, const bl_reduce_options *options,
                                  bl_reduce_options *known)
{
    *known = (bl_reduce_options)BL_REDUCE_OPTIONS_DEFAULT;
    if (!options)
        return BL_OK;
    BL_TRY(BLI_SIZED_READ(known, reserved, options, "options"));
    if (known->reserved != 0)
        return bli_fault_argument(
            bl_error_set(BL_ERR_UNSUPPORTED,
                         "options: a member is set that is reserved or newer than the "
                         "library, at byte %zu",
                         offsetof(bl_reduce_options, reserved)),
            "options");
    if (is_variance(op) && !isfinite(known->correction))
        return bli_error_argument("options", "options: correction %g is not finite",
                                  known->correction);
    return check_dtype(op, known->dtype);
}

bl_status bli_reduce_dtypes(struct bli_reduce_call *call,
                            const bl_reduce_options *options)
{
    bl_reduce_options known;

    BL_TRY(bli_reduce_options_read(call->op, options, &known));
    call->correction = known.correction;
    call->as = call->in->dtype;
    if (known.dtype == BL_DTYPE_NONE)
        return resolve_dtype(call->op, call->in->dtype, &call->to);
    call->as = call->to = known.dtype;
    return BL_OK;
}
