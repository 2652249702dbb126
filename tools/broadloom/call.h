/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call as described on the command line: an operator and its operands, without data.
 */
#ifndef CALL_H
#define CALL_H

#include "operand.h"
#include "parse_shape.h"

struct call {
    bl_op op;
    const char *name; /* of the operator */
    int32_t count;
    bool inplace; /* the first operand is the result */
    struct operand operand[BL_MAX_INPUTS];
    char text[BL_MAX_INPUTS]
             [2 * SHAPE_TEXT];     /* operands as written, with their dtype */
    bl_array array[BL_MAX_INPUTS]; /* without data; borrow `operand` */
    const bl_array *in[BL_MAX_INPUTS];
};

/*
 * Parse the words of a call; operands without a dtype get `dtype`.  Refuses unknown
 * operators and the wrong number of operands.  A call holds pointers into itself and
 * must not be copied; it borrows `op`.
 */
bl_status call_read(const char *op, bl_dtype dtype, bool inplace, int count,
                    char *const *word, struct call *call);

/* Make a plan for the call; free it with bl_plan_destroy(). */
bl_status call_plan(const struct call *call, bl_context *ctx, const bl_options *options,
                    bl_plan **plan);

/* Write "add f32[2,3] f32[3], in place" into `text`, truncated to `size`. */
void call_text(const struct call *call, char *text, size_t size);

#endif
