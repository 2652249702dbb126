/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One question of `broadloom shape`: an operator, rules and shapes, and its answer.
 */
#ifndef SHAPE_QUERY_H
#define SHAPE_QUERY_H

#include <broadloom/warnings.h>

#include "parse_shape.h"
#include "shape_ops.h"

struct shape_query {
    const bl_rules *rules; /* NULL: what the environment or the axis say */
    int64_t axis;
    bool inplace;
    bool has_op;
    bool warns; /* where broadcasting changes a result */
    bl_predicate predicate;
    struct shape_op op;
};

/* What is answered. */
struct shape_reply {
    struct shape shape;
    bool is_number; /* of Torch, which has no shape () */
    int warnings;
    const char *warning[2]; /* their ids */
};

/*
 * The shape that the `count` shapes written in `word` give.  BL_ERR_FORMAT for a shape
 * that cannot be read, BL_ERR_ARGUMENT for a wrong number of them, else the library's
 * answer; *reply is written on success.
 */
bl_status shape_query_answer(const struct shape_query *query, int count,
                             char *const *word, struct shape_reply *reply);

/* "(2,3)", and the ids of warnings after tabs; at most SHAPE_TEXT bytes and theirs. */
void shape_reply_print(const struct shape_reply *reply);

#endif
