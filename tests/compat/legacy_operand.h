/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands of equal numel in random shapes and layouts, with a copy of their elements
 * in row-major order.
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

/* Allocate memory for elements of `bytes` in total; false where there is none. */
bool operand_open(struct operand *o, size_t bytes);
void operand_close(struct operand *o);

/*
 * Lay out `count` elements, a multiple of 720, of f32, i32 or bool: compact, with the
 * last dimensions slowest, every second element, reversed, or (only for inputs) with a
 * broadcast first dimension.
 */
void operand_lay_out(struct operand *o, bl_dtype dtype, int64_t count, bool is_written);

/* Copy the operand's current elements into `elements`. */
void operand_read(struct operand *o);

#endif
