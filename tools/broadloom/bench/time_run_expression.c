/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times a workload that is an expression: planned once, executed many times.
 */
#include "time_run.h"

#include <broadloom/expr.h>

/* An expression, prepared for repeated executions. */
struct timed_expression {
    bl_context *ctx;
    enum workload_mode mode;
    bl_expr_options options;
    bl_expr *expr;
    bl_expr_plan *plan;
    bl_expr_plan_info info;
    struct workload_data data[WORKLOAD_OPERANDS];
    const bl_array *in[WORKLOAD_OPERANDS];
    const void *from[WORKLOAD_OPERANDS];
    bl_tensor *made[BL_MAX_SLOTS];
    bl_array array[BL_MAX_SLOTS];
    const bl_array *out[BL_MAX_SLOTS];
    void *to[BL_MAX_SLOTS];
};

/* ---- timed loops ---- */

static bl_status run_plan(const void *work, long times)
{
    const struct timed_expression *const timed = work;

    for (long i = 0; i < times; i++)
        TRY(bl_expr_plan_execute(timed->ctx, timed->plan, timed->to, timed->from));
    return BL_OK;
}

static bl_status run_call(const void *work, long times)
{
    const struct timed_expression *const timed = work;

    for (long i = 0; i < times; i++)
        TRY(bl_expr_run(timed->ctx, timed->expr, timed->out, timed->in,
                        &timed->options));
    return BL_OK;
}

static bl_status run_first(const void *work, long times)
{
    const struct timed_expression *const timed = work;

    for (long i = 0; i < times; i++) {
        bl_expr_plan *plan;
        bl_status status;

        TRY(bl_expr_plan_create(timed->ctx, timed->expr, timed->out, timed->in,
                                &timed->options, &plan));
        status = bl_expr_plan_execute(timed->ctx, plan, timed->to, timed->from);
        bl_expr_plan_destroy(plan);
        TRY(status);
    }
    return BL_OK;
}

/* Create the tensors of all outputs; those that were made are there on failure, too. */
static bl_status make_outputs(const struct timed_expression *timed,
                              bl_tensor *made[BL_MAX_SLOTS], void *to[BL_MAX_SLOTS])
{
    for (int32_t k = 0; k < timed->info.outputs; k++)
        made[k] = NULL;
    for (int32_t k = 0; k < timed->info.outputs; k++) {
        const bl_array *const array = &timed->array[k];

        TRY(bl_tensor_empty(timed->ctx, array->dtype, array->rank, array->extent,
                            &made[k]));
        to[k] = bl_tensor_mutable_data(made[k]);
    }
    return BL_OK;
}

static bl_status run_new(const void *work, long times)
{
    const struct timed_expression *const timed = work;
    bl_tensor *made[BL_MAX_SLOTS];
    void *to[BL_MAX_SLOTS];

    for (long i = 0; i < times; i++) {
        bl_status status = make_outputs(timed, made, to);

        if (status == BL_OK)
            status = bl_expr_plan_execute(timed->ctx, timed->plan, to, timed->from);
        for (int32_t k = 0; k < timed->info.outputs; k++)
            bl_tensor_release(made[k]);
        TRY(status);
    }
    return BL_OK;
}

/* ---- preparation ---- */

/* Parse the expression: what is wrong with its text is wrong with the line. */
static bl_status parse(struct timed_expression *timed, const struct workload *workload,
                       const char *const *names)
{
    const bl_status status =
        bl_expr_parse(timed->ctx, workload->op, workload->count, names, &timed->expr);

    return status == BL_ERR_ARGUMENT || status == BL_ERR_OVERFLOW ? BL_ERR_FORMAT
                                                                  : status;
}

/* Parse and plan the expression for operands without data. */
static bl_status prepare(struct timed_expression *timed,
                         const struct workload *workload)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    const bool writes_first = timed->mode == WORKLOAD_INPLACE;
    char name[WORKLOAD_OPERANDS][2];
    const char *names[WORKLOAD_OPERANDS];

    for (int32_t k = 0; k < workload->count; k++) {
        timed->data[k].array = operand_array(&workload->operand[k], NULL);
        timed->in[k] = &timed->data[k].array;
        name[k][0] = letters[k];
        name[k][1] = '\0';
        names[k] = name[k];
    }
    timed->out[0] = timed->in[0];
    TRY(parse(timed, workload, names));
    TRY(bl_expr_plan_create(timed->ctx, timed->expr, writes_first ? timed->out : NULL,
                            timed->in, &timed->options, &timed->plan));
    TRY(bl_expr_plan_query(timed->plan, &timed->info));
    if (writes_first && timed->info.outputs != 1)
        return bl_error_set(BL_ERR_FORMAT, "%d results, of which one can be inplace",
                            (int)timed->info.outputs);
    for (int32_t k = 0; k < timed->info.outputs; k++)
        TRY(bl_expr_plan_output(timed->plan, k, &timed->array[k]));
    return BL_OK;
}

/* Create operands and results. */
static bl_status fill(struct timed_expression *timed, const struct workload *workload)
{
    for (int32_t k = 0; k < workload->count; k++) {
        TRY(workload_fill(timed->ctx, &workload->operand[k], (uint64_t)k + 1,
                          &timed->data[k]));
        timed->from[k] = timed->data[k].array.data;
    }
    if (timed->mode == WORKLOAD_INPLACE) {
        timed->to[0] = timed->data[0].array.data;
        return BL_OK;
    }
    TRY(make_outputs(timed, timed->made, timed->to));
    for (int32_t k = 0; k < timed->info.outputs; k++)
        timed->out[k] = bl_tensor_array(timed->made[k]);
    return BL_OK;
}

static void free_all(struct timed_expression *timed)
{
    for (int32_t k = 0; k < BL_MAX_SLOTS; k++)
        bl_tensor_release(timed->made[k]);
    for (int32_t k = 0; k < WORKLOAD_OPERANDS; k++)
        bl_tensor_release(timed->data[k].tensor);
    bl_expr_plan_destroy(timed->plan);
    bl_expr_destroy(timed->expr);
}

bl_status time_run_expression(bl_context *ctx, const struct workload *workload,
                              double seconds, bool unfused,
                              struct time_run_result *result)
{
    static const time_loop loops[] = {
        [WORKLOAD_OUT] = run_plan,    [WORKLOAD_INPLACE] = run_plan,
        [WORKLOAD_NEW] = run_new,     [WORKLOAD_PLAN] = run_plan,
        [WORKLOAD_FIRST] = run_first, [WORKLOAD_RUN] = run_call,
    };
    struct timed_expression timed = {.ctx = ctx,
                                     .mode = workload->mode,
                                     .options = BL_EXPR_OPTIONS_DEFAULT,
                                     .info = {.size = sizeof timed.info}};
    double best = 0;
    bl_status status;

    timed.options.flags = unfused ? BL_EXPR_UNFUSED : 0;
    status = prepare(&timed, workload);
    if (status == BL_OK)
        status = fill(&timed, workload);
    if (status == BL_OK)
        status = time_best(loops[timed.mode], &timed, seconds, &best);
    if (status == BL_OK)
        *result = (struct time_run_result){best, (double)timed.info.bytes_least};
    free_all(&timed);
    return status;
}
