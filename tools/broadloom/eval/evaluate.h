/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Evaluates the program of an expression.
 */
#ifndef EVALUATE_H
#define EVALUATE_H

#include "expr.h"

/* What an expression is evaluated with. */
struct evaluation {
    bl_context *ctx;
    const bl_rules
        *rules; /* of every operation; rules with an axis apply to two operands */
    int64_t axis;
    bl_tensor *const *variable;              /* indexed by variable number */
    void (*done)(void *user, int32_t steps); /* called after each step */
    void *user;
};

/*
 * Evaluate a program whose variables are bound; returns a new reference.  Intermediate
 * values are freed as soon as they are no longer needed, and reused in place where they
 * have the shape of the result.  On failure `*at` is the position in the expression.
 */
bl_status evaluate(const struct evaluation *how, const struct expr *expr,
                   bl_tensor **out, size_t *at);

#endif
