/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of expressions: arrays, and numbers that take the dtype of what they meet.
 */
#ifndef VALUE_H
#define VALUE_H

#include "tool.h"

struct value {
    bl_tensor *tensor; /* a reference of the value's own; NULL: a number */
    bool exclusive;    /* nobody else sees the tensor: it may be written */
    bool is_integer;   /* of a number: `integer` counts, else `real` */
    int64_t integer;
    double real;
};

/* Give the value's reference back. */
void value_clear(struct value *value);

/*
 * The value becomes an array of `dtype`; BL_ERR_DTYPE for a number that it cannot hold.
 */
bl_status value_cast(bl_context *ctx, struct value *value, bl_dtype dtype);

/* The value becomes an array: a number one of i64 or f64. */
bl_status value_settle(bl_context *ctx, struct value *value);

/*
 * The result of an operator on numbers alone, computed as i64 or f64; false where it
 * must be done on arrays.  `*status` is BL_ERR_OVERFLOW where the result does not fit
 * in i64.
 */
bool value_fold(bl_op op, int32_t count, const struct value *in, struct value *out,
                bl_status *status);

/*
 * Make `count` operands of `op` arrays of one dtype.  Numbers take the arrays'; integer
 * arrays become f64 where they are divided or meet a number that is not an integer, and
 * truth values become i64 where they meet an integer.  BL_ERR_DTYPE where arrays differ
 * or a number does not fit.  `sign` is the operation as the user wrote it.
 */
bl_status value_unify(bl_context *ctx, bl_op op, const char *sign, int32_t count,
                      struct value *value);

#endif
