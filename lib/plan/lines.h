/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which plans wait for cache lines alone.
 */
#ifndef BLI_PLAN_LINES_H
#define BLI_PLAN_LINES_H

#include "plan/plan.h"

/*
 * Whether 256 bits are taken at a time by kernels that wait for several contiguous
 * operands, BLI_LINES_TRAFFIC of the last-level caches or more in all, where registers
 * of 512 are two passes: those of 256 fetch lines for more loads.  Zen 4, one thread:
 * sums and products of 30 MB of f32 take .83 of the time, f64 .85, i16 .83, addcmul .8,
 * comparisons .84 to .99, 42 to 100 MB .62 to .98, f32[40000000] .9 to .95; two threads
 * .9 to .97; of 12 MB .95 and 1.0.  From one operand they take 1.0, rows and columns
 * .93 to 1.2, halves 1.15; shifts of 8 and 16 bits would take 1.2, fmod 1.3, products
 * of i64 1.13, of u8 1.1.
 */
#define BLI_LINES_TRAFFIC 0.35

bool bli_plan_waits_for_lines(const struct bl_plan *plan, struct bli_caches caches,
                              double traffic);

#endif
