/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which results are written with non-temporal stores.
 */
#ifndef BLI_PLAN_NON_TEMPORAL_H
#define BLI_PLAN_NON_TEMPORAL_H

#include "plan/plan.h"

#define BLI_NT_ROW 256 /* least bytes in a row of a result by non-temporal stores */

/*
 * Whether the last-level caches, with so much traffic of a call or an expression, keep
 * none of a result's bytes.
 */
bool bli_plan_is_large(const struct bli_isa *isa, struct bli_caches caches,
                       double bytes, double traffic, bool is_call);

/* Whether the plan copies without conversion: these kernels take any strides well. */
bool bli_plan_is_move(const struct bl_plan *plan);

/*
 * Whether the kernel has non-temporal stores, as element-wise expressions and
 * conversions do.
 */
bool bli_plan_has_nt_kernel(const struct bl_plan *plan);

/*
 * Bytes of operand `k`, each element counted once.  A plan needs no data, so they may
 * exceed the range of 64-bit integers.
 */
double bli_plan_own_bytes(const struct bl_plan *plan, int32_t k);

/* Whether operand `k` is one element, which all iterations share. */
bool bli_plan_is_number(const struct bl_plan *plan, int32_t k);

/* Least bytes of memory that are read and written. */
double bli_plan_traffic(const struct bl_plan *plan);

/*
 * Whether the result is large, with the plan's traffic, and in rows long enough for
 * non-temporal stores; before tiles are chosen.
 */
bool bli_plan_wants_nt(const struct bl_plan *plan, struct bli_caches caches,
                       double traffic);

/* Decide it for a plan whose tiles are chosen. */
void bli_plan_settle_nt(struct bl_plan *plan);

#endif
