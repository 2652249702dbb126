/* SPDX-License-Identifier: BSD-3-Clause */
/* One execution of an expression's plan. */
#ifndef BLI_EXPR_EXECUTE_H
#define BLI_EXPR_EXECUTE_H

#include "expr/plan.h"

/*
 * Bytes of a late output that are copied without a plan, by the calling thread. Emerald
 * Rapids: t = a * b; t + c; a - t; t of f32, the first two an element behind a and b,
 * takes .22 of the time so with 256 elements, .55 with 2048, .72 with 4096.
 */
#define BLI_EXPR_FEW_BYTES (16 << 10)

/* A part of an execution by a team of the program's. */
struct bli_expr_part {
    int32_t part, parts;
};

struct bli_expr_execution {
    bl_context *ctx;
    const bl_expr_plan *plan;
    void *const *outs;
    const void *const *data;
    const void *address; /* that the public function returns to */
    const char *function;
    bool is_named;  /* the error names the function already */
    uint64_t late;  /* bit k: output k is computed in the workspace, then copied */
    int layout;     /* of the workspace; 1: values lodge in outputs */
    char *memory;   /* the workspace */
    char *partials; /* memory for partial results of fusions, where these are many */
    const struct bli_expr_part *part; /* that the calling thread does; NULL: all */
    int32_t refused;                  /* step that refuses values; set where it does */
};

/*
 * Check addresses, and decide which outputs are late: those that overlap inputs that
 * are read after they would be written.  BL_ERR_ARGUMENT and BL_ERR_OVERLAP as
 * bl_expr_plan_execute().
 */
bl_status bli_expr_bind(struct bli_expr_execution *run);

/*
 * Refuse values of integers that the steps of a fusion do not take, before anything of
 * it is written: those of inputs, which are checked before the first phase, or computed
 * ones.  BL_ERR_ARGUMENT, BL_ERR_MEMORY.
 */
bl_status bli_expr_check_values(struct bli_expr_execution *run, int32_t p,
                                bool are_inputs);

/* The refusal of a step's values, once more. */
bl_status bli_expr_refuse_values(struct bli_expr_execution *run, int32_t s);

/*
 * Steps of an execution: warnings of all calls; a phase, or a late output's copy, or as
 * a rehearsal what these take; marks of shadow runs.
 */
bl_status bli_expr_raise_warnings(struct bli_expr_execution *run);
bl_status bli_expr_run_phase(struct bli_expr_execution *run, int32_t p,
                             bool is_rehearsal);
bl_status bli_expr_run_copy(const struct bli_expr_execution *run, int32_t k,
                            bool is_rehearsal);

/*
 * The call of a reduction, into its output's memory or compact memory.  Errors of
 * bli_reduce_run().
 */
bl_status bli_expr_run_reduce(const struct bli_expr_execution *run, int32_t s,
                              bool is_direct);

void bli_expr_carry_marks(const struct bli_expr_execution *run);

/* The fusion of a phase that writes where this execution has the phase's results. */
const struct bli_fusion *bli_expr_fusion(const struct bli_expr_execution *run,
                                         const struct bli_expr_phase *phase);

/* Phases of an execution in parts, and bytes of its workspace. */
int32_t bli_expr_part_phases(const bl_expr_plan *plan);
int64_t bli_expr_part_bytes(const bl_expr_plan *plan);

/* Where a value is. */
void *bli_expr_address(const struct bli_expr_execution *run, int32_t v);

#endif
