/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions over ranks.
 */
#include <string.h>

#include "mpi/entry/reduce.h"

/* ---- before the vote ---- */

/* Tell the ballot what all ranks must have alike. */
static void tell(struct bli_ballot *ballot, const struct bli_reduction_query *query,
                 const struct bli_reduction *plan)
{
    bli_ballot_number(ballot, (int64_t)plan->reduced);
    bli_ballot_number(ballot, query->keepdim);
    bli_ballot_number(ballot, plan->options.dtype);
    bli_ballot_bytes(ballot, &plan->options.correction, sizeof(double));
    bli_ballot_spread(ballot, plan->given);
}

/* Check that an array takes the results. */
static bl_status check_out(const struct bli_reducing *call)
{
    const struct bli_reduction *const plan = &call->plan;
    const bl_array *const out = call->out;
    const bool is_truth = plan->op == BL_REDUCTION_ANY || plan->op == BL_REDUCTION_ALL;
    bl_layout layout;

    BL_TRY(bl_array_layout(out, &layout));
    if (out->flags & BL_ARRAY_READ_ONLY)
        return bl_error_set(BL_ERR_ARGUMENT, "out is read-only");
    if (out->dtype != plan->to &&
        !(is_truth && (out->dtype == BL_DTYPE_BOOL || out->dtype == BL_DTYPE_U8)))
        return bl_error_set(BL_ERR_DTYPE, "out is %s, the result is %s",
                            bl_dtype_name(out->dtype), bl_dtype_name(plan->to));
    if (!bli_spread_has_shape(plan->given, out->rank, out->extent))
        return bl_error_set(BL_ERR_SHAPE, "out has another shape than the result");
    if (!out->data && bl_layout_numel(&layout) > 0)
        return bli_mpi_null("out->data");
    return BL_OK;
}

/* The last round's results as a tensor of the shape that is asked for. */
static bl_status make_result(struct bli_reducing *call)
{
    const struct bli_reduction *const plan = &call->plan;
    int64_t extent[BL_MAX_RANK];
    struct bli_box box;
    bl_tensor *block;

    if (call->out)
        BL_TRY(check_out(call));
    bli_spread_box(plan->given, call->grid->link->self, &box);
    for (int32_t d = 0; d < plan->given->rank; d++)
        extent[d] = box.end[d] - box.begin[d];
    BL_TRY(bl_tensor_view(call->effort[plan->rounds - 1].result_tensor,
                          plan->given->rank, extent, &block));
    return bli_mpi_tensor_make(call->grid, bli_spread_retain(plan->given), plan->to,
                               block, &call->made);
}

void bli_reducing_bind(struct bli_reducing *call)
{
    for (int32_t i = 0; i < call->plan.rounds; i++) {
        call->effort[i].plan = &call->plan;
        call->effort[i].round = &call->plan.round[i];
        call->effort[i].input = &call->input;
        call->effort[i].means = i == 1 ? &call->effort[0].result : NULL;
    }
}

/* Reserve memory for what a plan needs. */
static bl_status prepare(struct bli_reducing *call)
{
    const struct bli_reduction *const plan = &call->plan;

    BL_TRY(bli_mpi_array_block(bl_mpi_local(call->in), plan->from,
                               call->grid->link->self, &call->own));
    call->input = call->own;
    if (plan->ways.way == BLI_WAY_MOVE)
        BL_TRY(bli_reducing_reserve_move(call));
    bli_reducing_bind(call);
    for (int32_t i = 0; i < plan->rounds; i++) {
        call->effort[i].grid = call->grid;
        call->effort[i].ctx = call->ctx;
        BL_TRY(bli_effort_open(&call->effort[i]));
    }
    call->effort[1].divisor = (double)plan->count > plan->options.correction
                                  ? (double)plan->count - plan->options.correction
                                  : 0.0;
    return BL_OK;
}

/* The same where the plan is remembered: the operand and results are others. */
static bl_status prepare_again(struct bli_reducing *call)
{
    call->own.base = call->input.base = bl_mpi_local(call->in)->data;
    return call->out ? BL_OK
                     : bli_effort_reserve_results(&call->effort[call->plan.rounds - 1]);
}

static bl_status plan_call(struct bli_reducing *call, struct bli_reduction_query *query,
                           struct bli_ballot *ballot)
{
    const char *const name = bl_reduction_name(query->op);
    struct bli_spread_totals totals;

    bli_ballot_number(ballot, query->op);
    bli_ballot_text(ballot, "%s", name ? name : "");
    bli_ballot_spread(ballot, query->from);
    bli_ballot_shape(ballot, query->dtype, query->from->rank, query->from->extent);
    BL_TRY(bli_reduction_make(query, &call->plan));
    tell(ballot, query, &call->plan);
    if (!call->grid->link)
        return bl_error_set(BL_ERR_UNSUPPORTED, "the grid is only described");
    BL_TRY(bli_reduction_check(&call->plan, &call->limits, call->grid->link->self,
                               &totals));
    return prepare(call);
}

/* ---- after it ---- */

/* Whether all ranks know that all went well, or else that it did not. */
static bool is_known(const struct bli_reducing *call, bl_status status)
{
    return call->plan.ways.way == BLI_WAY_HERE ||
           (bli_reduction_tells_all(&call->plan) && status == BL_OK &&
            !call->effort[0].is_lame);
}

/* Move, combine and finish; a second vote tells all ranks of failures. */
static bl_status run(struct bli_reducing *call, const struct bli_ballot *ballot)
{
    const struct bli_reduction *const plan = &call->plan;
    const struct bli_move move = bli_reduction_move(plan);
    bl_status status = BL_OK;

    if (plan->ways.way == BLI_WAY_MOVE) {
        BL_TRY(bli_mpi_transfer(call->grid->link, call->ctx, &move, BLI_WINDOW,
                                &call->own, &call->input,
                                bl_tensor_mutable_data(call->buffers)));
        call->effort[0].status = bli_effort_reduce(&call->effort[0]);
    }
    for (int32_t i = 0; i < plan->rounds; i++) {
        call->effort[i].status = i == 0 ? call->effort[0].status : status;
        call->effort[i].is_lame = i > 0 && call->effort[i - 1].is_lame;
        BL_TRY(bli_effort_run(&call->effort[i]));
        status = call->effort[i].status;
    }
    return is_known(call, status) ? BL_OK : bli_mpi_agree(call->grid, ballot, status);
}

/* All of a call until there are results: those of the last round. */
static bl_status reduce(struct bli_reducing *call, struct bli_reduction_query *query,
                        const bl_mpi_options *limits, struct bli_ballot *ballot,
                        bl_status status)
{
    if (call->function) {
        *ballot = call->ballot;
        status = prepare_again(call);
    } else if (status == BL_OK) {
        status = bli_reduction_read_limits(limits, query, &call->limits, ballot);
        if (status == BL_OK)
            status = plan_call(call, query, ballot);
    }
    if (status == BL_OK)
        status = make_result(call);
    if (status == BL_OK && call->plan.ways.way == BLI_WAY_HERE)
        status = bli_effort_reduce(&call->effort[0]);
    BL_TRY(bli_mpi_agree(call->grid, ballot, status));
    return run(call, ballot);
}

void bli_reducing_release(struct bli_reducing *call)
{
    for (int32_t i = 0; i < 2; i++)
        bli_effort_close(&call->effort[i]);
    bl_mpi_tensor_release(call->made);
    bl_tensor_release(call->moved);
    bl_tensor_release(call->buffers);
    bli_reduction_free(&call->plan);
}

/*
 * Begin a call of arguments that are the same in all functions: in `fresh`, or one that
 * was remembered.
 */
static bl_status begin(struct bli_reducing *fresh, const struct bli_reducing_key *key,
                       struct bli_reduction_query *query, struct bli_ballot *ballot,
                       struct bli_reducing **call)
{
    const bl_mpi_tensor *const in = key->in;

    if (!in)
        return bli_mpi_null("in");
    BL_TRY(bli_mpi_begin(in->grid, ballot, key->function));
    *call = bli_reducing_recall(key);
    if (!*call) {
        *call = fresh;
        memset(fresh, 0, sizeof *fresh);
    }
    (*call)->grid = in->grid;
    (*call)->ctx = query->ctx = bli_mpi_context(key->ctx, in->grid);
    (*call)->in = in;
    (*call)->out = key->out;
    query->from = in->spread;
    query->dtype = in->dtype;
    return BL_OK;
}

/* A call that was made is kept, if it can be. */
static void finish(struct bli_reducing *call, const struct bli_reducing_key *key,
                   const struct bli_ballot *ballot, bl_status status)
{
    if (status == BL_OK)
        bli_reducing_remember(call, key, ballot);
    else if (call->function)
        bli_reducing_free(call);
    else
        bli_reducing_release(call);
}

/* ---- the functions ---- */

bl_status bl_mpi_reduce_new(bl_context *ctx, bl_reduction op, const bl_mpi_tensor *in,
                            int32_t axes_count, const int32_t *axes, bool keepdim,
                            const bl_reduce_options *options,
                            const bl_mpi_options *limits, bl_mpi_tensor **out)
{
    struct bli_reduction_query query =
        bli_reduction_query_of(op, axes_count, axes, keepdim, options);
    const struct bli_reducing_key key = {__func__, ctx, in, NULL, &query, limits, !out};
    struct bli_reducing fresh, *call;
    struct bli_ballot ballot;
    bl_status status;

    BL_TRY(begin(&fresh, &key, &query, &ballot, &call));
    status = out ? BL_OK : bli_mpi_null("out");
    status = reduce(call, &query, limits, &ballot, status);
    if (status == BL_OK) {
        *out = call->made;
        call->made = NULL;
    }
    finish(call, &key, &ballot, status);
    return status;
}

/* Copy the results to the program's array. */
static bl_status copy_results(const struct bli_reducing *call)
{
    const struct bli_spread *const given = call->plan.given;
    const int32_t self = call->grid->link->self;
    struct bli_block made, to;

    BL_TRY(bli_mpi_array_block(bl_mpi_local(call->made), given, self, &made));
    BL_TRY(bli_mpi_array_block(call->out, given, self, &to));
    made.dtype = to.dtype; /* bool may be stored as u8 */
    bli_block_copy(call->ctx, &to, &made);
    return BL_OK;
}

bl_status bl_mpi_reduce(bl_context *ctx, bl_reduction op, const bl_array *out,
                        const bl_mpi_tensor *in, int32_t axes_count,
                        const int32_t *axes, bool keepdim,
                        const bl_reduce_options *options, const bl_mpi_options *limits)
{
    struct bli_reduction_query query =
        bli_reduction_query_of(op, axes_count, axes, keepdim, options);
    const struct bli_reducing_key key = {__func__, ctx, in, out, &query, limits, !out};
    struct bli_reducing fresh, *call;
    struct bli_ballot ballot;
    bl_status status;

    BL_TRY(begin(&fresh, &key, &query, &ballot, &call));
    query.everywhere = true;
    status = out ? BL_OK : bli_mpi_null("out");
    status = reduce(call, &query, limits, &ballot, status);
    if (status == BL_OK)
        status = copy_results(call);
    finish(call, &key, &ballot, status);
    return status;
}
