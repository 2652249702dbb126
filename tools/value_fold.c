/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic on the numbers of an expression, so that 2 * 3 is still a number that
 * takes the dtype of the array it meets.
 */
#include "value.h"

/*
 * What an operator does to two numbers; neg takes the second of them, the first is 0.
 */
static double real_result(bl_op op, double a, double b)
{
    switch (op) {
    case BL_OP_NEG:
        return -b;
    case BL_OP_ADD:
        return a + b;
    case BL_OP_SUB:
        return a - b;
    case BL_OP_MUL:
        return a * b;
    default:
        return a / b;
    }
}

/* False where the result does not fit. */
static bool integer_result(bl_op op, int64_t a, int64_t b, int64_t *result)
{
    switch (op) {
    case BL_OP_ADD:
        return !__builtin_add_overflow(a, b, result);
    case BL_OP_MUL:
        return !__builtin_mul_overflow(a, b, result);
    default:
        return !__builtin_sub_overflow(a, b, result);
    }
}

static double as_real(const struct value *value)
{
    return value->is_integer ? (double)value->integer : value->real;
}

bool value_fold(bl_op op, int32_t count, const struct value *in, struct value *out,
                bl_status *status)
{
    const struct value zero = {.is_integer = true};
    const struct value *a = count == 2 ? &in[0] : &zero, *b = &in[count - 1];
    struct value result = {0};

    if (op != BL_OP_NEG && op != BL_OP_ADD && op != BL_OP_SUB && op != BL_OP_MUL &&
        op != BL_OP_DIV)
        return false;
    if (a->tensor || b->tensor)
        return false;
    *status = BL_OK;
    result.is_integer = a->is_integer && b->is_integer && op != BL_OP_DIV;
    if (!result.is_integer)
        result.real = real_result(op, as_real(a), as_real(b));
    else if (!integer_result(op, a->integer, b->integer, &result.integer))
        *status = bl_error_set(BL_ERR_OVERFLOW, "the number does not fit in 64 bits");
    if (*status == BL_OK)
        *out = result;
    return true;
}
