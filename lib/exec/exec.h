/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executes plans that are bound to addresses, as plan and binding say: it cannot fail,
 * does not allocate, and decides nothing.
 */
#ifndef BLI_EXEC_H
#define BLI_EXEC_H

#include "core/lend.h"
#include "plan/plan.h"
#include "plan/split.h"

/*
 * Staging memory, one part for each thread.  A call that runs on one thread may have
 * its part on the stack, up to BLI_STACK_BYTES; in a team the stack is left to the
 * team's own frames.
 */
struct bli_staging {
    char *memory; /* of thread 0; NULL: on the stack */
    int64_t each; /* bytes from one thread's part to the next one's */
};

static inline char *bli_staging_of(const struct bli_staging *staging, int32_t thread)
{
    return staging->memory ? staging->memory + thread * staging->each : NULL;
}

/* Node ranges, and the nodes of a team's threads. */
struct bli_node_work {
    struct bli_node_ranges ranges;
    int32_t nodes;  /* of the machine */
    int16_t node[]; /* of each thread: found as the region opens */
};

/*
 * How iterations are divided among threads: exec/bind decides it, the region obeys.
 * Every thread gets an equal share of [0, count), or of the node ranges of its node.
 */
struct bli_partition {
    int32_t threads; /* that have parts, exactly; 1: the calling thread, no region */
    int32_t team;    /* threads of the region; more than that have none */
    bool is_locked;  /* thread_limits.c holds its lock until the region is open */
    int64_t count;
    int64_t line; /* split points between threads are multiples of this */
    struct bli_node_work *nodes; /* lent; NULL on a machine with one node */
};

/*
 * A plan's operands at addresses, and what depends on addresses and on the machine now.
 * The nest and the layout of staging buffers are the plan's, or those of a nest with
 * other strides.
 */
struct bli_binding {
    const struct bli_nest *nest;
    char *data[BLI_MAX_OPERANDS];
    const void *params; /* for the plan's kernel; NULL where it takes none */
    enum bli_method method;
    /* Not set for BLI_METHOD_SMALL, which needs nothing else: */
    const struct bli_staging_layout *layout;
    bool non_temporal; /* the result is written with non-temporal stores */
    uint32_t staged;   /* bit k: operand k has a staging buffer */
    struct bli_staging staging;
    struct bli_partition partition;
};

/* The threads that a call may use, and who runs and traces them. */
struct bli_team {
    int32_t threads;   /* at most; 0: what OpenMP, the mask and the quota allow */
    bool nested;       /* also inside an active region, where OpenMP's nesting allows */
    int32_t region_ns; /* that a parallel region takes; 0: to be measured */
    bool bind;         /* run each thread on its node for the length of the call */
    bl_parallel_for run; /* NULL: OpenMP */
    void *user;
    bl_tracer tracer; /* NULL: the call is not traced */
    void *tracer_user;
};

/* Run all of a bound plan. */
void bli_exec_run(const struct bl_plan *plan, const struct bli_binding *binding,
                  const struct bli_team *team);

/*
 * Run a range of a bound plan on the calling thread, with the staging of thread
 * `thread`.  BLI_METHOD_SMALL and BLI_METHOD_SEQUENTIAL run all of it.
 */
void bli_exec_range(const struct bl_plan *plan, const struct bli_binding *binding,
                    bl_range range, int32_t thread);

/*
 * Call body(argument, thread, range) for each thread's ranges: in one parallel region,
 * which is bli_exec_team(), or on the calling thread if there is one thread.  All
 * ranges together are [0, partition->count).  Returns the number of threads that there
 * were.
 */
typedef void bli_body(const void *argument, int32_t thread, bl_range range);
int32_t bli_exec_team(const struct bli_partition *partition,
                      const struct bli_team *team, bli_body *body,
                      const void *argument);

static inline int32_t bli_exec_region(const struct bli_partition *partition,
                                      const struct bli_team *team, bli_body *body,
                                      const void *argument)
{
    if (partition->threads > 1)
        return bli_exec_team(partition, team, body, argument);
    body(argument, 0, (bl_range){0, partition->count});
    return 1;
}

#endif
