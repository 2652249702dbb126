/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which memory of an operand a range of a plan's iterations touches.
 */
#ifndef ACCESS_FOOTPRINT_H
#define ACCESS_FOOTPRINT_H

#include "tool.h"

/* Bytes of a cache line: memory that is touched closer together is touched. */
enum { CACHE_LINE_BYTES = 64 };

/* Is told of bytes `begin` to `end`, counted from the operand's element (0, ..., 0). */
typedef void run_function(void *user, int64_t begin, int64_t end);

/*
 * Tell `run` of every run of memory of operand `k` (0: the result) that iterations
 * `range` touch.  `size` is that of its elements.  Repeated elements are told of a few
 * times at most, not once for each iteration.
 */
void footprint_runs(const bl_plan_info *info, int32_t k, int64_t size, bl_range range,
                    run_function *run, void *user);

#endif
