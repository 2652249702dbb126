/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of operators, and their plans.
 */
#include "mpi/entry/aligned.h"

/* The grid of a call; NULL: no operand says one. */
static bl_mpi_grid *find_grid(const bl_mpi_tensor *out, int32_t count,
                              const bl_mpi_operand *in)
{
    if (out)
        return out->grid;
    for (int32_t k = 0; in && k < count && k < BL_MAX_INPUTS; k++)
        if (in[k].tensor)
            return in[k].tensor->grid;
    return NULL;
}

/* Begin a call: on the grid that is found. */
static bl_status begin(struct bli_plan_key *key, struct bli_ballot *ballot)
{
    key->grid = find_grid(key->out, key->count, key->in);
    if (!key->grid)
        return bl_error_set(BL_ERR_ARGUMENT, "no operand is a tensor over ranks");
    return bli_mpi_begin(key->grid, ballot, key->function);
}

/* Find or make the plan of a call that returns to `address`. */
static bl_status find_plan(const void *address, bl_context *ctx,
                           const struct bli_plan_key *key, struct bli_ballot *ballot,
                           bl_mpi_plan **plan)
{
    *plan = bli_plan_recall(key);
    if (*plan) {
        *ballot = (*plan)->ballot;
        return BL_OK;
    }
    return bli_mpi_plan_build(address, key->grid, ctx, key->op, key->out, key->count,
                              key->in, key->options, ballot, plan);
}

/* Vote on a plan that was found and execute it over the program's tensors. */
static bl_status apply(bl_context *ctx, bl_mpi_plan *plan,
                       const struct bli_plan_key *key, const struct bli_ballot *ballot,
                       bl_status status, const bl_mpi_tensor *out)
{
    const void *data[BL_MAX_INPUTS];
    void *result = NULL;

    if (status == BL_OK && !key->grid->link)
        status = bl_error_set(BL_ERR_UNSUPPORTED, "the grid is only described");
    if (status != BL_OK)
        return bli_mpi_agree(key->grid, ballot, status);
    for (int32_t k = 0; k < plan->call.count; k++)
        data[k] = key->in[k].tensor ? bl_tensor_data(key->in[k].tensor->block)
                                    : key->in[k].array->data;
    result = bl_tensor_mutable_data(out->block);
    if (!result && bl_tensor_numel(out->block) > 0)
        status = bl_error_set(BL_ERR_ARGUMENT, "out is read-only");
    return bli_mpi_plan_run(plan, ctx, ballot, status, result, data);
}

/* A plan that was executed is kept, if it can be. */
static void finish(bl_mpi_plan *plan, const struct bli_plan_key *key,
                   const struct bli_ballot *ballot, bl_status status)
{
    if (status == BL_OK)
        bli_plan_remember(plan, key, ballot);
    else
        bl_mpi_plan_destroy(plan);
}

bl_status bl_mpi_apply(bl_context *ctx, bl_op op, const bl_mpi_tensor *out,
                       int32_t count, const bl_mpi_operand *in,
                       const bl_mpi_options *options)
{
    struct bli_plan_key key = {.function = __func__,
                               .ctx = ctx,
                               .op = op,
                               .out = out,
                               .count = count,
                               .in = in,
                               .options = options};
    struct bli_mpi_aligned aligned;
    struct bli_ballot ballot;
    bl_mpi_plan *plan = NULL;
    bl_status status;

    BL_TRY(begin(&key, &ballot));
    status = bli_mpi_align(&aligned, &key, ctx);
    if (status == BL_OK)
        status = out ? find_plan(__builtin_return_address(0), ctx, &key, &ballot, &plan)
                     : bli_mpi_null("out");
    status = apply(ctx, plan, &key, &ballot, status, key.out);
    finish(plan, &key, &ballot, status);
    bli_mpi_aligned_end(&aligned, status);
    return status;
}

bl_status bl_mpi_apply_new(bl_context *ctx, bl_op op, int32_t count,
                           const bl_mpi_operand *in, const bl_mpi_options *options,
                           bl_mpi_tensor **out)
{
    struct bli_plan_key key = {.function = __func__,
                               .ctx = ctx,
                               .op = op,
                               .count = count,
                               .in = in,
                               .options = options};
    struct bli_mpi_aligned aligned;
    struct bli_ballot ballot;
    bl_mpi_plan *plan = NULL;
    bl_mpi_tensor *made = NULL;
    bl_status status;

    BL_TRY(begin(&key, &ballot));
    status = bli_mpi_align(&aligned, &key, ctx);
    if (status == BL_OK)
        status = out ? find_plan(__builtin_return_address(0), ctx, &key, &ballot, &plan)
                     : bli_mpi_null("out");
    if (status == BL_OK)
        status = bli_mpi_tensor_new(key.grid, ctx, bli_spread_retain(plan->call.result),
                                    plan->call.dtype, &made);
    status = apply(ctx, plan, &key, &ballot, status, made);
    finish(plan, &key, &ballot, status);
    bli_mpi_aligned_end(&aligned, status);
    if (status == BL_OK)
        *out = made;
    else
        bl_mpi_tensor_release(made);
    return status;
}

/* ---- plans ---- */

bl_status bl_mpi_plan_create(bl_context *ctx, bl_op op, const bl_mpi_tensor *out,
                             int32_t count, const bl_mpi_operand *in,
                             const bl_mpi_options *options, bl_mpi_plan **plan)
{
    struct bli_plan_key key = {
        .function = __func__, .out = out, .count = count, .in = in};
    struct bli_ballot ballot;
    bl_mpi_plan *made = NULL;
    bl_status status;

    BL_TRY(begin(&key, &ballot));
    status = plan ? bli_mpi_plan_build(__builtin_return_address(0), key.grid, ctx, op,
                                       out, count, in, options, &ballot, &made)
                  : bli_mpi_null("plan");
    status = bli_mpi_agree(key.grid, &ballot, status);
    if (status == BL_OK) {
        made->number = key.grid->plans++;
        *plan = made;
    } else
        bl_mpi_plan_destroy(made);
    return status;
}

bl_status bl_mpi_plan_execute(bl_context *ctx, const bl_mpi_plan *plan, void *out,
                              const void *const *data)
{
    struct bli_ballot ballot;

    if (!plan)
        return bli_mpi_null("plan");
    BL_TRY(bli_mpi_begin(plan->grid, &ballot, __func__));
    if (!plan->grid->link)
        return bl_error_set(BL_ERR_UNSUPPORTED, "the grid is only described");
    bli_ballot_number(&ballot, plan->number);
    bli_ballot_text(&ballot, "plan %d", (int)plan->number);
    return bli_mpi_plan_run(plan, ctx, &ballot, data ? BL_OK : bli_mpi_null("data"),
                            out, data);
}
