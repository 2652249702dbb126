/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Boxes across several loops of a nest.
 */
#ifndef BLI_PERMUTED_H
#define BLI_PERMUTED_H

#include "exec/loops/tile.h"
#include "exec/loops/odometer.h"

/*
 * Of a plan that has boxes across loops, do as many of the `left` iterations from `at`
 * on as whole such boxes are, and move `at` behind them.  Their number, 0 where too few
 * iterations are left here.
 */
int64_t bli_permuted_run(struct bli_tile *tile, struct bli_odometer *at, int64_t left);

#endif
