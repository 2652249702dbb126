/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Boxes across several loops of a nest.
 */
#ifndef BLI_ACROSS_H
#define BLI_ACROSS_H

#include "exec/box.h"
#include "exec/odometer.h"

/*
 * Of a plan that has boxes across loops, do as many of the `left` iterations from `at`
 * on as whole such boxes are, and move `at` behind them.  Their number, 0 where too few
 * iterations are left here.
 */
int64_t bli_across_run(struct bli_box *box, struct bli_tiles *tiles,
                       struct bli_odometer *at, int64_t left);

#endif
