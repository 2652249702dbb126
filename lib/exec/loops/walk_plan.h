/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks of a bound plan: over a range of its nest, in tiles where the plan has them.
 */
#ifndef BLI_WALK_PLAN_H
#define BLI_WALK_PLAN_H

#include "exec/exec.h"

/*
 * Run the iterations in `range` of a bound plan by the binding's method, nest or tiles,
 * with part number `thread` of its staging.
 */
void bli_walk_plan(const struct bl_plan *plan, const struct bli_binding *binding,
                   bl_range range, int32_t thread);

/*
 * Run the iterations in `range` of a bound plan that has tiles, with `staging`. The
 * caller issues the fence of non-temporal stores.
 */
void bli_tiled_walk(const struct bl_plan *plan, const struct bli_binding *binding,
                    bl_range range, char *staging);

#endif
