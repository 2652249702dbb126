/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators on the numbers of a text alone, computed as it is parsed. */
#ifndef BLI_LITERALS_H
#define BLI_LITERALS_H

#include "context/context.h"

/*
 * Compute an operator of numbers, each of bool, i64 or f64: in the highest of these
 * that they have, if the operator permits, otherwise in f64.  BL_ERR_OVERFLOW where an
 * integer is too large; else errors of bl_apply().
 */
bl_status bli_literals_apply(bl_context *ctx, bl_op op, int32_t count,
                             const bl_scalar *in, bl_scalar *out);

/* BL_ERR_DTYPE where a number of the text does not fit in `dtype`. */
bl_status bli_literal_check(const bl_scalar *number, bl_dtype dtype);

#endif
