/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of calls whose stack is measured.
 */
#ifndef TESTS_STACK_H
#define TESTS_STACK_H

#include "harness/layouts.h"
#include "harness/painted.h"

/* What calls are made with. */
extern bl_context *stack_ctx;

/* Extents of operands. */
extern int64_t stack_rows, stack_columns;

/* An operand with contents: odd bytes, so that no integer is 0. */
void stack_make(struct laid *o, bl_dtype dtype, enum layout layout);

/* Whether other calls are made on a dtype: in teams, on one of each kind. */
bool stack_is_tried(int32_t dtype);

/* Everything but operators: of any number of threads. */
void stack_other_calls(void);
void stack_kept_calls(void);

#endif
