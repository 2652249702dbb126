/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of expressions, and the range of scalars that a dtype can represent.
 */
#include "value.h"

#include <inttypes.h>
#include <math.h>

void value_clear(struct value *value)
{
    bl_tensor_release(value->tensor);
    value->tensor = NULL;
}

const bl_array *value_array(const struct value *value, bl_array *number)
{
    if (value->tensor)
        return bl_tensor_array(value->tensor);
    *number = bl_scalar_array(&value->scalar);
    return number;
}

bool value_integer(const struct value *value, int64_t *integer)
{
    if (value->tensor || value->scalar.dtype != BL_DTYPE_I64)
        return false;
    *integer = value->scalar.value.i64;
    return true;
}

/* The ranges of dtypes; a dtype that is not listed represents every scalar. */
static const struct {
    bl_dtype dtype;
    int64_t low, high; /* of integers */
    double most;       /* the largest number that does not round to infinity */
} holds[] = {
    {BL_DTYPE_U8, 0, UINT8_MAX, 0},     {BL_DTYPE_I8, INT8_MIN, INT8_MAX, 0},
    {BL_DTYPE_U16, 0, UINT16_MAX, 0},   {BL_DTYPE_I16, INT16_MIN, INT16_MAX, 0},
    {BL_DTYPE_U32, 0, UINT32_MAX, 0},   {BL_DTYPE_I32, INT32_MIN, INT32_MAX, 0},
    {BL_DTYPE_U64, 0, INT64_MAX, 0},    {BL_DTYPE_F16, 0, 0, 0x1.ffdp15},
    {BL_DTYPE_BF16, 0, 0, 0x1.fefp127}, {BL_DTYPE_F32, 0, 0, 0x1.fffffefp127},
};

bl_status value_check(const struct value *number, bl_dtype dtype)
{
    const bl_scalar scalar = number->scalar;

    for (size_t k = 0; k < sizeof holds / sizeof holds[0]; k++) {
        if (holds[k].dtype != dtype)
            continue;
        if (holds[k].most > 0) {
            const double real = scalar.dtype == BL_DTYPE_I64 ? (double)scalar.value.i64
                                                             : scalar.value.f64;

            if (isfinite(real) && fabs(real) > holds[k].most)
                return bl_error_set(BL_ERR_DTYPE, "%g does not fit in %s", real,
                                    bl_dtype_name(dtype));
        } else if (scalar.dtype == BL_DTYPE_I64 && (scalar.value.i64 < holds[k].low ||
                                                    scalar.value.i64 > holds[k].high)) {
            return bl_error_set(BL_ERR_DTYPE, "%" PRId64 " does not fit in %s",
                                scalar.value.i64, bl_dtype_name(dtype));
        }
    }
    return BL_OK;
}

bl_status value_cast(bl_context *ctx, struct value *value, bl_dtype dtype)
{
    bl_array number;
    bl_tensor *to;

    if (value->tensor && bl_tensor_array(value->tensor)->dtype == dtype)
        return BL_OK;
    if (!value->tensor)
        TRY(value_check(value, dtype));
    TRY(bl_cast(ctx, value_array(value, &number), dtype, &to));
    value_clear(value);
    value->tensor = to;
    value->exclusive = true;
    return BL_OK;
}

bl_status value_settle(bl_context *ctx, struct value *value)
{
    return value->tensor ? BL_OK : value_cast(ctx, value, value->scalar.dtype);
}
