/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The split: which iterations of a plan belong to which part of a team.
 */
#include "plan/plan.h"

/* Border before part `part`: an even share of the count, moved down to a cache line. */
static int64_t border(const struct bl_plan *plan, int32_t part, int32_t parts)
{
    const int64_t count = plan->nest.count;
    const int64_t line = BLI_ALIGNMENT / plan->size[0];
    const int64_t even = count / parts * part + count % parts * part / parts;

    return part == parts ? count : even / line * line;
}

bl_range bli_plan_range(const struct bl_plan *plan, int32_t part, int32_t parts)
{
    return (bl_range){border(plan, part, parts), border(plan, part + 1, parts)};
}
