/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates expressions of named tensors. */
#ifndef EVALUATION_H
#define EVALUATION_H

#include <broadloom/expr.h>

#include "progress.h"
#include "tool.h"

struct evaluation {
    bl_context *ctx;
    bl_expr_options options;
    int32_t count; /* of names */
    const char *name[BL_MAX_SLOTS];
    bl_tensor *tensor[BL_MAX_SLOTS]; /* a reference to each */
    struct progress *progress;
    int64_t calls;  /* made so far */
    bool has_place; /* a failure is at `place` of the text */
    size_t place;
};

/*
 * Set the rules that are named and the axis; without either, rules are the context's.
 * BL_ERR_ARGUMENT where the rules take no axis.
 */
bl_status evaluation_set_rules(struct evaluation *evaluation, const bl_rules *named,
                               int64_t axis);

/* Parse `text`, whose places are those of the whole text. */
bl_status evaluation_parse(struct evaluation *evaluation, const char *text,
                           bl_expr **expr);

/*
 * Compute the outputs of an expression into new tensors.  With a `writer`, write what
 * would be done instead; there are no tensors then.
 */
bl_status evaluation_run(struct evaluation *evaluation, bl_expr *expr,
                         bl_write_function writer, bl_tensor **out);

/*
 * Print the expression's line, or a part of it, and a caret under position `at`.  The
 * text before that position has been parsed, and is ASCII.
 */
void evaluation_mark(const char *text, size_t at);

#endif
