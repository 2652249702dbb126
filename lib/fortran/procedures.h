/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The procedures that are written by hand, as the module's interfaces have them; those
 * of operators and reductions are generated (procedures.c).
 */
#ifndef BROADLOOM_FORTRAN_PROCEDURES_H
#define BROADLOOM_FORTRAN_PROCEDURES_H

#include "fortran/glue.h"

BL_API void blf_masked_select(blf_actual a, blf_actual mask, blf_actual out,
                              int64_t *count, int *stat, blf_actual errmsg,
                              const blf_context *ctx);
BL_API void blf_masked_scatter(blf_actual a, blf_actual mask, blf_actual source,
                               blf_actual out, int *stat, blf_actual errmsg,
                               const blf_context *ctx);
BL_API void blf_masked_scatter_inplace(blf_actual a, blf_actual mask, blf_actual source,
                                       int *stat, blf_actual errmsg,
                                       const blf_context *ctx);
BL_API void blf_masked_fill_inplace(blf_actual a, blf_actual mask, blf_actual value,
                                    int *stat, blf_actual errmsg,
                                    const blf_context *ctx);
BL_API void blf_reshape(blf_actual a, blf_actual out, int *stat, blf_actual errmsg,
                        const blf_context *ctx);

/* The operands of an expression, NULL where absent, and its results but the first. */
#define BLF_EXPR_PARAMETERS                                                            \
    blf_actual a, blf_actual b, blf_actual c, blf_actual d, blf_actual e,              \
        blf_actual f, blf_actual g, blf_actual h, blf_actual out2, blf_actual out3,    \
        blf_actual out4

BL_API void blf_expr_parse(blf_expr *expr, blf_actual text, int *stat,
                           blf_actual errmsg, const blf_context *ctx);
BL_API void blf_expr_destroy(blf_expr *expr);
BL_API void blf_expr_run(const blf_expr *expr, blf_actual out, BLF_EXPR_PARAMETERS,
                         int *stat, blf_actual errmsg, const blf_context *ctx);
BL_API void blf_expr_plan_create(blf_expr_plan *plan, const blf_expr *expr,
                                 blf_actual out, BLF_EXPR_PARAMETERS, int *stat,
                                 blf_actual errmsg, const blf_context *ctx);
BL_API void blf_expr_plan_destroy(blf_expr_plan *plan);
BL_API void blf_expr_plan_execute(const blf_expr_plan *plan, blf_actual out,
                                  BLF_EXPR_PARAMETERS, int *stat, blf_actual errmsg,
                                  const blf_context *ctx);

BL_API void blf_context_create(blf_context *ctx, int *stat, blf_actual errmsg);
BL_API void blf_context_destroy(blf_context *ctx);
BL_API void blf_context_set_threads(blf_context *ctx, const int *threads, int *stat,
                                    blf_actual errmsg);
BL_API void blf_context_get_threads(const blf_context *ctx, int *threads);
BL_API void blf_context_set_isa(blf_context *ctx, blf_actual isa, int *stat,
                                blf_actual errmsg);
BL_API void blf_context_get_isa(const blf_context *ctx, blf_actual isa);
BL_API void blf_context_set_rules(blf_context *ctx, blf_actual rules, int *stat,
                                  blf_actual errmsg);
BL_API void blf_context_get_rules(const blf_context *ctx, blf_actual rules);
BL_API void blf_context_set_overlap(blf_context *ctx, blf_actual overlap, int *stat,
                                    blf_actual errmsg);
BL_API void blf_context_get_overlap(const blf_context *ctx, blf_actual overlap);

#endif
