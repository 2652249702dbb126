/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs kernels over a range of a loop nest of any number of loops.
 */
#ifndef BLI_LOOP_NEST_H
#define BLI_LOOP_NEST_H

#include "kernels/kernel.h"
#include "shape/shape.h"

#include <broadloom/plan.h>

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

#endif
