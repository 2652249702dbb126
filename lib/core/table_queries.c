/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Questions about dtypes and operators that may be refused.
 */
#include "core/error.h"
#include "core/sized.h"

bl_status bli_dtype_check(const char *name, bl_dtype dtype)
{
    if (bli_dtype_is_valid(dtype))
        return BL_OK;
    return bli_error_argument(name, "%s: %d is no dtype", name, (int)dtype);
}

/* BL_ERR_ARGUMENT if `op` is no operator. */
static bl_status check_op(bl_op op)
{
    if (bli_op_is_valid(op))
        return BL_OK;
    return bli_error_argument("op", "op: %d is no operator", (int)op);
}

static bl_status query(bl_op op, bl_op_info *info)
{
    bl_op_info known = {.size = sizeof known};

    BL_TRY(BLI_SIZED_CHECK(info, reserved, "info"));
    BL_TRY(check_op(op));
    known.name = bli_ops[op].name;
    known.text = bli_ops[op].text;
    known.inputs = bli_ops[op].count;
    bli_sized_write(info, &known, sizeof known);
    return BL_OK;
}

bl_status bl_op_query(bl_op op, bl_op_info *info)
{
    BLI_RETURN_CALL(query(op, info), "op %d", (int)op);
}

static bl_status result_dtype(bl_op op, bl_dtype dtype, bl_dtype *result)
{
    if (!result)
        return bli_error_null("result");
    BL_TRY(check_op(op));
    BL_TRY(bli_dtype_check("dtype", dtype));

    const bl_dtype computed = bli_op_computed(op, dtype);

    if (computed == BL_DTYPE_NONE)
        return bli_fault_dtypes(bl_error_set(BL_ERR_DTYPE, "%s does not take %s",
                                             bli_ops[op].name, bli_dtypes[dtype].name),
                                "dtype", dtype, BL_DTYPE_NONE);
    *result = bli_op_result(op, computed);
    return BL_OK;
}

bl_status bl_op_result_dtype(bl_op op, bl_dtype dtype, bl_dtype *result)
{
    BLI_RETURN_CALL(result_dtype(op, dtype, result), "%w, dtype %t",
                    bli_op_is_valid(op) ? bli_ops[op].name : NULL, dtype);
}
