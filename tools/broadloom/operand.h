/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The notation of operands: dtype[shape]layout.  No layout means compact row-major, T
 * the last two dimensions swapped in memory, /2 every second element of a last
 * dimension twice as long, P0231 the order of the dimensions in memory, slowest first,
 * {-4,1}+8 strides and an offset, in elements.
 */
#ifndef OPERAND_H
#define OPERAND_H

#include "tool.h"

struct operand {
    bl_dtype dtype;
    bl_layout layout;
};

/*
 * Parse all of `text` as an operand; one without a dtype gets `dtype`, and is refused
 * where that is BL_DTYPE_NONE. The message of BL_ERR_FORMAT contains the text; *out is
 * written on success.
 */
bl_status operand_parse(const char *text, bl_dtype dtype, struct operand *out);

/* The operand as an array over `base`, which may be NULL if no data is accessed. */
bl_array operand_array(const struct operand *operand, void *base);

#endif
