/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of few elements: each kernel is called once, for all of them.
 */
#ifndef BLI_SMALL_H
#define BLI_SMALL_H

#include "exec/exec.h"

/*
 * Do all of a bound plan that is `few`, at the addresses of `binding`, whose nest is
 * the plan's.
 */
void bli_small_run(const struct bl_plan *plan, const struct bli_binding *binding);

#endif
