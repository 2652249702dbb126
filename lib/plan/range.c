/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which iterations of a plan belong to which part of a team of the caller's own.
 */
#include "plan/plan.h"
#include "plan/split.h"

int64_t bli_plan_line(const struct bl_plan *plan)
{
    return BLI_ALIGNMENT / plan->size[0];
}

bl_range bli_plan_range(const struct bl_plan *plan, int32_t part, int32_t parts)
{
    const int64_t count = plan->nest.count, line = bli_plan_line(plan);

    return (bl_range){bli_split_point(count, line, part, parts),
                      bli_split_point(count, line, part + 1, parts)};
}
