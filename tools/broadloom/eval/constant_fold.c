/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constant folding: operators on scalars alone, so that 2 * 3 is still a scalar, which
 * has lower priority than an array in type promotion.
 */
#include "value.h"

/* Compute a to the power of b, which is not negative; false where it does not fit. */
static bool power(int64_t a, int64_t b, int64_t *result)
{
    *result = 1;
    if (a == 0 || a == 1 || a == -1) {
        *result = b == 0 ? 1 : b % 2 == 0 ? a * a : a;
        return true;
    }
    for (; b > 0; b--)
        if (__builtin_mul_overflow(*result, a, result))
            return false;
    return true;
}

/* Whether the integer result of an operator fits in i64. */
static bool fits(bl_op op, const int64_t *in)
{
    int64_t result;

    switch (op) {
    case BL_OP_NEG:
    case BL_OP_ABS:
        return in[0] >= 0 || !__builtin_sub_overflow(0, in[0], &result);
    case BL_OP_ADD:
        return !__builtin_add_overflow(in[0], in[1], &result);
    case BL_OP_SUB:
        return !__builtin_sub_overflow(in[0], in[1], &result);
    case BL_OP_MUL:
        return !__builtin_mul_overflow(in[0], in[1], &result);
    case BL_OP_FLOOR_DIVIDE:
    case BL_OP_TRUNC_DIVIDE:
        return in[0] != INT64_MIN || in[1] != -1;
    case BL_OP_POW:
        return power(in[0], in[1], &result);
    default:
        return true;
    }
}

/*
 * Whether the operator is computed in i64: all inputs are integers, and so is the
 * result.
 */
static bool is_integral(bl_op op, int32_t count, const struct value *in,
                        int64_t *integer)
{
    bl_dtype result;

    for (int32_t k = 0; k < count; k++)
        if (!value_integer(&in[k], &integer[k]))
            return false;
    if (op == BL_OP_POW && integer[1] < 0)
        return false;
    return bl_op_result_dtype(op, BL_DTYPE_I64, &result) == BL_OK &&
           (result == BL_DTYPE_I64 || result == BL_DTYPE_BOOL);
}

/* Make `out` of a 0-d tensor: the scalar in it if of i64 or f64, else the tensor. */
static bl_status take(bl_tensor *tensor, struct value *out)
{
    const bl_array *const array = bl_tensor_array(tensor);
    bl_status status;

    *out = (struct value){.tensor = tensor, .exclusive = true};
    if (array->dtype != BL_DTYPE_I64 && array->dtype != BL_DTYPE_F64)
        return BL_OK;
    out->scalar.dtype = array->dtype;
    status = bl_array_get(array, NULL, &out->scalar.value);
    value_clear(out);
    return status;
}

bl_status constant_fold(bl_context *ctx, bl_op op, int32_t count,
                        const struct value *in, struct value *out)
{
    int64_t integer[BL_MAX_INPUTS] = {0};
    double real[BL_MAX_INPUTS];
    bl_array array[BL_MAX_INPUTS];
    const bl_array *pointer[BL_MAX_INPUTS];
    const bool integral = is_integral(op, count, in, integer);
    bl_tensor *result;

    if (integral && !fits(op, integer))
        return bl_error_set(BL_ERR_OVERFLOW, "the number does not fit in 64 bits");
    for (int32_t k = 0; k < count; k++) {
        real[k] = in[k].scalar.dtype == BL_DTYPE_I64 ? (double)in[k].scalar.value.i64
                                                     : in[k].scalar.value.f64;
        /* 0-d arrays of f64: as scalars, real numbers would be computed in f32. */
        array[k] = (bl_array){integral ? (void *)&integer[k] : (void *)&real[k],
                              integral ? BL_DTYPE_I64 : BL_DTYPE_F64,
                              0,
                              NULL,
                              NULL,
                              BL_ARRAY_READ_ONLY};
        pointer[k] = &array[k];
    }
    TRY(bl_apply_new(ctx, op, count, pointer, NULL, &result));
    return take(result, out);
}
