/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One query of `broadloom shape`: an operator, rules and shapes, and its answer.
 */
#ifndef SHAPE_QUERY_H
#define SHAPE_QUERY_H

#include <broadloom/warnings.h>

#include "parse_shape.h"
#include "shape_ops.h"

struct shape_query {
    const bl_rules *rules; /* NULL: from the environment, or implied by the axis */
    int64_t axis;
    bool inplace;
    bool has_op;
    bool warns; /* report where broadcasting changes a result */
    bl_predicate predicate;
    struct shape_op op;
    const char *file; /* of the call whose warnings the library raises; NULL: none */
    int32_t line;
};

/* The answer to a query. */
struct shape_reply {
    struct shape shape;
    bool is_number; /* a Torch scalar: Torch has no shape () */
    int warnings;
    const char *warning[2]; /* their ids */
};

/*
 * Find the result shape of the `count` shapes in `word`.  BL_ERR_FORMAT for a malformed
 * shape, BL_ERR_ARGUMENT for a wrong number of shapes, else the library's status;
 * *reply is written on success.
 */
bl_status shape_query_answer(const struct shape_query *query, int count,
                             char *const *word, struct shape_reply *reply);

/* Print "(2,3)", and the ids of warnings after tabs. */
void shape_reply_print(const struct shape_reply *reply);

#endif
