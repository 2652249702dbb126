/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of expressions: arrays, and scalars, which have lower priority than arrays in
 * type promotion.
 */
#ifndef VALUE_H
#define VALUE_H

#include "tool.h"

struct value {
    bl_tensor *tensor; /* an owned reference; NULL: a scalar */
    bool exclusive;    /* no other reference exists: the tensor may be written */
    bl_scalar scalar;  /* i64 or f64 */
};

/* Release the value's reference. */
void value_clear(struct value *value);

/*
 * The value as an operand: its tensor's array, or `*number`, which is made from its
 * scalar.
 */
const bl_array *value_array(const struct value *value, bl_array *number);

/* Get the integer that the value is; false where it is something else. */
bool value_integer(const struct value *value, int64_t *integer);

/*
 * Convert the value to an array of `dtype`; BL_ERR_DTYPE for a scalar that does not
 * fit.
 */
bl_status value_cast(bl_context *ctx, struct value *value, bl_dtype dtype);

/* Convert the value to an array: a scalar becomes a 0-d one of i64 or f64. */
bl_status value_settle(bl_context *ctx, struct value *value);

/* Returns BL_ERR_DTYPE where `dtype` cannot represent the scalar. */
bl_status value_check(const struct value *number, bl_dtype dtype);

/*
 * Apply an operator to scalars alone.  It is computed in i64 if all are integers and
 * the operator permits, otherwise in f64.  The result is a scalar, but comparisons
 * return an array.  BL_ERR_OVERFLOW where an integer is too large.
 */
bl_status constant_fold(bl_context *ctx, bl_op op, int32_t count,
                        const struct value *in, struct value *out);

#endif
