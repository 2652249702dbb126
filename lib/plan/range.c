/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The range of iterations that each part of a plan executes in a team that the caller
 * runs.
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
