/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost model: how many threads some work pays for. */
#ifndef BLI_PLAN_COST_H
#define BLI_PLAN_COST_H

#include "plan/plan.h"

/* The threads that the cost model gives a plan's nest and kernel, at least 1. Pure. */
int32_t bli_plan_thread_count(const struct bl_plan *plan);

/*
 * Nanoseconds of work that pay for one more thread, with libgomp on two such cores: a
 * parallel region costs 0.8 us.  One thread was faster up to 1.6 us of work (0.94 of
 * its time at 32768 elements of f32), two threads from 3.5 us on (1.5 times as fast at
 * 65536, 2 times from 131072 on).
 */
#define BLI_GRAIN_NS 1500

/* Number of threads for work of so many nanoseconds on one core. */
int32_t bli_threads_for(double ns);

/* Nanoseconds per element of an expression that its bytes do not tell. */
double bli_plan_expression_ns(const struct bl_plan *plan);

/* Nanoseconds per element that a reduction takes to widen its operand. */
double bli_plan_reduced_ns(bl_dtype dtype);

#endif
