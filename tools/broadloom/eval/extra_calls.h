/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that expressions of the library do not have: distances, sums to a shape,
 * selection by masks.
 */
#ifndef EXTRA_CALLS_H
#define EXTRA_CALLS_H

#include "evaluation.h"

enum extra_function {
    EXTRA_DIST,
    EXTRA_MASKED_SCATTER,
    EXTRA_MASKED_SELECT,
    EXTRA_SUM_TO
};

/* Most arguments of one of them. */
enum { EXTRA_ARGUMENTS = 3 };

/* What computes them. */
struct extra_backend {
    void *user;
    /* Compute argument k of the next call, an expression of one result. */
    bl_status (*compute)(void *user, bl_expr *expr, int32_t k);
    /* Make the call of `count` arguments; its result is the value of name `slot`. */
    bl_status (*call)(void *user, enum extra_function function, int32_t count,
                      int32_t slot);
};

/* Whether a text has calls of these functions. */
bool extra_calls_are_in(const char *text);

/*
 * Compute these calls, statement after statement and innermost first, and replace each
 * in `text` by the name of its result, a new name of the evaluation, and blanks: the
 * places of everything else stay.
 */
bl_status extra_calls_replace(struct evaluation *evaluation,
                              const struct extra_backend *backend, char *text);

/* Whether `name` stands in a text as a word. */
bool text_has_word(const char *text, const char *name);

/* ---- extra_here.c ---- */

/* Call one of them in this process; arguments that are not given are NULL. */
bl_status extra_call_here(bl_context *ctx, enum extra_function function,
                          const bl_array *const *array, bl_tensor **out);

/* extra_calls_replace() in this process: results are tensors of the evaluation. */
bl_status extra_calls_replace_here(struct evaluation *evaluation, char *text);

/* The norm that dist has as an argument; NULL: 2. */
bl_status extra_norm(bl_context *ctx, const bl_array *argument, double *norm);

#endif
