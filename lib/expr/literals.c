/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of a text: operators on numbers alone, so that 2 * 3 still weighs as a number
 * does in promotion, and whether a number fits in a dtype.
 */
#include "expr/literals.h"

#include <inttypes.h>
#include <math.h>

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

/*
 * Whether a plus or, with a `sign` of -1, minus the product of the others fits, and the
 * product, too.
 */
static bool sum_fits(int64_t a, int64_t sign, int64_t factor, int64_t b, int64_t c)
{
    int64_t product, result;

    if (__builtin_mul_overflow(factor, b, &product) ||
        __builtin_mul_overflow(product, c, &product))
        return false;
    return sign < 0 ? !__builtin_sub_overflow(a, product, &result)
                    : !__builtin_add_overflow(a, product, &result);
}

/* Whether a * 2^b fits; from 64 on, and for a negative b, all bits are shifted out. */
static bool shift_fits(int64_t a, int64_t b)
{
    if (b < 0 || b > 63)
        return a == 0;
    return (int64_t)((uint64_t)a << b) >> b == a;
}

/* Whether the integer result of an operator fits in i64. */
static bool fits(bl_op op, const bl_scalar *in)
{
    const int64_t a = in[0].value.i64, b = in[1].value.i64;
    int64_t result;

    switch (op) {
    case BL_OP_NEG:
    case BL_OP_ABS:
        return a != INT64_MIN;
    case BL_OP_SQUARE:
        return !__builtin_mul_overflow(a, a, &result);
    case BL_OP_ADD:
        return !__builtin_add_overflow(a, b, &result);
    case BL_OP_SUB:
        return !__builtin_sub_overflow(a, b, &result);
    case BL_OP_MUL:
        return !__builtin_mul_overflow(a, b, &result);
    case BL_OP_FLOOR_DIVIDE:
    case BL_OP_TRUNC_DIVIDE:
        return a != INT64_MIN || b != -1;
    case BL_OP_POW:
        return power(a, b, &result);
    case BL_OP_LEFT_SHIFT:
        return shift_fits(a, b);
    case BL_OP_ADD_SCALED:
        return sum_fits(a, 1, 1, b, in[2].value.i64);
    case BL_OP_SUB_SCALED:
        return sum_fits(a, -1, 1, b, in[2].value.i64);
    case BL_OP_ADDCMUL:
        return sum_fits(a, 1, in[3].value.i64, b, in[2].value.i64);
    default:
        return true;
    }
}

/*
 * The dtype that an operator on numbers is computed in: bool where all are truth
 * values, i64 where there are integers, if it takes them, else f64.
 */
static bl_dtype common_dtype(bl_op op, int32_t count, const bl_scalar *in)
{
    bl_dtype common = BL_DTYPE_BOOL;

    for (int32_t k = op == BL_OP_WHERE ? 1 : 0; k < count; k++)
        if (common == BL_DTYPE_BOOL || in[k].dtype == BL_DTYPE_F64)
            common = in[k].dtype;

    const bl_dtype computed = bli_op_computed(op, common);
    const bool is_fraction = op == BL_OP_POW && common == BL_DTYPE_I64 &&
                             in[1].dtype == BL_DTYPE_I64 && in[1].value.i64 < 0;

    if (computed == BL_DTYPE_NONE && common == BL_DTYPE_BOOL)
        return common;
    return computed == common && !is_fraction ? common : BL_DTYPE_F64;
}

/* A number as one of a dtype, of bool, i64 and f64, that holds its category. */
static bl_scalar convert(const bl_scalar *number, bl_dtype dtype)
{
    const int64_t integer = number->dtype == BL_DTYPE_BOOL  ? number->value.boolean
                            : number->dtype == BL_DTYPE_I64 ? number->value.i64
                                                            : 0;

    if (number->dtype == dtype)
        return *number;
    return dtype == BL_DTYPE_I64 ? bl_scalar_i64(integer)
                                 : bl_scalar_f64((double)integer);
}

bl_status bli_literals_apply(bl_context *ctx, bl_op op, int32_t count,
                             const bl_scalar *in, bl_scalar *out)
{
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_scalar number[BL_MAX_INPUTS] = {{0}}, result = {0};
    bl_array array[BL_MAX_INPUTS];
    const bl_array *pointer[BL_MAX_INPUTS];
    const bl_dtype common = common_dtype(op, count, in);
    bl_array to = {.data = &result.value};

    for (int32_t k = 0; k < count; k++) {
        const bool is_mask = op == BL_OP_WHERE && k == 0;

        number[k] = is_mask ? in[k] : convert(&in[k], common);
        /* 0-d arrays of f64: as scalars, real numbers would be computed in f32. */
        array[k] = (bl_array){.data = &number[k].value, .dtype = number[k].dtype};
        pointer[k] = &array[k];
    }
    if (common == BL_DTYPE_I64 && !fits(op, number))
        return op == BL_OP_LEFT_SHIFT && number[1].value.i64 < 0
                   ? bl_error_set(BL_ERR_OVERFLOW,
                                  "the shift count %" PRId64 " is negative",
                                  number[1].value.i64)
                   : bl_error_set(BL_ERR_OVERFLOW,
                                  "the number does not fit in 64 bits");
    BL_TRY(bl_op_result_dtype(op, common, &to.dtype));
    options.rules = bl_rules_modern();
    BL_TRY(bl_apply(ctx, op, &to, count, pointer, &options));
    result.dtype = to.dtype;
    *out = result;
    return BL_OK;
}

/* The ranges of dtypes; a dtype that is not listed represents every number. */
static const struct {
    bl_dtype dtype;
    bool is_real;
    int64_t low, high; /* of integers */
    double above;      /* the least number that is too large, or rounds to infinity */
} holds[] = {
    {BL_DTYPE_U8, false, 0, UINT8_MAX, 0x1p8},
    {BL_DTYPE_I8, false, INT8_MIN, INT8_MAX, 0x1p7},
    {BL_DTYPE_U16, false, 0, UINT16_MAX, 0x1p16},
    {BL_DTYPE_I16, false, INT16_MIN, INT16_MAX, 0x1p15},
    {BL_DTYPE_U32, false, 0, UINT32_MAX, 0x1p32},
    {BL_DTYPE_I32, false, INT32_MIN, INT32_MAX, 0x1p31},
    {BL_DTYPE_U64, false, 0, INT64_MAX, 0x1p64},
    {BL_DTYPE_I64, false, INT64_MIN, INT64_MAX, 0x1p63},
    {BL_DTYPE_F16, true, 0, 0, 0x1.ffep15},
    {BL_DTYPE_BF16, true, 0, 0, 0x1.ffp127},
    {BL_DTYPE_F32, true, 0, 0, 0x1.ffffffp127},
    {BL_DTYPE_C64, true, 0, 0, 0x1.ffffffp127},
};

enum { HOLDS = sizeof holds / sizeof holds[0] };

bl_status bli_literal_check(const bl_scalar *number, bl_dtype dtype)
{
    const bool is_integer = number->dtype == BL_DTYPE_I64;
    const int64_t integer = is_integer ? number->value.i64 : 0;
    const double real = is_integer                      ? (double)integer
                        : number->dtype == BL_DTYPE_F64 ? number->value.f64
                                                        : 0;
    int k = 0;

    while (k < HOLDS && holds[k].dtype != dtype)
        k++;
    if (k == HOLDS)
        return BL_OK;
    if (is_integer && !holds[k].is_real)
        return integer >= holds[k].low && integer <= holds[k].high
                   ? BL_OK
                   : bl_error_set(BL_ERR_DTYPE, "%" PRId64 " does not fit in %s",
                                  integer, bl_dtype_name(dtype));
    /* Reals lose their fraction in integers, which have neither inf nor nan. */
    if (holds[k].is_real ? !isfinite(real) || fabs(real) < holds[k].above
                         : trunc(real) >= (double)holds[k].low && real < holds[k].above)
        return BL_OK;
    return bl_error_set(BL_ERR_DTYPE, "%g does not fit in %s", real,
                        bl_dtype_name(dtype));
}
