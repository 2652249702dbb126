/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the program of an expression.
 */
#ifndef EVALUATE_H
#define EVALUATE_H

#include "expr.h"

/* What an expression runs with. */
struct evaluation {
    bl_context *ctx;
    const bl_rules *rules; /* of every operation; those with an axis: of two operands */
    int64_t axis;
    bl_tensor *const *variable;              /* by number */
    void (*done)(void *user, int32_t steps); /* called after each step */
    void *user;
};

/*
 * The value of a program whose variables are bound, a new reference.  What a step no
 * longer needs is freed at once, and written over where it has the shape of the result.
 * After a failure `*at` says where in the expression.
 */
bl_status evaluate(const struct evaluation *how, const struct expr *expr,
                   bl_tensor **out, size_t *at);

#endif
