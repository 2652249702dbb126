/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a plan: each thread asks for its range and walks it.
 */
#include "exec/exec.h"
#include "exec/walk.h"

struct run {
    const struct bl_plan *plan;
    const struct bli_binding *binding;
};

static void run_part(const void *argument, int32_t part, int32_t parts)
{
    const struct run *const run = argument;

    bli_exec_part(run->plan, run->binding, part, parts);
}

void bli_exec_part(const struct bl_plan *plan, const struct bli_binding *binding,
                   int32_t part, int32_t parts)
{
    bli_walk(binding->nest, plan->kernel, binding->data,
             bli_plan_range(plan, part, parts));
}

void bli_exec_run(const struct bl_plan *plan, const struct bli_binding *binding,
                  const struct bli_team *team)
{
    const struct run run = {plan, binding};

    bli_exec_team(team, plan->threads, run_part, &run);
}
