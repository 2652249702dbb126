/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executes the plan of an expression, phase by phase.  Whatever can fail is done before
 * the first output is written: calls whose values are refused or that allocate come
 * before, or their outputs are computed in the workspace; calls that come later are
 * bound once beforehand, so that the thread has the memory that they will want.
 */
#include "expr/execute.h"
#include "expr/fusion.h"

#include "core/lend.h"
#include "exec/thread_limits.h"

#include <string.h>

/* ---- calls ---- */

/* Whether the result of a step goes into its output's memory directly. */
static bool is_direct(const struct bli_expr_execution *run, int32_t v)
{
    const int32_t k = run->plan->value[v].output;

    return k >= 0 && !(run->late >> k & 1);
}

/* Bind a plan, and execute it unless that is a rehearsal. */
static bl_status bind_and_run(const struct bli_expr_execution *run,
                              const struct bl_plan *plan, void *out,
                              const void *const *data, bool is_rehearsal)
{
    const struct bli_expr_part *const part = run->part;
    struct bli_bound bound;

    if (part) {
        BL_TRY(bli_bind(&bound, plan, NULL, out, data));
        if (!is_rehearsal)
            bli_exec_range(plan, &bound.binding,
                           bli_plan_range(plan, part->part, part->parts), 0);
        bli_unbind(&bound);
        return BL_OK;
    }
    bound.binding.partition.threads = 1;
    bound.binding.partition.is_locked = false;
    BL_TRY(bli_bind(&bound, plan, run->ctx, out, data));
    if (is_rehearsal)
        bli_thread_limits_release(bound.binding.partition.threads > 1 &&
                                  bound.binding.partition.is_locked);
    else
        bli_exec_run(plan, &bound.binding, &run->ctx->team);
    bli_unbind(&bound);
    return BL_OK;
}

/* Execute a step that is no reduction, or rehearse it. */
static bl_status run_apply(const struct bli_expr_execution *run, int32_t s,
                           bool is_rehearsal)
{
    const struct bli_expr_step *const step = &run->plan->step[s];
    const struct bl_plan *const plan =
        is_direct(run, step->value) ? step->direct : step->plan;
    const void *data[BL_MAX_INPUTS];

    for (int32_t k = 0; k < step->count; k++)
        data[k] = bli_expr_address(run, step->operand[k]);
    if (step->has_alpha)
        data[step->count] = &step->alpha.value;
    return bind_and_run(run, plan, bli_expr_address(run, step->value), data,
                        is_rehearsal);
}

/* Copy a late output from the workspace to its array; a few bytes without a plan. */
bl_status bli_expr_run_copy(const struct bli_expr_execution *run, int32_t k,
                            bool is_rehearsal)
{
    const struct bli_expr_out *const out = &run->plan->out[k];
    const void *const data[] = {run->memory + out->at[run->layout]};
    const size_t bytes = (size_t)(out->end - out->begin);
    struct bli_problem problem;
    struct bl_plan *plan;
    bl_status status;

    if (out->copy)
        return bind_and_run(run, out->copy, run->outs[k], data, is_rehearsal);
    if (bytes <= BLI_EXPR_FEW_BYTES && !run->part) {
        if (!is_rehearsal && bytes > 0)
            memcpy((char *)run->outs[k] + out->begin, data[0], bytes);
        return BL_OK;
    }
    plan = bli_thread_lend(sizeof *plan);
    if (!plan)
        return BL_ERR_MEMORY;
    bli_expr_copy_problem(&problem, run->ctx, out);
    status = bli_plan_make(plan, &problem);
    if (status == BL_OK)
        status = bind_and_run(run, plan, run->outs[k], data, is_rehearsal);
    bli_thread_return(plan);
    return status;
}

/*
 * Execute a step that cannot be divided, by part 0 alone.  It may fail, so that it
 * comes before outputs are written.
 */
static bl_status run_alone(const struct bli_expr_execution *run, int32_t s)
{
    struct bli_expr_execution alone = *run;
    bl_context ctx = *run->ctx;

    ctx.team.threads = 1;
    alone.ctx = &ctx;
    alone.part = NULL;
    return run->plan->step[s].plan
               ? run_apply(&alone, s, false)
               : bli_expr_run_reduce(&alone, s,
                                     is_direct(run, run->plan->step[s].value));
}

/* Whether parts of a call may be executed in any order, without a workspace. */
static bool is_divisible(const struct bli_expr_step *step)
{
    return step->plan && step->plan->nest.needs_linear_copy == 0 &&
           !step->plan->is_sequential;
}

static bl_status run_step(struct bli_expr_execution *run, int32_t s, bool is_rehearsal)
{
    const struct bli_expr_step *const step = &run->plan->step[s];
    bl_status status;

    if (run->part && !is_divisible(step))
        status = is_rehearsal || run->part->part > 0 ? BL_OK : run_alone(run, s);
    else
        status = step->plan ? run_apply(run, s, is_rehearsal)
                            : bli_expr_run_reduce(run, s, is_direct(run, step->value));
    if (status == BL_OK)
        return BL_OK;
    run->is_named = true;
    return bli_expr_refuse(status, run->plan, step->value, run->function);
}

/* ---- phases ---- */

const struct bli_fusion *bli_expr_fusion(const struct bli_expr_execution *run,
                                         const struct bli_expr_phase *phase)
{
    const struct bli_fusion *fusion = phase->fusion;

    for (int32_t i = 0; phase->direct != fusion && i < phase->count; i++)
        if (is_direct(run, run->plan->step[phase->step[i]].value))
            fusion = phase->direct;
    return fusion;
}

bl_status bli_expr_run_phase(struct bli_expr_execution *run, int32_t p,
                             bool is_rehearsal)
{
    const struct bli_expr_phase *const phase = &run->plan->phase[p];

    return phase->fusion
               ? bli_fusion_run(bli_expr_fusion(run, phase), run, is_rehearsal)
               : run_step(run, phase->step[0], is_rehearsal);
}

/* Rehearse the phases after the first that writes an output, and the copies. */
static bl_status rehearse(struct bli_expr_execution *run)
{
    const bl_expr_plan *const plan = run->plan;
    int32_t first = plan->phases;
    bool is_single = plan->outputs == 1;

    for (int32_t k = 0; k < plan->outputs; k++) {
        const int32_t phase = run->layout == 1 ? plan->out[k].first
                                               : plan->value[plan->out[k].value].phase;

        if (!(run->late >> k & 1) && phase < first)
            first = phase;
    }
    if (is_single && (run->late || first == plan->phases - 1))
        return BL_OK;
    for (int32_t p = first + 1; p < plan->phases; p++)
        BL_TRY(bli_expr_run_phase(run, p, true));
    for (int32_t k = 0; k < plan->outputs; k++)
        if (run->late >> k & 1)
            BL_TRY(bli_expr_run_copy(run, k, true));
    return BL_OK;
}

static bl_status run_all(struct bli_expr_execution *run)
{
    const bl_expr_plan *const plan = run->plan;

    for (int32_t p = 0; plan->refuses && p < plan->phases; p++)
        BL_TRY(bli_expr_check_values(run, p, true));
    BL_TRY(rehearse(run));
    for (int32_t p = 0; p < plan->phases; p++) {
        if (plan->refuses)
            BL_TRY(bli_expr_check_values(run, p, false));
        BL_TRY(bli_expr_run_phase(run, p, false));
    }
    for (int32_t k = 0; k < plan->outputs; k++)
        if (run->late >> k & 1)
            BL_TRY(bli_expr_run_copy(run, k, false));
    return BL_OK;
}

static bl_status execute(struct bli_expr_execution *run)
{
    /* What a workspace without bytes is at. */
    static _Alignas(BLI_ALIGNMENT) char nothing[BLI_ALIGNMENT];
    const bl_expr_plan *const plan = run->plan;
    struct bli_storage storage = {.bytes = 0};
    const int64_t partials =
        plan->partials > BLI_FUSION_SMALL_PARTIALS ? plan->partials : 0;
    int64_t bytes;
    bl_status status;

    BL_TRY(bli_expr_bind(run));
    BL_TRY(bli_expr_raise_warnings(run));
    bytes = plan->workspace[run->layout];
    for (int32_t k = 0; k < plan->outputs; k++)
        if (run->late >> k & 1 && plan->out[k].is_direct)
            bytes = plan->workspace_all;
    if (!bli_add_i64(bytes, partials, &bytes))
        bytes = INT64_MAX;
    run->memory = nothing;
    if (bytes > 0) {
        BL_TRY(bli_storage_make(&storage, run->ctx, bytes, BLI_ALIGNMENT,
                                &run->ctx->placement));
        run->memory = storage.data;
        run->partials = run->memory + (bytes - partials);
    }
    status = run_all(run);
    if (status == BL_OK && bli_shadow_has_marks())
        bli_expr_carry_marks(run);
    bli_storage_free(&storage, &run->ctx->allocator);
    return status;
}

/* Execute as bli_expr_execute(), with all that may be out of the ordinary. */
BLI_OWN_FRAME static bl_status execute_all(const void *address, bl_context *ctx,
                                           const bl_expr_plan *plan, void *const *outs,
                                           const void *const *data,
                                           const char *function, bool *is_named)
{
    struct bli_expr_execution run = {.ctx = bli_context(ctx),
                                     .plan = plan,
                                     .outs = outs,
                                     .data = data,
                                     .address = address,
                                     .function = function};
    bl_status status;

    if (!plan)
        return bli_error_null("plan");
    if (!outs)
        return bli_error_null("outs");
    if (!data && plan->expr->inputs > 0)
        return bli_error_null("data");
    status = execute(&run);
    *is_named = run.is_named;
    return status;
}

/*
 * Whether a plan is one fusion of few elements that nobody watches, and it is executed:
 * nothing else needs to be done.
 */
static inline bool execute_alone(bl_context *ctx, const bl_expr_plan *plan,
                                 void *const *outs, const void *const *data)
{
    return plan && plan->alone && outs && data && !bli_shadow_has_marks() &&
           !(bli_warnings_generation() & BLI_WARN_BROADCAST) &&
           !bli_context(ctx)->team.tracer &&
           bli_fusion_run_alone(plan->alone, outs[0], data);
}

bl_status bli_expr_execute(const void *address, bl_context *ctx,
                           const bl_expr_plan *plan, void *const *outs,
                           const void *const *data, const char *function,
                           bool *is_named)
{
    *is_named = false;
    return execute_alone(ctx, plan, outs, data)
               ? BL_OK
               : execute_all(address, ctx, plan, outs, data, function, is_named);
}

bl_status bl_expr_plan_execute(bl_context *ctx, const bl_expr_plan *plan,
                               void *const *outs, const void *const *data)
{
    bool is_named = false;
    bl_status status;

    if (execute_alone(ctx, plan, outs, data))
        return BL_OK;
    status =
        execute_all(BLI_RETURN_ADDRESS, ctx, plan, outs, data, __func__, &is_named);
    return status == BL_OK || is_named ? status : bli_error_call(status, __func__, "");
}
