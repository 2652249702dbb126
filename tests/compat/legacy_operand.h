/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands of one count in random shapes and layouts, beside their elements in order.
 */
#ifndef TESTS_LEGACY_OPERAND_H
#define TESTS_LEGACY_OPERAND_H

#include <broadloom.h>

enum { OPERAND_RANK = 4 };

/* An operand in memory, and its elements in row-major order. */
struct operand {
    int64_t count;
    int64_t extent[OPERAND_RANK];
    int64_t stride[OPERAND_RANK];
    bl_array array;
    bl_array flat;
    char *memory;
    char *elements;
};

/* Memory for elements of `bytes` together; false where there is none. */
bool operand_open(struct operand *o, size_t bytes);
void operand_close(struct operand *o);

/*
 * Lay out `count` elements, a multiple of 720, of f32, i32 or bool: compact, the last
 * dimensions first, every second element, backwards, or (what is not written) with the
 * first dimension repeated.
 */
void operand_lay_out(struct operand *o, bl_dtype dtype, int64_t count, bool is_written);

/* Read into `elements` what they are now. */
void operand_read(struct operand *o);

#endif
