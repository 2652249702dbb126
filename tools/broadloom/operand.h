/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The notation of operands: dtype[shape]layout.  No layout means compact row-major, T
 * the last two dimensions swapped in memory, /2 every second element of a last
 * dimension twice as long, P0231 the order of the dimensions in memory, slowest first,
 * {-4,1}+8 strides and an offset, in elements, {-48,12}B+96 in bytes.
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

/*
 * Compute the memory that the elements of a layout, of `size` bytes each, take: its
 * bytes, 0 if there are no elements, and those before element (0, ..., 0).
 */
void layout_memory(const bl_layout *layout, int64_t size, int64_t *bytes,
                   int64_t *first);

/* The operand as an array over `base`, which may be NULL if no data is accessed. */
bl_array operand_array(const struct operand *operand, void *base);

#endif
