/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Access footprint: which memory of an operand a range of a plan's iterations touches.
 */
#ifndef ACCESS_FOOTPRINT_H
#define ACCESS_FOOTPRINT_H

#include "tool.h"

/* Bytes of a cache line. Gaps shorter than this count as touched. */
enum { CACHE_LINE_BYTES = 64 };

/*
 * Receives one run of bytes, `begin` to `end`, relative to the operand's element (0,
 * ..., 0).
 */
typedef void run_function(void *user, int64_t begin, int64_t end);

/*
 * Call `run` for each contiguous run of memory of operand `k` (0: the result) that
 * iterations `range` touch.  `size` is the element size in bytes.  An element that is
 * broadcast is reported a few times at most, not once for each iteration.
 */
void footprint_runs(const bl_plan_info *info, int32_t k, int64_t size, bl_range range,
                    run_function *run, void *user);

#endif
