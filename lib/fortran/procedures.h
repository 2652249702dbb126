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
