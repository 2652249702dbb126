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
    return bli_split_range(plan->nest.count, bli_plan_line(plan), part, parts);
}
