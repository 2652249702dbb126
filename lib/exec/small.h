/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs plans of small problems: each kernel is called once, for all elements.
 */
#ifndef BLI_SMALL_H
#define BLI_SMALL_H

#include "exec/exec.h"

/* Run all of a plan that is bound with BLI_METHOD_SMALL and the plan's own nest. */
void bli_small_run(const struct bl_plan *plan, const struct bli_binding *binding);

#endif
