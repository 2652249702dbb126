/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs plans of small problems: each kernel is called once, for all elements.
 */
#ifndef BLI_SMALL_H
#define BLI_SMALL_H

#include "exec/exec.h"

/*
 * Run all of a bound plan whose `small.is_used` is set, at the addresses of `binding`,
 * whose nest is the plan's.
 */
void bli_small_run(const struct bl_plan *plan, const struct bli_binding *binding);

#endif
