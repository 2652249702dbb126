/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scalars as operands: what a program writes as 2 or 0.5.  A scalar is broadcast to
 * every element of the other operands.  It changes the dtype of the result only where
 * its category (boolean, integer, real, complex) is higher than theirs (promote.h): u8
 * and 2 give u8, u8 and 0.5 give f32.
 */
#ifndef BROADLOOM_SCALAR_H
#define BROADLOOM_SCALAR_H

#include <broadloom/tensor.h>

/*
 * A scalar; `dtype` is BL_DTYPE_BOOL, I64, F64 or C128 and says which member is set.
 * BL_DTYPE_U64 is the unsigned number with the bits of `i64`: of operands, of numbers
 * of expressions, and to fill with.
 */
typedef struct bl_scalar {
    bl_dtype dtype;
    union {
        double c128[2]; /* real part, imaginary part */
        double f64;
        int64_t i64;
        bool boolean;
    } value;
} bl_scalar;

BL_BEGIN_DECLS

/* A scalar of a value.  Thread-safe, as the next three functions. */
BL_NAMED bl_scalar bl_scalar_bool(bool value)
{
    bl_scalar scalar = {BL_DTYPE_BOOL, {{0, 0}}};

    scalar.value.boolean = value;
    return scalar;
}

BL_NAMED bl_scalar bl_scalar_i64(int64_t value)
{
    bl_scalar scalar = {BL_DTYPE_I64, {{0, 0}}};

    scalar.value.i64 = value;
    return scalar;
}

BL_NAMED bl_scalar bl_scalar_f64(double value)
{
    bl_scalar scalar = {BL_DTYPE_F64, {{0, 0}}};

    scalar.value.f64 = value;
    return scalar;
}

BL_NAMED bl_scalar bl_scalar_c128(double real, double imaginary)
{
    bl_scalar scalar = {BL_DTYPE_C128, {{0, 0}}};

    scalar.value.c128[0] = real;
    scalar.value.c128[1] = imaginary;
    return scalar;
}

/*
 * A scalar as an operand: a read-only 0-d array flagged BL_ARRAY_SCALAR, whose data is
 * `*scalar`, borrowed.  Any 0-d array may have this flag; an array of higher rank with
 * it is refused.
 *
 * Rules see no scalars, which are not tensors: strict rules, and rules that refuse 0-d
 * tensors, accept them.  A result is never a scalar.
 */
BL_NAMED bl_array bl_scalar_array(const bl_scalar *scalar)
{
    bl_array array = {NULL, scalar->dtype, 0, NULL, NULL, 0};

    array.data = (void *)(uintptr_t)&scalar->value; /* only read: it is read-only */
    array.flags = BL_ARRAY_SCALAR | BL_ARRAY_READ_ONLY;
    return array;
}

BL_END_DECLS

#endif
