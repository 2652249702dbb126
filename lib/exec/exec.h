/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executes plans: hands ranges of iterations to threads, in one parallel region per
 * call.  It cannot fail, does not allocate, and decides nothing except the size of the
 * team.
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
    char *memory;    /* of thread 0; NULL: on the stack */
    int64_t each;    /* bytes from one thread's part to the next one's */
    int32_t threads; /* that have a part, where there is memory */
};

static inline char *bli_staging_of(const struct bli_staging *staging, int32_t thread)
{
    return staging->memory ? staging->memory + thread * staging->each : NULL;
}

/*
 * A plan's operands at addresses.  The nest is the plan's, or one with other strides.
 */
struct bli_binding {
    const struct bli_nest *nest;
    char *data[BLI_MAX_OPERANDS];
    const void *params; /* for the plan's kernel; NULL where it takes none */
    bool is_sequential; /* element by element, in the plan's `logical_order` */
    struct bli_staging staging;
};

/* The threads that a call may use, and who runs and traces them. */
struct bli_team {
    int32_t threads; /* at most; 0: what OpenMP, the mask and the quota allow */
    bool nested;     /* also inside an active region, where OpenMP's nesting allows */
    bool bind;       /* run each thread on its node for the length of the call */
    bl_parallel_for run; /* NULL: OpenMP */
    void *user;
    bl_tracer tracer; /* NULL: the call is not traced */
    void *tracer_user;
};

/*
 * Return the number of threads that a call gets now, at most the `worth` that its cost
 * model asks for.  `*limit`, if `limit` is not NULL, becomes the bl_team_limit that
 * held the number back.
 */
int32_t bli_team_size(const struct bli_team *team, int32_t worth, int32_t *limit);

/* Return the bytes of staging that bli_exec_sequential() needs. */
int64_t bli_sequence_bytes(void);

/*
 * Run all of a sequential plan on the calling thread, element by element in row-major
 * order, so that inputs are read as the result has been written so far.
 */
void bli_exec_sequential(const struct bl_plan *plan, const struct bli_binding *binding);

/* Run all of a bound plan, on as many threads as the plan and the team allow. */
void bli_exec_run(const struct bl_plan *plan, const struct bli_binding *binding,
                  const struct bli_team *team);

/*
 * Run part `part` of `parts` of a bound plan on the calling thread, with the staging of
 * one thread.
 */
void bli_exec_part(const struct bl_plan *plan, const struct bli_binding *binding,
                   int32_t part, int32_t parts);

/*
 * Call body(argument, thread, range) for ranges that together are [0, count), on the
 * threads that the team allows, at most `worth`. This writes `count` elements of `size`
 * bytes for which there is no plan.  Each thread gets the range that it would get of a
 * plan's dense result.
 */
typedef void bli_body(const void *argument, int32_t thread, bl_range range);
void bli_exec_ranges(const struct bli_team *team, int32_t worth, int64_t count,
                     int64_t size, bli_body *body, const void *argument);

#endif
