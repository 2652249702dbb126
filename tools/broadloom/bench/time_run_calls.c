/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The timed loops, one for each form of a call.
 */
#include "time_run_calls.h"

#include <string.h>

static bl_status run_out(const struct time_run *timed, long times)
{
    for (long i = 0; i < times; i++)
        TRY(bl_apply(timed->ctx, timed->function.op, timed->out, timed->function.inputs,
                     timed->in, NULL));
    return BL_OK;
}

/* A limit of growth, which no result exceeds, keeps plans out of the thread's cache. */
static bl_status run_first(const struct time_run *timed, long times)
{
    bl_options options = BL_OPTIONS_DEFAULT;

    options.max_growth = 1e300;
    for (long i = 0; i < times; i++)
        TRY(bl_apply(timed->ctx, timed->function.op, timed->out, timed->function.inputs,
                     timed->in, &options));
    return BL_OK;
}

static bl_status run_new(const struct time_run *timed, long times)
{
    bl_tensor *made;

    for (long i = 0; i < times; i++) {
        TRY(bl_apply_new(timed->ctx, timed->function.op, timed->function.inputs,
                         timed->in, timed->options, &made));
        bl_tensor_release(made);
    }
    return BL_OK;
}

static bl_status run_plan(const struct time_run *timed, long times)
{
    for (long i = 0; i < times; i++)
        TRY(bl_plan_execute(timed->ctx, timed->plan, timed->out->data, timed->data));
    return BL_OK;
}

/*
 * Compute (a * b + c) * d - b operator by operator, reusing the first result in place.
 */
static bl_status run_chain(const struct time_run *timed, long times)
{
    const bl_array *const *x = timed->operand;
    bl_context *const ctx = timed->ctx;

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
static bl_status run_sum_to(const struct time_run *timed, long times)
{
    const bl_array *const *x = timed->operand;
    bl_tensor *made;

    for (long i = 0; i < times; i++) {
        TRY(bl_sum_to_shape(timed->ctx, x[0], x[1]->rank, x[1]->extent, &made));
        bl_tensor_release(made);
    }
    return BL_OK;
}

/* Whether the workload calls `function` with `count` operands. */
static bool is_of(const struct workload *workload, const char *function, int32_t count)
{
    return strcmp(workload->op, function) == 0 && workload->count == count;
}

/* Find the operator; what has another number of operands is a malformed line. */
static bl_status find_operator(const struct workload *workload, struct function *out)
{
    const int32_t takes = strcmp(workload->op, "sum_to") == 0   ? 2
                          : strcmp(workload->op, "chain5") == 0 ? 4
                                                                : 0;

    if (takes > 0)
        return bl_error_set(BL_ERR_FORMAT, "%s takes %d arguments, got %d",
                            workload->op, (int)takes, (int)workload->count);
    const bl_status status = function_find(workload->op, workload->count, out);
    return status == BL_ERR_ARGUMENT ? BL_ERR_FORMAT : status;
}

bl_status time_run_choose(const struct workload *workload, struct time_run *timed)
{
    static const time_run_loop loops[] = {
        [WORKLOAD_OUT] = run_out,     [WORKLOAD_INPLACE] = run_out,
        [WORKLOAD_NEW] = run_new,     [WORKLOAD_PLAN] = run_plan,
        [WORKLOAD_FIRST] = run_first, [WORKLOAD_RUN] = run_out,
    };

    timed->run = loops[workload->mode];
    timed->writes_first = workload->mode == WORKLOAD_INPLACE;
    timed->reads = UINT32_MAX;
    if (is_of(workload, "sum_to", 2)) {
        timed->run = run_sum_to;
        timed->writes_first = false;
        timed->reads = 1U << 0;
        return BL_OK;
    }
    if (is_of(workload, "chain5", 4)) {
        timed->run = run_chain;
        timed->writes_first = false;
        /* Its result has the shape of an operator of four operands. */
        timed->function = function_of_op(BL_OP_ADDCMUL, 4);
        return BL_OK;
    }
    if (is_of(workload, "copy", 2) || is_of(workload, "cast", 2)) {
        timed->writes_first = true;
        timed->reads = 1U << 1;
        timed->function = (struct function){BL_OP_COPY, 2, 1, "b"};
        return BL_OK;
    }
    return find_operator(workload, &timed->function);
}

bool time_run_is_sum(const struct time_run *timed)
{
    return timed->run == run_sum_to;
}
