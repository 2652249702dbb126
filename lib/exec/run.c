/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a bound plan: each thread runs its ranges and reports them to the tracer.
 */
#include "exec/exec.h"
#include "core/float_control.h"
#include "exec/sequential.h"
#include "exec/small.h"
#include "exec/trace.h"
#include "exec/loops/walk_plan.h"

/*
 * Run a range by the binding's method, under the floating-point control that the plan's
 * operator needs.
 */
static inline void run_range(const struct bl_plan *plan,
                             const struct bli_binding *binding, bl_range range,
                             int32_t thread)
{
    struct bli_float_control own;
    const bool is_set = plan->wants_nearest && bli_float_enter_nearest(&own);

    switch (binding->method) {
    case BLI_METHOD_SMALL:
        bli_small_run(plan, binding);
        break;
    case BLI_METHOD_SEQUENTIAL:
        bli_sequential_run(plan, binding);
        break;
    default:
        bli_walk_plan(plan, binding, range, thread);
        break;
    }
    if (is_set)
        bli_float_control_set(own);
}

void bli_exec_range(const struct bl_plan *plan, const struct bli_binding *binding,
                    bl_range range, int32_t thread)
{
    run_range(plan, binding, range, thread);
}

struct run {
    const struct bl_plan *plan;
    const struct bli_binding *binding;
    const struct bli_trace *trace;
};

/* Run a thread's range, and report it to the tracer if there is one. */
static void run_share(const void *argument, int32_t thread, bl_range range)
{
    const struct run *const run = argument;
    const int64_t begin = bli_trace_clock(run->trace);

    bli_exec_range(run->plan, run->binding, range, thread);
    bli_trace_slice(run->trace, thread, range, begin);
}

/* Return whether a binding has a parallel region. */
static bool has_team(const struct bli_binding *binding)
{
    return binding->method != BLI_METHOD_SMALL && binding->partition.threads > 1;
}

/* Run a binding that has a team, or a call that is traced. */
static void run_partition(const struct bl_plan *plan, const struct bli_binding *binding,
                          const struct bli_team *team, bl_range all)
{
    struct bli_trace trace = {.team = NULL};
    const struct run run = {plan, binding, &trace};
    int32_t threads = 1;

    if (team->tracer)
        bli_trace_open(&trace, team, plan->op);
    const int64_t begin = bli_trace_clock(&trace);

    if (has_team(binding))
        threads = bli_exec_region(&binding->partition, team, run_share, &run);
    else
        run_share(&run, 0, all);
    bli_trace_region(&trace, threads, all, begin);
}

void bli_exec_run(const struct bl_plan *plan, const struct bli_binding *binding,
                  const struct bli_team *team)
{
    const bl_range all = {0, plan->nest.count};

    if (has_team(binding) || team->tracer)
        run_partition(plan, binding, team, all);
    else
        run_range(plan, binding, all, 0);
}
