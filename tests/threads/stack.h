/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of calls whose stack use is measured.
 */
#ifndef TESTS_STACK_H
#define TESTS_STACK_H

#include "harness/layouts.h"
#include "harness/painted.h"

/* The context of the calls. */
extern bl_context *stack_ctx;

/* Extents of the operands. */
extern int64_t stack_rows, stack_columns;

/* Make an operand filled with odd bytes, so that no integer is 0. */
void stack_make(struct layout_operand *o, bl_dtype dtype, enum layout layout);

/* Whether to make other calls with a dtype: with teams, one dtype of each kind. */
bool stack_is_tried(int32_t dtype);

/* Measure calls other than operators, with any number of threads. */
void stack_other_calls(void);
void stack_kept_calls(void);

#endif
