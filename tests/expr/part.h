/* SPDX-License-Identifier: BSD-3-Clause */
/* Executions in parts by threads of the test's own. */
#ifndef TESTS_EXPR_PART_H
#define TESTS_EXPR_PART_H

#include <broadloom/expr_part.h>

enum { TEAM = 7 }; /* most threads */

struct team;

struct member {
    struct team *team;
    int32_t part;
    bl_status status; /* of its last phase */
    char message[256], where[256];
};

/* Execute a plan by `parts` threads; whether the workspace was enough. */
bool part_run(const bl_expr_plan *plan, bl_context *ctx, int32_t parts,
              void *const *outs, const void *const *data, struct member *member);

#endif
