/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which kernels repeat the elements of a column along short rows themselves.
 */
#ifndef BLI_COLUMNS_H
#define BLI_COLUMNS_H

#include "plan/plan.h"

/*
 * Whether an input of the plan is a column, of stride 0 along rows, and the kernel
 * repeats its element in a register faster than a staging buffer is filled with it.
 */
bool bli_plan_repeats_columns(const struct bl_plan *plan);

#endif
