/* SPDX-License-Identifier: BSD-3-Clause */
/* One execution of an expression's plan. */
#ifndef BLI_EXPR_EXECUTE_H
#define BLI_EXPR_EXECUTE_H

#include "expr/plan.h"

struct bli_expr_execution {
    bl_context *ctx;
    const bl_expr_plan *plan;
    void *const *outs;
    const void *const *data;
    const void *address; /* that the public function returns to */
    const char *function;
    bool is_named; /* the error names the function already */
    uint64_t late; /* bit k: output k is computed in the workspace, then copied */
    int layout;    /* of the workspace; 1: values lodge in outputs */
    char *memory;  /* the workspace */
};

/*
 * Check addresses, and decide which outputs are late: those that overlap inputs that
 * are read after they would be written.  BL_ERR_ARGUMENT and BL_ERR_OVERLAP as
 * bl_expr_plan_execute().
 */
bl_status bli_expr_bind(struct bli_expr_execution *run);

/* Where a value is. */
void *bli_expr_address(const struct bli_expr_execution *run, int32_t v);

#endif
