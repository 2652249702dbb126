/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators on the numbers of a text alone, computed as it is parsed. */
#ifndef BLI_LITERALS_H
#define BLI_LITERALS_H

#include <string.h>

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

/*
 * Whether a number has so few digits after the first, in binary, and so small an
 * exponent, up to `most`, that a format with them has it as it is; without arithmetic,
 * which might raise flags.
 */
static inline bool bli_literal_fits(double number, int digits, uint64_t most)
{
    uint64_t bits, exponent;

    memcpy(&bits, &number, sizeof bits);
    exponent = bits >> 52 & 0x7ff;
    return bits << 1 == 0 || (bits << (12 + digits) == 0 && exponent > 0x3ff - most &&
                              exponent <= 0x3ff + most);
}

#endif
