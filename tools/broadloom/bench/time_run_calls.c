/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops of calls, one for each way of calling.
 */
#include "time_run_calls.h"

#include <string.h>

static bl_status run_out(const struct trial *trial, long times)
{
    for (long i = 0; i < times; i++)
        TRY(bl_apply(trial->ctx, trial->function.op, trial->out, trial->function.inputs,
                     trial->in, NULL));
    return BL_OK;
}

static bl_status run_new(const struct trial *trial, long times)
{
    bl_tensor *made;

    for (long i = 0; i < times; i++) {
        TRY(bl_apply_new(trial->ctx, trial->function.op, trial->function.inputs,
                         trial->in, trial->options, &made));
        bl_tensor_release(made);
    }
    return BL_OK;
}

static bl_status run_plan(const struct trial *trial, long times)
{
    for (long i = 0; i < times; i++)
        TRY(bl_plan_execute(trial->ctx, trial->plan, trial->out->data, trial->data));
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

/* Sum the first operand to the shape of the second. */
static bl_status run_sum_to(const struct trial *trial, long times)
{
    const bl_array *const *x = trial->operand;
    bl_tensor *made;

    for (long i = 0; i < times; i++) {
        TRY(bl_sum_to_shape(trial->ctx, x[0], x[1]->rank, x[1]->extent, &made));
        bl_tensor_release(made);
    }
    return BL_OK;
}

/* Whether the workload is of `function` and has `count` operands. */
static bool is_of(const struct workload *workload, const char *function, int32_t count)
{
    return strcmp(workload->op, function) == 0 && workload->count == count;
}

bl_status trial_choose(const struct workload *workload, struct trial *trial)
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
    if (is_of(workload, "sum_to", 2)) {
        trial->run = run_sum_to;
        trial->writes_first = false;
        trial->reads = 1U << 0;
        return BL_OK;
    }
    if (is_of(workload, "chain5", 4)) {
        trial->run = run_chain;
        trial->writes_first = false;
        /* The result is that of an operator of four operands. */
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

bool trial_is_sum(const struct trial *trial)
{
    return trial->run == run_sum_to;
}
