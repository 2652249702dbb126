/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times one workload, the way the programs that it is compared with do.
 */
#include "trial.h"

#include <math.h>
#include <string.h>

#include "functions.h"

struct trial;

/* Do `times` calls one after another. */
typedef bl_status (*trial_loop)(const struct trial *trial, long times);

/* One workload, ready to be called again and again. */
struct trial {
    bl_context *ctx;
    trial_loop run;
    struct function function;
    bool writes_first; /* the first operand is the result */
    uint32_t reads;    /* bit k set: operand k is read */
    const bl_options *options;
    bl_array number[BL_MAX_INPUTS]; /* inputs that are no operands */
    const bl_array *operand[BL_MAX_INPUTS];
    const bl_array *in[BL_MAX_INPUTS]; /* the operator's */
    const void *data[BL_MAX_INPUTS];
    const bl_array *out;
    bl_plan *plan;
};

/* ---- what is timed ---- */

static bl_status run_out(const struct trial *trial, long times)
{
    for (long i = 0; i < times; i++)
        TRY(bl_apply(trial->ctx, trial->function.op, trial->function.inputs, trial->in,
                     trial->out, NULL));
    return BL_OK;
}

static bl_status run_new(const struct trial *trial, long times)
{
    bl_tensor *made;

    for (long i = 0; i < times; i++) {
        TRY(bl_apply_new(trial->ctx, trial->function.op, trial->function.inputs,
                         trial->in, &made, trial->options));
        bl_tensor_release(made);
    }
    return BL_OK;
}

static bl_status run_plan(const struct trial *trial, long times)
{
    for (long i = 0; i < times; i++)
        TRY(bl_plan_run(trial->plan, trial->ctx, trial->out->data, trial->data));
    return BL_OK;
}

/* (a * b + c) * d - b, operator by operator, the first result written over. */
static bl_status run_chain(const struct trial *trial, long times)
{
    const bl_array *const *x = trial->operand;
    bl_context *const ctx = trial->ctx;

    for (long i = 0; i < times; i++) {
        bl_tensor *made;
        const bl_array *sum;
        bl_status status;

        TRY(bl_mul(ctx, x[0], x[1], &made));
        sum = bl_tensor_array(made);
        status = bl_add_inplace(ctx, sum, x[2]);
        if (status == BL_OK)
            status = bl_mul_inplace(ctx, sum, x[3]);
        if (status == BL_OK)
            status = bl_sub_inplace(ctx, sum, x[1]);
        bl_tensor_release(made);
        TRY(status);
    }
    return BL_OK;
}

/*
 * Best time of one call in seconds.  Short calls are looped so that the clock's cost
 * vanishes; the first call, which finds cold memory, does not count.
 */
static bl_status best_of(const struct trial *trial, double budget, double *result)
{
    double best = INFINITY, once, begin, start;
    long inner;

    TRY(trial->run(trial, 1));
    begin = seconds_now();
    TRY(trial->run(trial, 1));
    once = seconds_now() - begin;
    inner = once < 2e-5 ? (long)(2e-4 / (once + 1e-9)) + 1 : 1;
    start = seconds_now();
    for (int n = 0; n < 5 || (seconds_now() - start < budget && n < 5000); n++) {
        begin = seconds_now();
        TRY(trial->run(trial, inner));
        best = fmin(best, (seconds_now() - begin) / (double)inner);
    }
    *result = best;
    return BL_OK;
}

/* ---- what it works on ---- */

/* Bytes of the result and of each operand that is read, as often as they must move. */
static double bytes_moved(const struct trial *trial, const struct workload *workload,
                          const bl_plan_info *info)
{
    double bytes = (double)info->count * (double)bl_dtype_size(info->dtype);

    for (int32_t k = 0; k < workload->count; k++)
        if (trial->reads >> k & 1)
            bytes += (double)bl_layout_count(&workload->operand[k].layout) *
                     (double)bl_dtype_size(workload->operand[k].dtype);
    return bytes;
}

/* Point the operator's inputs at the operands. */
static void bind_inputs(struct trial *trial)
{
    const struct function *function = &trial->function;

    for (int32_t k = 0; k < function->inputs; k++) {
        const bl_scalar *number;
        const int32_t from = function_input(function, k, &number);

        trial->in[k] = number ? &trial->number[k] : trial->operand[from];
        if (number)
            trial->number[k] = bl_scalar_array(number);
        trial->data[k] = trial->in[k]->data;
    }
}

/* Make data and result, time, free. */
static bl_status run_trial(struct trial *trial, const struct workload *workload,
                           const bl_plan_info *info, double budget,
                           struct trial_result *result)
{
    struct workload_data data[BL_MAX_INPUTS] = {{0}};
    bl_tensor *out = NULL;
    bl_status status = BL_OK;
    double best = 0;

    for (int32_t k = 0; status == BL_OK && k < workload->count; k++) {
        status =
            workload_fill(trial->ctx, &workload->operand[k], (uint64_t)k + 1, &data[k]);
        trial->operand[k] = &data[k].array;
    }
    if (status == BL_OK)
        bind_inputs(trial);
    trial->out = trial->operand[0];
    if (status == BL_OK && !trial->writes_first) {
        status =
            bl_tensor_empty(trial->ctx, info->dtype, info->rank, info->extent, &out);
        trial->out = bl_tensor_array(out);
    }
    if (status == BL_OK)
        status = best_of(trial, budget, &best);
    if (status == BL_OK)
        *result = (struct trial_result){1e9 * best, bytes_moved(trial, workload, info)};
    bl_tensor_release(out);
    for (int32_t k = 0; k < workload->count; k++)
        bl_tensor_release(data[k].tensor);
    return status;
}

/* ---- which calls they are ---- */

/* Whether the workload is of `function` and has `count` operands. */
static bool is_of(const struct workload *workload, const char *function, int32_t count)
{
    return strcmp(workload->op, function) == 0 && workload->count == count;
}

/* What is called, and which operands it reads. */
static bl_status choose_call(const struct workload *workload, struct trial *trial)
{
    static const trial_loop loops[] = {
        [WORKLOAD_OUT] = run_out,
        [WORKLOAD_INPLACE] = run_out,
        [WORKLOAD_NEW] = run_new,
        [WORKLOAD_PLAN] = run_plan,
    };

    trial->run = loops[workload->mode];
    trial->writes_first = workload->mode == WORKLOAD_INPLACE;
    trial->reads = UINT32_MAX;
    if (is_of(workload, "chain5", 4)) {
        /* The result is that of an operator of four operands. */
        trial->run = run_chain;
        trial->function = function_of_op(BL_OP_ADDCMUL, 4);
        return BL_OK;
    }
    if (is_of(workload, "copy", 2) || is_of(workload, "cast", 2)) {
        trial->writes_first = true;
        trial->reads = 1U << 1;
        trial->function = (struct function){BL_OP_COPY, 2, 1, "b"};
        return BL_OK;
    }
    return function_find(workload->op, workload->count, &trial->function);
}

bl_status trial_run(bl_context *ctx, const struct workload *workload, double seconds,
                    struct trial_result *result)
{
    struct trial trial = {.ctx = ctx};
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_plan_info info = {.size = sizeof info};
    bl_array array[BL_MAX_INPUTS];
    bl_status status;

    TRY(choose_call(workload, &trial));
    for (int32_t k = 0; k < workload->count; k++) {
        array[k] = operand_array(&workload->operand[k], NULL);
        trial.operand[k] = &array[k];
    }
    bind_inputs(&trial);
    /* The plan says what the workload needs before memory is spent on it. */
    TRY(bl_plan_create(ctx, trial.function.op, trial.function.inputs, trial.in,
                       trial.writes_first ? trial.operand[0] : NULL, NULL,
                       &trial.plan));
    status = bl_plan_query(trial.plan, &info);
    options.dtype = info.dtype; /* of a new result: only copies change it */
    trial.options = &options;
    if (status == BL_OK)
        status = run_trial(&trial, workload, &info, seconds, result);
    bl_plan_destroy(trial.plan);
    return status;
}
