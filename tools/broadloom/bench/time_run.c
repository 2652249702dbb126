/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times calls with the method of the programs that they are compared with; workloads
 * that are operators.
 */
#include "time_run.h"

#include <math.h>

#include "time_run_calls.h"

bl_status time_best(time_loop run, const void *work, double budget, double *best_ns)
{
    double best = INFINITY, once, begin, start;
    long inner;

    TRY(run(work, 1));
    begin = seconds_now();
    TRY(run(work, 1));
    once = seconds_now() - begin;
    inner = once < 2e-5 ? (long)(2e-4 / (once + 1e-9)) + 1 : 1;
    start = seconds_now();
    for (int n = 0; n < 5 || (seconds_now() - start < budget && n < 5000); n++) {
        begin = seconds_now();
        TRY(run(work, inner));
        best = fmin(best, (seconds_now() - begin) / (double)inner);
    }
    *best_ns = 1e9 * best;
    return BL_OK;
}

/* ---- the measured work ---- */

static bl_status run_calls(const void *work, long times)
{
    const struct time_run *const timed = work;

    return timed->run(timed, times);
}

/*
 * Bytes of the result and of each operand that is read, once for each time they must
 * move.
 */
static double bytes_moved(const struct time_run *timed, const struct workload *workload,
                          const bl_plan_info *info)
{
    double bytes = (double)info->numel * (double)bl_dtype_size(info->dtype);

    for (int32_t k = 0; k < workload->count; k++)
        if (timed->reads >> k & 1)
            bytes += (double)bl_layout_numel(&workload->operand[k].layout) *
                     (double)bl_dtype_size(workload->operand[k].dtype);
    return bytes;
}

/* Point the operator's inputs at the operands and at its constant scalars. */
static void bind_inputs(struct time_run *timed)
{
    const struct function *function = &timed->function;

    for (int32_t k = 0; k < function->inputs; k++) {
        const bl_scalar *scalar;
        const int32_t from = function_input(function, k, &scalar);

        timed->in[k] = scalar ? &timed->scalar[k] : timed->operand[from];
        if (scalar)
            timed->scalar[k] = bl_scalar_array(scalar);
        timed->data[k] = timed->in[k]->data;
    }
}

/* Create operands and result, measure the workload, and free them. */
static bl_status time_run_measure(struct time_run *timed,
                                  const struct workload *workload,
                                  const bl_plan_info *info, double budget,
                                  struct time_run_result *result)
{
    struct workload_data data[BL_MAX_INPUTS] = {{0}};
    bl_tensor *out = NULL;
    bl_status status = BL_OK;
    double best = 0;

    for (int32_t k = 0; status == BL_OK && k < workload->count; k++) {
        status =
            workload_fill(timed->ctx, &workload->operand[k], (uint64_t)k + 1, &data[k]);
        timed->operand[k] = &data[k].array;
    }
    if (status == BL_OK)
        bind_inputs(timed);
    timed->out = timed->operand[0];
    if (status == BL_OK && !timed->writes_first) {
        status =
            bl_tensor_empty(timed->ctx, info->dtype, info->rank, info->extent, &out);
        timed->out = bl_tensor_array(out);
    }
    if (status == BL_OK)
        status = time_best(run_calls, timed, budget, &best);
    if (status == BL_OK)
        *result = (struct time_run_result){best, bytes_moved(timed, workload, info)};
    bl_tensor_release(out);
    for (int32_t k = 0; k < workload->count; k++)
        bl_tensor_release(data[k].tensor);
    return status;
}

/* Find dtype and shape of a sum to a shape. */
static bl_status query_sum(const struct time_run *timed, bl_plan_info *info)
{
    const bl_array *const from = timed->operand[0], *const to = timed->operand[1];

    TRY(bl_sum_to_shape_check((bl_shape){from->rank, from->extent},
                              (bl_shape){to->rank, to->extent}));
    TRY(bl_reduction_result_dtype(BL_REDUCTION_SUM, from->dtype, &info->dtype));
    info->rank = to->rank;
    info->numel = 1;
    info->extent = to->extent;
    for (int32_t d = 0; d < to->rank; d++)
        info->numel *= to->extent[d];
    return BL_OK;
}

/* Find dtype and shape of the workload's result, and make its plan. */
static bl_status query(struct time_run *timed, bl_plan_info *info)
{
    if (time_run_is_sum(timed))
        return query_sum(timed, info);
    bind_inputs(timed);
    TRY(bl_plan_create(timed->ctx, timed->function.op,
                       timed->writes_first ? timed->operand[0] : NULL,
                       timed->function.inputs, timed->in, NULL, &timed->plan));
    return bl_plan_query(timed->plan, info);
}

bl_status time_run_workload(bl_context *ctx, const struct workload *workload,
                            double seconds, struct time_run_result *result)
{
    struct time_run timed = {.ctx = ctx};
    bl_options options = BL_OPTIONS_DEFAULT;
    bl_plan_info info = {.size = sizeof info};
    bl_array array[BL_MAX_INPUTS];
    bl_status status;

    TRY(time_run_choose(workload, &timed));
    for (int32_t k = 0; k < workload->count; k++) {
        array[k] = operand_array(&workload->operand[k], NULL);
        timed.operand[k] = &array[k];
    }
    /* The result's size is known before memory is allocated for it. */
    status = query(&timed, &info);
    options.dtype = info.dtype; /* of a new result: only copies change it */
    timed.options = &options;
    if (status == BL_OK)
        status = time_run_measure(&timed, workload, &info, seconds, result);
    bl_plan_destroy(timed.plan);
    return status;
}
