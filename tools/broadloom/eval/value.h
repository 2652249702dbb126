/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of expressions: arrays, and numbers, which weigh less than arrays in the dtype
 * of a result.
 */
#ifndef VALUE_H
#define VALUE_H

#include "tool.h"

struct value {
    bl_tensor *tensor; /* a reference of the value's own; NULL: a number */
    bool exclusive;    /* nobody else sees the tensor: it may be written */
    bl_scalar scalar;  /* i64 or f64 */
};

/* Give the value's reference back. */
void value_clear(struct value *value);

/* The value as an operand: its tensor's array, or `*number`, which is made of it. */
const bl_array *value_array(const struct value *value, bl_array *number);

/* The integer that the value is; false where it is something else. */
bool value_integer(const struct value *value, int64_t *integer);

/*
 * The value becomes an array of `dtype`; BL_ERR_DTYPE for a number that it cannot hold.
 */
bl_status value_cast(bl_context *ctx, struct value *value, bl_dtype dtype);

/* The value becomes an array: a number one of i64 or f64. */
bl_status value_settle(bl_context *ctx, struct value *value);

/* BL_ERR_DTYPE where `dtype` cannot hold the number. */
bl_status value_check(const struct value *number, bl_dtype dtype);

/*
 * An operator on numbers alone, computed as i64 where all of them are and the operator
 * can, else as f64: a number again, but comparisons give an array.  BL_ERR_OVERFLOW
 * where an integer is too large.
 */
bl_status constant_fold(bl_context *ctx, bl_op op, int32_t count,
                        const struct value *in, struct value *out);

#endif
