/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks of a bound plan: over a range of its nest, in tiles where the plan has them.
 */
#ifndef BLI_WALK_H
#define BLI_WALK_H

#include "exec/exec.h"

/*
 * Run the iterations in `range` of a bound plan, in tiles where it has them, with part
 * number `thread` of the binding's staging.
 */
void bli_walk_plan(const struct bl_plan *plan, const struct bli_binding *binding,
                   bl_range range, int32_t thread);

/*
 * Run the iterations in `range` of a bound plan that has tiles, with `staging`. Where
 * the result is `non_temporal`, the caller must issue the store fence.
 */
void bli_tiled_walk(const struct bl_plan *plan, const struct bli_binding *binding,
                    bool non_temporal, bl_range range, char *staging);

#endif
