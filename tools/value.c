/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers among arrays.  The rules are NumPy's, less its promotion of arrays to a
 * common dtype: two arrays of different dtypes are refused.
 */
#include "value.h"

#include <inttypes.h>
#include <math.h>

void value_clear(struct value *value)
{
    bl_tensor_release(value->tensor);
    value->tensor = NULL;
}

/* Floating-point or complex: what can be divided. */
static bool is_inexact(bl_dtype dtype)
{
    switch (dtype) {
    case BL_DTYPE_F16:
    case BL_DTYPE_BF16:
    case BL_DTYPE_F32:
    case BL_DTYPE_F64:
    case BL_DTYPE_C64:
    case BL_DTYPE_C128:
        return true;
    default:
        return false;
    }
}

static bool is_unsigned(bl_dtype dtype)
{
    return dtype == BL_DTYPE_U8 || dtype == BL_DTYPE_U16 || dtype == BL_DTYPE_U32 ||
           dtype == BL_DTYPE_U64;
}

static bl_dtype dtype_of(const struct value *value)
{
    return bl_tensor_array(value->tensor)->dtype;
}

/* A 0-d array of the number, i64 or f64. */
static bl_status number_array(bl_context *ctx, const struct value *value,
                              bl_tensor **out)
{
    if (value->is_integer)
        return bl_tensor_full(ctx, BL_DTYPE_I64, 0, NULL, &value->integer, out);
    return bl_tensor_full(ctx, BL_DTYPE_F64, 0, NULL, &value->real, out);
}

/*
 * `converted` still says what the number said: read back, it is the same or as near as
 * a floating-point number gets.
 */
static bl_status check_number(bl_context *ctx, const struct value *value,
                              const bl_tensor *converted)
{
    const bl_dtype dtype = bl_tensor_array(converted)->dtype;
    bl_tensor *back;
    int64_t integer = 0;
    double real = 0;
    bl_status status;

    if (dtype == BL_DTYPE_BOOL || dtype == BL_DTYPE_C64 || dtype == BL_DTYPE_C128)
        return BL_OK;
    if (!value->is_integer || is_inexact(dtype)) {
        TRY(bl_cast(ctx, bl_tensor_array(converted), BL_DTYPE_F64, &back));
        status = bl_array_get(bl_tensor_array(back), NULL, &real);
        bl_tensor_release(back);
        TRY(status);
        if (isinf(real) && (value->is_integer || isfinite(value->real)))
            return bl_error_set(BL_ERR_DTYPE, "the number does not fit in %s",
                                bl_dtype_name(dtype));
        return BL_OK;
    }
    TRY(bl_cast(ctx, bl_tensor_array(converted), BL_DTYPE_I64, &back));
    status = bl_array_get(bl_tensor_array(back), NULL, &integer);
    bl_tensor_release(back);
    TRY(status);
    if (integer != value->integer || (is_unsigned(dtype) && value->integer < 0))
        return bl_error_set(BL_ERR_DTYPE, "%" PRId64 " does not fit in %s",
                            value->integer, bl_dtype_name(dtype));
    return BL_OK;
}

/* A new array of the number, converted. */
static bl_status number_cast(bl_context *ctx, const struct value *value, bl_dtype dtype,
                             bl_tensor **out)
{
    bl_tensor *number, *converted;
    bl_status status;

    TRY(number_array(ctx, value, &number));
    status = bl_cast(ctx, bl_tensor_array(number), dtype, &converted);
    bl_tensor_release(number);
    TRY(status);
    status = check_number(ctx, value, converted);
    if (status != BL_OK) {
        bl_tensor_release(converted);
        return status;
    }
    *out = converted;
    return BL_OK;
}

bl_status value_cast(bl_context *ctx, struct value *value, bl_dtype dtype)
{
    bl_tensor *to;

    if (!value->tensor) {
        TRY(number_cast(ctx, value, dtype, &to));
    } else {
        if (dtype_of(value) == dtype)
            return BL_OK;
        TRY(bl_cast(ctx, bl_tensor_array(value->tensor), dtype, &to));
    }
    value_clear(value);
    value->tensor = to;
    value->exclusive = true;
    return BL_OK;
}

bl_status value_settle(bl_context *ctx, struct value *value)
{
    if (value->tensor)
        return BL_OK;
    TRY(number_array(ctx, value, &value->tensor));
    value->exclusive = true;
    return BL_OK;
}

/* Two arrays of different dtypes; of the two the one that holds more is suggested. */
static bl_status refuse_pair(const char *sign, bl_dtype first, bl_dtype second)
{
    const bool is_second = is_inexact(first) == is_inexact(second)
                               ? bl_dtype_size(second) > bl_dtype_size(first)
                               : is_inexact(second);

    return bl_error_set(
        BL_ERR_DTYPE, "'%s' needs one dtype, got %s and %s; convert one, as in %s(...)",
        sign, bl_dtype_name(first), bl_dtype_name(second),
        bl_dtype_name(is_second ? second : first));
}

/* The dtype that the operands are to have; arrays that are divided become f64. */
static bl_status common_dtype(bl_context *ctx, bl_op op, const char *sign,
                              int32_t count, struct value *value, bl_dtype *common)
{
    bl_dtype dtype = BL_DTYPE_NONE;
    bool has_real = false, has_number = false;

    for (int32_t k = 0; k < count; k++) {
        if (!value[k].tensor) {
            has_number = true;
            has_real = has_real || !value[k].is_integer;
            continue;
        }
        if (op == BL_OP_DIV && !is_inexact(dtype_of(&value[k])))
            TRY(value_cast(ctx, &value[k], BL_DTYPE_F64));
        if (dtype != BL_DTYPE_NONE && dtype != dtype_of(&value[k]))
            return refuse_pair(sign, dtype, dtype_of(&value[k]));
        dtype = dtype_of(&value[k]);
    }
    if (dtype == BL_DTYPE_NONE)
        dtype = has_real || op == BL_OP_DIV ? BL_DTYPE_F64 : BL_DTYPE_I64;
    else if (has_real && !is_inexact(dtype))
        dtype = BL_DTYPE_F64;
    else if (has_number && dtype == BL_DTYPE_BOOL)
        dtype = BL_DTYPE_I64;
    *common = dtype;
    return BL_OK;
}

bl_status value_unify(bl_context *ctx, bl_op op, const char *sign, int32_t count,
                      struct value *value)
{
    bl_dtype dtype = BL_DTYPE_NONE;

    TRY(common_dtype(ctx, op, sign, count, value, &dtype));
    for (int32_t k = 0; k < count; k++)
        TRY(value_cast(ctx, &value[k], dtype));
    return BL_OK;
}
