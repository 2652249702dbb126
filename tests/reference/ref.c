/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of the reference's rows by operator number, queries about operators, and
 * arithmetic that several rows share.  The rows are in ref_arith.c, ref_compare.c,
 * ref_bits.c and ref_math.c; an operator of lib/core/tables/ops.def without a row does
 * not link.
 */
#include "ref_value.h"

#include <math.h>

#include "core/core.h"

#define BL_OP(name, value, inputs, domain, result, impl, expression, text)             \
    [value] = &ref_row_##name,
const struct ref_row *const ref_rows[] = {
#include "core/tables/ops.def"
};
#undef BL_OP

/* The operators that are computed by vectorised math functions, in blocks. */
#define BL_OP(name, value, inputs, domain, result, impl, expression, text)             \
    [value] =                                                                          \
        BLI_IMPL_##impl != BLI_IMPL_ELEMENT && BLI_IMPL_##impl != BLI_IMPL_BITWISE,
static const bool is_block[] = {
#include "core/tables/ops.def"
};
#undef BL_OP

const int32_t ref_rows_count = sizeof ref_rows / sizeof ref_rows[0];

int32_t ref_ops_end(void)
{
    return ref_rows_count;
}

const char *ref_name(bl_op op)
{
    return ref_rows[op]->name;
}

int32_t ref_inputs(bl_op op)
{
    return ref_rows[op]->inputs;
}

const struct ref_contents *ref_contents(bl_op op)
{
    return &ref_rows[op]->contents;
}

bool ref_takes(bl_op op, bl_dtype dtype)
{
    return (ref_rows[op]->classes & (int32_t)ref_class(dtype)) != 0;
}

bool ref_may_differ(bl_op op, bl_dtype dtype)
{
    if (dtype == BL_DTYPE_F64)
        return is_block[op] && ref_rows[op]->ulp > 0;
    return dtype == BL_DTYPE_C128 && is_block[op] && ref_rows[op]->complex_ulp > 0;
}

bool ref_is_normwise(bl_op op, bl_dtype dtype)
{
    return ref_class(dtype) == REF_COMPLEX && ref_rows[op]->complex_ulp > 0;
}

bl_dtype ref_input_dtype(bl_op op, bl_dtype dtype, int32_t k)
{
    return ref_rows[op]->selects && k == 0 ? BL_DTYPE_BOOL : dtype;
}

bl_dtype ref_result_dtype(bl_op op, bl_dtype dtype)
{
    if (ref_rows[op]->result == REF_AS_TRUTH)
        return BL_DTYPE_BOOL;
    if (ref_rows[op]->result == REF_AS_REAL_PART && dtype == BL_DTYPE_C64)
        return BL_DTYPE_F32;
    if (ref_rows[op]->result == REF_AS_REAL_PART && dtype == BL_DTYPE_C128)
        return BL_DTYPE_F64;
    return dtype;
}

/* ---- shared arithmetic ---- */

bool ref_is_less(uint64_t a, uint64_t b, bool is_signed)
{
    return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

/* Multiply without fused operations. */
void ref_multiply(bl_dtype dtype, const double *a, const double *b, double *result)
{
    const double straight[2] = {ref_round(dtype, a[0] * b[0]),
                                ref_round(dtype, a[1] * b[1])};
    const double crossed[2] = {ref_round(dtype, a[0] * b[1]),
                               ref_round(dtype, a[1] * b[0])};

    result[0] = ref_round(dtype, straight[0] - straight[1]);
    result[1] = ref_round(dtype, crossed[0] + crossed[1]);
}

/*
 * Divide in extended precision, whose range holds the squares of f64.  A zero divides
 * each part, as a zero without a sign.
 */
void ref_divide(const double *a, const double *b, long double *result)
{
    const long double re = b[0];
    const long double im = b[1];
    const long double square = re * re + im * im;

    if (square == 0) {
        result[0] = a[0] / fabs(b[0]);
        result[1] = a[1] / fabs(b[1]);
        return;
    }
    result[0] = (a[0] * re + a[1] * im) / square;
    result[1] = (a[1] * re - a[0] * im) / square;
}
