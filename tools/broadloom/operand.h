/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands as people write them: dtype[shape]layout, with no layout for compact
 * row-major, T for the last two dimensions swapped in memory, /2 for every second
 * element of a last dimension twice as long, P0231 for the order of the dimensions in
 * memory, slowest first,
 * {-4,1}+8 for strides and an offset, in elements.
 */
#ifndef OPERAND_H
#define OPERAND_H

#include "tool.h"

struct operand {
    bl_dtype dtype;
    bl_layout layout;
};

/*
 * An operand that is all of `text`; one without a dtype gets `dtype`, and is refused
 * where that is BL_DTYPE_NONE.  BL_ERR_FORMAT names the text; *out is written on
 * success.
 */
bl_status operand_parse(const char *text, bl_dtype dtype, struct operand *out);

/* An operand's array over `base`, which may be NULL where no data is looked at. */
bl_array operand_array(const struct operand *operand, void *base);

#endif
