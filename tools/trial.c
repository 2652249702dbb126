/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times one workload, the way the programs that it is compared with do.
 */
#include "trial.h"

#include <math.h>

/* One workload, ready to be called again and again. */
struct trial {
    bl_context *ctx;
    enum workload_mode mode;
    bl_op op;
    int32_t count;
    const bl_array *in[BL_MAX_INPUTS];
    const void *data[BL_MAX_INPUTS];
    const bl_array *out;
    bl_plan *plan;
};

static bl_status call(const struct trial *trial)
{
    bl_tensor *made;

    switch (trial->mode) {
    case WORKLOAD_NEW:
        TRY(bl_apply_new(trial->ctx, trial->op, trial->count, trial->in, &made, NULL));
        bl_tensor_release(made);
        return BL_OK;
    case WORKLOAD_PLAN:
        return bl_plan_run(trial->plan, trial->ctx, trial->out->data, trial->data);
    default:
        return bl_apply(trial->ctx, trial->op, trial->count, trial->in, trial->out,
                        NULL);
    }
}

/*
 * Best time of one call in seconds.  Short calls are looped so that the clock's cost
 * vanishes; the first call, which finds cold memory, does not count.
 */
static bl_status best_of(const struct trial *trial, double budget, double *result)
{
    double best = INFINITY, once, begin, start;
    long inner;

    TRY(call(trial));
    begin = seconds_now();
    TRY(call(trial));
    once = seconds_now() - begin;
    inner = once < 2e-5 ? (long)(2e-4 / (once + 1e-9)) + 1 : 1;
    start = seconds_now();
    for (int n = 0; n < 5 || (seconds_now() - start < budget && n < 5000); n++) {
        begin = seconds_now();
        for (long i = 0; i < inner; i++)
            TRY(call(trial));
        best = fmin(best, (seconds_now() - begin) / (double)inner);
    }
    *result = best;
    return BL_OK;
}

/* Bytes of the result and of each operand, as often as they must move: once. */
static double bytes_moved(const struct workload *workload, const bl_plan_info *info)
{
    double bytes = (double)info->count * (double)bl_dtype_size(info->dtype);

    for (int32_t k = 0; k < workload->count; k++)
        bytes += (double)bl_layout_count(&workload->operand[k].layout) *
                 (double)bl_dtype_size(workload->operand[k].dtype);
    return bytes;
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
        trial->in[k] = &data[k].array;
        trial->data[k] = data[k].array.data;
    }
    trial->out = trial->in[0];
    if (status == BL_OK && workload->mode != WORKLOAD_INPLACE) {
        status =
            bl_tensor_empty(trial->ctx, info->dtype, info->rank, info->extent, &out);
        trial->out = bl_tensor_array(out);
    }
    if (status == BL_OK)
        status = best_of(trial, budget, &best);
    if (status == BL_OK)
        *result = (struct trial_result){1e9 * best, bytes_moved(workload, info)};
    bl_tensor_release(out);
    for (int32_t k = 0; k < workload->count; k++)
        bl_tensor_release(data[k].tensor);
    return status;
}

bl_status trial_run(bl_context *ctx, const struct workload *workload, double seconds,
                    struct trial_result *result)
{
    struct trial trial = {.ctx = ctx,
                          .mode = workload->mode,
                          .op = bl_op_find(workload->op),
                          .count = workload->count};
    bl_plan_info info = {.size = sizeof info};
    bl_array array[BL_MAX_INPUTS];
    bl_status status;

    if (trial.op == BL_OP_NONE)
        return bl_error_set(BL_ERR_UNSUPPORTED, "there is no operator '%s'",
                            workload->op);
    for (int32_t k = 0; k < workload->count; k++) {
        array[k] = operand_array(&workload->operand[k], NULL);
        trial.in[k] = &array[k];
    }
    /* The plan says what the workload needs before memory is spent on it. */
    TRY(bl_plan_create(ctx, trial.op, trial.count, trial.in,
                       workload->mode == WORKLOAD_INPLACE ? trial.in[0] : NULL, NULL,
                       &trial.plan));
    status = bl_plan_query(trial.plan, &info);
    if (status == BL_OK)
        status = run_trial(&trial, workload, &info, seconds, result);
    bl_plan_destroy(trial.plan);
    return status;
}
