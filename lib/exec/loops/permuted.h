/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Multi-loop tiles of a nest, for permuted operands.
 */
#ifndef BLI_PERMUTED_H
#define BLI_PERMUTED_H

#include "exec/loops/tile.h"
#include "exec/loops/odometer.h"

/*
 * Run whole multi-loop tiles of a plan that has them, with its `layout`, as many as fit
 * in the `left` iterations from `at` on, and move `at` behind them.  Returns the number
 * of iterations done, 0 where too few are left here.
 */
int64_t bli_permuted_run(struct bli_tile *tile, const struct bli_staging_layout *layout,
                         struct bli_odometer *at, int64_t left);

#endif
