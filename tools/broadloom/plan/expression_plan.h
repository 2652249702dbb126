/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plan of an expression: which value lives where, from which call to which.
 */
#ifndef EXPRESSION_PLAN_H
#define EXPRESSION_PLAN_H

#include <broadloom/expr.h>

#include "operand.h"

/* How the plan is made. */
struct expression_options {
    bl_context *ctx;
    bl_dtype dtype; /* of operands that name none */
    bl_expr_options plan;
};

/* A value: a node of the expression that is computed, read or written. */
struct expression_value {
    bl_node node;
    bl_expr_node_info info;
    int32_t last;   /* the last call that reads it; -1: none */
    bool is_result; /* it is an output, or is copied to one */
};

struct expression_plan {
    const char *text;
    bl_expr *expr;
    bl_expr_plan *plan;
    bl_expr_info about;
    bl_expr_plan_info info;
    int32_t count; /* of values, in the order of their nodes */
    struct expression_value *value;
};

/*
 * Plan `text` for the `count` words NAME=OPERAND.  Errors are those of the library;
 * BL_ERR_ARGUMENT for names that the expression does not have.  Free with
 * expression_plan_free(), also after a failure.
 */
bl_status expression_plan_make(const struct expression_options *options,
                               const char *text, int count, char *const *word,
                               struct expression_plan *out);
void expression_plan_free(struct expression_plan *plan);

/* The bytes of a value's elements. */
int64_t expression_bytes(const bl_expr_node_info *info);

/* What a place is called: "workspace". */
const char *expression_place(int32_t place);

/* The name of an input, or the text of an operation; cut to `size`.  Returns `text`. */
const char *expression_text(const struct expression_plan *plan,
                            const struct expression_value *value, char *text,
                            size_t size);

/* The operator of a call, as the text has it: "sqrt", "+"; "copy" of no node. */
void expression_operator(const struct expression_plan *plan, int32_t call,
                         char text[16]);

/* ---- outputs ---- */

bl_status expression_plan_words(const struct expression_plan *plan);
void expression_plan_json(const struct expression_plan *plan);
bl_status expression_picture(const struct expression_plan *plan, const char *path);

#endif
