/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BLI_LOGICAL_ORDER_H
#define BLI_LOGICAL_ORDER_H

#include "plan/plan.h"

/*
 * Set the logical order of operands that need a linear copy; of all operands if the
 * plan is sequential.
 */
void bli_plan_note_order(struct bl_plan *plan, const struct bli_problem *problem);

#endif
