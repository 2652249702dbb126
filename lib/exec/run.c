/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a plan: each thread runs its share of the node ranges and reports it to the
 * tracer.
 */
#include "exec/small.h"
#include "exec/float_control.h"
#include "exec/region.h"
#include "exec/trace.h"
#include "exec/loops/walk.h"

struct run {
    const struct bl_plan *plan;
    const struct bli_binding *binding;
    const struct bli_trace *trace;
};

/* Run a range under the floating-point control that the plan's operator needs. */
static void walk(const struct bl_plan *plan, const struct bli_binding *binding,
                 bl_range range, int32_t thread)
{
    struct bli_float_control own;
    const bool is_set = plan->wants_nearest && bli_float_enter_nearest(&own);

    bli_walk_plan(plan, binding, range, thread);
    if (is_set)
        bli_float_control_set(own);
}

/* Run a thread's range, and report it to the tracer if there is one. */
static void run_range(const void *argument, int32_t thread, bl_range range)
{
    const struct run *const run = argument;
    const int64_t begin = bli_trace_clock(run->trace);

    walk(run->plan, run->binding, range, thread);
    bli_trace_slice(run->trace, thread, range, begin);
}

/* Run all of a plan on a team.  Returns the number of threads that it had. */
BLI_OWN_FRAME static int32_t run_parallel(const struct run *run,
                                          const struct bli_team *team, int32_t threads)
{
    struct bli_node_ranges ranges;

    bli_node_ranges_find(&ranges, run->plan, run->binding, bli_machine());
    return bli_exec_node_ranges(team, threads, &ranges, bli_plan_line(run->plan),
                                run_range, run);
}

/* Run plans that are large enough for a team, and calls that are traced. */
static void run_team(const struct bl_plan *plan, const struct bli_binding *binding,
                     const struct bli_team *team, bl_range all)
{
    int32_t threads = binding->staging.memory
                          ? binding->staging.threads
                          : bli_team_size(team, plan->threads, NULL);
    struct bli_trace trace = {.team = NULL};
    const struct run run = {plan, binding, &trace};

    if (team->tracer)
        bli_trace_open(&trace, team, plan->op);
    const int64_t begin = bli_trace_clock(&trace);

    if (threads == 1)
        run_range(&run, 0, all);
    else
        threads = run_parallel(&run, team, threads);
    bli_trace_region(&trace, threads, all, begin);
}

/* Run all of a plan on the calling thread, untraced. */
static void run_here(const struct bl_plan *plan, const struct bli_binding *binding,
                     bl_range all)
{
    struct bli_float_control own;
    const bool is_set = plan->wants_nearest && bli_float_enter_nearest(&own);

    if (binding->is_sequential)
        bli_exec_sequential(plan, binding);
    else if (plan->small.is_used && binding->nest == &plan->nest)
        bli_small_run(plan, binding);
    else
        bli_walk_plan(plan, binding, all, 0);
    if (is_set)
        bli_float_control_set(own);
}

void bli_exec_run(const struct bl_plan *plan, const struct bli_binding *binding,
                  const struct bli_team *team)
{
    const bl_range all = {0, plan->nest.count};

    if (!binding->is_sequential && (plan->threads > 1 || team->tracer))
        run_team(plan, binding, team, all);
    else
        run_here(plan, binding, all);
}

void bli_exec_part(const struct bl_plan *plan, const struct bli_binding *binding,
                   int32_t part, int32_t parts)
{
    walk(plan, binding, bli_plan_range(plan, part, parts), 0);
}
