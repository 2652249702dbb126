/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does what a plan decided: ranges to threads, one parallel region per call.  Cannot
 * fail, does not allocate, decides nothing but the size of the team.
 */
#ifndef BLI_EXEC_H
#define BLI_EXEC_H

#include "plan/plan.h"
#include "plan/split.h"

/* A plan's operands at addresses; the nest is the plan's, or one with other strides. */
struct bli_binding {
    const struct bli_nest *nest;
    char *data[BLI_MAX_OPERANDS];
    const void *params; /* for the plan's kernel; NULL where it takes none */
    bool is_sequential; /* one element after the other, by the plan's `own` */
};

/* What a call may use. */
struct bli_team {
    int32_t threads; /* at most; 0: what OpenMP, the mask and the quota allow */
    bool nested;     /* inside an active region too, where OpenMP's nesting allows */
    bool bind;       /* run each thread on its node for the length of the call */
    bl_parallel_for run; /* NULL: OpenMP */
    void *user;
    bl_tracer tracer; /* NULL: nobody */
    void *tracer_user;
};

/*
 * Threads that a call worth `worth` of them gets now; `*limit`, if not NULL, becomes
 * the bl_team_limit that held it back.
 */
int32_t bli_team_size(const struct bli_team *team, int32_t worth, int32_t *limit);

/*
 * Run all of a sequential plan on the calling thread, one element after the other in
 * row-major order, so that inputs are read as the result has been written.
 */
void bli_exec_sequential(const struct bl_plan *plan, const struct bli_binding *binding);

/* Run all of it. */
void bli_exec_run(const struct bl_plan *plan, const struct bli_binding *binding,
                  const struct bli_team *team);

/* Run part `part` of `parts` on the calling thread. */
void bli_exec_part(const struct bl_plan *plan, const struct bli_binding *binding,
                   int32_t part, int32_t parts);

/*
 * Call body(argument, thread, range) for ranges that together are [0, count), as the
 * team allows, at most `worth` threads: for writing `count` elements of `size` bytes
 * that no plan is made for.  Threads take what a plan's dense result would be theirs
 * of.
 */
typedef void bli_body(const void *argument, int32_t thread, bl_range range);
void bli_exec_ranges(const struct bli_team *team, int32_t worth, int64_t count,
                     int64_t size, bli_body *body, const void *argument);

#endif
