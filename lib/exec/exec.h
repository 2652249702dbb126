/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does what a plan decided: ranges to threads, one parallel region per call.  Cannot
 * fail, does not allocate, decides nothing but the size of the team.
 */
#ifndef BLI_EXEC_H
#define BLI_EXEC_H

#include "core/lend.h"
#include "plan/plan.h"
#include "plan/split.h"

/*
 * Memory that threads stage operands in, a part for each.  What a call's only thread
 * needs may be on its stack, up to BLI_STACK_BYTES; a team has its own frames there.
 */
struct bli_staging {
    char *memory;    /* of thread 0; NULL: on the stack */
    int64_t each;    /* bytes from one thread's to the next one's */
    int32_t threads; /* that have some, where there is memory */
};

static inline char *bli_staging_of(const struct bli_staging *staging, int32_t thread)
{
    return staging->memory ? staging->memory + thread * staging->each : NULL;
}

/* A plan's operands at addresses; the nest is the plan's, or one with other strides. */
struct bli_binding {
    const struct bli_nest *nest;
    char *data[BLI_MAX_OPERANDS];
    const void *params; /* for the plan's kernel; NULL where it takes none */
    bool is_sequential; /* one element after the other, by the plan's `own` */
    struct bli_staging staging;
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

/* Bytes of staging that a sequential plan needs. */
int64_t bli_sequence_bytes(void);

/*
 * Run all of a sequential plan on the calling thread, one element after the other in
 * row-major order, so that inputs are read as the result has been written.
 */
void bli_exec_sequential(const struct bl_plan *plan, const struct bli_binding *binding);

/* Run all of it. */
void bli_exec_run(const struct bl_plan *plan, const struct bli_binding *binding,
                  const struct bli_team *team);

/* Run part `part` of `parts` on the calling thread, with the staging of one. */
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
