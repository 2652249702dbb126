/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executes a plan in parts, for a team of the program's.  What such an execution does
 * is divided by barriers, which are the program's, too:
 *
 *   open     part 0 checks addresses and raises warnings
 *   check    each part looks through its share of inputs that may be refused, and takes
 *            the memory that its thread will want
 *   values   before a phase that may refuse computed values: its share of these
 *   run      its share of a phase
 *   combine  its share of the results of reductions that have partial ones
 *   copy     its share of outputs that were computed in the workspace
 *
 * The workspace begins with what the parts have to know of each other: a refusal by one
 * of them is then every part's.
 */
#include "expr/execute.h"
#include "expr/fusion.h"

#include <broadloom/expr_part.h>

#include "context/context.h"

#include <inttypes.h>
#include <stdatomic.h>

enum job { OPEN, CHECK, VALUES, RUN, COMBINE, COPY };

/* What is first in the workspace. */
struct shared {
    _Atomic uint64_t refusal; /* 0: none; (step + 1) << 8 | status, the lowest one */
    uint64_t late;
    int layout;
};

/* In place of a step: no step's values are refused. */
#define NO_STEP INT32_MAX

_Static_assert(sizeof(struct shared) <= BLI_ALIGNMENT, "it takes one line");

/* ---- phases ---- */

static bool has_values(const bl_expr_plan *plan, int32_t p)
{
    const struct bli_expr_phase *const phase = &plan->phase[p];
    bool has = false;

    for (int32_t i = 0; i < phase->count; i++)
        has = has || (plan->step[phase->step[i]].refuses &&
                      !bli_expr_is_checked_first(plan, phase->step[i]));
    return has;
}

/*
 * What is done in phase `at` of an execution in parts, and in which phase `*p` of the
 * plan.  With `at` past the last one, returns COPY, and `*p` is how many there are.
 */
static enum job find_job(const bl_expr_plan *plan, int32_t at, int32_t *p)
{
    int32_t next = 2;

    if (at < next)
        return at == 0 ? OPEN : CHECK;
    for (*p = 0; *p < plan->phases; ++*p) {
        if (has_values(plan, *p) && next++ == at)
            return VALUES;
        if (next++ == at)
            return RUN;
        if (bli_fusion_phase_partials(&plan->phase[*p]) > 0 && next++ == at)
            return COMBINE;
    }
    *p = next + 1;
    return COPY;
}

int32_t bli_expr_part_phases(const bl_expr_plan *plan)
{
    int32_t count;

    (void)find_job(plan, INT32_MAX, &count);
    return count;
}

/* Bytes from the workspace's begin to the partial results' end. */
static int64_t partials_end(const bl_expr_plan *plan)
{
    return BLI_ALIGNMENT + plan->partials;
}

int64_t bli_expr_part_bytes(const bl_expr_plan *plan)
{
    int64_t bytes = plan->workspace_all;

    if (plan->workspace[1] > bytes)
        bytes = plan->workspace[1];
    return bli_add_i64(bytes, partials_end(plan), &bytes) ? bytes : INT64_MAX;
}

/* ---- refusals ---- */

/*
 * Let all parts know of a refusal: the first step in order counts.  Without one nothing
 * is read: while part 0 opens an execution, others must not.
 */
static bl_status tell(struct shared *shared, const struct bli_expr_execution *run,
                      bl_status status)
{
    const uint64_t own = ((uint64_t)run->refused + 1) << 8 | (uint64_t)status;
    uint64_t known;

    if (status == BL_OK)
        return BL_OK;
    known = atomic_load_explicit(&shared->refusal, memory_order_relaxed);
    while ((known == 0 || own < known) &&
           !atomic_compare_exchange_weak_explicit(&shared->refusal, &known, own,
                                                  memory_order_relaxed,
                                                  memory_order_relaxed))
        ;
    return status;
}

/* The error of a part that was refused in a phase before. */
static bl_status repeat(struct bli_expr_execution *run, uint64_t refusal)
{
    const bl_status status = (bl_status)(refusal & 0xff);
    const int64_t s = (int64_t)(refusal >> 8) - 1;

    if (s != NO_STEP)
        return bli_expr_refuse_values(run, (int32_t)s);
    BL_TRY(bli_expr_bind(run));
    return bl_error_set(status, "another part of the execution was refused");
}

/* ---- jobs ---- */

static bl_status open_run(struct bli_expr_execution *run, struct shared *shared)
{
    bl_status status;

    if (run->part->part > 0)
        return BL_OK;
    atomic_init(&shared->refusal, 0);
    status = bli_expr_bind(run);
    if (status == BL_OK)
        status = bli_expr_raise_warnings(run);
    shared->late = run->late;
    shared->layout = run->layout;
    return status;
}

/* Look through inputs, and rehearse everything. */
static bl_status check(struct bli_expr_execution *run)
{
    const bl_expr_plan *const plan = run->plan;

    for (int32_t p = 0; p < plan->phases; p++)
        BL_TRY(bli_expr_check_values(run, p, true));
    for (int32_t p = 0; p < plan->phases; p++)
        BL_TRY(bli_expr_run_phase(run, p, true));
    for (int32_t k = 0; k < plan->outputs; k++)
        if (run->late >> k & 1)
            BL_TRY(bli_expr_run_copy(run, k, true));
    return BL_OK;
}

static bl_status copy(const struct bli_expr_execution *run)
{
    for (int32_t k = 0; k < run->plan->outputs; k++)
        if (run->late >> k & 1)
            BL_TRY(bli_expr_run_copy(run, k, false));
    if (run->part->part == 0 && bli_shadow_has_marks())
        bli_expr_carry_marks(run);
    return BL_OK;
}

static void combine(const struct bli_expr_execution *run, int32_t p)
{
    const struct bli_fusion *const fusion = bli_expr_fusion(run, &run->plan->phase[p]);

    if (bli_fusion_partials(fusion) > 0)
        bli_fusion_combine_part(fusion, run);
}

static bl_status run_job(struct bli_expr_execution *run, enum job job, int32_t p)
{
    switch (job) {
    case OPEN:
        return BL_OK;
    case CHECK:
        return check(run);
    case VALUES:
        return bli_expr_check_values(run, p, false);
    case RUN:
        return bli_expr_run_phase(run, p, false);
    case COMBINE:
        combine(run, p);
        return BL_OK;
    case COPY:
        return copy(run);
    }
    return BL_OK;
}

static bl_status execute(struct bli_expr_execution *run, int32_t phase, char *workspace)
{
    struct shared *const shared = (struct shared *)(void *)workspace;
    int32_t p = 0;
    const enum job job = find_job(run->plan, phase, &p);
    uint64_t refusal;

    if (job == OPEN)
        return tell(shared, run, open_run(run, shared));
    run->late = shared->late;
    run->layout = shared->layout;
    refusal = atomic_load_explicit(&shared->refusal, memory_order_relaxed);
    /* Refusals in this phase do not matter yet: nothing is written in it. */
    if (refusal != 0)
        return repeat(run, refusal);
    return tell(shared, run, run_job(run, job, p));
}

/* ---- the call ---- */

static bl_status check_part(const bl_expr_plan *plan, void *const *outs,
                            const void *const *data, const void *workspace,
                            int32_t phase, const struct bli_expr_part *part)
{
    if (!plan || !outs || !workspace || (!data && plan->expr->inputs > 0))
        return bli_error_null(!plan        ? "plan"
                              : !outs      ? "outs"
                              : !workspace ? "workspace"
                                           : "data");
    if ((uintptr_t)workspace % BLI_ALIGNMENT != 0)
        return bli_error_argument("workspace",
                                  "the workspace is not aligned to %d bytes",
                                  (int)BLI_ALIGNMENT);
    if (phase < 0 || phase >= plan->part_phases)
        return bli_error_argument("phase",
                                  "%" PRId32 " is no phase, there are %" PRId32, phase,
                                  plan->part_phases);
    if (part->parts < 1 || part->part < 0 || part->part >= part->parts)
        return bli_error_argument(
            "part", "part %" PRId32 " of %" PRId32 " parts does not exist", part->part,
            part->parts);
    return BL_OK;
}

bl_status bl_expr_plan_execute_part(bl_context *ctx, const bl_expr_plan *plan,
                                    int32_t phase, int32_t part, int32_t parts,
                                    void *const *outs, const void *const *data,
                                    void *workspace)
{
    struct bli_expr_part own = {.part = part, .parts = parts};
    struct bli_expr_execution run = {.ctx = bli_context(ctx),
                                     .plan = plan,
                                     .outs = outs,
                                     .data = data,
                                     .address = BLI_RETURN_ADDRESS,
                                     .function = __func__,
                                     .part = &own,
                                     .refused = NO_STEP};
    bl_status status = check_part(plan, outs, data, workspace, phase, &own);

    if (status == BL_OK) {
        run.partials = (char *)workspace + BLI_ALIGNMENT;
        run.memory = (char *)workspace + partials_end(plan);
        status = execute(&run, phase, workspace);
    }
    return status == BL_OK || run.is_named
               ? status
               : bli_error_call(status, __func__, "phase %d, part %d of %d", phase,
                                part, parts);
}
