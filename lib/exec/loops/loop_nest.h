/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs kernels over a range of a loop nest of any number of loops.
 */
#ifndef BLI_WALK_H
#define BLI_WALK_H

#include "exec/exec.h"

/*
 * Call the kernel for the iterations in `range`, in order, with operands at `data`
 * (element (0, ..., 0), before the nest's offsets).
 */
void bli_walk(const struct bli_nest *nest, bli_kernel *kernel, const void *params,
              char *const *data, bl_range range);

/*
 * Call the kernel for all iterations of `loops` loops, at least two, innermost first,
 * with operands at `data`.
 */
void bli_walk_loops(int32_t loops, const int64_t *extent,
                    const int64_t (*stride)[BLI_MAX_OPERANDS], int32_t operands,
                    bli_kernel *kernel, const void *params, char *const *data);

/*
 * Run the iterations in `range` of a bound plan, in tiles where it has them, with part
 * number `thread` of the binding's staging.
 */
void bli_walk_plan(const struct bl_plan *plan, const struct bli_binding *binding,
                   bl_range range, int32_t thread);

/*
 * Run the iterations in `range` of a bound plan that has tiles, with `staging`. Where
 * the result is `non_temporal`, the caller must issue the store fence.
 */
void bli_tiled_walk(const struct bl_plan *plan, const struct bli_binding *binding,
                    bool non_temporal, bl_range range, char *staging);

/*
 * Return the address of operand `k` at iteration `at`; `data` is its address before the
 * nest's offsets.
 */
const char *bli_walk_address(const struct bli_nest *nest, const char *data, int32_t k,
                             int64_t at);

#endif
